/// \file
/// The equations of one increment towards a state of rest.
#pragma once

#include "solve/balance.hpp"

namespace sinew {

/// What increments lead to: the whole truth is 1 and 0.
struct RestTarget {
  double load_factor = 1;  ///< s: the part of the loads that acts; 1 - s of what is out of balance without them is left out
  double gap = 0;          ///< the part of the gaps in the joints, as the model is drawn, that is still open
};

/// The equations of one increment from q0: M w / tau - f(q0 o exp(w), 0, lambda; s) + (1 - s) f0 = 0, g = gap g0 and k_z w = 0.
/// In first-order states w is the change of the state: w / tau - f_s = 0.
class RestEquations {
 public:
  /// `unbalanced` is f0; `rest`: the velocity, zero but for the states where the increments start; both vectors must outlive it.
  RestEquations(System&, PetscVec unbalanced, PetscVec rest);

  /// g0, zero at first.
  PetscVec gaps() const { return gaps_; }
  /// Whole turns that g0 holds of prescribed angles, whose rows do not tell them; zero at first.
  PetscVec turns() const { return turns_; }
  /// The gaps g0 of prescribed angles, turns and all; 0 in all other rows.
  void gap_angles(PetscVec rows) const { petsc(VecPointwiseMult(rows, gaps_, is_angle_)); }
  bool has_angles() const { return has_angles_; }
  /// The increment starts at q0 and the states of `rest`. `inverse_tau` 0: equilibrium. Collective.
  void begin(const Configuration& q0, const RestTarget& target, double inverse_tau);
  /// F of the KKT vector x = (w, lambda). Collective.
  void residual(PetscVec x, PetscVec F);
  /// The matrix at the x of the last residual, with the stresses that are there. Collective.
  void assemble(PetscMat);
  /// The matrix for the next correction of Newton's method: stresses are those that the last correction was to lead to, beginning
  /// with the second one of an increment (System::extrapolate_stresses). Collective.
  void assemble_for_correction(PetscMat);
  /// What the true residuals at x say, whatever tau is: see measure_imbalance. `tangent`: assembled at x or nearby. Collective.
  Imbalance imbalance(PetscVec x, PetscMat tangent, double tolerance);
  /// -dF/ds at the x of the last residual: all prescribed loads and what fades. Collective.
  void load_derivative(PetscVec dofs);
  /// Largest entry of a dof vector: lengths over the model's extent, rotations in radians, slopes by half, states not at all.
  /// Collective.
  double size(PetscVec dofs);
  /// That of the w of a KKT vector. Collective.
  double size_of_increment(PetscVec kkt);
  /// The same with the changes of states over their sizes, s being that of the last residual: the size of a correction.
  /// Collective.
  double size_of_correction(PetscVec kkt);
  /// The product of the w of two KKT vectors, entries counted as in `size`. Collective.
  double product_of_increments(PetscVec kkt, PetscVec other);
  const Configuration& q1() const { return q1_; }
  PetscVec increment() const { return w_; }
  PetscVec multipliers() const { return lambda_; }
  System& system() const { return system_; }

 private:
  void velocity_rows();

  System& system_;
  PetscVec unbalanced_, rest_;
  const Configuration* q0_ = nullptr;
  Configuration q1_;
  RestTarget target_;
  double inverse_tau_ = 0;
  Configuration corrected_;    ///< where the last correction started
  bool is_corrected_ = false;  ///< there is one
  bool has_velocity_rows_ = false;
  bool has_angles_ = false;  ///< there are prescribed angles
  VecHandle scale_, w_, lambda_, zero_, z_, momentum_, f_, at_work_, gaps_, turns_, is_angle_, position_, velocity_,
      velocity_at_rest_, F_;
};

}  // namespace sinew
