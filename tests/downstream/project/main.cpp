// Uses the installed library: its headers, its symbols, and those of what it stands on.
#include <mpi.h>
#include <petscsys.h>

#include <Kokkos_Core.hpp>
#include <iostream>

#include "base/build_info.hpp"

int main(int argc, char** argv) {
  if (PetscInitialize(&argc, &argv, nullptr, nullptr) != 0) return 1;
  Kokkos::initialize(argc, argv);
  std::cout << "Sinew " << sinew::build_info().version << " with Kokkos " << sinew::build_info().kokkos << '\n';
  Kokkos::finalize();
  return PetscFinalize() == 0 ? 0 : 1;
}
