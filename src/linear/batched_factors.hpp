/// \file
/// LU factors of a KKT matrix by dense fronts alone, all of one level of the tree at a time: what a device can do.
#pragma once

#include "linear/elimination_tree.hpp"
#include "linear/front_loops.hpp"
#include "linear/shared_entries.hpp"
#include "linear/two_sides.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sinew {

/// The same as TreeFactors, with its interface, made for a GPU: leaves are small and as dense as the fronts above them, pivots
/// are sought every time, and a level of the tree is one batch (front_loops.hpp). The host gathers the entries of A, copies
/// them once a factorisation, and copies vectors once a solution each way. A team of threads eliminates a front, however large
/// it is.
class BatchedFactors {
 public:
  /// Unknowns of a leaf, at least; 0: as measurements recommend.
  explicit BatchedFactors(PetscInt leaf_size = 0) : leaf_size_(leaf_size) {}

  /// Must come first, once. False: not the kind of matrix that can be divided so.
  bool analyse(const SparseRows&, const KktUnknowns&, const std::vector<PetscInt>& kept = {});
  /// The analysis without the factors: for another matrix of this pattern, before its `factorise`.
  BatchedFactors without_numbers() const;
  /// None are kept.
  void forget_pivots() {}
  /// False: a part of the matrix is singular. Nothing else is of use then.
  bool factorise(const SparseRows&);
  /// The largest number in L.
  double growth() const { return growth_; }
  /// S, by columns, in the order of the kept.
  const std::vector<double>& complement() const { return complement_; }

  /// Eliminates all but the kept from b, one right-hand side or two (two_sides.hpp): `rest` is what this takes from the
  /// right-hand side of the kept, and their own part is added to it by whoever has it.
  template <class Sides>
  void forward(const Sides& b, typename Sides::Number* rest);
  /// After `forward`: the others of x, given the kept.
  template <class Sides>
  void backward(const typename Sides::Number* kept, const Sides& x);

  /// See TreeFactors.
  bool has_another_way() const { return pattern_ && pattern_->has_low_rows; }
  BatchedFactors another_way() const { return BatchedFactors(leaf_size_); }
  bool is_divided() const { return end_front_ > 2; }
  /// For people: fronts, levels, the largest front, entries.
  std::string describe() const;

 private:
  /// What does not change with the numbers; factors of several matrices have it together.
  struct Pattern {
    FrontTable table;
    DeviceArray<std::ptrdiff_t> entry_places;  ///< in the matrices
    std::vector<PetscInt> entry_values;        ///< where they are among the values of A
    std::vector<PetscInt> eliminated, kept;    ///< unknowns of A
    std::vector<SharedEntry> shared_by_kept;
    bool has_low_rows = false;
    PetscInt num_unknowns = 0;       ///< of A
    std::ptrdiff_t num_numbers = 0;  ///< of all fronts' matrices
    std::ptrdiff_t num_places = 0;   ///< unknowns of all fronts
    std::ptrdiff_t root_matrix = 0, root_first = 0;
    int root_size = 0, root_eliminated = 0, largest_front = 0;
  };
  struct FrontLists;
  static Pattern lay_out(const SparseRows&, const EliminationTree&, const SharedEntries&);
  void make_room();

  PetscInt leaf_size_ = 0;
  int end_front_ = 0;  ///< behind the last: they are numbered from 1 on
  std::shared_ptr<const Pattern> pattern_;
  FrontNumbers numbers_;
  DeviceArray<double> entries_;
  /// Of one right-hand side and of two: by unknowns of A, by unknowns of fronts.
  DeviceArray<double> vectors_[2], works_[2];
  double growth_ = 0;
  std::vector<double> complement_;
};

}  // namespace sinew
