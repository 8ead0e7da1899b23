/// \file
/// What one rank eliminates of a distributed KKT matrix.
#pragma once

#include "base/star_forest.hpp"
#include "linear/matrix_rows.hpp"
#include "system/kkt_unknowns.hpp"

#include <vector>

namespace sinew {

/// A rank's own unknowns and the boundary that it shares with others: of every coupling in J that ranks cut one block belongs to
/// the boundary, and so does every row of constraints that touches an unknown of another rank or of the boundary. All else is the
/// rank's interior. Local numbers: its own unknowns as in the matrix, then those of others' that belong to the boundary.
///
/// Hubs are an exception: a body that a thousand others are jointed to would bring the rows of all these joints into one dense
/// front. It belongs to the boundary itself, with its six dofs, and rows stay with the others as far as hub_rows.hpp says.
class RankPart {
 public:
  /// Do independent rows of hubs stay in the interior, or none?
  enum class HubRows { interior, boundary };
  /// What is known of an unknown of the boundary, the same on all ranks that have it.
  struct Shared {
    PetscInt global = 0;             ///< its number in the matrix
    PetscInt first = -1, last = -1;  ///< of the ranks that touch it the lowest and the highest; of a row also those of its dofs
  };

  /// For an MPI AIJ matrix with a symmetric pattern. Collective.
  RankPart(PetscMat A, const KktUnknowns&, HubRows = HubRows::interior);

  /// Fetches what other ranks hold of the part's numbers: the entries of their rows of the boundary. To be called whenever A has
  /// other numbers. Collective.
  void fetch(PetscMat A);
  /// The part as a matrix of its own, with the numbers of the last `fetch` and partly A's own. Entries between two unknowns of
  /// the boundary stand with the rank that owns the row.
  SparseRows rows() const;

  /// The boundary: local numbers, in the order of the global ones.
  const std::vector<PetscInt>& kept() const { return kept_; }
  /// The same unknowns.
  const std::vector<Shared>& shared() const { return shared_; }
  PetscInt num_owned() const { return num_owned_; }
  /// Do rows of hubs stay in the interior, on whatever rank?
  bool spares_hub_rows() const { return spares_hub_rows_; }
  /// Entries that other ranks send whenever A has other numbers.
  std::size_t num_fetched() const { return others_.size() - static_cast<std::size_t>(num_off_diagonal_); }
  /// The numbers that others have for the columns of A's off-diagonal block. Collective.
  std::vector<PetscScalar> of_others(const PetscScalar* owned) const;

 private:
  struct Pair {
    PetscInt first = -1, second = -1;
  };
  void take_blocks(PetscMat A);
  void find_ghosts(PetscMat A);
  struct BlockCuts;
  BlockCuts cuts_of_blocks(const KktUnknowns&) const;
  void choose_blocks(const KktUnknowns&, const BlockCuts&);
  void find_hubs(const KktUnknowns&, const BlockCuts&);
  void choose_rows(const KktUnknowns&);
  void find_ranges(PetscInt num_dofs);
  void list_kept();
  MatHandle fetch_places(PetscMat A);
  void lay_out(PetscMat places_of_others);
  std::vector<Pair> of_ghosts(const std::vector<Pair>& of_owned) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  PetscMat diagonal_ = nullptr, off_diagonal_ = nullptr;  ///< blocks of A, which it may replace
  PetscInt first_ = 0, num_owned_ = 0;
  std::vector<PetscInt> ghosts_;  ///< global numbers of the columns of off_diagonal_, rising
  std::vector<int> ghost_owner_;
  StarForest exchange_;            ///< from owned unknowns to ghosts
  std::vector<char> is_boundary_;  ///< of owned unknowns
  std::vector<PetscInt> hub_;      ///< of owned dofs: the global number of the hub's first dof; -1: of no hub
  bool spares_hub_rows_ = false;
  std::vector<Pair> ranges_, ghost_ranges_;  ///< -1: not of the boundary
  std::vector<PetscInt> local_of_ghost_;     ///< -1: not of the boundary
  std::vector<PetscInt> kept_;
  std::vector<Shared> shared_;
  std::vector<PetscInt> fetched_rows_;               ///< global numbers
  StarForest fetching_;                              ///< from entries of the owners' off_diagonal_ to those fetched
  std::vector<PetscInt> starts_, columns_, places_;  ///< of entries that are not of A's diagonal block
  PetscInt num_diagonal_ = 0, num_off_diagonal_ = 0;
  std::vector<PetscScalar> others_;  ///< numbers of off_diagonal_, then of what was fetched
};

}  // namespace sinew
