#include "solve/slepc.hpp"

#include "linear/direct_solver.hpp"

namespace sinew {

void start_slepc() {
  if (SlepcInitializeCalled) return;
  petsc(SlepcInitialize(nullptr, nullptr, nullptr, nullptr));
  petsc(PetscRegisterFinalize(SlepcFinalize));
}

void configure_inversion(ST st, bool is_compact) {
  petsc(STSetType(st, STSINVERT));
  petsc(STSetMatStructure(st, SAME_NONZERO_PATTERN));
  KSP ksp = nullptr;
  petsc(STGetKSP(st, &ksp));
  configure_direct_solver(ksp, is_compact);
}

}  // namespace sinew
