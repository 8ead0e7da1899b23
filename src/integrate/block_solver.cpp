#include "base/reduction.hpp"
#include "integrate/alternate.hpp"
#include "integrate/newton_step_solver.hpp"
#include "integrate/velocity_projection.hpp"
#include "linear/kkt_solver.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace sinew {

namespace {

/// So much of the tolerance may be left of the equation of at when delta has changed.
constexpr double little = 0.3;
/// More in a step in which delta follows are blamed on old factors of the projection.
constexpr int many_iterations = 4;

/// The unknowns of SNES are x = (at, th lambda~): with them the matrix is [J, -f_lambda; G T, 0] and its two borders are alike.
/// Meanwhile delta stands still; it is projected anew when at has converged, and where f depends on it (damping, gyroscopic
/// terms) at follows. Once that was seen, delta is corrected with every residual, so that both converge together.
class BlockSolver final : public NewtonStepSolver {
 public:
  BlockSolver(StageEquations& equations, Method method);
  NewtonReport solve_equations(StepResult& result, const NewtonSettings&) override;
  void invalidate() override {
    NewtonStepSolver::invalidate();
    if (projection_) projection_->forget();
  }
  bool is_coupled() const override { return has_effect_; }

 private:
  void residual(PetscVec x, PetscVec F) override;
  bool needs_velocity_rows() const { return has_velocity_rows_ || at_velocity_level_; }
  void constraint_rows(bool of_delta);
  void assemble(PetscMat S1) override;
  Correction measure(PetscVec update) override;
  HeldLevels levels() const override { return {!at_velocity_level_, at_velocity_level_ || projection_}; }
  ProjectionFactors* factors_of_end() override { return projection_ ? projection_->factors_of_end() : nullptr; }
  Remainder remainder() override;
  Rounding rounding() override { return equations_.rounding(z1_, lambda_); }
  double state_rounding() override { return equations_.state_rounding(z1_, lambda_); }
  Projected project(double tolerance);
  bool leaves_little(double tolerance);
  void add_projected(StepResult& result);
  /// Is there a delta that differs from zero?
  bool projects() const { return projection_ && !projection_->is_idle(); }
  void work_on(StepResult& result);

