#include "integrate/alternate.hpp"
#include "integrate/newton_step_solver.hpp"
#include "linear/direct_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Newton's method on x = (at, th lambda1 - m eta) with delta at rest, then delta and eta at the new configuration, in turn until
/// neither moves the other. With W = M a change of delta adds m M d_delta = -m G(q0)^T d_eta to the momentum equation, which the
/// multipliers of x take up but for damping and the turn of a step: x hardly feels delta. Mechanical systems only, for the others
/// W is not M. The matrix of x is that of an index-3 step; delta is corrected with the projection matrix of q1, while its
/// equation has that of q0.
class StabilisedSolver final : public NewtonStepSolver {
 public:
  explicit StabilisedSolver(StageEquations& equations);
  NewtonReport solve_equations(StepResult& result, const NewtonSettings&) override;
  void invalidate() override {
    NewtonStepSolver::invalidate();
    has_factors_ = false;
  }

 private:
  void residual(PetscVec x, PetscVec F) override;
  void assemble(PetscMat S1) override;
  Correction measure(PetscVec update) override;
  Remainder remainder() override;
  Rounding rounding() override { return equations_.rounding(z1_, lambda_); }
  double state_rounding() override { return equations_.state_rounding(z1_, lambda_); }
  void unpack_multipliers();
  void predict(StepResult& result);
  double correct();
  Projected project(double tolerance);
  bool has_effect(double tolerance);

  MatHandle start_metric_, metric_;  ///< [W G^T; G 0] at q0 and at q1
  KspHandle projection_;
  VecHandle x_, at_, a1_, lambda_, Ma_, zt_, z1_, f_, momentum_, position_, velocity_, d_at_, d_lambda_, delta_, eta_,
      last_delta_, last_eta_, residual_, inverse_mass_, kkt_, image_;
  bool has_factors_ = false;
  int factorizations_ = 0;
  bool delta_follows_ = false;  ///< delta is corrected with every residual, so that it converges together with at
  double h_ = 0;                ///< of the step that delta belongs to
  int steps_ = 0;               ///< of that size, one after the other
};

/// Of S2 in a step: with the slowest factors that are kept, see below, each gains a digit, and a double has 16. A bound for what
/// does not converge, where the step is given up.
constexpr int max_corrections = 25;
/// Factors that reduce a correction by less than this are made anew.
constexpr double slow_rate = 0.1;
/// Corrections of velocities below this, in the units of the stopping test, are round-off.
constexpr double noise = 1e-14;

StabilisedSolver::StabilisedSolver(StageEquations& equations)
    : NewtonStepSolver(equations),
      start_metric_(system_.make_projection_matrix()),
      metric_(system_.make_projection_matrix()),
      x_(make_kkt_vector(system_.layout())),
      kkt_(make_kkt_vector(system_.layout())),
      image_(make_kkt_vector(system_.layout())) {
  for (VecHandle* v : {&at_, &a1_, &Ma_, &zt_, &z1_, &f_, &momentum_, &d_at_, &delta_, &last_delta_, &residual_, &inverse_mass_})
    *v = system_.make_dof_vector();
  for (VecHandle* v : {&lambda_, &position_, &velocity_, &d_lambda_, &eta_, &last_eta_}) *v = system_.make_row_vector();
  system_.mass_diagonal(inverse_mass_);
  petsc(VecReciprocal(inverse_mass_));  // leaves zeros alone
  projection_ = make_linear_solver("sinew_projection_", metric_);
  make_newton(system_.make_tangent_matrix(), x_);
}

Correction StabilisedSolver::measure(PetscVec update) {
  split_kkt(update, d_at_, d_lambda_);
  return equations_.change(d_at_);
}

Remainder StabilisedSolver::remainder() { return equations_.remainder(residual_, position_, false); }

void StabilisedSolver::unpack_multipliers() {
  petsc(VecAXPY(lambda_, equations_.coefficients().m(), eta_));
  petsc(VecScale(lambda_, 1 / equations_.coefficients().th()));
}

/// The momentum equation with a1 and lambda1; g/(beta h^2), and k(t1,q1,zt)/(gamma h) in the nonholonomic rows.
void StabilisedSolver::residual(PetscVec x, PetscVec F) {
  split_kkt(x, at_, lambda_);
  equations_.kinematics(at_, zt_);
  petsc(VecWAXPY(z1_, equations_.coefficients().gamma * equations_.h(), delta_, zt_));
  if (delta_follows_) correct();
  unpack_multipliers();
  petsc(VecWAXPY(a1_, 1.0, delta_, at_));
  system_.constraints(equations_.stage(zt_, nullptr), position_, velocity_);
  equations_.scale_rows(position_, velocity_, false);
  system_.forces(equations_.stage(z1_, lambda_), f_);
  equations_.mass_times(a1_, Ma_);
  equations_.momentum(Ma_, f_, residual_);
  join_kkt(residual_, position_, F);
}

