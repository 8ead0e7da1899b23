/// \file
/// What the history of generalized-alpha steps begins with.
#pragma once

#include "integrate/integrator.hpp"
#include "integrate/stage_equations.hpp"
#include "solve/acceleration_solver.hpp"

#include <memory>
#include <optional>

namespace sinew {

class ErrorEstimate;

/// The accelerations of a start, and of the first step aA, which stands for the time t0 + al h; docs/theory/soi2.md has the ways
/// to it. What passes a bend of the loads belongs here, too: the history goes on as if it had begun behind it. Members are
/// collective and throw SolveError where there is no acceleration.
class AlphaStart {
 public:
  /// The equations must outlive it.
  AlphaStart(StageEquations&, StartMethod);

  /// Gives a state with places and velocities its accelerations, multipliers, forces and momenta, without a history.
  void begin(State&, double h);
  /// aA of the first step, and M aA. An estimate, if there is one, is told the rates of first-order states.
  void find_first(const State&, double h, ErrorEstimate*, PetscVec aA, PetscVec MaA);
  /// Is there a first-order state that the step found last does not follow to its end?
  bool has_stiff_states() const { return has_stiff_states_; }
  /// The same where first-order states stand at their mean over the step, which ends with `z1`: what is stiff comes to its place
  /// in next to no time, and the motion feels the forces of then. Of a state the forces, accelerations and multipliers become
  /// these; its first-order states and their rates stay.
  void find_first_behind_states(State&, double h, PetscVec z1, PetscVec aA, PetscVec MaA);
  /// Does the last aA do without the change of a0 over the step, because that does not hold so long?
  bool has_lost_jerk() const { return has_lost_jerk_; }
  /// Ma = M a at q0 o exp(al h z0).
  void mass_at_alpha(const State&, double h, PetscVec a, PetscVec Ma);
  /// See Integrator.
  void pass_bend(State&, const Breakpoint&, double h);
  void forget_factors() { acceleration_.reset(); }

 private:
  /// A place beside the state, for those who look there.
  struct Probe {
    explicit Probe(const DynamicSystem& system)
        : z(system.make_dof_vector()), lambda(system.make_row_vector()), q(system.make_configuration()) {}
    VecHandle z, lambda;
    Configuration q;
  };
  AccelerationSolver& acceleration();
  Probe& probe();
  void acceleration_at(const State&, double h, PetscVec jerk, PetscVec a);
  void rate_of_acceleration(const State&, double e, PetscVec rate);
  template <class Function>
  void rate_in_time(const State&, double from, double to, const Function&, VectorPool& room, PetscVec rate);
  void rate_of_loads(const State&, double from, double to, PetscVec rate);
  void rate_of_drift(const State&, double from, double to, PetscVec rate);
  double size_of(PetscVec v) const;
  bool holds_over_step(const State&, double h, PetscVec jerk);
  bool states_are_smooth(const State&, double h, ErrorEstimate*);
  void derivative_start(const State&, double h, PetscVec aA, PetscVec MaA);
  void two_point_start(const State&, double h, PetscVec aA);
  void first_acceleration(const State&, double h, PetscVec aA, PetscVec MaA);
  void set_states_of_step(PetscVec start, PetscVec rates, PetscVec end, double h, PetscVec z) const;

  const DynamicSystem& system_;
  StartMethod method_;
  AlphaCoefficients c_;
  StageEquations& equations_;
  const FirstOrderStates& states_;  ///< their accelerations belong to t0: no start value
  bool has_lost_jerk_ = false, has_stiff_states_ = false;
  std::unique_ptr<AccelerationSolver> acceleration_;
  std::optional<Probe> probe_;  ///< as long as starts, or masses of other places, need it
};

}  // namespace sinew
