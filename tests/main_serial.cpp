// The main of tests that need Kokkos alone: those of the kernels.

#define CATCH_CONFIG_RUNNER
#include "tests/catch.hpp"

#include <Kokkos_Core.hpp>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return Catch::Session().run(argc, argv);
}
