/// \file
/// Elimination of columns that have the same rows, side by side: one in every lane of a vector register.
#pragma once

#include "kernels/algebra/lanes.hpp"
#include "linear/joined_columns.hpp"

#include <cmath>
#include <vector>

namespace sinew {

/// Up to `most_columns` columns of a matrix with the same rows, a number of each in every row. The columns of L that are taken
/// from them are read once for all.
class ColumnPanel {
 public:
  static constexpr int most_columns = lane_count;
  /// Fewer are eliminated one by one. One refactorisation of 1000 rods, whose rotations come in pairs, takes .28 ms with pairs
  /// side by side, .20 without; 1000 cable elements, six by six, .19 in place of .26 (eight lanes).
  static constexpr int least_columns = 3;

  /// So many rows of zeros.
  void begin(int rows) { rows_.assign(static_cast<std::size_t>(rows), Row{}); }
  /// So many rows of anything.
  void make_room(int rows) { rows_.resize(static_cast<std::size_t>(rows)); }
  void clear(int first, int end) { std::fill(rows_.begin() + first, rows_.begin() + end, Row{}); }
  double at(int row, int column) const { return rows_[static_cast<std::size_t>(row)].of[column]; }
  double& at(int row, int column) { return rows_[static_cast<std::size_t>(row)].of[column]; }
  void set(int row, const Lanes& numbers) { numbers.store(rows_[static_cast<std::size_t>(row)].of); }
  /// A column's numbers in rows `first` to `end` - 1.
  void copy_column(int column, int first, int end, double* to) const {
    for (int r = first; r < end; ++r) *to++ = rows_[static_cast<std::size_t>(r)].of[column];
  }

  /// Takes away as many columns of L as are joined from `first` on, `most` at most, times the entries at their pivots, which are
  /// in rows `pivot`, `pivot` + 1, ... of the panel and stay there. `place`: the row of the panel of every row of L. How many.
  int take_lower(const SparseColumns& L, int first, int most, const int* place, int pivot) {
    const int count = count_joined(L, first, most);
    with_count(count, [&](auto columns) { take_columns<columns>(L, first, place, pivot); });
    return count;
  }

  /// LU of `count` columns, column by column: their pivots are in rows `first`, `first` + 1, ..., the last `below` rows of all
  /// come after them. Leaves U in the rows of the pivots, from the diagonal on, and the pivots' inverses and the columns of L,
  /// below the diagonal, where it is told. Returns the largest number in these.
  double eliminate(int first, int count, int below, double* inverse_pivots, double* const* lower) {
    Row* const own = rows_.data() + first;
    double largest = 0;
    for (int c = 0; c < count; ++c) {
      const double inverse = inverse_pivots[c] = 1 / own[c].of[c];
      const Lanes u(own[c].of);
      for (int i = c + 1; i < count + below; ++i) {
        const double l = lower[c][i - c - 1] = own[i].of[c] * inverse;
        largest = std::abs(l) > largest ? std::abs(l) : largest;
        (Lanes(own[i].of) - Lanes(l) * u).store(own[i].of);  // what lies before column c + 1 is of no use any more
      }
    }
    return largest;
  }

 private:
  struct alignas(sizeof(LanePack)) Row {
    double of[lane_count] = {};
  };

  template <int Count>
  [[gnu::always_inline]] void take_columns(const SparseColumns& L, int first, const int* place, int pivot) {
    const double* column[Count];  // from below the pivot of the last
    Lanes u[Count];
    for (int c = 0; c < Count; ++c) {
      column[c] = L.values + L.starts[first + c] + (Count - 1 - c);
      Row& row = rows_[static_cast<std::size_t>(pivot + c)];
      u[c] = Lanes(row.of);
      for (int before = 0; before < c; ++before) u[c] -= Lanes(column[before][c - Count]) * u[before];
      u[c].store(row.of);
    }
    const int begin = L.starts[first + Count - 1], length = L.starts[first + Count] - begin;
    for (int s = 0; s < length; ++s) {
      Row& row = rows_[static_cast<std::size_t>(place[L.rows[begin + s]])];
      Lanes left(row.of);
      for (int c = 0; c < Count; ++c) left -= Lanes(column[c][s]) * u[c];
      left.store(row.of);
    }
  }

  std::vector<Row> rows_;
};

}  // namespace sinew
