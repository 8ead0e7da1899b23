#include "solve/inertia.hpp"

#include "base/stop_signal.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <csignal>

using namespace sinew;

namespace {

/// The matrix of second differences of `size` points with its diagonal lowered by `shift`; eigenvalues 2 - 2 cos(k pi/(size + 1))
/// - shift. `skew` is added above the diagonal and taken away below.
MatHandle differences(PetscInt size, double shift, double skew) {
  MatHandle A;
  petsc(MatCreateAIJ(MPI_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, size, size, 3, nullptr, 2, nullptr, A.address()));
  PetscInt first = 0, last = 0;
  petsc(MatGetOwnershipRange(A, &first, &last));
  for (PetscInt i = first; i < last; ++i) {
    petsc(MatSetValue(A, i, i, 2 - shift, INSERT_VALUES));
    if (i > 0) petsc(MatSetValue(A, i, i - 1, -1 - skew, INSERT_VALUES));
    if (i + 1 < size) petsc(MatSetValue(A, i, i + 1, -1 + skew, INSERT_VALUES));
  }
  petsc(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  return A;
}

}  // namespace

TEST_CASE("Negative eigenvalues are counted on any number of ranks, those of the symmetric part", "[mpi]") {
  constexpr double pi = 3.141592653589793;
  constexpr PetscInt size = 50;
  for (const PetscInt below : {0, 1, 7, 50}) {
    // a shift between the eigenvalues of that number and of the next
    const double shift = 2 - 2 * std::cos((static_cast<double>(below) + 0.5) * pi / (size + 1));
    for (const double skew : {0.0, 0.3}) {
      const auto found = negative_eigenvalues(differences(size, shift, skew));
      CHECK(found.value_or(-1) == below);
    }
  }
}

TEST_CASE("A count goes on where a signal has come: steps in time, which may ask for one, cannot be left", "[mpi]") {
  const StopSignals noted;
  std::raise(SIGTERM);
  CHECK(negative_eigenvalues(differences(50, 0.97, 0.0)).has_value());
  CHECK(noted.received(MPI_COMM_WORLD) == SIGTERM);
}
