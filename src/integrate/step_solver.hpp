/// \file
/// The two ways to solve the equations of a step: block by block (production), and as one system (reference, general equations).
#pragma once

#include "integrate/constraint_drift.hpp"
#include "integrate/stage_equations.hpp"
#include "solve/newton.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace sinew {

/// What a solved step hands on. On entry `a1` and `lambda1` hold the prediction.
struct StepResult {
  VecHandle a1, lambda1;  ///< acceleration at t1 + alpha h, multipliers at t1
  VecHandle z1, Ma1, f1;
};

/// The solved step of size h becomes the state; aA, MaA: what it started from. Collective.
void take_over(const StageEquations&, const StepResult&, PetscVec aA, PetscVec MaA, double h, State&);

class StepSolver {
 public:
  virtual ~StepSolver() = default;
  /// Solves from the prediction in `result`. Not converged: the result is of no use. Collective.
  virtual NewtonReport solve(StepResult& result, const NewtonSettings&) = 0;
  /// Starts the next solve with new tangents.
  virtual void invalidate() = 0;
  /// The linear solver of Newton's method, with the last matrix; for studies.
  virtual KSP ksp() const = 0;
  /// dz := S^-1 M dz with G dz = 0, by the factors at hand of the step that was solved last, S = M + beta h^2 K + gamma h D: what
  /// of a change of the velocities, or of the places, the step does not take back by itself. False, dz untouched, where they do
  /// not solve. Collective.
  virtual bool soften(PetscVec dz) = 0;
  /// What the method has let go on a level that it does not hold.
  virtual ConstraintDrift& drift() = 0;
  /// Has it been seen that the two systems of the block form depend on each other, through gyroscopic forces or damping?
  virtual bool is_coupled() const { return false; }
};

/// S1 on (at, lambda~) with the velocity projection (delta, mu) eliminated through S2: one index-3 system and one projection.
/// For Method::index3 and Method::index2 there is no projection. The equations must outlive it.
std::unique_ptr<StepSolver> make_block_solver(StageEquations&, Method);
/// a1 = at + delta, W delta + G(q0)^T eta = 0: the momentum equation with a1, positions from at, both levels of the constraints.
/// Mechanical systems.
std::unique_ptr<StepSolver> make_stabilised_solver(StageEquations&);
/// The same as one system in (at, lambda1, delta, eta).
std::unique_ptr<StepSolver> make_monolithic_stabilised_solver(StageEquations&);
/// All of SOI2 as one system in (at, lambda~, a1, lambda1).
std::unique_ptr<StepSolver> make_monolithic_solver(StageEquations&);

/// How a step is to be solved. `error_share`: the error that the integrator leaves in the velocities of a smooth step, over the
/// first correction of Newton's method, which is what the prediction had wrong. Only a small part of that error may be added by
/// Newton's method, since it adds up over the steps as the error does; that is what `newton.tolerance: automatic` means.
/// `gap_error_share`: the same for gaps of constraints alone, where later steps make more of them.
NewtonSettings newton_settings(const NewtonOptions&, double error_share, std::optional<double> gap_error_share = {});

/// Solves a step, each time from what `prepare` sets up (equations and prediction): first with the tangents at hand, then with
/// new ones in every iteration, at last with a line search as well, which comes before where new tangents have brought nothing.
/// Iterations are added to the outcome. Collective.
NewtonReport solve_carefully(const DynamicSystem&, StepSolver&, NewtonSettings, const std::function<void()>& prepare, StepResult&,
                             StepOutcome&);

/// The same for a step that ends in a singular position, where constraints give way (DynamicSystem::let_constraints_give): gaps
/// that are hardly any stay as they are, in directions that the rows hardly hold, and bodies go on as their inertia takes them.
/// Newton's method creeps in these directions, so that it may leave more, and rows may be open by ten times that. Collective.
NewtonReport solve_giving_way(const DynamicSystem&, StepSolver&, NewtonSettings, const std::function<void()>& prepare,
                              StepResult&, StepOutcome&);

}  // namespace sinew
