#include "integrate/hidden_swings.hpp"

#include "base/reduction.hpp"
#include "partition/collective_error.hpp"
#include "system/archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// What is less beside the largest amount of the force so far, or beside all forces, is not spoken of.
constexpr double worth_saying = 0.05, negligible = 1e-6;
/// What a bell far away leaves is no force, even where there is no other.
constexpr double nothing = 1e-200;
/// Intervals are halved as often: the worst first, a bump of 2^-32 of a step is found.
constexpr int most_halvings = 64;
/// Slopes at the ends are taken over this part of a step.
constexpr double beside = 1.0 / 1024;

/// Through three values at 0, 1/2 and 1.
struct Parabola {
  double c0 = 0, c1 = 0, c2 = 0;
  Parabola(double begin, double middle, double end)
      : c0(begin), c1(4 * middle - 3 * begin - end), c2(2 * (begin + end) - 4 * middle) {}
  double at(double p) const { return c0 + p * (c1 + p * c2); }
  /// Over a part of a step of size h.
  MovingValue over(double a, double b, double h) const {
    ValueInterval value{std::min(at(a), at(b)), std::max(at(a), at(b))};
    const double turn = c2 != 0 ? -c1 / (2 * c2) : -1;
    if (turn > a && turn < b) {
      value.low = std::min(value.low, at(turn));
      value.high = std::max(value.high, at(turn));
    }
    const double slope_a = (c1 + 2 * a * c2) / h, slope_b = (c1 + 2 * b * c2) / h, bend = 2 * c2 / (h * h);
    return {{value, {std::min(slope_a, slope_b), std::max(slope_a, slope_b)}, {bend, bend}}, at((a + b) / 2)};
  }
};

/// What a force knows of the state moves on a parabola; a distance is the root of its square, which is one: that of two bodies
/// which pass each other has a bend as sharp as they pass close.
class Path {
 public:
  Path(bool is_distance, double begin, double middle, double end)
      : is_distance_(is_distance),
        path_(is_distance ? Parabola(begin * begin, middle * middle, end * end) : Parabola(begin, middle, end)) {}
  double at(double p) const { return is_distance_ ? std::sqrt(std::max(0.0, path_.at(p))) : path_.at(p); }
  MovingValue over(double a, double b, double h) const {
    return is_distance_ ? square_root(path_.over(a, b, h)) : path_.over(a, b, h);
  }

 private:
  bool is_distance_;
  Parabola path_;
};

}  // namespace

/// Of one force over one step, in parts of the step.
class HiddenSwings::Search {
 public:
  Search(const SignalCurves& curves, std::size_t curve, double t, double h, std::vector<Path> leaves)
      : curves_(curves),
        curve_(curve),
        t_(t),
        h_(h),
        leaves_(std::move(leaves)),
        values_(leaves_.size()),
        moving_(leaves_.size()) {
    f0_ = value(0);
    f1_ = value(1);
    slope0_ = (value(beside) - f0_) / beside;
    slope1_ = (f1_ - value(1 - beside)) / beside;
  }

  bool is_finite() const { return std::isfinite(f0_ + f1_ + slope0_ + slope1_); }
  double largest_at_ends() const { return std::max(std::abs(f0_), std::abs(f1_)); }
  /// By how much the cubic leaves the chord.
  double shown() const {
    double most = std::abs(f1_ - f0_) / 2;
    for (const double p : {0.25, 1.0 / 3, 0.5, 2.0 / 3, 0.75})
      most = std::max(most, std::abs(cubic(p) - (f0_ + p * (f1_ - f0_))));
    return most;
  }

  /// The part of the step before the first interval of which an end is more than `allowed` from the cubic; 1: there is none.
  double look(double allowed, Record& found) {
    nodes_.clear();
    push(0, 1, f0_, f1_);
    for (int n = 0; n < most_halvings; ++n) {
      std::pop_heap(nodes_.begin(), nodes_.end(), is_better);
      const Node worst = nodes_.back();
      const double middle = (worst.a + worst.b) / 2;
      if (worst.bound <= allowed || !(middle > worst.a && middle < worst.b)) break;
      nodes_.pop_back();
      const double f = value(middle);
      if (!std::isfinite(f)) return 1;
      push(worst.a, middle, worst.fa, f);
      push(middle, worst.b, f, worst.fb);
    }
    return first_hidden(allowed, found);
  }

 private:
  struct Node {
    double a = 0, b = 0, fa = 0, fb = 0;
    double bound = 0;  ///< of the distance from the cubic
  };
  static bool is_better(const Node& x, const Node& y) { return x.bound < y.bound; }

  double value(double p) {
    for (std::size_t l = 0; l < leaves_.size(); ++l) values_[l] = leaves_[l].at(p);
    return curves_.value(curve_, t_ + p * h_, values_.data());
  }
  double cubic(double p) const {
    const double r = 1 - p;
    return f0_ + p * p * (3 - 2 * p) * (f1_ - f0_) + p * r * (r * slope0_ - p * slope1_);
  }
  double cubic_bend(double p) const { return (6 - 12 * p) * (f1_ - f0_) + (6 * p - 4) * slope0_ + (6 * p - 2) * slope1_; }

