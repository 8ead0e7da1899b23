#include "linear/rank_part.hpp"

#include "base/index.hpp"
#include "base/reduction.hpp"
#include "linear/hub_rows.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sinew {

/// What is cut of the couplings of the rank's blocks.
struct RankPart::BlockCuts {
  std::vector<std::vector<PetscInt>> couplings;  ///< with dofs of other ranks: places among the ghosts
  std::vector<std::vector<PetscInt>> rows;       ///< of constraints, of this rank, then (beyond num_owned) ghosts
  std::vector<PetscInt> first_dof, count;        ///< global number of the first; dofs
};

RankPart::RankPart(PetscMat A, const KktUnknowns& unknowns, HubRows hub_rows) {
  comm_ = comm_of(A);
  petsc(MatGetLocalSize(A, &num_owned_, nullptr));
  petsc(MatGetOwnershipRange(A, &first_, nullptr));
  find_ghosts(A);
  {
    const BlockCuts cuts = cuts_of_blocks(unknowns);
    choose_blocks(unknowns, cuts);
    hub_.assign(unknowns.block_of_dof.size(), -1);
    if (hub_rows == HubRows::interior) find_hubs(unknowns, cuts);
    choose_rows(unknowns);
  }
  find_ranges(static_cast<PetscInt>(unknowns.block_of_dof.size()));
  list_kept();
  lay_out(fetch_places(A));
  hub_ = std::vector<PetscInt>();
  ranges_ = std::vector<Pair>();
  ghost_ranges_ = std::vector<Pair>();
  fetch(A);
}

void RankPart::take_blocks(PetscMat A) { petsc(MatMPIAIJGetSeqAIJ(A, &diagonal_, &off_diagonal_, nullptr)); }

void RankPart::find_ghosts(PetscMat A) {
  take_blocks(A);
  const PetscInt* columns = nullptr;
  PetscInt count = 0;
  petsc(MatMPIAIJGetSeqAIJ(A, nullptr, nullptr, &columns));
  petsc(MatGetSize(off_diagonal_, nullptr, &count));
  ghosts_.assign(columns, columns + count);
  PetscLayout layout = nullptr;
  petsc(MatGetLayouts(A, &layout, nullptr));
  for (const PetscInt ghost : ghosts_) {
    PetscMPIInt owner = 0;
    petsc(PetscLayoutFindOwner(layout, ghost, &owner));
    ghost_owner_.push_back(owner);
  }
  exchange_ = make_star_forest(comm_, layout, ghosts_);
}

/// What the owners of the ghosts say of them. Collective.
std::vector<RankPart::Pair> RankPart::of_ghosts(const std::vector<Pair>& of_owned) const {
  std::vector<Pair> values(ghosts_.size());
  copy_to_leaves(exchange_, MPIU_2INT, of_owned.data(), values.data());
  return values;
}

std::vector<PetscScalar> RankPart::of_others(const PetscScalar* owned) const {
  std::vector<PetscScalar> values(ghosts_.size());
  copy_to_leaves(exchange_, MPIU_SCALAR, owned, values.data());
  return values;
}

