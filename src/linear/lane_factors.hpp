/// \file
/// Sparse LU factors of leaves that are alike, one in every lane of a vector register.
#pragma once

#include "base/index.hpp"
#include "kernels/algebra/lanes.hpp"
#include "linear/leaf_factors.hpp"

#include <array>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace sinew {

/// What leaves have to have in common to be eliminated side by side: the pattern of their rows, as they stand in A. Unknowns are
/// counted in the leaf, the interior first.
struct LeafShape {
  /// `room` has -1 for every unknown of A, and again after this.
  LeafShape(const SparseRows& A, PetscInt num_dofs, const LeafFactors::Part&, std::vector<int>& room);
  bool operator==(const LeafShape&) const = default;

  bool fits_lanes = true;  ///< there is an interior, and all its rows are in A's first lists
  std::vector<int> list;   ///< sizes, kinds of unknowns, columns of rows
};

/// Leaves of one shape, `lane_count` of them at most, one in every lane of a vector register: what LeafFactors do with a number
/// is done here with one of each leaf, and what they do for each number, finding its place, once for all. Chains are divided
/// into such leaves. All have the pivots that are found for the first.
class LaneFactors {
 public:
  /// Lanes that are left do what the first one does.
  LaneFactors(PetscInt num_dofs, std::vector<LeafFactors::Part> leaves);

  /// The same leaves, with their pivots, before they were factorised.
  LaneFactors without_numbers() const;
  /// Chooses the order of elimination.
  void order(const SparseRows& A, std::vector<int>& room) { first_.order(A, room); }
  /// Of one leaf.
  double operations() const { return first_.operations(); }
  /// Searches for pivots. False: some interior is singular, or those of the first leaf do not serve for another.
  bool factorise(const SparseRows& A, std::vector<int>& room);
  /// With the pivots at hand. False where one has become small.
  bool refactorise(const SparseRows& A);
  double growth() const { return growth_; }

  /// What is left of a leaf's boundary, by columns.
  const std::vector<double>& complement(std::size_t leaf) const { return complements_[leaf]; }
  int boundary_size() const { return first_.boundary_size(); }
  /// Of L and U, of all leaves.
  std::size_t entries() const { return first_.entries() * count(); }

  /// See LeafFactors: of every leaf, where what is left of the right-hand side of its boundary goes.
  template <class Sides>
  void forward(const Sides& b, typename Sides::Number* const* rest);
  /// Likewise where the solution of its boundary is.
  template <class Sides>
  void backward(const typename Sides::Number* const* boundary, const Sides& x);

 private:
  template <class T>
  using OfLanes = std::array<T, lane_count>;
  /// Of two right-hand sides.
  struct TwoLanes {
    Lanes of[2] = {0.0, 0.0};
    TwoLanes& operator-=(const TwoLanes& b) { return of[0] -= b.of[0], of[1] -= b.of[1], *this; }
    friend TwoLanes operator*(const Lanes& a, const TwoLanes& b) { return {{a * b.of[0], a * b.of[1]}}; }
  };
  /// Numbers of all lanes for those of one leaf.
  template <class Number>
  using Side = std::conditional_t<sides_of<Number> == 1, Lanes, TwoLanes>;
  /// An entry that stands elsewhere in the rows of every leaf.
  struct Entry {
    int row, column;
    OfLanes<PetscInt> value;
  };
  /// What does not change with the numbers while the pivots are kept; factors of several matrices have it together.
  struct Places {
    std::vector<OfLanes<PetscInt>> unknown_of_row;  ///< of every position in the interior
    std::vector<OfLanes<PetscInt>> other_columns;   ///< likewise of columns; empty where all pivots are on the diagonal
    std::vector<int> entry_starts, entry_rows;      ///< of columns of the interior, as A's rows have them; positions
    std::vector<Entry> boundary;                    ///< its columns, counted from 0, where they meet the interior
    std::vector<Entry> shared;
    double smallest_pivot = 0;  ///< over the largest, of the first leaf when they were sought
    const std::vector<OfLanes<PetscInt>>& unknown_of_column() const {
      return other_columns.empty() ? unknown_of_row : other_columns;
    }
  };
  /// What pivots and L come to. `unsound` stays 0 in lanes whose inverses are all finite.
  struct Extremes {
    Lanes growth{0.0}, smallest_inverse{std::numeric_limits<double>::infinity()}, largest_inverse{0.0}, unsound{0.0};
  };
  LaneFactors() = default;
  std::size_t count() const { return boundaries_.size(); }
  std::size_t leaf_of_lane(int lane) const { return at(lane) < count() ? at(lane) : 0; }
  OfLanes<PetscInt> unknowns(int local) const;
  void recall_interiors();
  void find_places(const SparseRows& A, std::vector<int>& room, double smallest_pivot);
  void find_entries_of_boundary(const SparseRows& A, std::vector<int>& room, Places&) const;
  void fill(int column, const SparseRows& A);
  void eliminate(int column, Extremes&);
  void eliminate_boundary(const SparseRows& A);
  bool are_pivots_good(const Extremes&) const;
  SparseColumnsOf<Lanes> lower_columns() const;
  SparseColumnsOf<Lanes> upper_columns() const;

  LeafFactors first_;                             ///< what they have in common; no numbers
  std::vector<std::vector<PetscInt>> interiors_;  ///< rising; not kept with places
  std::vector<std::vector<PetscInt>> boundaries_;
  std::vector<std::vector<SharedEntry>> shared_;
  std::shared_ptr<const Places> places_;
  std::vector<Lanes> lower_, upper_, inverse_pivots_;
  std::vector<Lanes> work_;  ///< zeros between two columns; in solutions what they have come to
  std::vector<TwoLanes> work_of_two_;
  std::vector<std::vector<double>> complements_;
  double growth_ = 0;
};

}  // namespace sinew
