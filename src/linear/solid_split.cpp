#include "linear/solid_split.hpp"

#include "base/index.hpp"
#include "linear/matrix_rows.hpp"
#include "partition/exchange.hpp"

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

enum class Kind : char { border, free, pinned, row };

/// Rows of constraints of a rank, of more than one dof, and what their entries are.
class CarriedRows {
 public:
  /// `kind`: of this rank's dofs. Collective.
  CarriedRows(PetscMat A, const std::vector<PetscInt>& rows, const std::vector<Kind>& kind) : matrix_(A), kind_(kind) {
    petsc(MatGetOwnershipRange(A, &first_, &end_));
    for (const PetscInt row : rows)
      for_entries(A, first_ + row, [&](PetscInt column, PetscScalar) {
        if (column < first_ || column >= end_) others_.push_back(column);
      });
    std::sort(others_.begin(), others_.end());
    others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
    const MPI_Comm comm = comm_of(A);
    const PetscInt* ranges = nullptr;
    petsc(MatGetOwnershipRanges(A, &ranges));
    const int size = comm_size(comm);
    const auto home = [&](std::int64_t column) { return std::upper_bound(ranges, ranges + size + 1, column) - ranges - 1; };
    kind_of_others_ = ask(comm, others_, home, [this](std::int64_t column) { return own_kind(static_cast<PetscInt>(column)); });
  }

  /// The dof of a solid on this rank that is the only one of the row, beside dofs of the border; -1: it has others, or none.
  PetscInt pin(PetscInt row) const {
    PetscInt dof = -1;
    bool is_carried = true;
    for_entries(matrix_, first_ + row, [&](PetscInt column, PetscScalar) {
      const Kind its = kind(column);
      if (column == first_ + row || its == Kind::border) return;
      is_carried = is_carried && its == Kind::free && dof < 0 && column >= first_ && column < end_;
      dof = column - first_;
    });
    return is_carried ? dof : -1;
  }

 private:
  Kind own_kind(PetscInt column) const {
    const std::size_t i = at(column - first_);
    return i < kind_.size() ? kind_[i] : Kind::row;
  }
  Kind kind(PetscInt column) const {
    if (column >= first_ && column < end_) return own_kind(column);
    const auto found = std::lower_bound(others_.begin(), others_.end(), column);
    return kind_of_others_[static_cast<std::size_t>(found - others_.begin())];
  }

  PetscMat matrix_;
  PetscInt first_ = 0, end_ = 0;
  const std::vector<Kind>& kind_;
  std::vector<std::int64_t> others_;  ///< columns of other ranks, rising
  std::vector<Kind> kind_of_others_;
};

/// Takes those of `rows` that pin a dof to the border. Collective.
void pin_to_border(PetscMat A, std::vector<Kind>& kind, std::vector<PetscInt>& rows, SolidSplit& split) {
  const CarriedRows carried(A, rows, kind);
  std::vector<PetscInt> left;
  for (const PetscInt row : rows) {
    const PetscInt dof = carried.pin(row);
    if (dof < 0) {
      left.push_back(row);
      continue;
    }
    split.carried.push_back(split.pins.size());
    split.pins.push_back(dof);
    split.pin_rows.push_back(row);
    kind[at(dof)] = Kind::pinned;
  }
  rows = std::move(left);
}

}  // namespace

SolidSplit split_by_solids(PetscMat A, const KktUnknowns& unknowns) {
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
  pin_to_border(A, kind, rows, split);
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
