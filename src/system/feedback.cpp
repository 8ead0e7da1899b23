#include "system/feedback.hpp"

#include "kernels/sweep/state.hpp"
#include "system/place_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

double component(const Quaternion& q, int c) { return c == 0 ? q.w : c == 1 ? q.x : c == 2 ? q.y : q.z; }

Vec3<double> unit(int i) {
  Vec3<double> e;
  e[i] = 1;
  return e;
}

/// The twist with dual parts.
Twist<Dual1> seeded(const Twist<double>& twist, const Vec3<double>& dv, const Vec3<double>& domega) {
  Twist<Dual1> d;
  for (int i = 0; i < 3; ++i) {
    d.v[i] = Dual1(twist.v[i], dv[i]);
    d.omega[i] = Dual1(twist.omega[i], domega[i]);
  }
  return d;
}

bool is_rate(Quantity quantity) {
  return quantity == Quantity::velocity || quantity == Quantity::angular_velocity || quantity == Quantity::rate;
}

}  // namespace

Feedback::Feedback(const LocalModel& local, const RelativeMotion& relatives, std::vector<int> frame)
    : local_(local), relatives_(relatives), frame_(std::move(frame)), switches_(local) {
  for (const LocalSignal& signal : local_.signals) {
    std::vector<int> columns;
    for (const LocalLeaf& leaf : signal.leaves) {
      if (leaf.dof >= 0) columns.push_back(leaf.dof);
      if (leaf.relative >= 0)
        for (const int column : relatives_.columns(static_cast<std::size_t>(leaf.relative))) columns.push_back(column);
      for (int k = 0; k < leaf.probe.num_nodes; ++k)
        for (int i = 0; i < leaf.probe.node_dofs(); ++i) columns.push_back(local_.dof[leaf.probe.node[k]] + i);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    columns_.push_back(std::move(columns));
  }
}

double Feedback::leaf_value(const LocalLeaf& leaf, const SignalLeaf& meaning, const FeedbackPoint& at) const {
  if (meaning.kind == SignalLeaf::Kind::state) return at.velocity[leaf.dof];
  if (leaf.relative >= 0) {
    const auto k = static_cast<std::size_t>(leaf.relative);
    return leaf.is_rate ? relatives_.rate(k, at) : relatives_.value(k, at);
  }
  const PlaceProbe& probe = leaf.probe;
  const int c = meaning.component;
  const bool from_start = meaning.quantity == Quantity::displacement;
  if (probe.kind == PlaceProbe::Kind::ground) {
    if (meaning.quantity == Quantity::orientation) return component(Quaternion{}, c);
    return meaning.quantity == Quantity::position ? probe.place[c] : 0.0;
  }
  if (probe.kind != PlaceProbe::Kind::frame) {
    double sum = from_start ? -probe.start[c] : 0.0;
    for (int k = 0; k < probe.num_nodes; ++k)
      sum += probe.weight[k] * (is_rate(meaning.quantity) ? at.velocity[local_.dof[probe.node[k]] + c]
                                                          : at.config[local_.config_offset[probe.node[k]] + c]);
    return sum;
  }
  const double* config = at.config + local_.config_offset[probe.node[0]];
  if (meaning.quantity == Quantity::orientation) return config[3 + c];
  return frame_component(frame_at(config), twist_at(at.velocity + local_.dof[probe.node[0]]), probe, meaning.quantity, c);
}

std::vector<double> Feedback::leaf_values(std::size_t k, const FeedbackPoint& at) const {
  const LocalSignal& signal = local_.signals[k];
  std::vector<double> leaves;
  for (std::size_t l = 0; l < signal.leaves.size(); ++l)
    leaves.push_back(leaf_value(signal.leaves[l], signal.flow.leaves[l], at));
  return leaves;
}

double Feedback::value(std::size_t k, const FeedbackPoint& at) const {
  return switches_.evaluate(k, at.t, leaf_values(k, at).data());
}

double Feedback::free_value(std::size_t k, const FeedbackPoint& at) const {
  return local_.signals[k].flow.evaluate(at.t, leaf_values(k, at).data());
}

/// The change of slope across the state, |f(x+d) - 2 f(x) + f(x-d)|/d, shrinks with d where f is smooth (abs(v)*v is at 0), and
/// does not at a bend. Across a jump slopes grow as d shrinks, be the jump as large on both sides (sign(v)).
bool Feedback::bends(std::size_t signal, const FeedbackPoint& at) const {
  constexpr double step = 1e-6, shorter = 16, part = 1e-3, rounding = 64 * std::numeric_limits<double>::epsilon();
  if (!switches_.is_in(signal)) return false;
  std::vector<double> leaves = leaf_values(signal, at);
  const double f = free_value(signal, at);
  for (double& leaf : leaves) {
    const double x = leaf;
    double change[2], slope[2], d = step * (1 + std::abs(x));
    for (int k = 0; k < 2; ++k) {
      leaf = x + d;
      const double ahead = local_.signals[signal].flow.evaluate(at.t, leaves.data()) - f;
      leaf = x - d;
      const double behind = f - local_.signals[signal].flow.evaluate(at.t, leaves.data());
      change[k] = std::abs(ahead - behind) / d;
      slope[k] = std::max(std::abs(ahead), std::abs(behind)) / d;
      d /= shorter;
    }
    leaf = x;
    const double of_rounding = rounding * std::abs(f) / (d * shorter), jump = shorter / 4;
    if (change[1] > part * slope[1] + of_rounding && 2 * change[1] > change[0]) return true;
    if (slope[1] > jump * slope[0] + of_rounding) return true;
  }
  return false;
}

std::vector<double> Feedback::outputs(const FeedbackPoint& at) const {
  std::vector<double> values;
  for (std::size_t k = 0; k < local_.signals.size(); ++k) {
    const LocalSignal& signal = local_.signals[k];
    if (signal.target != LocalSignal::Target::output) continue;
    const bool is_one = signal.item >= 0;
    std::vector<double> results;
    if (!is_one) results = signal.flow.results(at.t, leaf_values(k, at).data());
    for (const LocalOutput& output : signal.outputs) {
      values.resize(std::max(values.size(), output.place + 1));
      values[output.place] = is_one ? value(k, at) : results[static_cast<std::size_t>(output.step)];
    }
  }
  return values;
}

std::vector<double> Feedback::switch_arguments(const FeedbackPoint& at) const {
  std::vector<double> g(switches_.size(), 0.0);
  for (std::size_t k = 0; k < local_.signals.size(); ++k)
    if (switches_.is_in(k)) switches_.arguments(k, at.t, leaf_values(k, at).data(), g);
  return g;
}

std::vector<char> Feedback::smooth_switches(const FeedbackPoint& begin, const FeedbackPoint& end, const std::vector<char>& left) {
  SwitchBoard::Passage passage{begin.t, end.t, {}, {}};
  for (std::size_t k = 0; k < local_.signals.size(); ++k) {
    passage.from.push_back(switches_.is_in(k) ? leaf_values(k, begin) : std::vector<double>());
    passage.to.push_back(switches_.is_in(k) ? leaf_values(k, end) : std::vector<double>());
  }
  std::vector<char> smooth(left.size(), 0);
  for (std::size_t k = 0; k < switches_.size(); ++k) smooth[k] = left[k] != 0 && switches_.meets_smoothly(k, passage) ? 1 : 0;
  return smooth;
}

void Feedback::choose_pieces(const FeedbackPoint& at, const std::vector<char>& fixed) {
  for (std::size_t k = 0; k < local_.signals.size(); ++k)
    if (switches_.is_in(k)) switches_.choose(k, at.t, leaf_values(k, at).data(), fixed);
}

/// A leaf moves with the velocities along the columns of places and with the accelerations along those of velocities and states.
std::vector<double> Feedback::switch_rates(const FeedbackPoint& at, const double* a) const {
  std::vector<Dual1> g(switches_.size());
  TangentShift along_places, along_rates;
  along_places.q = 1;
  along_rates.v = 1;
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < local_.signals.size(); ++k) {
    if (!switches_.is_in(k)) continue;
    const LocalSignal& signal = local_.signals[k];
    std::vector<Dual1> leaves;
    for (const double value : leaf_values(k, at)) {
      const std::size_t l = leaves.size();
      double rate = 0;
      for (const auto& [shift, motion] : {std::pair{along_places, at.velocity}, std::pair{along_rates, a}}) {
        entries.clear();
        add_leaf(signal.leaves[l], signal.flow.leaves[l], at, shift, 1.0, entries);
        for (const auto& [column, slope] : entries) rate += slope * motion[column];
      }
      leaves.emplace_back(value, rate);
    }
    switches_.arguments(k, Dual1(at.t, 1.0), leaves.data(), g);
  }
  std::vector<double> rates;
  for (const Dual1& argument : g) rates.push_back(argument.grad);
  return rates;
}

