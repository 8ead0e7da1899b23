#include "linear/solid_split.hpp"

#include "linear/matrix_rows.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// The only unknown beside itself that a row has an entry for; -1 where there are others or none.
PetscInt only_partner(PetscMat A, PetscInt row) {
  PetscInt partner = -1;
  int others = 0;
  for_entries(A, row, [&](PetscInt column, PetscScalar) {
    if (column == row) return;
    partner = column;
    ++others;
  });
  return others == 1 ? partner : -1;
}

}  // namespace

SolidSplit split_by_solids(PetscMat A, const KktUnknowns& unknowns) {
  enum class Kind : char { border, free, pinned };
  SolidSplit split;
  PetscInt first = 0, end = 0;
  petsc(MatGetOwnershipRange(A, &first, &end));
  const auto num_dofs = static_cast<PetscInt>(unknowns.block_of_dof.size());
  const auto body_of = [&unknowns](std::size_t dof) {
    return unknowns.solid[static_cast<std::size_t>(unknowns.block_of_dof[dof])];
  };
  std::vector<Kind> kind;
  for (std::size_t i = 0; i < unknowns.block_of_dof.size(); ++i) kind.push_back(body_of(i) < 0 ? Kind::border : Kind::free);
  std::vector<PetscInt> rows;
  for (PetscInt i = num_dofs; i < end - first; ++i) {
    const PetscInt dof = only_partner(A, first + i) - first;
    if (dof < 0 || dof >= num_dofs || kind[static_cast<std::size_t>(dof)] != Kind::free) {
      rows.push_back(i);
      continue;
    }
    split.pins.push_back(dof);
    split.pin_rows.push_back(i);
    kind[static_cast<std::size_t>(dof)] = Kind::pinned;
  }
  std::size_t i = 0;
  while (i < kind.size()) {
    if (kind[i] == Kind::border) {
      split.border.push_back(static_cast<PetscInt>(i++));
      continue;
    }
    const std::size_t end_of_node = i + 3;
    const bool is_fixed =
        std::all_of(kind.begin() + static_cast<std::ptrdiff_t>(i), kind.begin() + static_cast<std::ptrdiff_t>(end_of_node),
                    [](Kind k) { return k == Kind::pinned; });
    if (!is_fixed) split.body.push_back(body_of(i));
    for (; i < end_of_node; ++i) {
      if (is_fixed) continue;
      if (kind[i] == Kind::pinned) split.held.push_back(static_cast<PetscInt>(split.bulk.size()));
      split.bulk.push_back(static_cast<PetscInt>(i));
    }
  }
  split.border.insert(split.border.end(), rows.begin(), rows.end());
  return split;
}

}  // namespace sinew
