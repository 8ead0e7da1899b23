#include "base/star_forest.hpp"

namespace sinew {

StarForest make_star_forest(MPI_Comm comm, PetscInt num_roots, const std::vector<LeafRoot>& leaves) {
  const auto count = static_cast<PetscInt>(leaves.size());
  PetscSFNode* roots = nullptr;  // PETSc frees it
  petsc(PetscMalloc1(leaves.size(), &roots));
  for (PetscInt k = 0; k < count; ++k) {
    roots[k].rank = leaves[static_cast<std::size_t>(k)].rank;
    roots[k].index = leaves[static_cast<std::size_t>(k)].index;
  }
  StarForest forest;
  petsc(PetscSFCreate(comm, forest.address()));
  petsc(PetscSFSetGraph(forest, num_roots, count, nullptr, PETSC_COPY_VALUES, roots, PETSC_OWN_POINTER));
  petsc(PetscSFSetUp(forest));
  return forest;
}

StarForest make_star_forest(MPI_Comm comm, PetscLayout layout, const std::vector<PetscInt>& leaves) {
  StarForest forest;
  petsc(PetscSFCreate(comm, forest.address()));
  petsc(PetscSFSetGraphLayout(forest, layout, static_cast<PetscInt>(leaves.size()), nullptr, PETSC_COPY_VALUES, leaves.data()));
  petsc(PetscSFSetUp(forest));
  return forest;
}

std::vector<LeafRoot> roots_of_leaves(PetscSF forest) {
  PetscInt count = 0;
  const PetscSFNode* roots = nullptr;
  petsc(PetscSFGetGraph(forest, nullptr, &count, nullptr, &roots));
  std::vector<LeafRoot> leaves;
  leaves.reserve(static_cast<std::size_t>(count));
  for (PetscInt k = 0; k < count; ++k) leaves.push_back({static_cast<PetscInt>(roots[k].rank), roots[k].index});
  return leaves;
}

void copy_to_leaves(PetscSF forest, MPI_Datatype type, const void* roots, void* leaves) {
  petsc(PetscSFBcastBegin(forest, type, roots, leaves, MPI_REPLACE));
  petsc(PetscSFBcastEnd(forest, type, roots, leaves, MPI_REPLACE));
}

}  // namespace sinew
