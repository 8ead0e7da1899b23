#include "solve/slepc.hpp"

#include "base/stop_signal.hpp"
#include "linear/direct_solver.hpp"
#include "linear/kkt_solver.hpp"
#include "linear/solver_notes.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// Restarts of the Krylov space. As measured for modes of the examples and of the tests about motions: 1 to 4, few of 5 or 6, one
/// of 11. With 3 those of the bladed rotor are the same to 2e-11, with 5, 250 and 1000 to the last bit.
constexpr int max_iterations = 500;
/// Vectors of the Krylov space beyond the wanted ones, at least.
constexpr int least_reserve = 15;

/// Before every solution: a signal leaves whichever call of PETSc has led here, that for shapes too, which are solved for when
/// they are fetched.
PetscErrorCode stop_on_signal(KSP ksp, PetscVec /*b*/, PetscVec /*x*/, void* /*context*/) {
  return guarded([ksp] {
    heed_signals(comm_of(ksp));
    return PetscErrorCode(0);
  });
}

}  // namespace

void start_slepc() {
  if (SlepcInitializeCalled) return;
  petsc(SlepcInitialize(nullptr, nullptr, nullptr, nullptr));
  petsc(PetscRegisterFinalize(SlepcFinalize));
}

void read_solver_options(EPS eps) {
  const char* prefix = nullptr;
  petsc(EPSGetOptionsPrefix(eps, &prefix));
  read_options(prefix, [eps] { return EPSSetFromOptions(eps); });
  ST st = nullptr;
  petsc(EPSGetST(eps, &st));
  PetscBool inverts = PETSC_FALSE;
  petsc(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(st), STSINVERT, &inverts));
  if (inverts != PETSC_TRUE) return;
  // The matrix that will be factorised has this one's layout; the transformation puts it in its place.
  KSP ksp = nullptr;
  PetscMat A = nullptr;
  petsc(STGetKSP(st, &ksp));
  petsc(EPSGetOperators(eps, &A, nullptr));
  petsc(KSPSetOperators(ksp, A, A));
  give_workspace(ksp);
}

void set_sizes(EPS eps, int wanted, int all, double tolerance) {
  const int space = std::max(wanted + 1, std::min(all, wanted + std::max(wanted, least_reserve)));
  petsc(EPSSetDimensions(eps, wanted, space, space));
  petsc(EPSSetTolerances(eps, tolerance, max_iterations));
}

EpsHandle make_inverting_solver(const char* prefix, PetscMat A, PetscMat B, const Nearest& nearest) {
  EpsHandle eps;
  petsc(EPSCreate(comm_of(A), eps.address()));
  petsc(EPSSetOptionsPrefix(eps, prefix));
  petsc(EPSSetOperators(eps, A, B));
  petsc(EPSSetProblemType(eps, nearest.type));
  petsc(EPSSetTarget(eps, nearest.target));
  petsc(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
  set_sizes(eps, nearest.wanted, nearest.all, nearest.tolerance);
  ST st = nullptr;
  petsc(EPSGetST(eps, &st));
  petsc(STSetType(st, STSINVERT));
  petsc(STSetMatStructure(st, SAME_NONZERO_PATTERN));
  KSP ksp = nullptr;
  petsc(STGetKSP(st, &ksp));
  configure_direct_solver(ksp, nearest.is_compact, noted_unknowns(A));
  refine_solutions(ksp);
  petsc(KSPSetPreSolve(ksp, stop_on_signal, nullptr));
  read_solver_options(eps);
  if (!has_kkt_solver(ksp)) note_solver(ksp);
  return eps;
}

PetscErrorCode solve(EPS eps) {
  const MPI_Comm comm = comm_of(eps);
  heed_signals(comm);
  const PetscErrorCode code = quietly([eps] { return EPSSolve(eps); });
  heed_signals(comm);
  return code;
}

PetscInt num_converged(EPS eps) {
  PetscInt found = 0;
  petsc(EPSGetConverged(eps, &found));
  return found;
}

}  // namespace sinew
