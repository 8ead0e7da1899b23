/// \file
/// What solves with the matrix of the projection of velocities, [M G^T; G 0], from step to step: factors that are kept as long as
/// they serve, and GMRES that they precondition.
#pragma once

#include "base/petsc.hpp"
#include "system/dynamic_system.hpp"

namespace sinew {

/// There is no matrix until one is asked for.
class ProjectionFactors {
 public:
  /// The system must outlive it.
  explicit ProjectionFactors(const DynamicSystem& system) : system_(system) {}

  /// The matrix of this stage, [M -f_lambda; G 0] where forces depend on its multipliers: to be factorised, or solved for by
  /// GMRES with the factors at hand. Collective.
  void assemble(const Stage&);
  /// With the factors at hand, or with new ones of the matrix where GMRES takes too long. Collective.
  bool solve(PetscVec rhs, PetscVec solution);
  /// Takes out of multipliers, or of their changes, what makes no force by the matrix at hand: of all that make the same forces
  /// but for rounding they become the smallest, weighed by the regularisation. Nothing where there is none, or where a solution
  /// fails. Collective.
  void take_out_undetermined(PetscVec multipliers);
  /// What is solved for by iterations is to leave this part, and no more than GMRES does.
  void aim_for(double part);

  /// The configuration goes on: they are those of an earlier one.
  void keep();
  /// Nothing of them is used again.
  void forget() { of_ = Of::none; }
  bool exist() const { return of_ != Of::none; }
  bool are_kept() const { return of_ == Of::kept; }
  bool are_exact() const { return of_ == Of::exact; }
  /// What a correction may leave of the error.
  double remaining_part() const;

  /// From now on every step has factors of its own.
  void forbid_lag() { lag_is_bad_ = true; }
  /// Do factors of an earlier configuration serve? Gaps of redundant rows fit each other by the G of their own configuration
  /// alone: what an earlier one makes of them, over its regularisation, are large mu with G^T mu = 0 there and not here. No
  /// velocity shows them, but accelerations across the constraints and reactions do. A system may learn of its redundant rows
  /// after this was made.
  bool may_lag() const { return !lag_is_bad_ && !system_.has_redundancy(); }
  int factorizations() const { return factorizations_; }

 private:
  void make_solver();
  void factorise_anew();
  bool solve_with_kept(PetscVec rhs, PetscVec solution);

  const DynamicSystem& system_;
  MatHandle matrix_;
  KspHandle ksp_;     ///< its factors alone
  KspHandle krylov_;  ///< GMRES preconditioned by them
  /// What the factors are of: nothing usable, an earlier configuration, one for whose matrix GMRES is to solve, or this one.
  enum class Of { none, kept, preconditioner, exact };
  Of of_ = Of::none;
  bool lag_is_bad_ = false;  ///< factors of an earlier step do not serve by themselves
  bool worn_out_ = false;    ///< nor as a preconditioner
  int factorizations_ = 0;
};

}  // namespace sinew
