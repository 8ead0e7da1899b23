#include "system/matrix_filler.hpp"
#include "tests/catch.hpp"

#include <cmath>

using namespace sinew;

namespace {

/// Every rank owns six unknowns and knows the first two of the next rank. What it couples, in two stretches, meets entries of its
/// own several times, entries whose columns are others', rows that are others', and columns that their owner knows nothing of.
struct Neighbours {
  Neighbours() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const PetscInt first = 6 * rank, next = 6 * ((rank + 1) % size);
    for (PetscInt i = 0; i < 6; ++i) numbers.push_back(first + i);
    numbers.insert(numbers.end(), {next, next + 1});
    stretches.sizes = {40, 9};
    stretches.list = [this](std::size_t c, std::vector<MatrixFiller::Coupled>& coupled) {
      coupled.insert(coupled.end(), parts[c].begin(), parts[c].end());
    };
    for (int k = 0; k < 40; ++k)
      if (k % 7 != 3) parts[0].push_back({k, (3 * k) % 8, (5 * k + k / 8) % 8});
    parts[1] = {{0, 0, 0}, {2, 0, 0}, {3, 7, 5}, {4, 5, 7}, {8, 7, 5}};
  }
  double value(std::size_t c, int slot) const { return std::sin(1.0 + 3 * rank + 0.1 * slot + 0.7 * static_cast<double>(c)); }
  MatrixFiller filler() const { return MatrixFiller(MPI_COMM_WORLD, numbers, 6, stretches); }
  void fill(const MatrixFiller& filler, PetscMat A, double factor = 1) const {
    filler.fill(A, [&](std::size_t c, const DeviceArray<double>& slots) {
      const auto host = Kokkos::create_mirror_view(slots);
      for (int k = 0; k < stretches.sizes[c]; ++k) host(k) = factor * value(c, k);
      Kokkos::deep_copy(slots, host);
    });
  }
  /// The same matrix by PETSc's own means, with all of its diagonal: some of it is coupled by nothing.
  MatHandle expected() const {
    MatHandle A;
    petsc(MatCreateAIJ(MPI_COMM_WORLD, 6, 6, PETSC_DETERMINE, PETSC_DETERMINE, 20, nullptr, 20, nullptr, A.address()));
    for (std::size_t c = 0; c < 2; ++c)
      for (const MatrixFiller::Coupled& e : parts[c])
        petsc(MatSetValue(A, numbers[static_cast<std::size_t>(e.row)], numbers[static_cast<std::size_t>(e.column)],
                          value(c, e.slot), ADD_VALUES));
    for (PetscInt i = 6 * rank; i < 6 * rank + 6; ++i) petsc(MatSetValue(A, i, i, 0.0, ADD_VALUES));
    petsc(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    petsc(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    return A;
  }

  int rank = 0, size = 1;
  std::vector<PetscInt> numbers;
  std::vector<MatrixFiller::Coupled> parts[2];
  MatrixFiller::Stretches stretches;
};

/// |factor A - B|, entries that only one of them has included. Collective.
double distance(PetscMat A, double factor, PetscMat B) {
  MatHandle difference;
  petsc(MatDuplicate(B, MAT_COPY_VALUES, difference.address()));
  petsc(MatAXPY(difference, -factor, A, DIFFERENT_NONZERO_PATTERN));
  double norm = 0;
  petsc(MatNorm(difference, NORM_FROBENIUS, &norm));
  return norm;
}

double entries(PetscMat A) {
  MatInfo info;
  petsc(MatGetInfo(A, MAT_GLOBAL_SUM, &info));
  return info.nz_used;
}

}  // namespace

TEST_CASE("slots are summed into the entries of a matrix on whatever rank they belong to", "[mpi]") {
  const Neighbours given;
  const MatrixFiller filler = given.filler();
  const MatHandle A = filler.make(), B = given.expected();
  CHECK(distance(A, 0, A) == 0);
  given.fill(filler, A);
  CHECK(distance(A, 1, B) < 1e-14);
  CHECK(entries(A) == entries(B));
}

TEST_CASE("matrices of a filler have numbers of their own on one pattern, and outlive it", "[mpi]") {
  const Neighbours given;
  MatHandle A, C;
  {
    const MatrixFiller filler = given.filler();
    A = filler.make();
    C = filler.make();
    given.fill(filler, A);
    given.fill(filler, C, 2);
    given.fill(filler, A);
  }
  const MatHandle B = given.expected();
  CHECK(distance(A, 1, B) < 1e-14);
  CHECK(distance(C, 0.5, B) < 1e-14);
  A = MatHandle();
  CHECK(distance(C, 0.5, B) < 1e-14);
  if (given.size > 1) return;
  const PetscInt* starts[2] = {nullptr, nullptr};
  PetscBool done = PETSC_FALSE;
  const MatrixFiller filler = given.filler();
  const MatHandle D = filler.make(), E = filler.make();
  PetscInt n = 0;
  petsc(MatGetRowIJ(D, 0, PETSC_FALSE, PETSC_FALSE, &n, &starts[0], nullptr, &done));
  petsc(MatGetRowIJ(E, 0, PETSC_FALSE, PETSC_FALSE, &n, &starts[1], nullptr, &done));
  CHECK(starts[0] == starts[1]);
}

TEST_CASE("a matrix that is filled again has the same bits", "[mpi]") {
  const Neighbours given;
  const MatrixFiller filler = given.filler();
  const MatHandle A = filler.make(), B = filler.make();
  given.fill(filler, A);
  given.fill(filler, B, 3);
  given.fill(filler, B);
  PetscBool same = PETSC_FALSE;
  petsc(MatEqual(A, B, &same));
  CHECK(same == PETSC_TRUE);
}
