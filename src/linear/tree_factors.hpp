/// \file
/// LU factors of a KKT matrix by substructures: sparse leaves, dense fronts above them.
#pragma once

#include "linear/dense_front.hpp"
#include "linear/elimination_tree.hpp"
#include "linear/leaf_set.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sinew {

/// LU factors of matrices of one pattern along an elimination tree, but for unknowns that are kept: of these it says what is
/// left, S = A_KK - A_KI A_II^-1 A_IK. The analysis and the pivots of the leaves stay; leaves whose pivots have become small seek
/// them anew. Where one leaf would fill little (chains, trees, ladders) it is the whole tree, unless it repeats itself: then it
/// is divided into runs that are alike, which go side by side in the lanes of a register.
class TreeFactors {
 public:
  using Division = EliminationTree::Division;
  /// As few leaves as measurements recommend.
  TreeFactors() = default;
  /// Unknowns of a leaf, at least. Runs go side by side where they are alike.
  explicit TreeFactors(PetscInt leaf_size, Division division = Division::bisections)
      : leaf_size_(leaf_size), division_(division) {}

  /// Must come first, once; the values are looked at for the order of elimination. False: not the kind of matrix that can be
  /// divided so.
  bool analyse(const SparseRows&, const KktUnknowns&, const std::vector<PetscInt>& kept = {});
  /// The analysis and the pivots without the factors: for another matrix of this pattern, before its `factorise`.
  TreeFactors without_numbers() const;
  /// The next factorisation seeks its pivots.
  void forget_pivots() { leaves_.forget_pivots(); }
  /// False: a part of the matrix is singular. Nothing else is of use then.
  bool factorise(const SparseRows&);
  /// The largest number in L of the leaves; those of fronts, whose pivots are always sought, are no larger than 1.
  double growth() const { return leaves_.growth(); }
  /// S, by columns, in the order of the kept.
  const std::vector<double>& complement() const { return complement_; }

  /// Eliminates all but the kept from b, one right-hand side or two (two_sides.hpp): `rest` is what this takes from the
  /// right-hand side of the kept, and their own part is added to it by whoever has it.
  template <class Sides>
  void forward(const Sides& b, typename Sides::Number* rest);
  /// After `forward`: the others of x, given the kept.
  template <class Sides>
  void backward(const typename Sides::Number* kept, const Sides& x);

  /// Whether another analysis may serve where this one does not: it rests on numbers where rows are eliminated, or leaves share
  /// pivots with others.
  bool has_another_way() const { return tree_ && (tree_->has_low_rows || leaves_.has_lanes()); }
  /// That, before its `analyse`.
  TreeFactors another_way() const;
  /// By bisections, into more than one leaf.
  bool is_divided() const { return tree_ && tree_->leaves > 1 && division_ == Division::bisections; }
  /// For people: leaves, largest front, entries.
  std::string describe() const;

 private:
  /// What a solution has come to.
  template <class Number>
  struct Progress {
    std::vector<std::vector<Number>> left_over;  ///< right-hand sides of the nodes of the heap; then solutions of boundaries
    std::vector<Number> interface;               ///< right-hand side, then solution
  };
  bool divide(const SparseRows&, const KktUnknowns&, const std::vector<PetscInt>& kept, PetscInt leaf_size, Division);
  bool divide_as_measured(const SparseRows&, const KktUnknowns&, const std::vector<PetscInt>& kept);
  bool divide_into_runs(const SparseRows&, const KktUnknowns&, const std::vector<PetscInt>& kept);

  PetscInt leaf_size_ = 0;
  Division division_ = Division::bisections;
  bool may_have_runs_ = true;
  std::shared_ptr<const EliminationTree> tree_;
  LeafSet leaves_;
  std::vector<DenseFront> fronts_;  ///< 1 .. leaves - 1
  std::vector<SharedEntry> kept_;   ///< entries of A_KK
  std::vector<double> complement_;
  Progress<double> progress_;
  Progress<Two> progress_of_two_;
};

}  // namespace sinew
