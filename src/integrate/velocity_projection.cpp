#include "integrate/velocity_projection.hpp"

#include "linear/direct_solver.hpp"

#include <algorithm>
#include <limits>

namespace sinew {

VelocityProjection::VelocityProjection(StageEquations& equations)
    : equations_(equations),
      system_(equations.system()),
      matrix_(system_.make_projection_matrix()),
      delta_(system_.make_dof_vector()),
      mu_(system_.make_row_vector()),
      M_delta_(system_.make_dof_vector()),
      last_delta_(system_.make_dof_vector()),
      last_mu_(system_.make_row_vector()),
      momentum_(system_.make_dof_vector()),
      velocity_(system_.make_row_vector()),
      rhs_(make_kkt_vector(system_.layout())),
      solution_(make_kkt_vector(system_.layout())),
      d_delta_(system_.make_dof_vector()),
      d_mu_(system_.make_row_vector()) {
  petsc(KSPCreate(system_.layout().comm, ksp_.address()));
  petsc(KSPSetOptionsPrefix(ksp_, "sinew_projection_"));
  petsc(KSPSetOperators(ksp_, matrix_, matrix_));
  configure_direct_solver(ksp_, system_.is_compact());
  petsc(KSPSetFromOptions(ksp_));
}

namespace {

/// A matrix that reduces the correction by less than this is replaced.
constexpr double slow_rate = 0.1;
/// What a matrix of the very configuration leaves of a correction.
constexpr double exact_rate = 1e-7;
/// Corrections below this, in the units of the stopping test, are round-off.
constexpr double noise = 1e-13;
constexpr int max_corrections = 12;

}  // namespace

void VelocityProjection::predict(double h) {
  if (h != h_) {
    h_ = h;
    steps_ = 0;
    for (PetscVec v : {delta_.get(), mu_.get(), M_delta_.get(), last_delta_.get(), last_mu_.get()}) petsc(VecSet(v, 0.0));
    return;
  }
  ++steps_;
  petsc(VecCopy(delta_, d_delta_));
  petsc(VecCopy(mu_, d_mu_));
  if (steps_ > 1) {
    petsc(VecAXPBY(delta_, -1.0, 2.0, last_delta_));
    petsc(VecAXPBY(mu_, -1.0, 2.0, last_mu_));
    equations_.mass_times(delta_, M_delta_);
  }
  petsc(VecCopy(d_delta_, last_delta_));
  petsc(VecCopy(d_mu_, last_mu_));
}

void VelocityProjection::forget() {
  h_ = 0;
  usable_ = false;
}

void VelocityProjection::assemble(PetscVec z1) {
  system_.assemble_projection(equations_.stage(z1, nullptr), matrix_);
  usable_ = true;
  ++factorizations_;
}

double VelocityProjection::correct(PetscVec z1) {
  const double gh = equations_.coefficients().gamma * equations_.h();
  if (!usable_) assemble(z1);
  const Stage stage = equations_.stage(z1, nullptr);
  system_.constraints(stage, nullptr, velocity_);
  petsc(VecScale(velocity_, 1 / gh));
  system_.force_change(stage, mu_, momentum_);  // -G^T mu'
  petsc(VecAYPX(momentum_, -1.0, M_delta_));
  join_kkt(momentum_, velocity_, rhs_);
  if (!solve_linear(ksp_, rhs_, solution_)) return std::numeric_limits<double>::infinity();
  split_kkt(solution_, d_delta_, d_mu_);
  petsc(VecAXPY(delta_, -1.0, d_delta_));
  petsc(VecAXPY(mu_, -1.0, d_mu_));
  petsc(VecAXPY(z1, -gh, d_delta_));
  equations_.mass_times(delta_, M_delta_);
  return equations_.velocity_measure(d_delta_);
}

bool VelocityProjection::solve(PetscVec zt, PetscVec z1, double tolerance) {
  petsc(VecWAXPY(z1, equations_.coefficients().gamma * equations_.h(), delta_, zt));
  change_ = 0;
  if (lag_is_bad_) usable_ = false;
  double last = 0;
  for (int i = 0; i < max_corrections; ++i) {
    const bool was_fresh = !usable_;
    const double correction = correct(z1);
    change_ = std::max(change_, correction);
    if (!(correction < 1e300)) return false;
    if (correction <= std::max(tolerance, noise) || (was_fresh && exact_rate * correction <= tolerance)) return true;
    if (i > 0 && correction > slow_rate * last) {
      usable_ = false;
      lag_is_bad_ = true;
    }
    last = correction;
  }
  return false;
}

void VelocityProjection::multiplier_change(PetscVec mu) const {
  const AlphaCoefficients& c = equations_.coefficients();
  petsc(VecAXPBY(mu, c.m() / c.th(), 0.0, mu_));
}

}  // namespace sinew
