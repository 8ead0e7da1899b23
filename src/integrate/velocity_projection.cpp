#include "integrate/velocity_projection.hpp"

#include "solve/newton.hpp"

namespace sinew {

VelocityProjection::VelocityProjection(StageEquations& equations)
    : equations_(equations),
      system_(equations.system()),
      matrix_(system_.make_projection_matrix()),
      delta_(system_.make_dof_vector()),
      mu_(system_.make_row_vector()),
      M_delta_(system_.make_dof_vector()),
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
/// Corrections below this, in the units of the stopping test, are round-off and tell nothing about the rate.
constexpr double noise = 1e-13;

}  // namespace

void VelocityProjection::reset() {
  is_fresh_ = false;
  calls_ = 0;
  last_correction_ = 0;
  petsc(VecSet(delta_, 0.0));
  petsc(VecSet(mu_, 0.0));
  petsc(VecSet(M_delta_, 0.0));
}

void VelocityProjection::assemble(PetscVec z1) {
  system_.assemble_projection(equations_.stage(z1, nullptr), matrix_);
  usable_ = is_fresh_ = true;
  ++factorizations_;
}

double VelocityProjection::correct(PetscVec zt, PetscVec z1, PetscVec position) {
  const double gh = equations_.coefficients().gamma * equations_.h();
  petsc(VecWAXPY(z1, gh, delta_, zt));
  // After the first Newton correction the configuration is nearly that of the step's end: a new matrix is best made there.
  if (!usable_ || (++calls_ == 2 && lag_is_bad_)) assemble(z1);
  const Stage stage = equations_.stage(z1, nullptr);
  system_.constraints(stage, position, velocity_);
  petsc(VecScale(velocity_, 1 / gh));
  system_.force_change(stage, mu_, momentum_);  // -G^T mu'
  petsc(VecAYPX(momentum_, -1.0, M_delta_));
  join_kkt(momentum_, velocity_, rhs_);
  petsc(KSPSolve(ksp_, rhs_, solution_));
  split_kkt(solution_, d_delta_, d_mu_);
  petsc(VecAXPY(delta_, -1.0, d_delta_));
  petsc(VecAXPY(mu_, -1.0, d_mu_));
  petsc(VecAXPY(z1, -gh, d_delta_));
  equations_.mass_times(delta_, M_delta_);
  const double correction = equations_.velocity_measure(d_delta_);
  if (calls_ > 2 && correction > noise && correction > slow_rate * last_correction_) {
    usable_ = false;
    lag_is_bad_ = lag_is_bad_ || !is_fresh_;
  }
  last_correction_ = correction;
  return correction;
}

void VelocityProjection::multiplier_change(PetscVec mu) const {
  const AlphaCoefficients& c = equations_.coefficients();
  petsc(VecAXPBY(mu, c.m() / c.th(), 0.0, mu_));
}

}  // namespace sinew
