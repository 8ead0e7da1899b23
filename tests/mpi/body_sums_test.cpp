#include "system/body_sums.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <vector>

using namespace sinew;

namespace {

VecHandle numbered(PetscInt local) {
  VecHandle v;
  petsc(VecCreateMPI(MPI_COMM_WORLD, local, PETSC_DETERMINE, v.address()));
  PetscInt first = 0, end = 0;
  petsc(VecGetOwnershipRange(v, &first, &end));
  VecWrite values(v);
  for (PetscInt i = first; i < end; ++i) values[i - first] = static_cast<double>(i + 1);
  return v;
}

/// What every one of `total` dofs, which hold 1, 2, 3 ..., should get.
std::vector<double> expected(PetscInt total, std::int64_t (*body)(PetscInt)) {
  std::vector<double> sums;
  for (PetscInt i = 0; i < total; ++i) {
    double sum = 0;
    for (PetscInt j = 0; j < total; ++j)
      if (body(j) == body(i)) sum += static_cast<double>(j + 1);
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace

TEST_CASE("numbers are summed over bodies wherever their parts lie", "[mpi]") {
  constexpr PetscInt local = 12;
  PetscInt first = 0, end = 0, total = 0;
  {
    const VecHandle any = numbered(local);
    petsc(VecGetOwnershipRange(any, &first, &end));
    petsc(VecGetSize(any, &total));
  }
  // every dof a body of its own; one of them all; bodies that run on from rank to rank; bodies that lie scattered
  for (std::int64_t (*of)(PetscInt) :
       {+[](PetscInt i) { return std::int64_t{i}; }, +[](PetscInt) { return std::int64_t{7}; },
        +[](PetscInt i) { return std::int64_t{i / 5} << 32; }, +[](PetscInt i) { return std::int64_t{i % 4} - 1; }}) {
    std::vector<std::int64_t> bodies;
    for (PetscInt i = first; i < end; ++i) bodies.push_back(of(i));
    const BodySums sums(MPI_COMM_WORLD, bodies);
    const VecHandle a = numbered(local), b = numbered(local);
    petsc(VecScale(b, -2.0));
    sums.sum({a, b});
    const std::vector<double> whole = expected(total, of);
    const VecRead x(a), y(b);
    for (PetscInt i = first; i < end; ++i) {
      CHECK(x[i - first] == whole[static_cast<std::size_t>(i)]);
      CHECK(y[i - first] == -2 * whole[static_cast<std::size_t>(i)]);
    }
  }
}