void StabilisedSolver::assemble(PetscMat S1) {
  system_.assemble_tangent(equations_.stage(z1_, lambda_), equations_.tangent_shift(), equations_.increment(), S1);
}

/// One correction of (delta, eta) for W delta + G(q0)^T eta = 0 and (g_t + G z1)(q1) = 0; its size in velocity units.
double StabilisedSolver::correct() {
  const double gh = equations_.coefficients().gamma * equations_.h();
  if (!has_factors_) {
    system_.assemble_projection(equations_.stage(z1_, nullptr), metric_);
    has_factors_ = true;
    ++factorizations_;
  }
  join_kkt(delta_, eta_, kkt_);
  petsc(MatMult(start_metric_, kkt_, image_));
  split_kkt(image_, momentum_, velocity_);
  system_.constraints(equations_.stage(z1_, nullptr), nullptr, velocity_);
  petsc(VecScale(velocity_, 1 / gh));
  join_kkt(momentum_, velocity_, kkt_);
  if (!solve_linear(projection_, kkt_, image_)) return std::numeric_limits<double>::infinity();
  split_kkt(image_, d_at_, d_lambda_);
  petsc(VecAXPY(delta_, -1.0, d_at_));
  petsc(VecAXPY(eta_, -1.0, d_lambda_));
  petsc(VecAXPY(z1_, -gh, d_at_));
  return equations_.of_all(equations_.velocity_measure(d_at_));
}

Projected StabilisedSolver::project(double tolerance) {
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < max_corrections; ++i) {
    const double correction = correct();
    if (!std::isfinite(correction)) return Projected::failed;
    if (correction <= std::max(0.1 * tolerance, noise))
      return has_effect(tolerance) ? Projected::with_effect : Projected::without_effect;
    if (correction > slow_rate * last) has_factors_ = false;
    last = correction;
  }
  return Projected::failed;
}

/// Is more of the momentum equation left with the new delta and eta than Newton's method may leave? What is left means about M^-1
/// of it for at, less where the system is stiff; the whole of it counts, for the stopping test of Newton's method does not look
/// at the multipliers. Without effect: the results are those of the new delta.
bool StabilisedSolver::has_effect(double tolerance) {
  split_kkt(x_, at_, lambda_);
  unpack_multipliers();
  petsc(VecWAXPY(a1_, 1.0, delta_, at_));
  system_.forces(equations_.stage(z1_, lambda_), f_);
  equations_.mass_times(a1_, Ma_);
  equations_.momentum(Ma_, f_, momentum_);
  petsc(VecPointwiseMult(residual_, momentum_, inverse_mass_));
  const double effect = equations_.of_all(equations_.change_measure(residual_));
  return effect > 0.3 * tolerance;
}

/// delta and eta go on as they did over equal steps, otherwise they stay.
void StabilisedSolver::predict(StepResult& result) {
  steps_ = is_same_step(equations_.h(), h_) ? steps_ + 1 : 0;
  h_ = equations_.h();
  const auto extrapolate = [this](PetscVec now, PetscVec last, PetscVec spare) {
    petsc(VecCopy(now, spare));
    if (steps_ > 1) petsc(VecAXPBY(now, -1.0, 2.0, last));
    petsc(VecCopy(spare, last));
  };
  extrapolate(delta_, last_delta_, d_at_);
  extrapolate(eta_, last_eta_, d_lambda_);
  petsc(VecWAXPY(at_, -1.0, delta_, result.a1));
  petsc(VecCopy(result.lambda1, lambda_));
  petsc(VecScale(lambda_, equations_.coefficients().th()));
  petsc(VecAXPY(lambda_, -equations_.coefficients().m(), eta_));
  join_kkt(at_, lambda_, x_);
}

NewtonReport StabilisedSolver::solve_equations(StepResult& result, const NewtonSettings& settings) {
  system_.assemble_projection(equations_.start(), start_metric_);
  predict(result);
  const int before = factorizations_;
  const bool has_rows = equations_.scales().has_rows();
  delta_follows_ = has_rows && !settings.line_search;  // a line search compares residuals of the same delta
  NewtonReport report = has_rows ? alternate(*newton_, x_, settings, [this](double limit) { return project(limit); })
                                 : newton_->solve(x_, settings);
  report.factorizations += factorizations_ - before;
  if (!report.converged) {
    petsc(VecSet(delta_, 0.0));
    petsc(VecSet(eta_, 0.0));
    h_ = 0;
    has_factors_ = false;
    return report;
  }
  hand_over(a1_, lambda_, z1_, Ma_, f_, result);
  take_out_undetermined(result, eta_);
  return report;
}

}  // namespace

std::unique_ptr<StepSolver> make_stabilised_solver(StageEquations& equations) {
  return std::make_unique<StabilisedSolver>(equations);
}

}  // namespace sinew
