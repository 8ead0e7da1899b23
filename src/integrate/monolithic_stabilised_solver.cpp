#include "integrate/doubled_matrix.hpp"
#include "integrate/newton_step_solver.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// Unknowns on every rank, one after the other: at, th lambda1, delta, eta. Rows: momentum with a1 = at + delta, g and k at zt,
/// W delta + G(q0)^T eta, g_t + G z and k at z1.
class MonolithicStabilisedSolver final : public NewtonStepSolver {
 public:
  explicit MonolithicStabilisedSolver(StageEquations& equations);
  NewtonReport solve_equations(StepResult& result, const NewtonSettings&) override;
  bool soften(PetscVec dz) override { return NewtonStepSolver::soften(doubled_, false, dz); }

 private:
  void residual(PetscVec x, PetscVec F) override;
  void assemble(PetscMat J) override;
  Correction measure(PetscVec update) override;
  Remainder remainder() override;
  Rounding rounding() override { return equations_.rounding(z1_, lambda_); }
  double state_rounding() override { return equations_.state_rounding(z1_, lambda_); }

  PetscInt n_, m_;
  DoubledMatrix doubled_;
  MatHandle start_metric_, block_;
  VecHandle x_, at_, lambda_, delta_, eta_, a1_, zt_, z1_, Ma_, f_, momentum_, position_, velocity_, unused_, kkt_, image_, d_a1_;
};

MonolithicStabilisedSolver::MonolithicStabilisedSolver(StageEquations& equations)
    : NewtonStepSolver(equations),
      n_(system_.layout().num_dofs),
      m_(system_.layout().num_rows),
      doubled_(system_),
      start_metric_(system_.make_projection_matrix()),
      block_(system_.make_tangent_matrix()),
      x_(doubled_.make_vector()),
      kkt_(make_kkt_vector(system_.layout())),
      image_(make_kkt_vector(system_.layout())) {
  for (VecHandle* v : {&at_, &delta_, &a1_, &zt_, &z1_, &Ma_, &f_, &momentum_, &d_a1_}) *v = system_.make_dof_vector();
  for (VecHandle* v : {&lambda_, &eta_, &position_, &velocity_, &unused_}) *v = system_.make_row_vector();
  make_newton(doubled_.make_matrix(), x_);
}

void MonolithicStabilisedSolver::residual(PetscVec x, PetscVec F) {
  doubled_.split(x, at_, lambda_, delta_, eta_);
  petsc(VecScale(lambda_, 1 / equations_.coefficients().th()));
  equations_.kinematics(at_, zt_);
  petsc(VecCopy(zt_, z1_));
  equations_.add_velocity_change(delta_, z1_);
  petsc(VecWAXPY(a1_, 1.0, delta_, at_));
  system_.constraints(equations_.stage(zt_, nullptr), position_, velocity_);
  equations_.scale_rows(position_, velocity_, false);
  join_kkt(delta_, eta_, kkt_);
  petsc(MatMult(start_metric_, kkt_, image_));
  split_kkt(image_, d_a1_, unused_);
  system_.constraints(equations_.stage(z1_, nullptr), nullptr, velocity_);
  petsc(VecScale(velocity_, equations_.velocity_scale()));
  system_.forces(equations_.stage(z1_, lambda_), f_);
  equations_.mass_times(a1_, Ma_);
  equations_.momentum(Ma_, f_, momentum_);
  doubled_.join(momentum_, position_, d_a1_, velocity_, F);
}

void MonolithicStabilisedSolver::assemble(PetscMat J) {
  const TangentShift all = equations_.tangent_shift();
  TangentShift by_velocity = all, at_velocity_level = all;
  by_velocity.q = 0;
  by_velocity.rows = ConstraintRows::gradient;
  at_velocity_level.rows = ConstraintRows::velocity;
  const Stage end = equations_.stage(z1_, lambda_);
  const PetscVec w = equations_.increment();
  petsc(MatZeroEntries(J));
  system_.assemble_tangent(end, all, w, block_);
  doubled_.add(block_, {.row = 0, .column = 0, .momentum = true}, J);
  system_.assemble_tangent(end, by_velocity, w, block_);
  doubled_.add(block_, {.row = 0, .column = 1, .momentum = true, .dof_columns_only = true}, J);
  doubled_.add(block_, {.row = 1, .column = 1, .constraints = true}, J);
  doubled_.add(start_metric_, {.row = 1, .column = 1, .momentum = true}, J);
  system_.assemble_tangent(equations_.stage(zt_, lambda_), all, w, block_);
  doubled_.add(block_, {.row = 0, .column = 0, .constraints = true}, J);
  system_.assemble_tangent(end, at_velocity_level, w, block_);
  doubled_.add(block_, {.row = 1, .column = 0, .constraints = true, .dof_columns_only = true}, J);
  petsc(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  doubled_.note_regularisation_of(block_, J);
}

/// delta is as exact as its own linear equation is solved.
Remainder MonolithicStabilisedSolver::remainder() {
  petsc(VecCopy(momentum_, d_a1_));
  const Remainder first = equations_.remainder(d_a1_, position_, false);
  petsc(VecSet(d_a1_, 0.0));
  return larger(first, equations_.remainder(d_a1_, velocity_, true));
}

/// Multipliers lambda1 of general equations are measured as well, relative to their size: they may enter nonlinearly and then
/// converge later than the motion.
Correction MonolithicStabilisedSolver::measure(PetscVec update) {
  const AlphaCoefficients& c = equations_.coefficients();
  {
    const VecRead u(update);
    VecWrite a(d_a1_), l(unused_);
    std::copy_n(u.data(), n_, a.data());
    std::copy_n(u.data() + n_, m_, l.data());
  }
  const double displacement = equations_.displacement_measure(d_a1_);
  {
    const VecRead u(update);
    VecWrite a(d_a1_);
    for (PetscInt i = 0; i < n_; ++i) a[i] += u[n_ + m_ + i];
  }
  const double motion = std::max(displacement, equations_.velocity_measure(d_a1_)), states = equations_.state_measure(d_a1_);
  if (system_.is_mechanical()) return {motion, states};
  return {std::max(motion, c.gamma * equations_.h() * max_norm(unused_) / c.th() / (1 + max_norm(lambda_))), states};
}

/// delta and eta start from those of the last step.
NewtonReport MonolithicStabilisedSolver::solve_equations(StepResult& result, const NewtonSettings& settings) {
  system_.assemble_projection(equations_.start(), start_metric_);
  petsc(VecWAXPY(at_, -1.0, delta_, result.a1));
  petsc(VecAXPBY(lambda_, equations_.coefficients().th(), 0.0, result.lambda1));
  doubled_.join(at_, lambda_, delta_, eta_, x_);
  NewtonReport report = newton_->solve(x_, settings);
  if (!report.converged) {
    petsc(VecSet(delta_, 0.0));
    petsc(VecSet(eta_, 0.0));
    return report;
  }
  hand_over(a1_, lambda_, z1_, Ma_, f_, result);
  take_out_undetermined(result, eta_);
  return report;
}

}  // namespace

std::unique_ptr<StepSolver> make_monolithic_stabilised_solver(StageEquations& equations) {
  return std::make_unique<MonolithicStabilisedSolver>(equations);
}

}  // namespace sinew
