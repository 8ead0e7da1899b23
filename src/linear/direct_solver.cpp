#include "linear/direct_solver.hpp"

#include "base/timing.hpp"

namespace sinew {

namespace {

/// Runs a PETSc call whose error is an answer, without PETSc's own message.
template <class Call>
PetscErrorCode quietly(Call call) {
  petsc(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
  const PetscErrorCode code = call();
  petsc(PetscPopErrorHandler());
  return code;
}

}  // namespace

void configure_direct_solver(KSP ksp, bool is_compact) {
  MPI_Comm comm = MPI_COMM_NULL;
  petsc(PetscObjectGetComm(reinterpret_cast<PetscObject>(ksp), &comm));
  int size = 1;
  MPI_Comm_size(comm, &size);
  PC pc = nullptr;
  petsc(KSPSetType(ksp, KSPPREONLY));
  petsc(KSPGetPC(ksp, &pc));
  petsc(PCSetType(pc, PCLU));
#ifdef PETSC_HAVE_SUITESPARSE
  if (size == 1 && !is_compact) {
    petsc(PCFactorSetMatSolverType(pc, MATSOLVERKLU));
    return;
  }
#else
  (void)is_compact;
#endif
  petsc(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  // Pivots of the constraints are delayed to later fronts: MUMPS's estimate of the workspace (20 % more) falls short on several ranks.
  const char* prefix = nullptr;
  petsc(KSPGetOptionsPrefix(ksp, &prefix));
  const std::string option = std::string("-") + (prefix ? prefix : "") + "mat_mumps_icntl_14";
  PetscBool is_set = PETSC_FALSE;
  petsc(PetscOptionsHasName(nullptr, nullptr, option.c_str(), &is_set));
  if (!is_set) petsc(PetscOptionsSetValue(nullptr, option.c_str(), "200"));
}

bool factorise(KSP ksp) {
  const TimedPhase timed(Phase::factorization);
  PC pc = nullptr;
  petsc(KSPGetPC(ksp, &pc));
  PetscMat A = nullptr, P = nullptr;
  petsc(KSPGetOperators(ksp, &A, &P));
  petsc(KSPSetOperators(ksp, A, P));
  if (quietly([ksp] { return KSPSetUp(ksp); }) != 0) return false;
  PCFailedReason reason = PC_NOERROR;
  petsc(PCGetFailedReason(pc, &reason));
  return reason == PC_NOERROR;
}

bool solve_linear(KSP ksp, PetscVec b, PetscVec x) {
  if (!factorise(ksp)) return false;
  const TimedPhase timed(Phase::solve);
  if (quietly([&] { return KSPSolve(ksp, b, x); }) != 0) return false;
  KSPConvergedReason reason = KSP_DIVERGED_PC_FAILED;
  petsc(KSPGetConvergedReason(ksp, &reason));
  return reason > 0;
}

}  // namespace sinew