  bool at_velocity_level_;  ///< Method::index2: all constraints are, holonomic ones too
  bool has_velocity_rows_ = false;
  bool has_effect_ = false;     ///< of delta on at, in any step so far
  bool delta_follows_ = false;  ///< in this step
  bool goes_along_ = false;     ///< likewise: corrections of delta come with those of at
  bool is_first_ = false;       ///< the next residual is that of the prediction
  std::optional<VelocityProjection> projection_;
  void take_room();
  void leave_room();
  void divide_by_mass();
  VecHandle x_, zt_;
  VectorPool::Loan momentum_, position_;  ///< what is left of the equations; between `take_room` and `leave_room`
  VecHandle velocity_;                    ///< only where rows at velocity level are needed
  /// Vectors of the result: what they become is computed in place.
  PetscVec at_ = nullptr, lambda_ = nullptr, M_at_ = nullptr, z1_ = nullptr, f_ = nullptr;
};

BlockSolver::BlockSolver(StageEquations& equations, Method method)
    : NewtonStepSolver(equations), at_velocity_level_(method == Method::index2), x_(make_kkt_vector(system_.layout())) {
  zt_ = system_.make_dof_vector();
  const auto& kinds = system_.layout().row_is_velocity;
  has_velocity_rows_ = is_so_on_any(system_.layout().comm, std::count(kinds.begin(), kinds.end(), 1) > 0);
  if (needs_velocity_rows()) velocity_ = system_.make_row_vector();
  make_newton(system_.make_tangent_matrix(), x_, &equations_.kkt_room());
  if (method == Method::soi2 && equations_.scales().has_rows()) projection_.emplace(equations_, newton_->ksp());
}

/// momentum_ over the diagonal of M, zero where that is.
void BlockSolver::divide_by_mass() {
  const VectorPool::Loan inverse = equations_.dof_room().borrow();
  system_.mass_diagonal(inverse);
  petsc(VecReciprocal(inverse));  // leaves zeros alone
  petsc(VecPointwiseMult(momentum_, momentum_, inverse));
}

void BlockSolver::take_room() {
  if (!momentum_) momentum_ = equations_.dof_room().borrow();
  if (!position_) position_ = equations_.row_room().borrow();
}

void BlockSolver::leave_room() {
  momentum_.give_back();
  position_.give_back();
}

void BlockSolver::residual(PetscVec x, PetscVec F) {
  leave_room();  // a projection that follows may use it
  split_kkt(x, at_, lambda_);
  petsc(VecScale(lambda_, 1 / equations_.coefficients().th()));
  equations_.advance(at_, zt_);
  const bool goes_along = goes_along_ && !std::exchange(is_first_, false);
  if (goes_along) projection_->take_along();
  petsc(VecCopy(zt_, z1_));
  if (projects()) petsc(VecAXPY(z1_, equations_.coefficients().gamma * equations_.h(), projection_->delta()));
  system_.share({equations_.chart(), z1_, velocity_ ? zt_.get() : nullptr},
                {lambda_, goes_along ? projection_->scaled_mu() : nullptr});
  equations_.move(zt_);
  if (delta_follows_) projection_->follow(lambda_, z1_);
  take_room();
  constraint_rows(goes_along);
  if (goes_along) projection_->go_along(z1_, position_);
  system_.forces(equations_.stage(z1_, lambda_), f_);
  equations_.mass_times(at_, M_at_);
  equations_.momentum(M_at_, f_, momentum_);
  join_kkt(momentum_, position_, F);
}

/// position_: g/(beta h^2) in the holonomic rows, k(t1,y1,zt)/(gamma h) in the others. At velocity level (g_t + G z)/(gamma h) in
/// the first. `of_delta`: the rows of z1 as well, for the projection; g itself does not depend on velocities. While a switch
/// slides gaps that are rounding of positions stay open: at, closed anew by 1e-15 in every iteration, would move zt by that over
/// beta h, and what holds the switch is steep enough to answer with forces, before delta takes it back.
void BlockSolver::constraint_rows(bool of_delta) {
  const PetscVec of_z1 = of_delta ? projection_->velocity_rows() : nullptr;
  if (velocity_ || !of_delta) system_.constraints(equations_.stage(zt_, nullptr), position_, velocity_);
  if (of_delta) {
    system_.constraints(equations_.stage(z1_, nullptr), velocity_ ? nullptr : position_.get(), of_z1);
    petsc(VecScale(of_z1, equations_.velocity_scale()));
  }
  equations_.scale_rows(position_, velocity_, at_velocity_level_);
  if (projection_ && equations_.slides()) equations_.leave_rounding(position_);
}

void BlockSolver::assemble(PetscMat S1) {
  TangentShift shift = equations_.tangent_shift();
  if (at_velocity_level_) shift.rows = ConstraintRows::velocity;
  system_.assemble_tangent(equations_.stage(z1_, lambda_), shift, equations_.increment(), S1);
}

/// Dofs come first in an update.
Correction BlockSolver::measure(PetscVec update) { return equations_.change(update); }

Remainder BlockSolver::remainder() { return equations_.remainder(momentum_, position_, at_velocity_level_); }

/// Where delta has gone along with at: f with the last delta, and what of the equation of at is left. Where that is more than
/// little it may be what a stiff system leaves of any correction; then what delta has changed of the forces since at was
/// corrected is all that counts, in momentum_.
bool BlockSolver::leaves_little(double tolerance) {
  if (projection_->moved() > 0) system_.forces(equations_.stage(z1_, lambda_), f_);
  equations_.momentum(M_at_, f_, momentum_);
  divide_by_mass();
  if (equations_.of_all(equations_.change_measure(momentum_)) <= little * tolerance) return true;
  system_.forces(equations_.stage(projection_->velocities_before(z1_), lambda_), momentum_);
  petsc(VecAXPBY(momentum_, -equations_.coefficients().th(), equations_.coefficients().th(), f_));
  return false;
}

/// Projects delta at the configuration that Newton's method left. With effect: the equation of at no longer holds. While delta
/// follows, Newton's method converges linearly, which its stopping test does not expect; then all that is left of the equation
/// counts.
Projected BlockSolver::project(double tolerance) {
  leave_room();
  const bool is_solved = projection_->solve(zt_, lambda_, z1_, tolerance);
  take_room();
  if (!is_solved) return Projected::failed;
  const bool went_along = std::exchange(goes_along_, goes_along_ && projection_->may_go_along());
  if (projection_->is_idle()) return Projected::without_effect;
  if (goes_along_) {
    if (leaves_little(tolerance)) return Projected::without_effect;
  } else {
    system_.forces(equations_.stage(z1_, lambda_), momentum_);
    petsc(VecAXPBY(f_, equations_.coefficients().th(), -equations_.coefficients().th(), momentum_));
    petsc(VecSwap(f_, momentum_));
    if (delta_follows_ || went_along) equations_.momentum(M_at_, f_, momentum_);
  }
  // What this means for at: about M^-1 of it, less where the system is stiff. Dampers alone tie at to delta, and they stand in
  // the matrix of at as well, so that at moves by no more than delta: that counts where M^-1 makes vibrations of stiff bodies,
  // and what a solution by iterations has left of them, by far too large.
  divide_by_mass();
  double effect = equations_.of_all(equations_.change_measure(momentum_));
  if (has_iterations(newton_->ksp())) effect = std::min(effect, projection_->moved());
  if (effect <= little * tolerance) return Projected::without_effect;
  has_effect_ = true;
  return Projected::with_effect;
}

void BlockSolver::work_on(StepResult& result) {
  at_ = result.a1;
  lambda_ = result.lambda1;
  M_at_ = result.Ma1;
  z1_ = result.z1;
  f_ = result.f1;
}

/// What delta and mu add to the result. The residuals are not needed any more.
void BlockSolver::add_projected(StepResult& result) {
  if (!projects()) return;
  petsc(VecAXPY(result.a1, 1.0, projection_->delta()));
  projection_->add_forces(lambda_, z1_, result.Ma1, result.f1);
  const VectorPool::Loan mu = equations_.row_room().borrow();
  projection_->multiplier_change(mu);
  petsc(VecAXPY(result.lambda1, 1.0, mu));
}

/// With delta of the last step as prediction, at is predicted by a1 - delta, and likewise the multipliers.
NewtonReport BlockSolver::solve_equations(StepResult& result, const NewtonSettings& settings) {
  const double th = equations_.coefficients().th();
  work_on(result);
  if (projection_) projection_->predict(equations_.h(), settings.share > 0);
  if (projects()) {
    const VectorPool::Loan mu = equations_.row_room().borrow();
    projection_->multiplier_change(mu);
    petsc(VecAXPY(at_, -1.0, projection_->delta()));
    petsc(VecAXPY(lambda_, -1.0, mu));
  }
  petsc(VecScale(lambda_, th));
  join_kkt(at_, lambda_, x_);
  // A line search compares residuals of the same delta.
  goes_along_ = projection_ && !settings.line_search && projection_->may_go_along();
  is_first_ = true;
  delta_follows_ = has_effect_ && !goes_along_ && !settings.line_search && projection_->is_cheap();
  const int before = projection_ ? projection_->factorizations() : 0;
  NewtonReport report = projection_ ? alternate(*newton_, x_, settings, [this](double limit) { return project(limit); })
                                    : newton_->solve(x_, settings);
  leave_room();
  if (projection_) report.factorizations += projection_->factorizations() - before;
  if (delta_follows_ && report.iterations > many_iterations) projection_->distrust_lag();
  if (report.converged) {
    add_projected(result);
  } else if (projection_) {
    projection_->forget();
  }
  return report;
}

}  // namespace

std::unique_ptr<StepSolver> make_block_solver(StageEquations& equations, Method method) {
  return std::make_unique<BlockSolver>(equations, method);
}

}  // namespace sinew
