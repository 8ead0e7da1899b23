/// \file
/// Triangular elimination with sparse columns, several at a time where they have the same rows.
#pragma once

#include <algorithm>
#include <type_traits>

namespace sinew {

/// Columns by their starts; those which are `is_joined` with the one after (of L) or before (of U) have its rows but for the
/// pivots. A `Value` is a number, or those of several matrices of one pattern.
template <class Value>
struct SparseColumnsOf {
  const int* starts = nullptr;
  const int* rows = nullptr;
  const Value* values = nullptr;
  const char* is_joined = nullptr;
};
using SparseColumns = SparseColumnsOf<double>;

/// Joined columns are taken together: their rows are read, and the entries of a vector, once for all. Six at most, as many as a
/// node of a cable has: a solution for 1000 cable elements takes .08 ms by four with sums in memory, .045 by six in registers,
/// one for 1000 rods .09 column by column, .06 so.
inline constexpr int most_joined = 6;

/// Calls use(std::integral_constant<int, count>), count up to `most_joined`: loops over joined columns are unrolled.
template <class Use>
[[gnu::always_inline]] inline void with_count(int count, const Use& use) {
  switch (count) {
    case 1: return use(std::integral_constant<int, 1>());
    case 2: return use(std::integral_constant<int, 2>());
    case 3: return use(std::integral_constant<int, 3>());
    case 4: return use(std::integral_constant<int, 4>());
    case 5: return use(std::integral_constant<int, 5>());
    default: return use(std::integral_constant<int, most_joined>());
  }
}

/// How many columns of L are joined from `first` on, `most` at most.
template <class Value>
int count_joined(const SparseColumnsOf<Value>& L, int first, int most) {
  int count = 1;
  while (count < std::min(most, most_joined) && L.is_joined[first + count - 1]) ++count;
  return count;
}

/// y less `Count` columns of L times its own entries there, which go to `pivots` and are cleared.
template <int Count, class Value>
[[gnu::always_inline]] inline void take_lower(const SparseColumnsOf<Value>& L, Value* y, int first, Value* pivots) {
  const Value* column[Count];  // from below the pivot of the last
  Value u[Count];
  for (int c = 0; c < Count; ++c) {
    column[c] = L.values + L.starts[first + c] + (Count - 1 - c);
    u[c] = y[first + c];
    for (int before = 0; before < c; ++before) u[c] -= column[before][c - Count] * u[before];
    y[first + c] = 0;
    pivots[c] = u[c];
  }
  const int begin = L.starts[first + Count - 1], end = L.starts[first + Count];
  for (int s = 0; s < end - begin; ++s) {
    Value sum(0.0);
    for (int c = 0; c < Count; ++c) sum += column[c][s] * u[c];
    y[L.rows[begin + s]] -= sum;
  }
}

/// The same with as many columns as are joined from `first` on, `most` at most; how many.
template <class Value>
[[gnu::always_inline]] inline int take_joined_lower(const SparseColumnsOf<Value>& L, Value* y, int first, int most,
                                                    Value* pivots) {
  const int count = count_joined(L, first, most);
  with_count(count, [&](auto columns) { take_lower<columns>(L, y, first, pivots); });
  return count;
}

// Solutions: a `Number` is that of one right-hand side, or those of two (two_sides.hpp).

/// L^T y = y, its last entries known, for `Count` columns of L up to `last`. What they come to stays in registers until all are
/// known: every one waits for the one before it.
template <int Count, class Value, class Number>
[[gnu::always_inline]] inline void solve_lower(const SparseColumnsOf<Value>& L, Number* y, int last) {
  const int first = last - Count + 1, begin = L.starts[last], length = L.starts[last + 1] - begin;
  const Value* column[Count];  // from below the pivot of the last
  Number value[Count];
  for (int c = 0; c < Count; ++c) {
    column[c] = L.values + L.starts[first + c] + (Count - 1 - c);
    value[c] = y[first + c];
  }
  for (int s = 0; s < length; ++s) {
    const Number below = y[L.rows[begin + s]];
    for (int c = 0; c < Count; ++c) value[c] -= column[c][s] * below;
  }
  for (int c = Count - 1; c >= 0; --c)
    for (int later = Count - 1; later > c; --later) value[c] -= column[c][later - Count] * value[later];
  for (int c = 0; c < Count; ++c) y[first + c] = value[c];
}

/// The same with as many columns as are joined from `last` downwards; how many.
template <class Value, class Number>
[[gnu::always_inline]] inline int solve_joined_lower(const SparseColumnsOf<Value>& L, Number* y, int last) {
  int count = 1;
  while (count < std::min(last + 1, most_joined) && L.is_joined[last - count]) ++count;
  with_count(count, [&](auto columns) { solve_lower<columns>(L, y, last); });
  return count;
}

/// U^T y = y, its first entries known, for `Count` columns of U from `first` on; the inverses of their diagonal stand apart.
template <int Count, class Value, class Number>
[[gnu::always_inline]] inline void solve_upper(const SparseColumnsOf<Value>& U, const Value* inverse_pivots, Number* y,
                                               int first) {
  const int begin = U.starts[first], above = U.starts[first + 1] - begin;
  const Value* column[Count];
  Number value[Count];
  for (int c = 0; c < Count; ++c) {
    column[c] = U.values + U.starts[first + c];
    value[c] = y[first + c];
  }
  for (int t = 0; t < above; ++t) {
    const Number known = y[U.rows[begin + t]];
    for (int c = 0; c < Count; ++c) value[c] -= column[c][t] * known;
  }
  for (int c = 0; c < Count; ++c) {
    for (int before = 0; before < c; ++before) value[c] -= column[c][above + before] * value[before];
    value[c] = inverse_pivots[first + c] * value[c];
  }
  for (int c = 0; c < Count; ++c) y[first + c] = value[c];
}

/// The same with as many columns as are joined from `first` on, `most` at most; how many.
template <class Value, class Number>
[[gnu::always_inline]] inline int solve_joined_upper(const SparseColumnsOf<Value>& U, const Value* inverse_pivots, Number* y,
                                                     int first, int most) {
  int count = 1;
  while (count < std::min(most, most_joined) && U.is_joined[first + count]) ++count;
  with_count(count, [&](auto columns) { solve_upper<columns>(U, inverse_pivots, y, first); });
  return count;
}

/// -U^T y for `Count` columns of U from `first` on that have the same rows.
template <int Count, class Value, class Number>
[[gnu::always_inline]] inline void multiply_alike(const SparseColumnsOf<Value>& U, const Number* y, int first, Number* products) {
  const int begin = U.starts[first], length = U.starts[first + 1] - begin;
  const Value* column[Count];
  Number sum[Count];
  for (int c = 0; c < Count; ++c) {
    column[c] = U.values + U.starts[first + c];
    sum[c] = Number{};
  }
  for (int t = 0; t < length; ++t) {
    const Number known = y[U.rows[begin + t]];
    for (int c = 0; c < Count; ++c) sum[c] -= column[c][t] * known;
  }
  for (int c = 0; c < Count; ++c) products[c] = sum[c];
}

/// The same with `count` columns, as many at a time as stay in registers.
template <class Value, class Number>
inline void multiply_alike(const SparseColumnsOf<Value>& U, const Number* y, int first, int count, Number* products) {
  for (int done = 0; done < count;) {
    const int some = std::min(count - done, most_joined);
    with_count(some, [&](auto columns) { multiply_alike<columns>(U, y, first + done, products + done); });
    done += some;
  }
}

}  // namespace sinew