RankPart::BlockCuts RankPart::cuts_of_blocks(const KktUnknowns& unknowns) const {
  const auto num_dofs = static_cast<PetscInt>(unknowns.block_of_dof.size());
  const std::size_t num_blocks = unknowns.initial_position.size();
  BlockCuts cuts{std::vector<std::vector<PetscInt>>(num_blocks), std::vector<std::vector<PetscInt>>(num_blocks),
                 std::vector<PetscInt>(num_blocks, -1), std::vector<PetscInt>(num_blocks, 0)};
  std::vector<Pair> is_dof(at(num_owned_));
  for (PetscInt i = 0; i < num_dofs; ++i) is_dof[at(i)].first = 1;
  const std::vector<Pair> ghost_is_dof = of_ghosts(is_dof);
  for (PetscInt i = 0; i < num_dofs; ++i) {
    const std::size_t block = at(unknowns.block_of_dof[at(i)]);
    if (cuts.first_dof[block] < 0) cuts.first_dof[block] = first_ + i;
    ++cuts.count[block];
    for_entries(diagonal_, i, [&](PetscInt j, PetscScalar) {
      if (j >= num_dofs) cuts.rows[block].push_back(j);
    });
    for_entries(off_diagonal_, i, [&](PetscInt j, PetscScalar) {
      if (ghost_is_dof[at(j)].first == 1)
        cuts.couplings[block].push_back(j);
      else
        cuts.rows[block].push_back(num_owned_ + j);
    });
  }
  for (std::vector<std::vector<PetscInt>>* lists : {&cuts.couplings, &cuts.rows})
    for (std::vector<PetscInt>& list : *lists) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  return cuts;
}

/// Of two coupled blocks on two ranks that one which has more such couplings, among equals that of fewer rows of constraints,
/// then that of the higher number: what either rank can decide for itself.
void RankPart::choose_blocks(const KktUnknowns& unknowns, const BlockCuts& cuts) {
  const auto num_dofs = static_cast<PetscInt>(unknowns.block_of_dof.size());
  constexpr std::size_t most_rows = 1023;  // what makes a difference
  std::vector<Pair> keys(at(num_owned_));
  for (PetscInt i = 0; i < num_dofs; ++i) {
    const std::size_t block = at(unknowns.block_of_dof[at(i)]);
    const std::size_t rows = std::min(cuts.rows[block].size(), most_rows);
    keys[at(i)] = {static_cast<PetscInt>(cuts.couplings[block].size() * (most_rows + 1)) - static_cast<PetscInt>(rows),
                   cuts.first_dof[block]};
  }
  const std::vector<Pair> ghost_keys = of_ghosts(keys);
  is_boundary_.assign(at(num_owned_), 0);
  const auto is_less = [](const Pair& a, const Pair& b) { return std::tie(a.first, a.second) < std::tie(b.first, b.second); };
  for (PetscInt i = 0; i < num_dofs; ++i)
    for (const PetscInt j : cuts.couplings[at(unknowns.block_of_dof[at(i)])])
      if (is_less(ghost_keys[at(j)], keys[at(i)])) is_boundary_[at(i)] = 1;
}

/// Blocks that would bring more rows into the boundary than two of them have dofs: no body in a chain or a net of rods has as
/// many.
void RankPart::find_hubs(const KktUnknowns& unknowns, const BlockCuts& cuts) {
  for (std::size_t i = 0; i < hub_.size(); ++i) {
    const std::size_t block = at(unknowns.block_of_dof[i]);
    const std::vector<PetscInt>& rows = cuts.rows[block];
    const auto first = is_boundary_[i] ? rows.begin() : std::lower_bound(rows.begin(), rows.end(), num_owned_);
    if (rows.end() - first <= 2 * cuts.count[block]) continue;
    hub_[i] = cuts.first_dof[block];
    is_boundary_[i] = 1;
  }
}

