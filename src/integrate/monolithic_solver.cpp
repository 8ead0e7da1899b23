#include "integrate/doubled_matrix.hpp"
#include "integrate/newton_step_solver.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// Unknowns on every rank, one after the other: at, th lambda~, a1, th lambda1. Rows: momentum with at, g and k at zt, momentum
/// with a1, g_t + G z and k at z1.
class MonolithicSolver final : public NewtonStepSolver {
 public:
  explicit MonolithicSolver(StageEquations& equations);
  NewtonReport solve_equations(StepResult& result, const NewtonSettings&) override;
  bool soften(PetscVec dz) override { return NewtonStepSolver::soften(doubled_, true, dz); }

 private:
  void unpack(PetscVec x);
  void residual(PetscVec x, PetscVec F) override;
  void assemble(PetscMat J) override;
  Correction measure(PetscVec update) override;
  Remainder remainder() override;
  Rounding rounding() override { return equations_.rounding(z1_, l1_); }
  double state_rounding() override { return equations_.state_rounding(z1_, l1_); }

  PetscInt n_, m_;
  DoubledMatrix doubled_;
  VecHandle x_, at_, lt_, a1_, l1_, zt_, z1_, f_, momentum_, Mv_, position_, velocity_, d_, d_rows_;
  VecHandle residual_;  ///< the last one
  MatHandle block_;
};

MonolithicSolver::MonolithicSolver(StageEquations& equations)
    : NewtonStepSolver(equations), n_(system_.layout().num_dofs), m_(system_.layout().num_rows), doubled_(system_) {
  for (VecHandle* v : {&at_, &a1_, &zt_, &z1_, &f_, &momentum_, &Mv_, &d_}) *v = system_.make_dof_vector();
  for (VecHandle* v : {&lt_, &l1_, &position_, &velocity_, &d_rows_}) *v = system_.make_row_vector();
  x_ = doubled_.make_vector();
  residual_ = doubled_.make_vector();
  block_ = system_.make_tangent_matrix();
  make_newton(doubled_.make_matrix(), x_);
}

void MonolithicSolver::unpack(PetscVec x) {
  doubled_.split(x, at_, lt_, a1_, l1_);
  petsc(VecScale(lt_, 1 / equations_.coefficients().th()));
  petsc(VecScale(l1_, 1 / equations_.coefficients().th()));
}

void MonolithicSolver::residual(PetscVec x, PetscVec F) {
  unpack(x);
  equations_.kinematics(at_, zt_);
  petsc(VecWAXPY(d_, -1.0, at_, a1_));
  petsc(VecCopy(zt_, z1_));
  equations_.add_velocity_change(d_, z1_);
  VecWrite out(F);
  const auto& is_velocity = system_.layout().row_is_velocity;
  const auto momentum_part = [&](PetscVec a, PetscVec lambda, PetscInt offset) {
    equations_.mass_times(a, Mv_);
    system_.forces(equations_.stage(z1_, lambda), f_);
    equations_.momentum(Mv_, f_, momentum_);
    const VecRead r(momentum_);
    std::copy_n(r.data(), n_, out.data() + offset);
  };
  momentum_part(at_, lt_, 0);
  momentum_part(a1_, l1_, n_ + m_);
  const auto rows_part = [&](PetscVec z, bool velocity_level, PetscInt offset) {
    system_.constraints(equations_.stage(z, nullptr), position_, velocity_);
    const VecRead g(position_), gv(velocity_);
    for (PetscInt r = 0; r < m_; ++r)
      out[offset + r] =
          velocity_level || is_velocity[r] ? gv[r] * equations_.velocity_scale() : g[r] * equations_.position_scale();
  };
  rows_part(zt_, false, n_);
  rows_part(z1_, true, 2 * n_ + m_);
  VecWrite kept(residual_);
  std::copy_n(out.data(), 2 * (n_ + m_), kept.data());
}

Remainder MonolithicSolver::remainder() {
  doubled_.split(residual_, momentum_, position_, d_, velocity_);
  return larger(equations_.remainder(momentum_, position_, false), equations_.remainder(d_, velocity_, true));
}

