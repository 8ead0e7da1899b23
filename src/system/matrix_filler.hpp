/// \file
/// Matrices of one pattern, and the way from element contributions on all ranks to their entries.
#pragma once

#include "base/star_forest.hpp"
#include "system/slot_sums.hpp"

#include <compare>
#include <functional>
#include <memory>

namespace sinew {

/// Makes matrices of one pattern, which they share, and fills them. Contributions come in stretches of slots (elements' values
/// one after the other); what belongs to rows of other ranks is summed here and sent to them. Every entry is the sum of its slots
/// in their order, then of what came from other ranks in theirs. Diagonal entries exist whatever is listed.
class MatrixFiller {
 public:
  /// A slot that counts, and the two local unknowns that it couples.
  struct Coupled {
    int slot = 0, row = 0, column = 0;
  };
  /// Stretches of slots, and what counts of each, slots rising. Asked more than once.
  struct Stretches {
    std::vector<int> sizes;  ///< slots of each, at most SlotSums::most_slots
    /// Of each: are its slots the same in every matrix? Such entries are written once and then left as they are. None if empty.
    std::vector<char> are_constant = {};
    std::function<void(std::size_t, std::vector<Coupled>&)> list;
  };

  /// `numbers`: of the local unknowns in the matrix; the first `num_owned` of this rank's are its own. Collective.
  MatrixFiller(MPI_Comm, const std::vector<PetscInt>& numbers, PetscInt num_owned, const Stretches&);

  /// A matrix of zeros: an ordinary MATAIJ, or what -mat_type makes of it, whose lists of rows and columns are those of its
  /// brothers. Collective.
  MatHandle make() const;
  /// A = the sums of all slots: `sweep` writes those of a stretch; of constant ones it is not asked again as long as nobody else
  /// changes A. A is of this pattern, of whatever type of AIJ. Collective.
  void fill(PetscMat A, const std::function<void(std::size_t stretch, const DeviceArray<double>& slots)>& sweep) const;

 private:
  /// An entry by its numbers in the matrix.
  struct Place {
    PetscInt row = 0, column = 0;
    auto operator<=>(const Place&) const = default;
  };
  /// Row by row, as PETSc holds the two blocks of a rank's rows: columns of its own, counted from its first, and others', rising.
  struct Pattern {
    std::vector<PetscInt> starts, columns, other_starts, other_columns;
  };
  /// Where the slots of a stretch go: entries of the two blocks, and what is sent.
  struct Sums {
    SlotSums own, others, sent;
  };
  struct Build;
  struct Storage;
  struct Entry;
  Entry locate(const Place&, const Build&) const;
  void exchange_places(const std::vector<Place>& sent, Build&);
  void make_pattern(const Stretches&, Build&);
  void make_sums(const Stretches&, Build&);
  void find_kept(const Stretches&, Build&);
  Sums sums_of(const std::vector<std::pair<int, Place>>&, bool are_constant, Build&) const;
  void receive(double* own, double* others) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  bool is_parallel_ = false;
  PetscInt num_owned_ = 0, first_ = 0;
  std::shared_ptr<const Pattern> pattern_;
  std::vector<Sums> sums_;                         ///< of every stretch
  std::vector<char> is_kept_;                      ///< of every stretch: its entries are its own and constant
  std::vector<Sums> received_sums_;                ///< of what comes from other ranks, in stretches again
  DeviceArray<int> own_idle_, others_idle_;        ///< entries that nothing is added to
  StarForest exchange_;                            ///< from what is sent to what is received
  mutable DeviceArray<double> slots_, sent_;
  mutable std::vector<double> received_;
};

}  // namespace sinew