/// Rows that touch an unknown of another rank or of the boundary, but for those of hubs that may stay.
void RankPart::choose_rows(const KktUnknowns& unknowns) {
  const auto num_dofs = static_cast<PetscInt>(hub_.size());
  std::vector<Pair> hubs(at(num_owned_));
  for (PetscInt i = 0; i < num_dofs; ++i) hubs[at(i)].first = hub_[at(i)];
  std::vector<PetscInt> ghost_hubs;
  for (const Pair& hub : of_ghosts(hubs)) ghost_hubs.push_back(hub.first);
  std::vector<char> touches_hub(at(num_owned_), 0);
  for (PetscInt r = num_dofs; r < num_owned_; ++r) {
    for_entries(off_diagonal_, r,
                [&](PetscInt j, PetscScalar) { (ghost_hubs[at(j)] >= 0 ? touches_hub : is_boundary_)[at(r)] = 1; });
    for_entries(diagonal_, r, [&](PetscInt j, PetscScalar) {
      if (j < num_dofs && is_boundary_[at(j)]) (hub_[at(j)] >= 0 ? touches_hub : is_boundary_)[at(r)] = 1;
    });
  }
  std::vector<char> may_stay;  // where there are no hubs nothing is looked through
  if (std::count(touches_hub.begin(), touches_hub.end(), 1) > 0)
    may_stay = independent_hub_rows({diagonal_, off_diagonal_, unknowns.block_of_dof, is_boundary_, hub_, ghost_hubs});
  bool spares = false;
  for (PetscInt r = num_dofs; r < num_owned_; ++r) {
    if (!touches_hub[at(r)] || is_boundary_[at(r)]) continue;
    spares = spares || may_stay[at(r)];
    is_boundary_[at(r)] = !may_stay[at(r)];
  }
  spares_hub_rows_ = is_so_on_any(comm_, spares);
}

/// No row is eliminated before a dof that stands in it, so its range holds theirs.
void RankPart::find_ranges(PetscInt num_dofs) {
  PetscMPIInt rank = 0;
  MPI_Comm_rank(comm_, &rank);
  ranges_.assign(at(num_owned_), {});
  for (PetscInt i = 0; i < num_owned_; ++i) {
    if (!is_boundary_[at(i)]) continue;
    Pair& range = ranges_[at(i)] = {rank, rank};
    for_entries(off_diagonal_, i, [&](PetscInt j, PetscScalar) {
      const auto owner = static_cast<PetscInt>(ghost_owner_[at(j)]);
      range = {std::min(range.first, owner), std::max(range.second, owner)};
    });
  }
  ghost_ranges_ = of_ghosts(ranges_);
  const auto widen = [](Pair& range, const Pair& by) {
    if (by.first >= 0) range = {std::min(range.first, by.first), std::max(range.second, by.second)};
  };
  for (PetscInt r = num_dofs; r < num_owned_; ++r) {
    if (!is_boundary_[at(r)]) continue;
    for_entries(diagonal_, r, [&](PetscInt j, PetscScalar) {
      if (j < num_dofs) widen(ranges_[at(r)], ranges_[at(j)]);
    });
    for_entries(off_diagonal_, r, [&](PetscInt j, PetscScalar) { widen(ranges_[at(r)], ghost_ranges_[at(j)]); });
  }
  ghost_ranges_ = of_ghosts(ranges_);
}

/// Ghosts stand before and behind the rank's own numbers.
void RankPart::list_kept() {
  local_of_ghost_.assign(ghosts_.size(), -1);
  PetscInt next = num_owned_;
  std::vector<std::pair<Shared, PetscInt>> all;
  for (std::size_t g = 0; g < ghosts_.size(); ++g) {
    if (ghost_ranges_[g].first < 0) continue;
    all.push_back({{ghosts_[g], ghost_ranges_[g].first, ghost_ranges_[g].second}, next});
    local_of_ghost_[g] = next++;
    fetched_rows_.push_back(ghosts_[g]);
  }
  for (PetscInt i = 0; i < num_owned_; ++i)
    if (is_boundary_[at(i)]) all.push_back({{first_ + i, ranges_[at(i)].first, ranges_[at(i)].second}, i});
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first.global < b.first.global; });
  for (const auto& [shared, local] : all) {
    shared_.push_back(shared);
    kept_.push_back(local);
  }
}

