#include "solve/rest_equations.hpp"

#include "base/reduction.hpp"
#include "solve/held_rows.hpp"
#include "solve/state_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

RestEquations::RestEquations(System& system, PetscVec unbalanced, PetscVec rest)
    : system_(system),
      unbalanced_(unbalanced),
      rest_(rest),
      q1_(system.make_configuration()),
      corrected_(system.make_configuration()) {
  for (VecHandle* v : {&scale_, &w_, &zero_, &z_, &momentum_, &f_, &at_work_}) *v = system.make_dof_vector();
  for (VecHandle* v : {&lambda_, &gaps_, &turns_, &is_angle_, &position_, &velocity_, &velocity_at_rest_})
    *v = system.make_row_vector();
  const auto& kinds = system.layout().row_is_velocity;
  has_velocity_rows_ = is_so_on_any(system.layout().comm, std::count(kinds.begin(), kinds.end(), 1) > 0);
  has_angles_ = system.prescribed_angle_rows(is_angle_);
  F_ = make_kkt_vector(system.layout());
  system.dof_sizes(scale_);
  petsc(VecReciprocal(scale_));
  {
    // A slope is no rotation vector: it may turn twice as far before its branch is in doubt.
    const LocalModel& local = system.local();
    VecWrite scale(scale_);
    for (int n = 0; n < local.num_owned_nodes; ++n)
      if (local.is_slope[n]) std::fill_n(scale.data() + local.dof[n], 3, 0.5);
  }
  system.clear_states(scale_);
}

void RestEquations::begin(const Configuration& q0, const RestTarget& target, double inverse_tau) {
  q0_ = &q0;
  target_ = target;
  inverse_tau_ = inverse_tau;
  is_corrected_ = false;
  system_.hold(0.0, target.load_factor);
}

/// What nonholonomic rows say of the increment: k(q1, w) - k(q1, 0) = 0, that wheels roll to where they come to rest.
void RestEquations::velocity_rows() {
  system_.constraints({0.0, &q1_, w_, nullptr}, nullptr, velocity_);
  system_.constraints({0.0, &q1_, zero_, nullptr}, nullptr, velocity_at_rest_);
  const auto& is_velocity = system_.layout().row_is_velocity;
  VecWrite g(position_);
  const VecRead moving(velocity_), resting(velocity_at_rest_);
  for (std::size_t r = 0; r < is_velocity.size(); ++r) {
    const auto i = static_cast<PetscInt>(r);
    if (is_velocity[r]) g[i] = moving[i] - resting[i];
  }
}

void RestEquations::residual(PetscVec x, PetscVec F) {
  split_kkt(x, w_, lambda_);
  system_.retract(*q0_, w_, q1_);
  petsc(VecCopy(w_, z_));
  system_.clear_all_but_states(z_);
  petsc(VecAXPY(z_, 1.0, rest_));
  const Stage stage{0.0, &q1_, z_, lambda_};
  system_.constraints(stage, position_, nullptr);
  if (target_.gap > 0) {
    petsc(VecAXPY(position_, -target_.gap, gaps_));
    const VecRead is_angle(is_angle_);
    VecWrite g(position_);
    for (std::size_t r = 0; has_angles_ && r < system_.layout().row_is_velocity.size(); ++r) {
      const auto i = static_cast<PetscInt>(r);
      if (is_angle[i] > 0) g[i] = std::remainder(g[i], 2 * std::numbers::pi);
    }
  }
  if (has_velocity_rows_) velocity_rows();
  system_.forces(stage, f_);
  if (inverse_tau_ > 0) {
    system_.mass_times(stage, w_, momentum_);
    petsc(VecAXPBY(momentum_, -1.0, inverse_tau_, f_));
  } else {
    petsc(VecAXPBY(momentum_, -1.0, 0.0, f_));
  }
  petsc(VecAXPY(momentum_, 1 - target_.load_factor, unbalanced_));
  join_kkt(momentum_, position_, F);
}

void RestEquations::assemble(PetscMat A) {
  TangentShift shift;
  shift.q = 1;
  shift.state_q = 1;
  shift.a = inverse_tau_;
  system_.assemble_tangent({0.0, &q1_, z_, lambda_}, shift, w_, A);
  hold_beside_stiffness(system_, A);
}

void RestEquations::assemble_for_correction(PetscMat A) {
  if (is_corrected_) {
    system_.difference(corrected_, q1_, f_);
    system_.extrapolate_stresses(corrected_, f_, q1_);
  }
  assemble(A);
  system_.end_extrapolation();
  Kokkos::deep_copy(corrected_.values, q1_.values);
  is_corrected_ = true;
}

Imbalance RestEquations::imbalance(PetscVec x, PetscMat tangent, double tolerance) {
  const double tau = inverse_tau_;
  inverse_tau_ = 0;
  residual(x, F_);
  inverse_tau_ = tau;
  // All loads count as they will in the end: on the way there are states under hardly any, and a path may cross one.
  system_.hold(0.0, 1.0);
  system_.force_magnitudes({0.0, &q1_, z_, lambda_}, at_work_);
  system_.hold(0.0, target_.load_factor);
  petsc(VecCopy(unbalanced_, f_));
  petsc(VecAbs(f_));
  petsc(VecAXPY(at_work_, 1 - target_.load_factor, f_));
  return measure_imbalance(system_, {momentum_, position_, at_work_, z_, tangent, system_.configuration_norm(q1_)}, tolerance);
}

void RestEquations::load_derivative(PetscVec dofs) {
  const Stage stage{0.0, &q1_, z_, lambda_};
  system_.hold(0.0, 0.0);
  system_.forces(stage, f_);
  system_.hold(0.0, 1.0);
  system_.forces(stage, dofs);
  system_.hold(0.0, target_.load_factor);
  petsc(VecAXPBYPCZ(dofs, -1.0, 1.0, 1.0, f_, unbalanced_));
}

double RestEquations::product_of_increments(PetscVec kkt, PetscVec other) {
  split_kkt(kkt, momentum_, position_);
  split_kkt(other, f_, position_);
  petsc(VecPointwiseMult(momentum_, momentum_, scale_));
  petsc(VecPointwiseMult(f_, f_, scale_));
  PetscScalar product = 0;
  petsc(VecDot(momentum_, f_, &product));
  return product;
}

double RestEquations::size(PetscVec dofs) {
  petsc(VecPointwiseMult(f_, dofs, scale_));
  return max_norm(f_);
}

double RestEquations::size_of_increment(PetscVec kkt) {
  split_kkt(kkt, momentum_, position_);
  return size(momentum_);
}

double RestEquations::size_of_correction(PetscVec kkt) {
  split_kkt(kkt, momentum_, position_);
  return std::max(relative_change(system_.layout(), momentum_, z_), size(momentum_));
}

}  // namespace sinew