/// r1 depends on (at, lt) fully and on a1 through z1; r2 on at through y1, on a1 and l1; the rows of g on at; those of gv on at
/// through y1 and on a1.
void MonolithicSolver::assemble(PetscMat J) {
  const TangentShift all = equations_.tangent_shift();
  const auto part = [&all](double q, double v, double a, double velocity_row_q, ConstraintRows rows) {
    return TangentShift{q, v, a, velocity_row_q, rows, all.state_v, all.state_a};
  };
  const Stage tilde = equations_.stage(z1_, lt_), end = equations_.stage(z1_, l1_);
  const PetscVec w = equations_.increment();
  petsc(MatZeroEntries(J));
  system_.assemble_tangent(tilde, part(all.q, 0, all.a, 0, ConstraintRows::stage), w, block_);
  doubled_.add(block_, {.row = 0, .column = 0, .momentum = true}, J);
  system_.assemble_tangent(tilde, part(0, all.v, 0, 0, ConstraintRows::gradient), w, block_);
  doubled_.add(block_, {.row = 0, .column = 1, .momentum = true, .dof_columns_only = true}, J);
  system_.assemble_tangent(end, part(all.q, 0, 0, 0, ConstraintRows::stage), w, block_);
  doubled_.add(block_, {.row = 1, .column = 0, .momentum = true, .dof_columns_only = true}, J);
  system_.assemble_tangent(end, part(0, all.v, all.a, 0, ConstraintRows::gradient), w, block_);
  doubled_.add(block_, {.row = 1, .column = 1, .momentum = true, .constraints = true}, J);
  system_.assemble_tangent(equations_.stage(zt_, lt_), all, w, block_);
  doubled_.add(block_, {.row = 0, .column = 0, .constraints = true}, J);
  system_.assemble_tangent(end, part(0, 0, 0, all.velocity_row_q, ConstraintRows::curvature), w, block_);
  doubled_.add(block_, {.row = 1, .column = 0, .constraints = true, .dof_columns_only = true}, J);
  petsc(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  doubled_.note_regularisation_of(block_, J);
}

/// Multipliers of general equations are measured as well, relative to their size: they may enter nonlinearly and then converge
/// later than the motion.
Correction MonolithicSolver::measure(PetscVec update) {
  const VecRead u(update);
  const AlphaCoefficients& c = equations_.coefficients();
  const auto accelerations = [&](PetscInt offset) {
    VecWrite t(d_);
    std::copy_n(u.data() + offset, n_, t.data());
  };
  const auto multipliers = [&](PetscInt offset, PetscVec now) {
    {
      VecWrite t(d_rows_);
      std::copy_n(u.data() + offset, m_, t.data());
    }
    return max_norm(d_rows_) / c.th() / (1 + max_norm(now));
  };
  const double h = equations_.h();
  accelerations(0);
  const double displacement = equations_.displacement_measure(d_);
  accelerations(n_ + m_);
  const double velocity = equations_.velocity_measure(d_), states = equations_.state_measure(d_);
  if (system_.is_mechanical()) return {std::max(displacement, velocity), states};
  const double tilde = c.beta * h * h * multipliers(n_, lt_), end = c.gamma * h * multipliers(2 * n_ + m_, l1_);
  return {std::max({displacement, velocity, tilde, end}), states};
}

NewtonReport MonolithicSolver::solve_equations(StepResult& result, const NewtonSettings& settings) {
  petsc(VecAXPBY(l1_, equations_.coefficients().th(), 0.0, result.lambda1));
  doubled_.join(result.a1, l1_, result.a1, l1_, x_);
  NewtonReport report = newton_->solve(x_, settings);
  if (!report.converged) return report;
  hand_over(a1_, l1_, z1_, Mv_, f_,
            result);  // the last forces and inertia that the residual evaluated are those with lambda1 and a1
  return report;
}

}  // namespace

std::unique_ptr<StepSolver> make_monolithic_solver(StageEquations& equations) {
  return std::make_unique<MonolithicSolver>(equations);
}

}  // namespace sinew
