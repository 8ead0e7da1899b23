#include "integrate/multistep_history.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

MultistepHistory::MultistepHistory(const DynamicSystem& system, int capacity)
    : system_(system), capacity_(static_cast<std::size_t>(capacity)) {}

MultistepHistory::Point MultistepHistory::take_storage() {
  if (points_.size() == capacity_) {
    spare_.push_back(std::move(points_.back()));
    points_.pop_back();
  }
  if (spare_.empty())
    return {0, 0, system_.make_configuration(), system_.make_dof_vector(), system_.make_dof_vector(), system_.make_row_vector()};
  Point point = std::move(spare_.back());
  spare_.pop_back();
  return point;
}

void MultistepHistory::restart(const State& state, PetscVec rows) {
  while (!points_.empty()) {
    spare_.push_back(std::move(points_.back()));
    points_.pop_back();
  }
  push(state, 0, rows);
}

void MultistepHistory::push(const State& state, double h, PetscVec rows) {
  Point point = take_storage();
  point.step = h;
  Kokkos::deep_copy(point.q.values, state.q.values);
  petsc(VecCopy(state.z, point.z));
  petsc(VecCopy(rows, point.rows));
  point.angular_speed = system_.has_rotations() ? largest_turn(system_, point.z) : 0;
  points_.push_front(std::move(point));
  t_ = state.t;
  for (Point& p : points_) system_.difference(points_.front().q, p.q, p.w);
}

void MultistepHistory::persist(Archive& archive) {
  const auto& [system, capacity, t, points, spare] = *this;
  const Archive::Part part(archive, "history");
  archive.pass("time", t_);
  std::size_t count = points.size();
  archive.pass("points", count);
  while (points.size() < count) points_.push_back(take_storage());
  while (points.size() > count) points_.pop_back();
  for (std::size_t j = 0; j < count; ++j) {
    auto& [step, angular_speed, q, w, z, rows] = points_[j];
    const Archive::Part of_point(archive, std::to_string(j));
    archive.pass("step", step);
    archive.pass("angular_speed", angular_speed);
    archive.pass("configuration", q);
    archive.pass_dofs("increment", w);
    archive.pass_dofs("velocity", z);
    archive.pass_rows("rows", rows);
  }
}

int MultistepHistory::points_within(double most) const {
  double turn = 0;
  for (int j = 1; j < size(); ++j) {
    turn += points_[j - 1].step * std::max(points_[j - 1].angular_speed, points_[j].angular_speed);
    if (!(turn < most)) return j;
  }
  return size();
}

bool MultistepHistory::ends_at(double t, double h) const {
  if (points_.empty()) return false;
  const double step = points_.size() > 1 ? points_.front().step : h;
  return std::abs(t - t_) <= 1e-3 * step + 1e-14 * std::abs(t);
}

std::vector<double> MultistepHistory::distances(double h, int count) const {
  std::vector<double> d;
  double distance = h;
  for (int j = 0; j < count; ++j) {
    d.push_back(distance);
    distance += points_[j].step;
  }
  return d;
}

namespace {

template <class Points, class Member>
void combine(const Points& points, std::span<const double> weights, Member member, PetscVec out) {
  petsc(VecSet(out, 0.0));
  for (std::size_t j = 0; j < weights.size(); ++j) petsc(VecAXPY(out, weights[j], points[j].*member));
}

}  // namespace

void MultistepHistory::combine_positions(std::span<const double> weights, PetscVec out) const {
  combine(points_, weights, &Point::w, out);
}
void MultistepHistory::combine_velocities(std::span<const double> weights, PetscVec out) const {
  combine(points_, weights, &Point::z, out);
}
void MultistepHistory::combine_rows(std::span<const double> weights, PetscVec out) const {
  combine(points_, weights, &Point::rows, out);
}

}  // namespace sinew
