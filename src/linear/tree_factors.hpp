/// \file
/// LU factors of a KKT matrix by substructures: sparse leaves, dense fronts above them.
#pragma once

#include "linear/dense_front.hpp"
#include "linear/elimination_tree.hpp"
#include "linear/leaf_factors.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// LU factors of matrices of one pattern along an elimination tree, but for unknowns that are kept: of these it says what is
/// left, S = A_KK - A_KI A_II^-1 A_IK. The analysis and the pivots of the leaves stay; leaves whose pivots have become small seek
/// them anew. Where one leaf would fill little (chains, trees, ladders) it is the whole tree.
class TreeFactors {
 public:
  /// Unknowns of a leaf, at least; 0: as few leaves as measurements recommend.
  explicit TreeFactors(PetscInt leaf_size = 0) : leaf_size_(leaf_size) {}

  /// Must come first, once; the values are looked at for the order of elimination. False: not the kind of matrix that can be
  /// divided so.
  bool analyse(const SparseRows&, const KktUnknowns&, const std::vector<PetscInt>& kept = {});
  /// The analysis and the pivots without the factors: for another matrix of this pattern, before its `factorise`.
  TreeFactors without_numbers() const;
  /// The next factorisation seeks its pivots.
  void forget_pivots() { has_pivots_ = false; }
  /// False: a part of the matrix is singular. Nothing else is of use then.
  bool factorise(const SparseRows&);
  /// The largest number in L of the leaves; those of fronts, whose pivots are always sought, are no larger than 1.
  double growth() const;
  /// S, by columns, in the order of the kept.
  const std::vector<double>& complement() const { return complement_; }

  /// Eliminates all but the kept from b, one right-hand side or two (two_sides.hpp): `rest` is what this takes from the
  /// right-hand side of the kept, and their own part is added to it by whoever has it.
  template <class Sides>
  void forward(const Sides& b, typename Sides::Number* rest);
  /// After `forward`: the others of x, given the kept.
  template <class Sides>
  void backward(const typename Sides::Number* kept, const Sides& x);

  /// Whether it rests on numbers where rows are eliminated: others may ask for an analysis of their own.
  bool has_low_rows() const { return tree_ && tree_->has_low_rows; }
  bool is_divided() const { return leaves_.size() > 1; }
  /// For people: leaves, largest front, entries.
  std::string describe() const;

 private:
  /// What a solution has come to.
  template <class Number>
  struct Progress {
    std::vector<std::vector<Number>> left_over;  ///< right-hand sides of the nodes of the heap
    std::vector<Number> interface;               ///< right-hand side, then solution
  };
  void make_leaves(const SparseRows&, PetscInt num_dofs, std::vector<std::vector<SharedEntry>>,
                   std::vector<std::vector<PetscInt>> interiors);
  bool divide(const SparseRows&, const KktUnknowns&, const std::vector<PetscInt>& kept, PetscInt leaf_size);
  bool factorise_leaf(std::size_t leaf, const SparseRows&);

  PetscInt leaf_size_ = 0;
  bool has_pivots_ = false;
  std::shared_ptr<const EliminationTree> tree_;
  std::vector<LeafFactors> leaves_;
  std::vector<DenseFront> fronts_;  ///< 1 .. leaves - 1
  std::vector<SharedEntry> kept_;   ///< entries of A_KK
  std::vector<double> complement_;
  Progress<double> progress_;
  Progress<Two> progress_of_two_;
  std::vector<int> position_of_;       ///< of the unknowns of one leaf, -1 of all others
  std::optional<std::size_t> placed_;  ///< this leaf
};

}  // namespace sinew
