/// \file
/// The second stage of a SOI2 step: a1 = at + delta, lambda1 = lambda~ + mu, with M delta + (th/m) G^T mu = 0 and the constraints
/// at velocity level. `lambda` is lambda~ everywhere.
#pragma once

#include "integrate/projection_factors.hpp"
#include "integrate/stage_equations.hpp"
#include "linear/kkt_solver.hpp"

namespace sinew {

/// Solves [M G^T; G 0](delta, mu') = (0, -gv(t1,y1,zt)/(gamma h)), mu' = (th/m) mu, at a fixed configuration y1, by corrections
/// with factors that are kept as long as they serve. The constraints are affine in z, so that with a matrix of y1 itself one
/// correction is exact. Where bodies turn little in a step and forces are soft beside M/h^2, the factors of Newton's tangent
/// serve as well, [m M + O(h) G^T; G + O(h) 0], and there is no matrix of its own: nets of rods, where a factorisation is dear.
/// There corrections go along with those of Newton's method as well, as a second right-hand side. They close the rows first. What
/// they leave of M delta + G^T mu' = 0 is another metric of the projection than M, to which the order of the method is
/// indifferent: delta itself is of the size of the integrator's error, and a hundredth of it is left. Where constraints are
/// redundant every step has factors of its own, of the configuration where it ends.
/// With solids that matrix is solved for by iterations, incomplete factors of their masses and an exact border; where options
/// ask for factors, or SuiteSparse is missing, kept ones precondition GMRES for the matrix of y1. Forces that depend on
/// reactions (friction) change with mu as well:
///
///   M delta = (th/m) (f(t1,y1,z1,lambda~ + mu) - f(t1,y1,z1,lambda~))
///
/// with [M -f_lambda; G 0] by Newton's method, less what z1 changes of the difference of the two f, which is small as mu is.
class VelocityProjection {
 public:
  /// `tangent`: the solver of Newton's method, which has factors whenever `solve` is called; it must outlive this.
  VelocityProjection(StageEquations&, KSP tangent);

  /// Has nothing ever been left to correct, so that delta and mu are zero? Where constraints are linear in the positions (points
  /// on the ground, clamped faces), the position level holds the velocities as well.
  bool is_idle() const { return is_idle_; }
  /// Start of a step: delta and mu are extrapolated from the last two steps of this size; after another step size they are zero.
  /// `by_error`: what is left of the step is judged by what the integrator leaves in it, not by a tolerance alone. Then a
  /// hundredth of delta may be left of M delta + G^T mu' = 0 where the tangent's factors are asked.
  void predict(double h, bool by_error);
  /// Corrects delta and mu at the present configuration until a correction of a1 is below the tolerance (velocity units), and
  /// sets z1 = zt + gamma h delta. False when that does not happen. Collective.
  bool solve(PetscVec zt, PetscVec lambda, PetscVec z1, double tolerance);
  /// One correction of delta, mu and z1 = zt + gamma h delta. Collective.
  void follow(PetscVec lambda, PetscVec z1);
  /// Can corrections go along with those of Newton's method in this step, by the same factors, both right-hand sides at once?
  bool may_go_along() const { return !is_idle_ && may_ask_tangent() && solves_pairs(tangent_); }
  /// Takes off what has come along with the last correction, if anything has. Local.
  void take_along();
  /// Looks at the residual of delta and mu at z1 = zt + gamma h delta, and asks for a correction of it that comes along with the
  /// next one. On entry `velocity_rows` holds (g_t + G z)/(gamma h) at z1; `position`: the rows that the next correction closes,
  /// which moves zt as well. May improve delta and z1. Collective.
  void go_along(PetscVec z1, PetscVec position);
  PetscVec velocity_rows() const { return of_rows_; }
  /// mu' of the class's comment.
  PetscVec scaled_mu() const { return mu_; }
  /// z1 with delta as it was when Newton's method made its last correction, but for what has been determined anew since. Valid
  /// until the next call.
  PetscVec velocities_before(PetscVec z1);
  /// From now on every step has factors of its own.
  void distrust_lag() { factors_.forbid_lag(); }
  /// Does a correction cost no more than one solution with the tangent?
  bool is_cheap() const { return is_cheap_ || has_iterations(tangent_); }
  /// Size of all that the last `solve` changed of delta, in velocity units.
  double moved() const { return moved_; }
  /// Nothing of what was predicted or assembled is used again: a step has failed.
  void forget();