/// The entries that others have in `fetched_rows_` and this rank's columns; their values are places in their owners' off-diagonal
/// blocks, which for a moment hold these instead of their own numbers. Collective.
MatHandle RankPart::fetch_places(PetscMat A) {
  std::vector<PetscScalar> numbers;
  {
    const MatrixRows off(off_diagonal_);
    num_off_diagonal_ = off.values.num_first;
    numbers.assign(off.values.first, off.values.first + num_off_diagonal_);
  }
  const auto set = [&](const auto& value_of) {
    PetscScalar* values = nullptr;
    petsc(MatSeqAIJGetArray(off_diagonal_, &values));
    for (PetscInt k = 0; k < num_off_diagonal_; ++k) values[k] = value_of(k);
    petsc(MatSeqAIJRestoreArray(off_diagonal_, &values));
  };
  IsHandle rows, columns;
  petsc(ISCreateGeneral(PETSC_COMM_SELF, static_cast<PetscInt>(fetched_rows_.size()), fetched_rows_.data(), PETSC_USE_POINTER,
                        rows.address()));
  petsc(ISCreateStride(PETSC_COMM_SELF, num_owned_, first_, 1, columns.address()));
  set([](PetscInt k) { return static_cast<PetscScalar>(k); });
  PetscMat* fetched = nullptr;
  const IS wanted_rows = rows, wanted_columns = columns;
  petsc(MatCreateSubMatrices(A, 1, &wanted_rows, &wanted_columns, MAT_INITIAL_MATRIX, &fetched));
  set([&](PetscInt k) { return numbers[at(k)]; });
  petsc(PetscObjectReference(reinterpret_cast<PetscObject>(fetched[0])));
  MatHandle places(fetched[0]);
  petsc(MatDestroySubMatrices(1, &fetched));
  return places;
}

void RankPart::fetch(PetscMat A) {
  take_blocks(A);
  const MatrixRows off(off_diagonal_);
  std::copy(off.values.first, off.values.first + num_off_diagonal_, others_.begin());
  copy_to_leaves(fetching_, MPIU_SCALAR, off.values.first, others_.data() + num_off_diagonal_);
}

/// What the rows of the rank's own unknowns have of columns of others' that belong to the part, then rows that were fetched, with
/// the columns of its interior. Collective.
void RankPart::lay_out(PetscMat places_of_others) {
  const MatrixRows off(off_diagonal_), fetched(places_of_others);
  starts_.assign(1, 0);
  num_diagonal_ = MatrixRows(diagonal_).values.num_first;
  for (PetscInt i = 0; i < num_owned_; ++i) {
    for (PetscInt k = off.starts[i]; k < off.starts[i + 1]; ++k) {
      const PetscInt local = local_of_ghost_[at(off.columns[k])];
      if (local < 0) continue;
      columns_.push_back(local);
      places_.push_back(num_diagonal_ + k);
    }
    starts_.push_back(static_cast<PetscInt>(columns_.size()));
  }
  std::vector<LeafRoot> sources;
  std::size_t ghost = 0;
  for (PetscInt i = 0; i < static_cast<PetscInt>(fetched_rows_.size()); ++i) {
    while (ghosts_[ghost] != fetched_rows_[at(i)]) ++ghost;
    for (PetscInt k = fetched.starts[i]; k < fetched.starts[i + 1]; ++k) {
      if (is_boundary_[at(fetched.columns[k])]) continue;
      columns_.push_back(fetched.columns[k]);
      places_.push_back(num_diagonal_ + num_off_diagonal_ + static_cast<PetscInt>(sources.size()));
      sources.push_back({ghost_owner_[ghost], static_cast<PetscInt>(fetched.values[k])});
    }
    starts_.push_back(static_cast<PetscInt>(columns_.size()));
  }
  fetching_ = make_star_forest(comm_, num_off_diagonal_, sources);
  others_.resize(at(num_off_diagonal_) + sources.size());
}

SparseRows RankPart::rows() const {
  const MatrixRows own(diagonal_);
  SparseRows rows = own;
  rows.n = static_cast<PetscInt>(starts_.size()) - 1;
  rows.more_starts = starts_.data();
  rows.more_columns = columns_.data();
  rows.more_places = places_.data();
  rows.values.second = others_.data();
  return rows;
}

}  // namespace sinew
