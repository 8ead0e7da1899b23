/// \file
/// The equations of one increment towards a state of rest.
#pragma once

#include "system/system.hpp"

namespace sinew {

/// The equations of one increment from q0: M w / tau - f(q0 o exp(w), 0, lambda; s) + (1 - s) f0 = 0, g = 0 and k_z w = 0. In first-order states w is
/// the change of the state: w / tau - f_s = 0.
class RestEquations {
 public:
  /// `rest`: the velocity, zero but for the states where the increments start; both vectors must outlive it.
  RestEquations(System&, PetscVec unbalanced, PetscVec rest);

  /// The increment starts at q0 and the states of `rest`. `inverse_tau` 0: equilibrium. Collective.
  void begin(const Configuration& q0, double load_factor, double inverse_tau);
  /// F of the KKT vector x = (w, lambda). Collective.
  void residual(PetscVec x, PetscVec F);
  /// The matrix at the x of the last residual. Collective.
  void assemble(PetscMat);
  /// -dF/ds at the x of the last residual: all prescribed loads and what fades. Collective.
  void load_derivative(PetscVec dofs);
  /// Largest entry of a dof vector: lengths over the model's length, rotations in radians, states not at all. Collective.
  double size(PetscVec dofs);
  /// That of the w of a KKT vector. Collective.
  double size_of_increment(PetscVec kkt);
  /// The same with the changes of states, relative to 1 + |s|: the size of a correction. Collective.
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
  double load_factor_ = 0, inverse_tau_ = 0;
  bool has_velocity_rows_ = false;
  VecHandle scale_, w_, lambda_, zero_, z_, momentum_, f_, position_, velocity_, velocity_at_rest_;
};

}  // namespace sinew
