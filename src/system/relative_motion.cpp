#include "system/relative_motion.hpp"

#include "kernels/sweep/state.hpp"
#include "system/place_motion.hpp"

#include <cmath>
#include <numbers>

namespace sinew {

namespace {

using Kind = PlaceProbe::Kind;

/// Coordinate and rate: one dual sweep along the velocity.
template <class S>
Dual<S> moving_coordinate(const LocalRelative& relative, const MovingPlace<S> (&m)[2]) {
  const Vec3<double> place[2] = {relative.place[0].place, relative.place[1].place};
  const Frame<Dual<S>> frames[2] = {perturbed(m[0].frame, m[0].twist.v, m[0].twist.omega),
                                    perturbed(m[1].frame, m[1].twist.v, m[1].twist.omega)};
  return coordinate_of(relative.coordinate, place, frames);
}

/// The frame moved and sped up along some direction of its dofs.
MovingPlace<Dual1> seeded(const MovingPlace<double>& m, const Twist<double>& along, const Twist<double>& faster) {
  MovingPlace<Dual1> d{perturbed(m.frame, along.v, along.omega), {}};
  for (int i = 0; i < 3; ++i) {
    d.twist.v[i] = Dual1(m.twist.v[i], faster.v[i]);
    d.twist.omega[i] = Dual1(m.twist.omega[i], faster.omega[i]);
  }
  return d;
}

/// Two places that coincide have no direction in which their distance changes.
double or_zero(double slope) { return std::isnan(slope) ? 0.0 : slope; }

}  // namespace

RelativeMotion::RelativeMotion(const LocalModel& local, std::vector<int> frame) : local_(&local), frame_(std::move(frame)) {
  forget();
}

void RelativeMotion::forget() {
  last_.clear();
  for (const LocalRelative& relative : local_->relatives) last_.push_back({0.0, relative.start, 0.0});
}

MovingPlace<double> RelativeMotion::motion(const PlaceProbe& probe, const FeedbackPoint& at) const {
  MovingPlace<double> m;
  if (probe.kind == Kind::frame) {
    const int node = probe.node[0];
    m.frame = frame_at(at.config + local_->config_offset[node]);
    m.twist = twist_at(at.velocity + local_->dof[node]);
  } else {
    for (int k = 0; k < probe.num_nodes; ++k) {
      m.frame.x += probe.weight[k] * vec3_at(at.config + local_->config_offset[probe.node[k]]);
      m.twist.v += probe.weight[k] * vec3_at(at.velocity + local_->dof[probe.node[k]]);
    }
  }
  return m;
}

double RelativeMotion::rate(std::size_t k, const FeedbackPoint& at) const {
  const LocalRelative& relative = local_->relatives[k];
  const MovingPlace<double> m[2] = {motion(relative.place[0], at), motion(relative.place[1], at)};
  return or_zero(moving_coordinate(relative, m).grad);
}

double RelativeMotion::value(std::size_t k, const FeedbackPoint& at) const {
  constexpr double turn = 2 * std::numbers::pi;
  const LocalRelative& relative = local_->relatives[k];
  const Frame<double> frames[2] = {motion(relative.place[0], at).frame, motion(relative.place[1], at).frame};
  const Vec3<double> place[2] = {relative.place[0].place, relative.place[1].place};
  const double value = coordinate_of(relative.coordinate, place, frames);
  if (relative.coordinate.kind != RelativeCoordinate::Kind::angle) return value;
  const Moment& last = last_[k];
  const double expected = last.value + (at.t - last.t) * (last.rate + rate(k, at)) / 2;
  return value + turn * std::round(((std::isfinite(expected) ? expected : last.value) - value) / turn);
}

void RelativeMotion::accept(const FeedbackPoint& at) {
  std::vector<Moment> now;
  for (std::size_t k = 0; k < last_.size(); ++k) now.push_back({at.t, value(k, at), rate(k, at)});
  last_ = std::move(now);
}

void RelativeMotion::persist(Archive& archive) {
  std::vector<std::int64_t> keys;
  std::vector<double> values;
  for (std::size_t k = 0; k < last_.size(); ++k) {
    const LocalRelative& relative = local_->relatives[k];
    keys.push_back(item_key({relative.sensor, relative.instance, relative.number}));
    values.insert(values.end(), {last_[k].t, last_[k].value, last_[k].rate});
  }
  archive.pass_items("relative_coordinates", keys, values);
  for (std::size_t k = 0; k < last_.size(); ++k) last_[k] = {values[3 * k], values[3 * k + 1], values[3 * k + 2]};
}

std::vector<int> RelativeMotion::columns(std::size_t k) const {
  std::vector<int> columns;
  for (const PlaceProbe& probe : local_->relatives[k].place)
    for (int n = 0; n < probe.num_nodes; ++n)
      for (int i = 0; i < probe.node_dofs(); ++i) columns.push_back(local_->dof[probe.node[n]] + i);
  return columns;
}

void RelativeMotion::add_slopes(std::size_t k, bool of_rate, const FeedbackPoint& at, const TangentShift& shift, double factor,
                                std::vector<DofSlope>& slopes) const {
  const LocalRelative& relative = local_->relatives[k];
  const MovingPlace<double> here[2] = {motion(relative.place[0], at), motion(relative.place[1], at)};
  for (int p = 0; p < 2; ++p) {
    const PlaceProbe& probe = relative.place[p];
    for (int i = 0; i < (probe.num_nodes == 0 ? 0 : probe.node_dofs()); ++i) {
      Twist<double> along, faster;
      (i < 3 ? faster.v : faster.omega)[i % 3] = shift.v;
      if (i < 3) along.v[i] = shift.q;
      for (int r = 0; i >= 3 && r < 3; ++r)
        along.omega[r] =
            shift.q * (at.tangent_operator ? at.tangent_operator[9 * frame_[probe.node[0]] + 3 * r + i - 3] : r == i - 3);
      MovingPlace<Dual1> m[2];
      m[p] = seeded(here[p], along, faster);
      m[1 - p] = seeded(here[1 - p], {}, {});
      const Dual2 found = moving_coordinate(relative, m);
      const double slope = factor * or_zero(of_rate ? found.grad.grad : found.value.grad);
      for (int n = 0; n < probe.num_nodes; ++n) slopes.emplace_back(local_->dof[probe.node[n]] + i, slope * probe.weight[n]);
    }
  }
}

}  // namespace sinew