/// Every place, velocity and state that a leaf reads counts with its amount: rounding of two of them does not cancel as their
/// motion may. (What sticks to a belt has the belt's speed, of which the last digits are those of the difference.)
std::vector<double> Feedback::switch_roundings(const FeedbackPoint& at, const double* rounding) const {
  std::vector<double> sums(switches_.size(), 0.0);
  std::vector<Dual1> g(switches_.size());
  TangentShift along_places, along_rates;
  along_places.q = 1;
  along_rates.v = 1;
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < local_.signals.size(); ++k) {
    if (!switches_.is_in(k)) continue;
    const LocalSignal& signal = local_.signals[k];
    const std::vector<double> values = leaf_values(k, at);
    std::vector<Dual1> leaves(values.begin(), values.end());
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      entries.clear();
      add_leaf(signal.leaves[l], signal.flow.leaves[l], at, along_places, 1.0, entries);
      double amount = 0;
      for (const auto& [column, slope] : entries) amount += std::abs(slope) * rounding[column];
      entries.clear();
      add_leaf(signal.leaves[l], signal.flow.leaves[l], at, along_rates, 1.0, entries);
      for (const auto& [column, slope] : entries) amount += std::abs(slope) * epsilon * std::abs(at.velocity[column]);
      if (amount == 0) continue;
      leaves[l] = Dual1(values[l], amount);
      std::fill(g.begin(), g.end(), Dual1());
      switches_.arguments(k, Dual1(at.t), leaves.data(), g);
      leaves[l] = Dual1(values[l]);
      for (std::size_t s = 0; s < g.size(); ++s) sums[s] += std::abs(g[s].grad);
    }
  }
  return sums;
}

