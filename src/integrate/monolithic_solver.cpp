#include "integrate/step_solver.hpp"
#include "linear/direct_solver.hpp"

#include <algorithm>
#include <vector>

namespace sinew {

namespace {

/// Unknowns on every rank, one after the other: at, th lambda~, a1, th lambda1. Rows: momentum with at, g and k at zt, momentum with a1, g_t + G z and k at z1.
class MonolithicSolver final : public StepSolver {
 public:
  explicit MonolithicSolver(StageEquations& equations);
  NewtonReport solve(StepResult& result, const NewtonSettings&) override;
  void invalidate() override { newton_->invalidate(); }
  KSP ksp() const override { return newton_->ksp(); }

 private:
  NewtonProblem problem();
  void unpack(PetscVec x);
  void residual(PetscVec x, PetscVec F);
  void assemble(PetscMat J);
  void insert(PetscMat block, PetscInt row_block, PetscInt column_block, bool dofs_columns_only, bool momentum_rows,
              bool constraint_rows, PetscMat J);
  double measure(PetscVec update);
  PetscInt doubled(PetscInt kkt_index, PetscInt block) const;
  MatHandle make_matrix() const;

  StageEquations& equations_;
  const DynamicSystem& system_;
  PetscInt n_, m_;
  std::vector<PetscInt> kkt_start_;  ///< first KKT index of every rank, and the total
  std::vector<PetscInt> dofs_of_rank_;
  VecHandle x_, at_, lt_, a1_, l1_, zt_, z1_, f_, momentum_, Mv_, position_, velocity_, d_, d_rows_;
  MatHandle block_;
  std::unique_ptr<NewtonSolver> newton_;
};

MonolithicSolver::MonolithicSolver(StageEquations& equations)
    : equations_(equations), system_(equations.system()), n_(system_.layout().num_dofs), m_(system_.layout().num_rows) {
  for (VecHandle* v : {&at_, &a1_, &zt_, &z1_, &f_, &momentum_, &Mv_, &d_}) *v = system_.make_dof_vector();
  for (VecHandle* v : {&lt_, &l1_, &position_, &velocity_, &d_rows_}) *v = system_.make_row_vector();
  petsc(VecCreateMPI(system_.layout().comm, 2 * (n_ + m_), PETSC_DETERMINE, x_.address()));
  block_ = system_.make_tangent_matrix();
  const PetscInt* ranges = nullptr;
  int size = 1;
  MPI_Comm_size(system_.layout().comm, &size);
  petsc(MatGetOwnershipRanges(block_, &ranges));
  kkt_start_.assign(ranges, ranges + size + 1);
  dofs_of_rank_.resize(size);
  MPI_Allgather(&n_, 1, MPIU_INT, dofs_of_rank_.data(), 1, MPIU_INT, system_.layout().comm);
  newton_ = std::make_unique<NewtonSolver>("sinew_", make_matrix(), x_, problem());
  configure_direct_solver(newton_->ksp(), system_.is_compact());
}

MatHandle MonolithicSolver::make_matrix() const {
  MatHandle J;
  petsc(MatCreate(system_.layout().comm, J.address()));
  petsc(MatSetSizes(J, 2 * (n_ + m_), 2 * (n_ + m_), PETSC_DETERMINE, PETSC_DETERMINE));
  petsc(MatSetType(J, MATAIJ));
  petsc(MatSetUp(J));
  petsc(MatSetOption(J, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  return J;
}

NewtonProblem MonolithicSolver::problem() {
  NewtonProblem p;
  p.residual = [this](PetscVec x, PetscVec F) { residual(x, F); };
  p.assemble = [this](PetscMat J) { assemble(J); };
  p.measure = [this](PetscVec update) { return measure(update); };
  p.fault = [this] { return system_.fault(equations_.q1()); };
  return p;
}

void MonolithicSolver::unpack(PetscVec x) {
  const VecRead v(x);
  const auto copy = [&](PetscVec target, PetscInt offset, PetscInt count) {
    VecWrite t(target);
    std::copy_n(v.data() + offset, count, t.data());
  };
  copy(at_, 0, n_);
  copy(lt_, n_, m_);
  copy(a1_, n_ + m_, n_);
  copy(l1_, 2 * n_ + m_, m_);
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
      out[offset + r] = velocity_level || is_velocity[r] ? gv[r] * equations_.velocity_scale() : g[r] * equations_.position_scale();
  };
  rows_part(zt_, false, n_);
  rows_part(z1_, true, 2 * n_ + m_);
}

PetscInt MonolithicSolver::doubled(PetscInt kkt_index, PetscInt block) const {
  const auto owner = std::upper_bound(kkt_start_.begin(), kkt_start_.end(), kkt_index) - kkt_start_.begin() - 1;
  const PetscInt start = kkt_start_[owner], length = kkt_start_[owner + 1] - start;
  return 2 * start + block * length + (kkt_index - start);
}

/// Adds the chosen rows of an assembled tangent to one of the four blocks.
void MonolithicSolver::insert(PetscMat block, PetscInt row_block, PetscInt column_block, bool dof_columns_only, bool momentum_rows,
                              bool constraint_rows, PetscMat J) {
  PetscInt first = 0, last = 0;
  petsc(MatGetOwnershipRange(block, &first, &last));
  std::vector<PetscInt> columns;
  std::vector<double> values;
  for (PetscInt row = first; row < last; ++row) {
    const bool is_momentum = row - first < n_;
    if (is_momentum ? !momentum_rows : !constraint_rows) continue;
    PetscInt count = 0;
    const PetscInt* cols = nullptr;
    const PetscScalar* entries = nullptr;
    petsc(MatGetRow(block, row, &count, &cols, &entries));
    columns.clear();
    values.clear();
    for (PetscInt i = 0; i < count; ++i) {
      const auto owner = std::upper_bound(kkt_start_.begin(), kkt_start_.end(), cols[i]) - kkt_start_.begin() - 1;
      const bool is_dof = cols[i] - kkt_start_[owner] < dofs_of_rank_[owner];
      if (dof_columns_only && !is_dof) continue;
      columns.push_back(doubled(cols[i], column_block));
      values.push_back(entries[i]);
    }
    const PetscInt target = doubled(row, row_block);
    petsc(MatSetValues(J, 1, &target, static_cast<PetscInt>(columns.size()), columns.data(), values.data(), ADD_VALUES));
    petsc(MatRestoreRow(block, row, &count, &cols, &entries));
  }
}

/// r1 depends on (at, lt) fully and on a1 through z1; r2 on at through y1, on a1 and l1; the rows of g on at; those of gv on at through y1 and on a1.
void MonolithicSolver::assemble(PetscMat J) {
  const TangentShift all = equations_.tangent_shift();
  const auto part = [&all](double q, double v, double a, double velocity_row_q, ConstraintRows rows) {
    return TangentShift{q, v, a, velocity_row_q, rows, all.state_v, all.state_a};
  };
  const Stage tilde = equations_.stage(z1_, lt_), end = equations_.stage(z1_, l1_);
  const PetscVec w = equations_.increment();
  petsc(MatZeroEntries(J));
  system_.assemble_tangent(tilde, part(all.q, 0, all.a, 0, ConstraintRows::stage), w, block_);
  insert(block_, 0, 0, false, true, false, J);
  system_.assemble_tangent(tilde, part(0, all.v, 0, 0, ConstraintRows::gradient), w, block_);
  insert(block_, 0, 1, true, true, false, J);
  system_.assemble_tangent(end, part(all.q, 0, 0, 0, ConstraintRows::stage), w, block_);
  insert(block_, 1, 0, true, true, false, J);
  system_.assemble_tangent(end, part(0, all.v, all.a, 0, ConstraintRows::gradient), w, block_);
  insert(block_, 1, 1, false, true, true, J);
  system_.assemble_tangent(equations_.stage(zt_, lt_), all, w, block_);
  insert(block_, 0, 0, false, false, true, J);
  system_.assemble_tangent(end, part(0, 0, 0, all.velocity_row_q, ConstraintRows::curvature), w, block_);
  insert(block_, 1, 0, false, false, true, J);
  petsc(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
}

/// Multipliers are measured as well, relative to their size: they may enter nonlinearly and then converge later than the motion.
double MonolithicSolver::measure(PetscVec update) {
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
    double change = 0, size = 0;
    petsc(VecNorm(d_rows_, NORM_INFINITY, &change));
    petsc(VecNorm(now, NORM_INFINITY, &size));
    return change / c.th() / (1 + size);
  };
  const double h = equations_.h();
  accelerations(0);
  const double displacement = equations_.displacement_measure(d_);
  accelerations(n_ + m_);
  const double velocity = equations_.rate_measure(d_);
  const double tilde = c.beta * h * h * multipliers(n_, lt_), end = c.gamma * h * multipliers(2 * n_ + m_, l1_);
  return std::max({displacement, velocity, tilde, end});
}

NewtonReport MonolithicSolver::solve(StepResult& result, const NewtonSettings& settings) {
  {
    const VecRead a(result.a1), l(result.lambda1);
    VecWrite x(x_);
    for (const PetscInt offset : {PetscInt{0}, n_ + m_}) {
      std::copy_n(a.data(), n_, x.data() + offset);
      for (PetscInt r = 0; r < m_; ++r) x[offset + n_ + r] = equations_.coefficients().th() * l[r];
    }
  }
  NewtonReport report = newton_->solve(x_, settings);
  if (!report.converged) return report;
  petsc(VecCopy(a1_, result.a1));
  petsc(VecCopy(l1_, result.lambda1));
  petsc(VecCopy(z1_, result.z1));
  petsc(VecCopy(f_, result.f1));  // the last forces that the residual evaluated are those with lambda1
  petsc(VecCopy(Mv_, result.Ma1));
  return report;
}

}  // namespace

std::unique_ptr<StepSolver> make_monolithic_solver(StageEquations& equations) {
  return std::make_unique<MonolithicSolver>(equations);
}

}  // namespace sinew
