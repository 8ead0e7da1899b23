#include "integrate/first_step.hpp"

#include "integrate/error_weights.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {

namespace {

/// The first step, relative to the time in which the initial accelerations move something by its size.
constexpr double first_part = 0.05;

}  // namespace

FirstStep::FirstStep(const DynamicSystem& system, Integrator& integrator, ErrorTolerance tolerance, double given, double duration)
    : system_(system), integrator_(integrator), tolerance_(std::move(tolerance)), given_(given), duration_(duration) {}

double FirstStep::at(const State& state) const { return given_ > 0 ? given_ : into(state, state.a); }

double FirstStep::behind_jump(const State& state, PetscVec a_before) const {
  if (integrator_.keeps_steps() || given_ > 0) return at(state);
  const VectorPool::Loan change = integrator_.dof_room().borrow();
  integrator_.output_acceleration(state, change);
  petsc(VecAXPY(change, -1.0, a_before));
  return into(state, change);
}

double FirstStep::into(const State& state, PetscVec accelerations) const {
  FirstOrderStates states(system_);
  states.expect(tolerance_.state_sizes);
  states.see(state.z);
  ErrorWeights weights(system_, tolerance_, states);
  weights.set(state, smallest_part * duration_);
  // The rates of first-order states take them along as accelerations do velocities, and move no place.
  const VectorPool::Loan of_places = integrator_.dof_room().borrow();
  petsc(VecCopy(accelerations, of_places));
  states.set(of_places, 0);
  const double relative = std::min(1.0, std::max(tolerance_.relative, tolerance_.absolute));
  const double moved = relative * weights.of_configuration(of_places), changed = relative * weights.of_velocity(accelerations);
  double time = duration_;
  if (moved > 0) time = std::min(time, 1 / std::sqrt(moved));
  if (changed > 0) time = std::min(time, 1 / changed);
  return first_part * time * std::pow(relative, 1.0 / order_of_errors());
}

}  // namespace sinew
