#include "linear/exact_rows.hpp"

#include "linear/direct_solver.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// So many solutions tell how many corrections are needed.
constexpr int trials = 2;
/// What is left below this part of a solution is what its rounding leaves too: that of FirstOrderOperator::refine.
constexpr double exact = 1e-12;
/// A correction that is no smaller than this part of the last one is rounding, or of rows that miss each other.
constexpr double settled = 0.5;

}  // namespace

ExactRows::ExactRows(KSP ksp, PetscVec r, PetscVec size) {
  if (r == nullptr) return;
  for (VecHandle* v : {&r_, &weight_, &residual_, &change_}) *v = duplicate(r);
  petsc(VecCopy(r, r_));
  petsc(VecCopy(size, weight_));
  petsc(VecReciprocal(weight_));  // of 0 it leaves 0
  petsc(KSPSetPostSolve(ksp, after_solution, this));
}

PetscErrorCode ExactRows::after_solution(KSP ksp, PetscVec b, PetscVec x, void* rows) {
  return guarded([=] {
    if (!has_solved_by_factors(ksp)) return PetscErrorCode(0);
    PetscMat A = nullptr;
    PC pc = nullptr;
    petsc(KSPGetOperators(ksp, &A, nullptr));
    petsc(KSPGetPC(ksp, &pc));
    static_cast<ExactRows*>(rows)->correct(A, pc, b, x);
    return PetscErrorCode(0);
  });
}

void ExactRows::add_to_residual(PetscVec x, PetscVec residual) {
  if (!r_) return;
  petsc(VecPointwiseMult(change_, r_, x));
  petsc(VecAXPY(residual, -1.0, change_));
}

/// Of the unknowns that count.
double ExactRows::norm(PetscVec x) {
  double norm = 0;
  petsc(VecPointwiseMult(residual_, weight_, x));
  petsc(VecNorm(residual_, NORM_2, &norm));
  return norm;
}

void ExactRows::correct(PetscMat A, PC pc, PetscVec b, PetscVec x) {
  const bool is_trial = solutions_ < trials;
  ++solutions_;
  double last = 1;
  for (int i = 0; is_trial || i < corrections_; ++i) {
    petsc(MatMult(A, x, residual_));
    petsc(VecAYPX(residual_, -1.0, b));
    add_to_residual(x, residual_);
    // what is left may be of no solution, as where rows miss each other
    if (quietly([&] { return PCApply(pc, residual_, change_); }) != 0) {
      if (is_trial) left_ = std::max(left_, last);
      break;
    }
    if (!is_trial) {
      petsc(VecAXPY(x, 1.0, change_));
      continue;
    }
    const double change = norm(change_) / norm(x);
    if (!(change < settled * last)) {
      left_ = std::max(left_, change);
      break;
    }
    petsc(VecAXPY(x, 1.0, change_));
    corrections_ = std::max(corrections_, i + 1);
    if (change * change <= exact * last) break;  // the next one
    last = change;
  }
}

}  // namespace sinew