  PetscVec delta() const { return delta_; }
  /// mu, the change of the multipliers. Collective.
  void multiplier_change(PetscVec mu) const;
  /// What delta and mu add to a stage of multipliers lambda~: M delta to `Ma`, f(lambda~ + mu) - f(lambda~) to `f`. Collective.
  void add_forces(PetscVec lambda, PetscVec z1, PetscVec Ma, PetscVec f);
  int factorizations() const { return factors_.factorizations(); }
  /// Factors at the configuration of the last `solve`; null where it needed none.
  ProjectionFactors* factors_of_end() { return is_idle_ || factors_.may_lag() || !factors_.exist() ? nullptr : &factors_; }

 private:
  bool is_met_by(PetscVec z1);
  void take_room();
  void leave_room();
  void ask_nothing_along();
  bool find(PetscVec zt, PetscVec lambda, PetscVec z1, double tolerance);
  void find_residual(PetscVec lambda, PetscVec z1);
  double take_off(PetscVec z1);
  void improve(PetscVec z1);
  double correct(PetscVec lambda, PetscVec z1);
  bool may_ask_tangent() const;
  bool solve_by_tangent(PetscVec zt, PetscVec lambda, PetscVec z1, double tolerance);
  bool correct_by_tangent(PetscVec z1);
  double excess(double allowed) const;
  double most_imbalance(double allowed, double size) const;
  bool leaves_balance(double tolerance, double last);
  double determine(PetscVec zt, PetscVec z1, double tolerance);
  static double leftover(double tolerance);
  void assemble(PetscVec lambda, PetscVec z1);
  void momentum(PetscVec lambda, PetscVec z1, PetscVec out);

  StageEquations& equations_;
  const DynamicSystem& system_;
  KSP tangent_;
  bool asks_tangent_ = false;
  int pause_ = 0;   ///< so many steps they are not asked for after they took too many corrections: 1, 3, 7, ...
  int paused_ = 0;  ///< steps left of that
  bool is_cheap_ = true;
  ProjectionFactors factors_;  ///< without a matrix as long as those serve
  VecHandle delta_, mu_, last_delta_, last_mu_;
  /// Between `take_room` and `leave_room`, where corrections go along with Newton's method for good.
  VectorPool::Loan rhs_, solution_;
  VectorPool::Loan M_delta_;            ///< work space
  VectorPool::Loan of_dofs_, of_rows_;  ///< parts of the right-hand side, then of the solution
  /// Only where corrections with the tangent's factors are made: what the matrix makes of one, and of those that go along with
  /// Newton's method what delta has changed by since its last one.
  VecHandle product_of_dofs_, product_of_rows_, change_of_delta_;
  VecHandle change_;  ///< of the multipliers, where forces depend on them
  bool is_idle_ = true;
  bool by_error_ = false;     ///< see `predict`
  bool is_balanced_ = false;  ///< M delta + G^T mu' = 0 but for rounding, as factors of this matrix leave it
  bool is_of_this_step_ = false;
  bool has_asked_along_ = false;
  bool came_along_ = false;      ///< a correction has come with the last one of Newton's method
  bool knows_residual_ = false;  ///< of_dofs_ and of_rows_ hold it, after the last one
  double h_ = 0;                 ///< of the step that delta belongs to
  int steps_ = 0;                ///< of that size, one after the other
  double moved_ = 0;
  double imbalance_ = 0;  ///< of M delta + G^T mu' before the last correction by kept factors, in velocity units; a rank's own
  double size_ = 0;       ///< of the delta that `determine` found last
};

}  // namespace sinew
