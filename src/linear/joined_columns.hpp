/// \file
/// Triangular elimination with sparse columns, several at a time where they have the same rows.
#pragma once

#include <algorithm>

namespace sinew {

/// Columns by their starts; those which are `is_joined` with the one after (of L) or before (of U) have its rows but for the
/// pivots.
struct SparseColumns {
  const int* starts = nullptr;
  const int* rows = nullptr;
  const double* values = nullptr;
  const char* is_joined = nullptr;
};

/// Joined columns are taken together: their rows are read, and the entries of a vector, once for all. Four at most: one
/// refactorisation of 16,666 cable elements takes 9.0, 6.9, 6.9 ms with 1, 4, 6, one of a part between two others 20.7, 14.6,
/// 15.4.
inline constexpr int most_joined = 4;

/// y less `Count` columns of L times its own entries there, which go to `pivots` and are cleared.
template <int Count>
[[gnu::always_inline]] inline void take_lower(const SparseColumns& L, double* y, int first, double* pivots) {
  const double* column[Count];  // from below the pivot of the last
  double u[Count];
  for (int c = 0; c < Count; ++c) {
    column[c] = L.values + L.starts[first + c] + (Count - 1 - c);
    u[c] = y[first + c];
    for (int before = 0; before < c; ++before) u[c] -= column[before][c - Count] * u[before];
    y[first + c] = 0;
    pivots[c] = u[c];
  }
  const int begin = L.starts[first + Count - 1], end = L.starts[first + Count];
  for (int s = 0; s < end - begin; ++s) {
    double sum = 0;
    for (int c = 0; c < Count; ++c) sum += column[c][s] * u[c];
    y[L.rows[begin + s]] -= sum;
  }
}

/// The same with as many columns as are joined from `first` on, `most` at most; how many.
[[gnu::always_inline]] inline int take_joined_lower(const SparseColumns& L, double* y, int first, int most, double* pivots) {
  int count = 1;
  while (count < std::min(most, most_joined) && L.is_joined[first + count - 1]) ++count;
  switch (count) {
    case 1: take_lower<1>(L, y, first, pivots); break;
    case 2: take_lower<2>(L, y, first, pivots); break;
    case 3: take_lower<3>(L, y, first, pivots); break;
    default: take_lower<most_joined>(L, y, first, pivots); break;
  }
  return count;
}

/// L^T y = y, its last entries known, for `Count` columns of L up to `last`.
template <int Count>
[[gnu::always_inline]] inline void solve_lower(const SparseColumns& L, double* y, int last) {
  const int first = last - Count + 1, begin = L.starts[last], length = L.starts[last + 1] - begin;
  const double* column[Count];  // from below the pivot of the last
  double sum[Count] = {};
  for (int c = 0; c < Count; ++c) column[c] = L.values + L.starts[first + c] + (Count - 1 - c);
  for (int s = 0; s < length; ++s) {
    const double below = y[L.rows[begin + s]];
    for (int c = 0; c < Count; ++c) sum[c] += column[c][s] * below;
  }
  for (int c = Count - 1; c >= 0; --c) {
    for (int later = c + 1; later < Count; ++later) sum[c] += column[c][later - Count] * y[first + later];
    y[first + c] -= sum[c];
  }
}

/// The same with as many columns as are joined from `last` downwards; how many.
[[gnu::always_inline]] inline int solve_joined_lower(const SparseColumns& L, double* y, int last) {
  int count = 1;
  while (count < std::min(last + 1, most_joined) && L.is_joined[last - count]) ++count;
  switch (count) {
    case 1: solve_lower<1>(L, y, last); break;
    case 2: solve_lower<2>(L, y, last); break;
    case 3: solve_lower<3>(L, y, last); break;
    default: solve_lower<most_joined>(L, y, last); break;
  }
  return count;
}

/// U^T y = y, its first entries known, for `Count` columns of U from `first` on; their diagonal stands apart.
template <int Count>
[[gnu::always_inline]] inline void solve_upper(const SparseColumns& U, const double* diagonal, double* y, int first) {
  const int begin = U.starts[first], above = U.starts[first + 1] - begin;
  const double* column[Count];
  double sum[Count] = {};
  for (int c = 0; c < Count; ++c) column[c] = U.values + U.starts[first + c];
  for (int t = 0; t < above; ++t) {
    const double known = y[U.rows[begin + t]];
    for (int c = 0; c < Count; ++c) sum[c] += column[c][t] * known;
  }
  for (int c = 0; c < Count; ++c) {
    for (int before = 0; before < c; ++before) sum[c] += column[c][above + before] * y[first + before];
    y[first + c] = (y[first + c] - sum[c]) / diagonal[first + c];
  }
}

/// The same with as many columns as are joined from `first` on, `most` at most; how many.
[[gnu::always_inline]] inline int solve_joined_upper(const SparseColumns& U, const double* diagonal, double* y, int first,
                                                     int most) {
  int count = 1;
  while (count < std::min(most, most_joined) && U.is_joined[first + count]) ++count;
  switch (count) {
    case 1: solve_upper<1>(U, diagonal, y, first); break;
    case 2: solve_upper<2>(U, diagonal, y, first); break;
    case 3: solve_upper<3>(U, diagonal, y, first); break;
    default: solve_upper<most_joined>(U, diagonal, y, first); break;
  }
  return count;
}

}  // namespace sinew
