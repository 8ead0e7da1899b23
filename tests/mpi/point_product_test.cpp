#include "system/point_product.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

/// Points, 3 rows each, coupled with the two before and the two after: alike in all directions, but for every fifth point, which
/// is not.
MatHandle masses(PetscInt points) {
  MatHandle M;
  petsc(MatCreateAIJ(MPI_COMM_WORLD, 3 * points, 3 * points, PETSC_DETERMINE, PETSC_DETERMINE, 15, nullptr, 15, nullptr,
                     M.address()));
  PetscInt first = 0, end = 0, all = 0;
  petsc(MatGetOwnershipRange(M, &first, &end));
  petsc(MatGetSize(M, &all, nullptr));
  for (PetscInt i = first; i < end; ++i) {
    const PetscInt point = i / 3, direction = i % 3;
    const bool is_odd = point % 5 == 4;
    for (PetscInt other = std::max<PetscInt>(0, point - 2); other <= std::min(all / 3 - 1, point + 2); ++other)
      for (PetscInt j = 0; j < 3; ++j)
        if (j == direction || (is_odd && other == point)) {
          const double value = std::cos(1.0 * (point + 2 * other)) + (is_odd ? 0.1 * direction : 0.0);
          petsc(MatSetValue(M, i, 3 * other + j, value, INSERT_VALUES));
        }
  }
  petsc(MatAssemblyBegin(M, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(M, MAT_FINAL_ASSEMBLY));
  return M;
}

}  // namespace

TEST_CASE("masses that are alike in all directions are read once, and products stay what they were", "[mpi]") {
  for (const PetscInt points : {1, 7, 40}) {
    const MatHandle M = masses(points);
    VecHandle x, y, known;
    petsc(MatCreateVecs(M, x.address(), y.address()));
    petsc(VecDuplicate(y, known.address()));
    PetscInt first = 0, end = 0;
    petsc(VecGetOwnershipRange(x, &first, &end));
    {
      VecWrite values(x);
      for (PetscInt i = first; i < end; ++i) values[i - first] = std::sin(1.0 + i);
    }
    petsc(MatMult(M, x, known));
    multiply_by_points(M);
    petsc(MatMult(M, x, y));
    petsc(VecAXPY(y, -1.0, known));
    CHECK(max_norm(y) < 1e-14);
  }
}