/// d(leaf) by configuration and velocity of a frame: one dual sweep for each of its directions.
void Feedback::add_frame(const LocalLeaf& leaf, const SignalLeaf& meaning, const FeedbackPoint& at, const TangentShift& shift,
                         double factor, std::vector<Entry>& entries) const {
  const PlaceProbe& probe = leaf.probe;
  const int node = probe.node[0], dof = local_.dof[node], c = meaning.component;
  const double* config = at.config + local_.config_offset[node];
  const Frame<double> frame = frame_at(config);
  const Twist<double> twist = twist_at(at.velocity + dof);
  for (int i = 0; i < 6; ++i) {
    Vec3<double> dx, dtheta, dv, domega;
    (i < 3 ? dv : domega) = shift.v * unit(i % 3);
    if (i < 3) {
      dx = shift.q * unit(i);
    } else {
      for (int r = 0; r < 3; ++r)
        dtheta[r] = shift.q * (at.tangent_operator ? at.tangent_operator[9 * frame_[node] + 3 * r + i - 3]
                               : r == i - 3        ? 1.0
                                                   : 0.0);
    }
    double slope = 0;
    if (meaning.quantity == Quantity::orientation) {
      const Quaternion q = Pose::quaternion(config);
      slope = component(q * Quaternion{0, 0.5 * dtheta[0], 0.5 * dtheta[1], 0.5 * dtheta[2]}, c);
    } else {
      slope = frame_component(perturbed(frame, dx, dtheta), seeded(twist, dv, domega), probe, meaning.quantity, c).grad;
    }
    entries.push_back({dof + i, factor * slope});
  }
}

