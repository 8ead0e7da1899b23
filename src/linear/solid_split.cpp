#include "linear/solid_split.hpp"

namespace sinew {

namespace {

/// The only unknown beside itself that a row has an entry for; -1 where there are others or none.
PetscInt only_partner(PetscMat A, PetscInt row) {
  PetscInt count = 0, partner = -1;
  const PetscInt* columns = nullptr;
  petsc(MatGetRow(A, row, &count, &columns, nullptr));
  int others = 0;
  for (PetscInt k = 0; k < count; ++k)
    if (columns[k] != row) {
      partner = columns[k];
      ++others;
    }
  petsc(MatRestoreRow(A, row, &count, &columns, nullptr));
  return others == 1 ? partner : -1;
}

}  // namespace

SolidSplit split_by_solids(PetscMat A, const KktUnknowns& unknowns) {
  SolidSplit split;
  PetscInt first = 0, end = 0;
  petsc(MatGetOwnershipRange(A, &first, &end));
  const auto num_dofs = static_cast<PetscInt>(unknowns.block_of_dof.size());
  std::vector<PetscInt> place(unknowns.block_of_dof.size(), -1);  // of a dof in the bulk, while it has no row
  for (PetscInt i = 0; i < num_dofs; ++i) {
    const std::int64_t body = unknowns.solid[static_cast<std::size_t>(unknowns.block_of_dof[static_cast<std::size_t>(i)])];
    if (body < 0) {
      split.border.push_back(i);
      continue;
    }
    place[static_cast<std::size_t>(i)] = static_cast<PetscInt>(split.bulk.size());
    if (split.bulk.size() % 3 == 0) split.body.push_back(body);
    split.bulk.push_back(i);
  }
  for (PetscInt i = num_dofs; i < end - first; ++i) {
    const PetscInt dof = only_partner(A, first + i) - first;
    if (dof < 0 || dof >= num_dofs || place[static_cast<std::size_t>(dof)] < 0) {
      split.border.push_back(i);
      continue;
    }
    split.pins.push_back(place[static_cast<std::size_t>(dof)]);
    split.pin_rows.push_back(i);
    place[static_cast<std::size_t>(dof)] = -1;
  }
  return split;
}

}  // namespace sinew
