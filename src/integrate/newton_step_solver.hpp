/// \file
/// What the solvers of a step have in common: Newton's method on their unknowns.
#pragma once

#include "integrate/projection_factors.hpp"
#include "integrate/solution_check.hpp"

#include <limits>
#include <optional>

namespace sinew {

class DoubledMatrix;

class NewtonStepSolver : public StepSolver {
 public:
  void invalidate() override { newton_->invalidate(); }
  KSP ksp() const override { return newton_->ksp(); }
  ConstraintDrift& drift() final { return check_.drift(); }
  bool soften(PetscVec dz) override;
  /// Solves the equations and looks whether what came out is a solution.
  NewtonReport solve(StepResult& result, const NewtonSettings&) final;

 protected:
  explicit NewtonStepSolver(StageEquations& equations) : equations_(equations), system_(equations.system()), check_(equations) {}

  /// As StepSolver::solve. Collective.
  virtual NewtonReport solve_equations(StepResult& result, const NewtonSettings&) = 0;
  /// The levels of the constraints that the equations hold.
  virtual HeldLevels levels() const { return {}; }

  /// StepSolver::soften by a matrix over two sets of unknowns, the first of which are at and its multipliers: the momentum of dz
  /// in the first rows and, where these have an acceleration of their own, in the second. Collective.
  bool soften(const DoubledMatrix&, bool in_both, PetscVec dz);

  /// Factors of the projection at the end of the step, where its equations have asked for some; else null.
  virtual ProjectionFactors* factors_of_end() { return nullptr; }
  /// Multipliers of redundant constraints, or their changes, at the end of the step from which later ones are predicted: Newton's
  /// method does not change those combinations of them that make no force, so that these would go on as they are extrapolated,
  /// v^T lambda'' = 0 (of higher order where more is remembered). As the rows of the constraints turn against each other v does,
  /// with them, and that has solutions that grow like exp(int |v'| dt), without end, until what rounding leaves of forces that
  /// cancel moves the bodies. So nothing of them is handed on. Collective.
  void take_out_undetermined(const StepResult&, PetscVec multipliers);

  /// F(x); afterwards q1 of the equations is the configuration that belongs to x. Collective.
  virtual void residual(PetscVec x, PetscVec F) = 0;
  /// The tangent where the residual was taken last. Collective.
  virtual void assemble(PetscMat J) = 0;
  /// Size of an update of x in the units of the stopping test; the largest of all ranks counts. Called by all ranks.
  virtual Correction measure(PetscVec update) = 0;
  /// See NewtonProblem: nothing is known unless a solver says so. The first is that of this rank, called by all.
  virtual Remainder remainder() { return {}; }
  virtual Rounding rounding() { return {}; }
  virtual double state_rounding() = 0;

  /// Newton's method with a matrix of the tangent's pattern, factorised directly unless PETSc's options (-sinew_) say otherwise.
  /// Collective.
  /// `room`, where there is one, lends vectors of x's layout.
  void make_newton(MatHandle J, PetscVec x, VectorPool* room = nullptr);
  /// Copies what a solved step hands on.
  static void hand_over(PetscVec a1, PetscVec lambda1, PetscVec z1, PetscVec Ma1, PetscVec f1, StepResult& result);

  StageEquations& equations_;
  const DynamicSystem& system_;
  std::unique_ptr<NewtonSolver> newton_;

 private:
  Correction what_was_wrong(PetscVec update);

  SolutionCheck check_;
  std::optional<ProjectionFactors> own_factors_;  ///< where constraints are redundant and the equations have none
  bool own_are_of_end_ = false;
  double h_ = 0;           ///< of the last step
  double tangent_gs_ = 0;  ///< gs h of the tangent at hand
};

}  // namespace sinew