void Feedback::add_leaf(const LocalLeaf& leaf, const SignalLeaf& meaning, const FeedbackPoint& at, const TangentShift& shift,
                        double factor, std::vector<Entry>& entries) const {
  const PlaceProbe& probe = leaf.probe;
  if (meaning.kind == SignalLeaf::Kind::state) {
    entries.push_back({leaf.dof, factor * shift.state_factor()});
  } else if (leaf.relative >= 0) {
    relatives_.add_slopes(static_cast<std::size_t>(leaf.relative), leaf.is_rate, at, shift, factor, entries);
  } else if (probe.kind == PlaceProbe::Kind::frame) {
    add_frame(leaf, meaning, at, shift, factor, entries);
  } else {
    const double slope = factor * (is_rate(meaning.quantity) ? shift.v : shift.q);
    for (int k = 0; k < probe.num_nodes; ++k)
      entries.push_back({local_.dof[probe.node[k]] + meaning.component, slope * probe.weight[k]});
  }
}

namespace {

/// Of signal k, along one of its leaves. Where a factor that vanishes meets a steep one, abs(z)^0.5*z at z = 0, the rule of
/// products has no number for it: there that right beside, above or else below.
double slope_along(const SwitchBoard& switches, std::size_t k, const Dual1& t, std::vector<Dual1>& leaves, std::size_t leaf) {
  const double here = leaves[leaf].value;
  const auto slope_at = [&](double value) {
    leaves[leaf] = {value, 1.0};
    return switches.evaluate(k, t, leaves.data()).grad;
  };
  constexpr double next_to_zero = 1e-30;  // its square is a normal number yet
  const double beside = here != 0 ? 4 * std::numeric_limits<double>::epsilon() * std::abs(here) : next_to_zero;
  double slope = slope_at(here);
  for (const double value : {here + beside, here - beside})
    if (std::isnan(slope)) slope = slope_at(value);
  leaves[leaf] = here;
  return slope;
}

}  // namespace

std::vector<double> Feedback::derivative(std::size_t k, const FeedbackPoint& at, const TangentShift& shift) const {
  const LocalSignal& signal = local_.signals[k];
  const Dual1 t(at.t);
  std::vector<Dual1> leaves;
  for (std::size_t l = 0; l < signal.leaves.size(); ++l)
    leaves.emplace_back(leaf_value(signal.leaves[l], signal.flow.leaves[l], at));
  std::vector<Entry> entries;
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    const double slope = slope_along(switches_, k, t, leaves, l);
    const std::size_t first = entries.size();
    const bool is_finite = std::isfinite(slope);
    add_leaf(signal.leaves[l], signal.flow.leaves[l], at, shift, is_finite ? slope : 1.0, entries);
    // What does not move the leaf does not change the signal either, however steep that is: sqrt(abs(x)) at x = 0, held in place.
    for (std::size_t n = first; !is_finite && n < entries.size(); ++n)
      if (entries[n].second != 0) entries[n].second *= slope;
  }
  const std::vector<int>& columns = columns_[k];
  std::vector<double> sums(columns.size(), 0.0);
  for (const auto& [column, value] : entries)
    sums[static_cast<std::size_t>(std::lower_bound(columns.begin(), columns.end(), column) - columns.begin())] += value;
  return sums;
}

}  // namespace sinew
