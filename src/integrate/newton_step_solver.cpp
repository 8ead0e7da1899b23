#include "integrate/newton_step_solver.hpp"

#include "integrate/doubled_matrix.hpp"
#include "linear/direct_solver.hpp"
#include "linear/kkt_solver.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// Assembly and factorisation against residual and solution: measured 2 to 3 for chains and cables, and for solids by iterations;
/// 13 to 24 for solids of 30,000 to 100,000 unknowns by factors, which fill.
constexpr double price_of_chains = 2, price_of_solids = 13;

}  // namespace

void NewtonStepSolver::make_newton(MatHandle J, PetscVec x, VectorPool* room) {
  NewtonProblem p;
  p.room = room;
  p.residual = [this](PetscVec at, PetscVec F) { residual(at, F); };
  p.assemble = [this](PetscMat tangent) {
    assemble(tangent);
    tangent_gs_ = equations_.state_gamma() * equations_.h();
  };
  p.measure = [this](PetscVec update) { return what_was_wrong(update); };
  p.remainder = [this] { return remainder(); };
  p.rounding = [this] { return rounding(); };
  p.units = [this] {
    const double effect = equations_.effect_of_acceleration();
    return Units{effect, effect / (equations_.h() * equations_.h())};
  };
  p.state_rounding = [this] { return state_rounding(); };
  p.position_rounding = [this] { return equations_.rate_of_position_rounding(); };
  p.most_amplified = system_.amplified_rounding();
  p.fault = [this] { return system_.fault(equations_.q1()); };
  p.has_fault = [this] { return system_.has_fault(equations_.q1()); };
  const PetscMat matrix = J;
  newton_ = std::make_unique<NewtonSolver>("sinew_", std::move(J), x, std::move(p));
  configure_linear_solver(newton_->ksp(), matrix);
  newton_->set_price(system_.is_compact() && !has_kkt_solver(newton_->ksp()) ? price_of_solids : price_of_chains);
  newton_->read_options();
}

/// A state that fades at the rate k has 1 + gs h k on the diagonal of its equation. The tangent of a longer step divides by up to
/// so many times as much as their steps differ, and corrects as little of what is wrong. (That of a shorter one corrects too
/// much: what is wrong is no more than the correction.)
Correction NewtonStepSolver::what_was_wrong(PetscVec update) {
  Correction size = measure(update);
  size.states *= std::max(1.0, tangent_gs_ / (equations_.state_gamma() * equations_.h()));
  return size;
}

bool NewtonStepSolver::soften(PetscVec dz) {
  const VectorPool::Loan right = equations_.kkt_room().borrow(), solution = equations_.kkt_room().borrow();
  const VectorPool::Loan momentum = equations_.dof_room().borrow(), rows = equations_.row_room().borrow();
  equations_.mass_times(dz, momentum);
  petsc(VecScale(momentum, equations_.tangent_shift().a));
  petsc(VecSet(rows, 0.0));
  join_kkt(momentum, rows, right);
  if (!solve_linear(newton_->ksp(), right, solution)) return false;
  split_kkt(solution, dz, rows);
  return true;
}

bool NewtonStepSolver::soften(const DoubledMatrix& doubled, bool in_both, PetscVec dz) {
  const VecHandle right = doubled.make_vector(), solution = doubled.make_vector();
  const VectorPool::Loan first = equations_.dof_room().borrow(), second = equations_.dof_room().borrow();
  const VectorPool::Loan rows = equations_.row_room().borrow();
  equations_.mass_times(dz, first);
  petsc(VecScale(first, equations_.tangent_shift().a));
  petsc(in_both ? VecCopy(first, second) : VecSet(second, 0.0));
  petsc(VecSet(rows, 0.0));
  doubled.join(first, rows, second, rows, right);
  if (!solve_linear(newton_->ksp(), right, solution)) return false;
  doubled.split(solution, dz, rows, second, rows);
  return true;
}

NewtonReport NewtonStepSolver::solve(StepResult& result, const NewtonSettings& settings) {
  if (!is_same_step(equations_.h(), h_)) {
    if (equations_.slides()) newton_->invalidate();
    newton_->forget_rate();
  }
  h_ = equations_.h();
  NewtonSettings exact = settings;
  // what a prediction misses of the argument of a switch that slides is a multiple of its range
  if (equations_.slides()) exact.force_share = 0;
  own_are_of_end_ = false;
  const int before = own_factors_ ? own_factors_->factorizations() : 0;
  NewtonReport report = solve_equations(result, exact);
  if (!report.converged) return report;
  take_out_undetermined(result, result.lambda1);
  if (own_factors_) report.factorizations += own_factors_->factorizations() - before;
  report.reason = check_.fault(result, levels(), settings.tolerance);
  report.refused = !report.reason.empty();
  report.converged = !report.refused;
  return report;
}

void NewtonStepSolver::take_out_undetermined(const StepResult& result, PetscVec multipliers) {
  if (!system_.has_redundancy()) return;
  ProjectionFactors* factors = factors_of_end();
  if (factors == nullptr) {
    if (!own_factors_) own_factors_.emplace(system_);
    if (!own_are_of_end_) own_factors_->assemble(equations_.stage(result.z1, result.lambda1));
    own_are_of_end_ = true;
    factors = &*own_factors_;
  }
  factors->take_out_undetermined(multipliers);
}

void NewtonStepSolver::hand_over(PetscVec a1, PetscVec lambda1, PetscVec z1, PetscVec Ma1, PetscVec f1, StepResult& result) {
  const std::pair<PetscVec, PetscVec> results[] = {
      {a1, result.a1}, {lambda1, result.lambda1}, {z1, result.z1}, {Ma1, result.Ma1}, {f1, result.f1}};
  for (const auto& [from, to] : results) petsc(VecCopy(from, to));
}

}  // namespace sinew
