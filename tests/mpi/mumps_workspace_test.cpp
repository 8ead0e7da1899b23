#include "linear/direct_solver.hpp"
#include "linear/mumps_factors.hpp"

#include "tests/catch.hpp"

#include <cmath>

using namespace sinew;

namespace {

/// Points of a square grid with `size` a side, of stiffness 1 each, all tied to their neighbours and across the meshes: of ties
/// 4 a point three are dependent, and held by a compliance of 1e-10 alone. Their pivots are all delayed.
class TiedGrid {
 public:
  explicit TiedGrid(PetscInt size) : size_(size) {
    const PetscInt points = size * size, n = points + 4 * points;
    petsc(MatCreateAIJ(MPI_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n, n, 12, nullptr, 12, nullptr, matrix_.address()));
    PetscInt first = 0, last = 0;
    petsc(MatGetOwnershipRange(matrix_, &first, &last));
    for (PetscInt i = first; i < last; ++i) petsc(MatSetValue(matrix_, i, i, i < points ? 1.0 : -1e-10, ADD_VALUES));
    PetscInt row = points;
    for (PetscInt y = 0; y < size; ++y)
      for (PetscInt x = 0; x < size; ++x)
        for (const auto& [dx, dy] : {std::pair(1, 0), {0, 1}, {1, 1}, {1, size - 1}}) tie(first, last, row++, x, y, dx, dy);
    petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
    petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
  }
  PetscMat matrix() const { return matrix_; }

 private:
  void tie(PetscInt first, PetscInt last, PetscInt row, PetscInt x, PetscInt y, PetscInt dx, PetscInt dy) {
    const auto point = [this](PetscInt i, PetscInt j) { return i % size_ + size_ * (j % size_); };
    for (const auto& [dof, value] : {std::pair(point(x, y), 1.0), {point(x + dx, y + dy), -1.0}}) {
      if (row >= first && row < last) petsc(MatSetValue(matrix_, row, dof, value, ADD_VALUES));
      if (dof >= first && dof < last) petsc(MatSetValue(matrix_, dof, row, value, ADD_VALUES));
    }
  }

  PetscInt size_;
  MatHandle matrix_;
};

/// |b - A x| of the largest entry, over that of b.
template <class Solve>
double left_by(PetscMat A, const Solve& solve) {
  VecHandle b, x, r;
  petsc(MatCreateVecs(A, x.address(), b.address()));
  r = duplicate(b);
  petsc(VecSet(x, 1.0));
  petsc(MatMult(A, x, b));
  solve(b, x);
  petsc(MatMult(A, x, r));
  petsc(VecAYPX(r, -1.0, b));
  return max_norm(r) / max_norm(b);
}

}  // namespace

TEST_CASE("MUMPS gets more workspace where delayed pivots take more than it was given, and keeps it", "[mpi]") {
  const TiedGrid grid(24);
  MumpsFactors factors(MAT_FACTOR_LU);
  for (int time = 0; time < 2; ++time) {
    REQUIRE(factors.factorise(grid.matrix()));
    PetscInt percent = 0;
    petsc(MatMumpsGetIcntl(factors.get(), mumps_workspace, &percent));
    CAPTURE(percent);
    CHECK(percent > first_workspace);
    CHECK(left_by(grid.matrix(), [&](PetscVec b, PetscVec x) { petsc(MatSolve(factors.get(), b, x)); }) < 1e-6);
  }
}

TEST_CASE("a KSP whose MUMPS runs out of workspace is set up with more", "[mpi]") {
  const TiedGrid grid(24);
  const KspHandle ksp = make_direct_solver("test_", grid.matrix(), true);
  for (int time = 0; time < 2; ++time) {
    REQUIRE(factorise(ksp));
    PC pc = nullptr;
    PetscMat factors = nullptr;
    PetscInt percent = 0;
    petsc(KSPGetPC(ksp, &pc));
    petsc(PCFactorGetMatrix(pc, &factors));
    petsc(MatMumpsGetIcntl(factors, mumps_workspace, &percent));
    CAPTURE(percent);
    CHECK(percent > first_workspace);
    CHECK(left_by(grid.matrix(), [&](PetscVec b, PetscVec x) { REQUIRE(solve_iteratively(ksp, b, x)); }) < 1e-6);
  }
}
