// Vectors that SNES works with, which others use between its solutions.
#include "solve/newton.hpp"

#include <utility>

namespace sinew {

namespace {

/// Gives a line search the vectors for the next x and its residual. It destroys what it has in the end without having counted
/// itself among those who hold it.
void set_room(SNESLineSearch search, PetscVec next, PetscVec residual) {
  PetscVec before[2] = {nullptr, nullptr};
  petsc(SNESLineSearchGetVecs(search, nullptr, nullptr, nullptr, &before[0], &before[1]));
  if (before[0] == next && before[1] == residual) return;
  for (const PetscVec v : {next, residual}) petsc(PetscObjectReference(reinterpret_cast<PetscObject>(v)));
  petsc(SNESLineSearchSetVecs(search, nullptr, nullptr, nullptr, next, residual));
  for (PetscVec& v : before) petsc(VecDestroy(&v));
}

}  // namespace

/// The residual, and what a line search needs: the next x, and a residual beside the first where it goes back. Others may use
/// them between two solutions, of which nothing in them is wanted.
std::vector<VectorPool::Loan> NewtonSolver::lend_vectors() {
  if (problem_.room == nullptr) return {};
  std::vector<VectorPool::Loan> loans;
  SNESLineSearch search = nullptr;
  PetscBool goes_straight = PETSC_FALSE;
  petsc(SNESGetLineSearch(snes_, &search));
  petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(search), SNESLINESEARCHBASIC, &goes_straight));
  for (int k = goes_straight == PETSC_TRUE ? 2 : 3; k > 0; --k) loans.push_back(problem_.room->borrow());
  const PetscVec residual = loans.front();
  if (std::exchange(residual_, residual) != residual) petsc(SNESSetFunction(snes_, residual, residual_callback, this));
  set_room(search, loans[1], loans.back());
  return loans;
}

}  // namespace sinew
