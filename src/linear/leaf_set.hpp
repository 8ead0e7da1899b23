/// \file
/// The leaves of an elimination tree and their factors.
#pragma once

#include "linear/lane_factors.hpp"
#include "linear/leaf_factors.hpp"

#include <optional>
#include <vector>

namespace sinew {

/// Leaves each by itself (LeafFactors) or, if that is asked for, those that are alike side by side (LaneFactors).
class LeafSet {
 public:
  LeafSet() = default;
  LeafSet(const SparseRows& A, PetscInt num_dofs, std::vector<LeafFactors::Part> leaves, bool in_lanes);

  /// Chooses the orders of elimination, by these values; before all that follows.
  void order(const SparseRows& A);
  /// The same leaves, with their pivots, before they were factorised.
  LeafSet without_numbers() const;
  /// The next factorisation seeks its pivots.
  void forget_pivots() { has_pivots_ = false; }
  /// With the pivots at hand, and with new ones where these have become small. False: an interior is singular, or no pivots of a
  /// leaf serve for those beside it.
  bool factorise(const SparseRows& A);

  std::size_t count() const { return place_of_.size(); }
  bool has_lanes() const { return !groups_.empty(); }
  /// Multiplications and additions of a factorisation, of leaves side by side those of one of them.
  double operations() const;
  /// Likewise if every leaf were alone.
  double operations_one_by_one() const;
  /// Of L and U.
  std::size_t entries() const;
  /// The largest number in L.
  double growth() const;
  /// What is left of a leaf's boundary, by columns.
  const std::vector<double>& complement(std::size_t leaf) const;

  /// See LeafFactors: of every leaf, what is left of the right-hand side of its boundary.
  template <class Number, class Sides>
  void forward(const Sides& b, std::vector<Number>* rest);
  /// Likewise given the solution of every leaf's boundary.
  template <class Number, class Sides>
  void backward(const std::vector<Number>* boundary, const Sides& x);

 private:
  struct Alone {
    LeafFactors factors;
    std::size_t leaf;
  };
  struct Group {
    LaneFactors factors;
    std::vector<std::size_t> leaves;
  };
  /// Where the factors of a leaf are: of which group, if of any, and which there.
  struct Place {
    std::optional<std::size_t> group;
    std::size_t which = 0;
  };
  void group_alike(const SparseRows& A, PetscInt num_dofs, std::vector<LeafFactors::Part>& leaves);
  bool factorise_alone(std::size_t which, const SparseRows& A);

  bool has_pivots_ = false;
  std::vector<Alone> alone_;
  std::vector<Group> groups_;
  std::vector<Place> place_of_;        ///< of leaves
  std::vector<int> position_of_;       ///< of the unknowns of one that is alone, -1 of all others
  std::optional<std::size_t> placed_;  ///< this one
};

}  // namespace sinew
