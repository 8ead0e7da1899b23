/// \file
/// Sparse LU factors of the interior of a part of a matrix, and what is left of its boundary.
#pragma once

#include "linear/column_panel.hpp"
#include "linear/joined_columns.hpp"
#include "linear/leaf_order.hpp"
#include "linear/matrix_rows.hpp"
#include "linear/pivot_search.hpp"
#include "linear/power_of_two.hpp"
#include "linear/shared_entries.hpp"
#include "linear/two_sides.hpp"

#include <memory>
#include <vector>

namespace sinew {

/// Interior I and boundary B of a leaf: A_II^T = L U with the boundary last, S = A_BB - A_BI A_II^-1 A_IB. Columns of A^T are
/// rows of A, which are read where they are: of A, whose pattern is symmetric, the leaf knows nothing but its unknowns. The
/// pivots, sought once among the interior, are kept for other numbers on the same pattern. Positions count in the order of
/// elimination, the boundary behind the interior; "columns" and "rows" are those of A^T.
class LeafFactors {
 public:
  /// What a leaf is made of.
  struct Part {
    std::vector<PetscInt> interior, boundary;  ///< the first rising
    std::vector<SharedEntry> shared;           ///< entries of A_BB that this leaf brings in
  };
  /// Columns of the boundary that are eliminated along with a large interior, stretch by stretch, while the columns of L that
  /// they need are in the cache: the cut of a long chain goes through all of it.
  struct Companion {
    int first = 0;           ///< of the columns, a panel
    std::vector<int> place;  ///< in the panel, of every position; what they have no entry in is never asked for
    std::vector<int> ends;   ///< their rows of the interior that stretches up to here, and all before, have
    std::vector<int> reach;  ///< rows of the panel that these touch
    int above() const { return ends.back(); }
  };
  /// What does not change from matrix to matrix while the pivots are kept; factors of several matrices have it together.
  struct Pattern {
    int num_interior = 0;
    PetscInt num_dofs = 0;
    std::vector<PetscInt> interior;  ///< unknowns of the first local numbers, rising; not kept with pivots
    std::vector<PetscInt> boundary;  ///< of those that follow
    std::vector<SharedEntry> shared;
    double operations = 0, entries = 0;  ///< expected
    bool is_paired = false;              ///< see LeafOrder
    bool is_ordered = false;
    std::vector<int> column_at;            ///< local number of every position; not kept with pivots
    std::vector<PetscInt> unknown_of_row;  ///< of every position in the interior
    std::vector<PetscInt> other_columns;   ///< likewise of columns; empty where all pivots are on the diagonal
    std::vector<PowerOfTwo> scale;         ///< of rows by position
    std::vector<int> lower_starts, lower_rows, upper_starts, upper_rows;
    std::vector<char> is_joined;        ///< a column of L that has a row at the next one's pivot and else the same rows as it
    std::vector<char> is_joined_upper;  ///< likewise a column of U and the one before it
    std::vector<char> panel_width;      ///< columns from here on that are eliminated together; of the first one
    bool has_panels = false;            ///< any is wider than one
    std::vector<Companion> companions;  ///< panels of the boundary; none where the interior is small
    int size() const { return num_interior + static_cast<int>(boundary.size()); }
    const PetscInt* unknown_of_column() const { return (other_columns.empty() ? unknown_of_row : other_columns).data(); }
    /// Of a local number, while pivots are sought.
    PetscInt unknown(int local) const;
  };
  /// Do kept pivots serve yet, by their smallest and largest inverse? `sought`: the smallest over the largest when sought.
  static bool serve(double smallest, double largest, double sought);

  LeafFactors(PetscInt num_dofs, Part);

  /// The same leaf, with its pivots, before it was factorised.
  LeafFactors without_numbers() const;

  // `room` has a number for every unknown of A. It is all -1 unless something else is said.

  /// Works in room that others use at other times: never between `forward` and `backward`, nor while this is factorised.
  void share_room(std::shared_ptr<std::vector<double>> room) { work_ = std::move(room); }

