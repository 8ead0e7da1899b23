#include "integrate/alternate.hpp"
#include "integrate/step_solver.hpp"
#include "linear/direct_solver.hpp"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

/// Newton's method on x = (at, th lambda1) with delta at rest, then delta and eta at the new configuration, in turn until neither moves the other.
/// The matrix of x is that of an index-3 step; delta is corrected with the projection matrix of q1, while its equation has that of q0.
class StabilisedSolver final : public StepSolver {
 public:
  explicit StabilisedSolver(StageEquations& equations);
  NewtonReport solve(StepResult& result, const NewtonSettings&) override;
  void invalidate() override {
    newton_->invalidate();
    has_factors_ = false;
  }
  KSP ksp() const override { return newton_->ksp(); }

 private:
  NewtonProblem problem();
  void residual(PetscVec x, PetscVec F);
  void assemble(PetscMat S1);
  double correct();
  Projected project(double tolerance);

  StageEquations& equations_;
  const DynamicSystem& system_;
  MatHandle start_metric_, metric_;  ///< [W G^T; G 0] at q0 and at q1
  KspHandle projection_;
  VecHandle x_, at_, a1_, lambda_, Ma_, zt_, z1_, f_, momentum_, position_, velocity_, d_at_, d_lambda_, delta_, eta_, kkt_, image_;
  std::unique_ptr<NewtonSolver> newton_;
  bool has_rows_ = false;
  bool has_factors_ = false;
  int factorizations_ = 0;
};

constexpr int max_corrections = 25;
/// Factors that reduce a correction by less than this are made anew.
constexpr double slow_rate = 0.1;
/// Corrections of velocities below this, in the units of the stopping test, are round-off.
constexpr double noise = 1e-14;

StabilisedSolver::StabilisedSolver(StageEquations& equations)
    : equations_(equations),
      system_(equations.system()),
      start_metric_(system_.make_projection_matrix()),
      metric_(system_.make_projection_matrix()),
      x_(make_kkt_vector(system_.layout())),
      kkt_(make_kkt_vector(system_.layout())),
      image_(make_kkt_vector(system_.layout())) {
  for (VecHandle* v : {&at_, &a1_, &Ma_, &zt_, &z1_, &f_, &momentum_, &d_at_, &delta_}) *v = system_.make_dof_vector();
  for (VecHandle* v : {&lambda_, &position_, &velocity_, &d_lambda_, &eta_}) *v = system_.make_row_vector();
  PetscInt rows = 0;
  petsc(VecGetSize(lambda_, &rows));
  has_rows_ = rows > 0;
  projection_ = make_direct_solver("sinew_projection_", metric_, system_.is_compact());
  newton_ = std::make_unique<NewtonSolver>("sinew_", system_.make_tangent_matrix(), x_, problem());
  configure_direct_solver(newton_->ksp(), system_.is_compact());
}

NewtonProblem StabilisedSolver::problem() {
  NewtonProblem p;
  p.residual = [this](PetscVec x, PetscVec F) { residual(x, F); };
  p.assemble = [this](PetscMat S1) { assemble(S1); };
  p.measure = [this](PetscVec update) {
    split_kkt(update, d_at_, d_lambda_);
    return std::max(equations_.displacement_measure(d_at_), equations_.rate_measure(d_at_));
  };
  p.fault = [this] { return system_.fault(equations_.q1()); };
  return p;
}

/// The momentum equation with a1 and lambda1; g/(beta h^2), and k(t1,q1,z1)/(gamma h) in the nonholonomic rows.
void StabilisedSolver::residual(PetscVec x, PetscVec F) {
  split_kkt(x, at_, lambda_);
  petsc(VecScale(lambda_, 1 / equations_.coefficients().th()));
  equations_.kinematics(at_, zt_);
  petsc(VecWAXPY(z1_, equations_.coefficients().gamma * equations_.h(), delta_, zt_));
  petsc(VecWAXPY(a1_, 1.0, delta_, at_));
  system_.constraints(equations_.stage(z1_, nullptr), position_, velocity_);
  equations_.scale_rows(position_, velocity_, false);
  system_.forces(equations_.stage(z1_, lambda_), f_);
  equations_.mass_times(a1_, Ma_);
  equations_.momentum(Ma_, f_, momentum_);
  join_kkt(momentum_, position_, F);
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
  return equations_.velocity_measure(d_at_);
}

Projected StabilisedSolver::project(double tolerance) {
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < max_corrections; ++i) {
    const double correction = correct();
    if (!(correction < 1e300)) return Projected::failed;
    if (correction <= std::max(0.1 * tolerance, noise)) return Projected::with_effect;
    if (correction > slow_rate * last) has_factors_ = false;
    last = correction;
  }
  return Projected::failed;
}

NewtonReport StabilisedSolver::solve(StepResult& result, const NewtonSettings& settings) {
  system_.assemble_projection(equations_.start(), start_metric_);
  petsc(VecWAXPY(at_, -1.0, delta_, result.a1));
  petsc(VecCopy(result.lambda1, lambda_));
  petsc(VecScale(lambda_, equations_.coefficients().th()));
  join_kkt(at_, lambda_, x_);
  const int before = factorizations_;
  NewtonReport report =
      has_rows_ ? alternate(*newton_, x_, settings, [&] { return project(settings.tolerance); }) : newton_->solve(x_, settings);
  report.factorizations += factorizations_ - before;
  if (!report.converged) {
    petsc(VecSet(delta_, 0.0));
    petsc(VecSet(eta_, 0.0));
    has_factors_ = false;
    return report;
  }
  const std::pair<PetscVec, PetscVec> results[] = {
      {a1_, result.a1}, {lambda_, result.lambda1}, {Ma_, result.Ma1}, {z1_, result.z1}, {f_, result.f1}};
  for (const auto& [from, to] : results) petsc(VecCopy(from, to));
  return report;
}

}  // namespace

std::unique_ptr<StepSolver> make_stabilised_solver(StageEquations& equations) {
  return std::make_unique<StabilisedSolver>(equations);
}

}  // namespace sinew
