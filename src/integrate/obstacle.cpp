#include "integrate/obstacle.hpp"

#include "solve/consistent.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

/// A formula is looked at a little beyond the shortest step that failed: its end may be the last time with a value.
constexpr double a_little_more = 1.01;
/// As far as bodies turn by less (rad), what they move by is told by their velocities: constraints that fit each other close.
constexpr double nearly_straight = 0.3;

}  // namespace

std::string no_value_after(const DynamicSystem& system, const State& state, double h) {
  const std::string text = system.not_finite(state.t + a_little_more * h);
  return text.empty() ? text : text + ". ";
}

std::string obstacle(const DynamicSystem& system, const State& state, double t, const std::string& no_value) {
  if (!no_value.empty()) return no_value;
  Configuration q = system.make_configuration();
  Kokkos::deep_copy(q.values, state.q.values);
  VecHandle z = duplicate(state.z), gaps = system.make_row_vector();
  petsc(VecCopy(state.z, z));
  const auto fault_ahead = [&] {
    petsc(VecCopy(state.z, z));
    petsc(VecScale(z, t - state.t));
    system.retract(state.q, z, q);
    const std::string fault = system.branch_fault(state.q, q, t);
    return fault.empty() ? fault : fault + ". ";
  };
  try {
    project_onto_constraints(system, t, q, z);
    return fault_ahead();
  } catch (const InputError&) {
    system.constraints({t, &q, z, nullptr}, gaps, nullptr);
    const std::string fault = fault_ahead();  // says more than that something does not close
    if (!fault.empty()) return fault;
    const std::string names = system.names_of_largest(gaps);
    return fmt::format("The mechanism locks: {} cannot close at t = {:.9g}. ", names.empty() ? "the constraints" : names, t);
  }
}

std::string obstacle_ahead(const DynamicSystem& system, const State& state, double reach, double farthest,
                           const std::string& no_value) {
  std::string found = obstacle(system, state, state.t + reach, no_value);
  for (double way = 10 * reach; found.empty() && way <= farthest; way *= 10) found = obstacle(system, state, state.t + way, "");
  return found;
}

std::string contradiction_ahead(const DynamicSystem& system, const State& state, double reach, double farthest) {
  const double turn = largest_turn(system, state.z);
  return obstacle_ahead(system, state, reach, turn > 0 ? std::min(farthest, nearly_straight / turn) : farthest, {});
}

}  // namespace sinew