  void push(double a, double b, double fa, double fb) {
    for (std::size_t l = 0; l < leaves_.size(); ++l) moving_[l] = leaves_[l].over(a, b, h_);
    const TimeRange range = curves_.range(curve_, t_ + a * h_, t_ + b * h_, moving_);
    const double width = b - a, ca = cubic(a), cb = cubic(b), da = cubic_bend(a), db = cubic_bend(b);
    const double bend =
        std::max(range.acceleration.high * h_ * h_ - std::min(da, db), std::max(da, db) - range.acceleration.low * h_ * h_);
    const double slack = std::max(std::abs(da), std::abs(db)) * width * width / 8;
    const double by_bend = std::max(std::abs(fa - ca), std::abs(fb - cb)) + bend * width * width / 8;
    const double by_value = slack + std::max(range.value.high - std::min(ca, cb), std::max(ca, cb) - range.value.low);
    nodes_.push_back({a, b, fa, fb, std::min(by_bend, by_value)});
    std::push_heap(nodes_.begin(), nodes_.end(), is_better);
  }

  double first_hidden(double allowed, Record& found) {
    std::sort(nodes_.begin(), nodes_.end(), [](const Node& x, const Node& y) { return x.a < y.a; });
    const auto off = [&](double p, double f) { return std::abs(f - cubic(p)); };
    double part = 1;
    found = {};
    for (const Node& n : nodes_) {
      const double here = std::max(off(n.a, n.fa), off(n.b, n.fb));
      if (here <= allowed) continue;
      if (part == 1) part = n.a > 0 ? n.a : n.b;
      if (here <= found.swing) continue;
      found.swing = here;
      const bool is_left = off(n.a, n.fa) == here;
      found.peak = is_left ? n.fa : n.fb;
      found.time = t_ + (is_left ? n.a : n.b) * h_;
    }
    if (found.swing == 0) return 1;
    for (const Node& n : nodes_)
      if (std::max(off(n.a, n.fa), off(n.b, n.fb)) > found.swing / 2) found.width += (n.b - n.a) * h_;
    found.step = h_;
    found.at_begin = f0_;
    found.at_end = f1_;
    return part;
  }

  const SignalCurves& curves_;
  std::size_t curve_;
  double t_, h_;
  std::vector<Path> leaves_;
  std::vector<double> values_;
  std::vector<MovingValue> moving_;
  double f0_ = 0, f1_ = 0, slope0_ = 0, slope1_ = 0;  ///< slopes over parts of the step
  std::vector<Node> nodes_;
};

HiddenSwings::HiddenSwings(const DynamicSystem& system)
    : system_(system), curves_(*system.curves()), records_(curves_.size()), found_(curves_.size()) {}

double HiddenSwings::look(const State& begin, const Stage& middle, const Stage& end) {
  largest_force_ = std::max(largest_force_, max_norm(begin.f));
  const std::array<std::vector<double>, 3> leaves{system_.curve_leaves({begin.t, &begin.q, begin.z, nullptr}),
                                                  system_.curve_leaves(middle), system_.curve_leaves(end)};
  double part = 1;
  std::size_t first = 0;
  for (std::size_t c = 0; c < curves_.size(); ++c) {
    std::vector<Path> paths;
    for (std::size_t k = 0; k < curves_.num_leaves(c); ++k, ++first)
      paths.emplace_back(curves_.is_distance(c, k), leaves[0][first], leaves[1][first], leaves[2][first]);
    Search search(curves_, c, begin.t, end.t - begin.t, std::move(paths));
    found_[c] = {};
    if (!search.is_finite()) continue;
    records_[c].largest = std::max(records_[c].largest, search.largest_at_ends());
    const double allowed = std::max({search.shown(), worth_saying * records_[c].largest, negligible * largest_force_, nothing});
    part = std::min(part, search.look(allowed, found_[c]));
  }
  return least_of_all(system_.layout().comm, part);
}

void HiddenSwings::let_pass() {
  for (std::size_t c = 0; c < records_.size(); ++c) {
    if (found_[c].swing <= records_[c].swing) continue;
    const double largest = std::max(records_[c].largest, std::abs(found_[c].peak));
    records_[c] = found_[c];
    records_[c].largest = largest;
  }
}

std::string HiddenSwings::verdict() const {
  double most = 0;
  std::string text;
  for (std::size_t c = 0; c < records_.size(); ++c) {
    const Record& r = records_[c];
    if (!(r.swing > worth_saying * r.largest) || r.swing / r.largest <= most) continue;
    most = r.swing / r.largest;
    text = fmt::format(
        "{} comes to {:.4g} at t = {:.9g}, within a step of {:.3g} s at whose ends it is {:.4g} and {:.4g}: steps go over it. "
        "Shorter ones there (`step`, or `max` of controlled ones: {:.2g} s) show it",
        system_.name_of_curve(c), r.peak, r.time, r.step, r.at_begin, r.at_end, r.width / 2);
  }
  const double largest = largest_of_all(system_.layout().comm, most);
  if (largest == 0) return {};
  std::int64_t key = most == largest ? 0 : 1;
  return first_text(system_.layout().comm, key, most == largest ? text : std::string());
}

void HiddenSwings::persist(Archive& archive) {
  const Archive::Part part(archive, "hidden");
  archive.pass_largest("largest_force", largest_force_);
  std::vector<std::int64_t> keys;
  std::vector<double> values;
  for (std::size_t c = 0; c < records_.size(); ++c) {
    const auto& [largest, swing, time, step, peak, at_begin, at_end, width] = records_[c];
    keys.push_back(curves_.key(c));
    values.insert(values.end(), {largest, swing, time, step, peak, at_begin, at_end, width});
  }
  archive.pass_items("records", keys, values);
  if (!archive.is_reading()) return;
  for (std::size_t c = 0; c < records_.size(); ++c) {
    const double* v = &values[8 * c];
    records_[c] = {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]};
  }
}

}  // namespace sinew
