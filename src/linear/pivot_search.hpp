/// \file
/// Which rows of a sparse factor a column reaches, while pivots are sought.
#pragma once

#include "base/index.hpp"

#include <cstddef>
#include <vector>

namespace sinew {

/// What is known while pivots of A^T = L U are sought, column by column. Rows in local numbers.
struct PivotSearch {
  /// `entries`: of L, as many as are expected.
  PivotSearch(int n, std::size_t entries) : position(at(n), -1), mark(at(n), -1), stack(at(n)), head(at(n)), reached(at(n)) {
    lower_starts.reserve(at(n) + 1);
    lower_rows.reserve(entries);
    lower.reserve(entries);
  }

  std::vector<int> position;  ///< of rows that have become pivots, -1: none yet
  std::vector<int> lower_starts{0}, lower_rows;
  std::vector<double> lower;
  std::vector<int> mark, stack, head, reached;
  std::vector<int> rows;  ///< of the column at hand

  /// Rows that a column reaches through those of L before it, in topological order: reached[top], ... (Gilbert and Peierls, SIAM
  /// J. Sci. Stat. Comput. 9, 1988).
  int reach(int k) {
    int top = static_cast<int>(reached.size());
    for (const int first : rows) {
      if (mark[at(first)] == k) continue;
      mark[at(first)] = k;
      int depth = 0;
      push(0, first);
      while (depth >= 0) {
        const int row = stack[at(depth)], p = position[at(row)];
        bool goes_down = false;
        while (p >= 0 && head[at(depth)] < lower_starts[at(p) + 1]) {
          const int next = lower_rows[at(head[at(depth)]++)];
          if (mark[at(next)] == k) continue;
          mark[at(next)] = k;
          push(++depth, next);
          goes_down = true;
          break;
        }
        if (goes_down) continue;
        reached[at(--top)] = row;
        --depth;
      }
    }
    return top;
  }

 private:
  void push(int depth, int row) {
    stack[at(depth)] = row;
    head[at(depth)] = position[at(row)] >= 0 ? lower_starts[at(position[at(row)])] : 0;
  }
};

}  // namespace sinew
