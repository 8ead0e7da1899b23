#include "linear/solid_price.hpp"
#include "system/kkt_unknowns.hpp"

#include "tests/catch.hpp"

#include <memory>
#include <vector>

using namespace sinew;

/// Every rank has three nodes of body 0, one of body 1 and two rows: one ties two nodes of body 0, its own and one of the next
/// rank, the other a node of each body.
TEST_CASE("columns of the border that touch a body are counted once, whichever ranks have the body", "[mpi]") {
  int size = 1, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  constexpr PetscInt dofs = 12, own = dofs + 2;
  MatHandle A;
  petsc(MatCreateAIJ(MPI_COMM_WORLD, own, own, PETSC_DECIDE, PETSC_DECIDE, 6, nullptr, 6, nullptr, A.address()));
  petsc(MatSetOption(A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  const PetscInt first = own * rank, next = own * ((rank + 1) % size);
  const auto set = [&](PetscInt i, PetscInt j) {
    petsc(MatSetValue(A, i, j, 1.0, INSERT_VALUES));
    petsc(MatSetValue(A, j, i, 1.0, INSERT_VALUES));
  };
  for (PetscInt i = 0; i < own; ++i) set(first + i, first + i);
  set(first + 12, first + 0);
  set(first + 12, next + 3);
  set(first + 13, first + 6);
  set(first + 13, first + 9);
  petsc(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  auto unknowns = std::make_shared<KktUnknowns>();
  for (int block = 0; block < 4; ++block) {
    unknowns->initial_position.push_back({static_cast<double>(rank), static_cast<double>(block), 0});
    unknowns->solid.push_back(block < 3 ? 0 : 1);
    unknowns->block_of_dof.insert(unknowns->block_of_dof.end(), 3, block);
  }
  unknowns->has_solids = true;
  note_unknowns(A, unknowns);
  const BorderColumns columns = border_columns(A);
  CHECK(columns.most == 2.0 * size);
  CHECK(columns.cubes == 9.0 * size * size * size);
}