  /// Chooses the order of elimination if that has not been done, by these values.
  void order(const SparseRows& A, std::vector<int>& room);
  /// Of the order; 0 before it is chosen.
  double operations() const { return pattern_->operations; }
  /// Searches for pivots, and leaves the places of unknowns in `room`. False: the interior is singular.
  bool factorise(const SparseRows& A, std::vector<int>& room);
  /// Notes the places of unknowns in `room`; they are known once pivots have been sought.
  void take_places(std::vector<int>& room) const;
  /// Takes them away.
  void leave(std::vector<int>& room) const;
  /// With the pivots at hand and places in `room`. False where a pivot has become small: they are to be sought again.
  bool refactorise(const SparseRows& A, const std::vector<int>& room);
  /// The largest number in L: what pivots multiply at most.
  double growth() const { return growth_; }
  /// S, by columns.
  const std::vector<double>& complement() const { return complement_; }
  int boundary_size() const { return pattern_->size() - pattern_->num_interior; }

  /// Eliminates the interior from b, one right-hand side or two (two_sides.hpp): returns what is left of the boundary's, without
  /// its own part, in `rest`.
  template <class Sides>
  void forward(const Sides& b, typename Sides::Number* rest);
  /// After `forward`: the interior of x, given the boundary of it.
  template <class Sides>
  void backward(const typename Sides::Number* x_boundary, const Sides& x);
  const Pattern& pattern() const { return *pattern_; }
  /// Of pivots as they were when they were sought: the smallest over the largest.
  double smallest_pivot() const { return smallest_pivot_; }
  /// Entries of L and U.
  std::size_t entries() const { return pattern_->lower_rows.size() + pattern_->upper_rows.size(); }

  /// One that is nothing yet.
  LeafFactors() = default;

 private:
  void number(std::vector<int>& room) const;
  /// What rows are measured by when pivots are compared: their largest entries, or the roots of the diagonals, where there are
  /// any, on both sides, so that units fall out.
  enum class Scales { rows, diagonals };
  void set_scales(const SparseRows& A, const std::vector<int>& room, Scales);
  bool find_pivots(const SparseRows& A, std::vector<int>& room);
  void arrange(const SparseRows& A, std::vector<int>& room, bool wants_pairs);
  bool search_pivots(const SparseRows& A, std::vector<int>& room, Scales, double fill);
  bool eliminate_anew(int column, PivotSearch&, const SparseRows& A, const std::vector<int>& room);
  void keep(const PivotSearch&, const SparseRows& A);
  void eliminate(int column, const SparseRows& A, const std::vector<int>& room);
  void eliminate_interior(int column, const SparseRows& A, const std::vector<int>& room);
  void eliminate_boundary(int column, const SparseRows& A, const std::vector<int>& room);
  void fill_alike(int column, int width, const SparseRows& A, const std::vector<int>& room);
  void begin_panel();
  void take_lower(int column, int width);
  void eliminate_interior_panel(int column, const SparseRows& A, const std::vector<int>& room);
  void eliminate_boundary_panel(int column, const SparseRows& A, const std::vector<int>& room);

  /// One on its way.
  struct Companionship {
    ColumnPanel panel;
    int cleared = 0;  ///< rows
  };
  void begin_companion(const Companion&, Companionship&, const SparseRows& A, const std::vector<int>& room) const;
  void advance(const Companion&, Companionship&, std::size_t which);
  void end_companion(const Companion&, const Companionship&);

  Pattern& own_pattern();
  void recall_order();

  void find_joined();
  void find_panels(const SparseRows& A);
  void find_companions();
  SparseColumns lower_columns() const {
    return {pattern_->lower_starts.data(), pattern_->lower_rows.data(), lower_.data(), pattern_->is_joined.data()};
  }
  SparseColumns upper_columns() const {
    return {pattern_->upper_starts.data(), pattern_->upper_rows.data(), upper_.data(), pattern_->is_joined_upper.data()};
  }
  std::shared_ptr<Pattern> pattern_ = std::make_shared<Pattern>();
  std::vector<double> lower_, upper_, inverse_pivots_, complement_;
  ColumnPanel panel_;
  std::vector<Companionship> companions_;
  std::vector<int> panel_rows_;  ///< positions
  std::vector<int> place_;       ///< in the panel, of these positions; empty where there are no panels
  /// Zeros between two columns; in solutions what they have come to.
  std::shared_ptr<std::vector<double>> work_ = std::make_shared<std::vector<double>>();
  std::vector<Two> work_of_two_;  ///< likewise
  double growth_ = 0;
  double smallest_pivot_ = 0;  ///< over the largest, when they were sought
};

/// Rows of A that have the same columns as their neighbours, as many at least as are eliminated side by side (ColumnPanel).
PetscInt count_alike_rows(const SparseRows& A);

}  // namespace sinew
