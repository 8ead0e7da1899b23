#include "integrate/step_solver.hpp"
#include "integrate/velocity_projection.hpp"

#include <algorithm>
#include <optional>

namespace sinew {

namespace {

/// The unknowns of SNES are x = (at, th lambda~): with them the matrix is [J, -f_lambda; G T, 0] and its two borders are alike.
class BlockSolver final : public StepSolver {
 public:
  BlockSolver(StageEquations& equations, Method method);
  NewtonReport solve(StepResult& result, const NewtonSettings&) override;
  void invalidate() override {
    newton_->invalidate();
    if (projection_) projection_->invalidate();
  }

 private:
  NewtonProblem problem();
  void residual(PetscVec x, PetscVec F);
  void constraint_rows();
  void assemble(PetscMat S1);
  double measure(PetscVec update);
  bool finish_projection(const NewtonSettings&);
  void hand_over(StepResult& result);

  StageEquations& equations_;
  const DynamicSystem& system_;
  bool has_velocity_rows_ = false;
  std::optional<VelocityProjection> projection_;
  VecHandle x_, at_, lambda_, Mat_, zt_, z1_, f_, momentum_, position_, velocity_, d_a1_, d_lambda_, mu_, a1_, a1_change_;
  double projection_correction_ = 0;
  std::unique_ptr<NewtonSolver> newton_;
};

BlockSolver::BlockSolver(StageEquations& equations, Method method)
    : equations_(equations), system_(equations.system()), x_(make_kkt_vector(system_.layout())) {
  for (VecHandle* v : {&at_, &Mat_, &zt_, &z1_, &f_, &momentum_, &d_a1_, &a1_, &a1_change_}) *v = system_.make_dof_vector();
  for (VecHandle* v : {&lambda_, &position_, &velocity_, &d_lambda_, &mu_}) *v = system_.make_row_vector();
  const auto& kinds = system_.layout().row_is_velocity;
  int has = std::count(kinds.begin(), kinds.end(), 1) > 0;
  MPI_Allreduce(MPI_IN_PLACE, &has, 1, MPI_INT, MPI_MAX, system_.layout().comm);
  has_velocity_rows_ = has != 0;
  PetscInt rows = 0;
  petsc(VecGetSize(lambda_, &rows));
  if (method == Method::soi2 && rows > 0) projection_.emplace(equations_);
  newton_ = std::make_unique<NewtonSolver>("sinew_", system_.make_tangent_matrix(), x_, problem());
  configure_direct_solver(newton_->ksp(), system_.is_compact());
}

NewtonProblem BlockSolver::problem() {
  NewtonProblem p;
  p.residual = [this](PetscVec x, PetscVec F) { residual(x, F); };
  p.assemble = [this](PetscMat S1) { assemble(S1); };
  p.measure = [this](PetscVec update) { return measure(update); };
  p.fault = [this] { return system_.fault(equations_.q1()); };
  return p;
}

void BlockSolver::residual(PetscVec x, PetscVec F) {
  split_kkt(x, at_, lambda_);
  petsc(VecScale(lambda_, 1 / equations_.coefficients().th()));
  equations_.kinematics(at_, zt_);
  if (projection_) {
    projection_correction_ = projection_->correct(zt_, z1_, position_);
    petsc(VecCopy(a1_, a1_change_));
    petsc(VecWAXPY(a1_, 1.0, projection_->delta(), at_));
    petsc(VecAXPY(a1_change_, -1.0, a1_));
  } else {
    petsc(VecCopy(zt_, z1_));
  }
  constraint_rows();
  system_.forces(equations_.stage(z1_, lambda_), f_);
  equations_.mass_times(at_, Mat_);
  equations_.momentum(Mat_, f_, momentum_);
  join_kkt(momentum_, position_, F);
}

/// position_: g/(beta h^2) in the holonomic rows, k(t1,y1,zt)/(gamma h) in the others.
void BlockSolver::constraint_rows() {
  if (has_velocity_rows_ || !projection_)
    system_.constraints(equations_.stage(zt_, nullptr), position_, has_velocity_rows_ ? velocity_.get() : nullptr);
  const auto& is_velocity = system_.layout().row_is_velocity;
  VecWrite g(position_);
  const VecRead k(velocity_);
  for (std::size_t r = 0; r < is_velocity.size(); ++r) {
    const auto i = static_cast<PetscInt>(r);
    g[i] = is_velocity[r] ? k[i] * equations_.velocity_scale() : g[i] * equations_.position_scale();
  }
}

void BlockSolver::assemble(PetscMat S1) {
  const AlphaCoefficients& c = equations_.coefficients();
  const double h = equations_.h();
  TangentShift shift;
  shift.q = c.th() * c.beta * h * h;
  shift.v = c.th() * c.gamma * h;
  shift.a = c.m();
  shift.velocity_row_q = c.beta * h / c.gamma;
  system_.assemble_tangent(equations_.stage(z1_, lambda_), shift, equations_.increment(), S1);
}

/// Displacement by the change of at, velocity by that of a1 = at + delta: at alone carries the round-off of g over beta h^2.
double BlockSolver::measure(PetscVec update) {
  split_kkt(update, d_a1_, d_lambda_);
  const double displacement = equations_.displacement_measure(d_a1_);
  return projection_ ? std::max(displacement, equations_.velocity_measure(a1_change_)) : displacement;
}

/// Further corrections of (delta, mu) at the configuration that Newton's method left; a matrix that has grown too old is made anew.
bool BlockSolver::finish_projection(const NewtonSettings& settings) {
  if (!projection_) return true;
  for (int i = 0; i < 8 && projection_correction_ > settings.tolerance; ++i) {
    projection_correction_ = projection_->correct(zt_, z1_, position_);
    if (projection_correction_ <= settings.tolerance) system_.forces(equations_.stage(z1_, lambda_), f_);
  }
  return projection_correction_ <= settings.tolerance;
}

void BlockSolver::hand_over(StepResult& result) {
  petsc(VecCopy(at_, result.a1));
  petsc(VecCopy(lambda_, result.lambda1));
  petsc(VecCopy(Mat_, result.Ma1));
  petsc(VecCopy(z1_, result.z1));
  petsc(VecCopy(f_, result.f1));
  if (!projection_) return;
  petsc(VecAXPY(result.a1, 1.0, projection_->delta()));
  petsc(VecAXPY(result.Ma1, 1.0, projection_->M_delta()));
  projection_->multiplier_change(mu_);
  petsc(VecAXPY(result.lambda1, 1.0, mu_));
  system_.force_change(equations_.stage(z1_, lambda_), mu_, momentum_);
  petsc(VecAXPY(result.f1, 1.0, momentum_));
}

NewtonReport BlockSolver::solve(StepResult& result, const NewtonSettings& settings) {
  if (projection_) projection_->reset();
  petsc(VecAXPBY(lambda_, equations_.coefficients().th(), 0.0, result.lambda1));
  join_kkt(result.a1, lambda_, x_);
  const int before = projection_ ? projection_->factorizations() : 0;
  NewtonReport report = newton_->solve(x_, settings);
  if (report.converged && !finish_projection(settings)) {
    report.converged = false;
    report.reason = "the projection of the velocities does not converge";
  }
  if (projection_) report.factorizations += projection_->factorizations() - before;
  if (report.converged) hand_over(result);
  return report;
}

}  // namespace

std::unique_ptr<StepSolver> make_block_solver(StageEquations& equations, Method method) {
  return std::make_unique<BlockSolver>(equations, method);
}

}  // namespace sinew
