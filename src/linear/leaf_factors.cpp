#include "linear/leaf_factors.hpp"

#include "base/index.hpp"

#ifdef SINEW_HAVE_KLU  // what they need comes with it

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {

namespace {

/// A pivot on the diagonal is taken if it is no smaller than this part of the largest in its column.
constexpr double diagonal_preference = 1e-3;
/// Factors may have so many times the entries that their order promised: pivots off the diagonal, here and there, add to them.
constexpr double tolerated_fill = 2;

/// Has a row of A the same columns as another, all in the first lists?
bool are_alike(const SparseRows& A, PetscInt row, PetscInt other) {
  if (row >= A.num_first || other >= A.num_first) return false;
  if (A.more_starts && (A.more_starts[row] < A.more_starts[row + 1] || A.more_starts[other] < A.more_starts[other + 1]))
    return false;
  return std::equal(A.columns + A.starts[row], A.columns + A.starts[row + 1], A.columns + A.starts[other],
                    A.columns + A.starts[other + 1]);
}

}  // namespace

PetscInt count_alike_rows(const SparseRows& A) {
  PetscInt count = 0;
  for (PetscInt first = 0, end = 0; first < A.n; first = end) {
    for (end = first + 1; end < A.n && are_alike(A, end, first);) ++end;
    if (end - first >= ColumnPanel::least_columns) count += end - first;
  }
  return count;
}

LeafFactors::LeafFactors(PetscInt num_dofs, Part part) {
  Pattern& p = *pattern_;
  p.num_interior = static_cast<int>(part.interior.size());
  p.num_dofs = num_dofs;
  p.interior = std::move(part.interior);
  p.interior.shrink_to_fit();
  p.boundary = std::move(part.boundary);
  p.shared = std::move(part.shared);
}

PetscInt LeafFactors::Pattern::unknown(int local) const {
  return local < num_interior ? interior[at(local)] : boundary[at(local - num_interior)];
}

LeafFactors LeafFactors::without_numbers() const {
  LeafFactors copy;
  copy.pattern_ = pattern_;
  return copy;
}

/// For changes: others that have it keep theirs.
LeafFactors::Pattern& LeafFactors::own_pattern() {
  if (pattern_.use_count() > 1) pattern_ = std::make_shared<Pattern>(*pattern_);
  return *pattern_;
}

void LeafFactors::order(const SparseRows& A, std::vector<int>& room) {
  if (!pattern_->is_ordered) arrange(A, room, false);
}

/// Local numbers to `room`.
void LeafFactors::number(std::vector<int>& room) const {
  for (int local = 0; local < pattern_->size(); ++local) room[static_cast<std::size_t>(pattern_->unknown(local))] = local;
}

void LeafFactors::leave(std::vector<int>& room) const {
  const Pattern& p = *pattern_;
  for (const PetscInt unknown : p.interior.empty() ? p.unknown_of_row : p.interior) room[static_cast<std::size_t>(unknown)] = -1;
  for (const PetscInt unknown : p.boundary) room[static_cast<std::size_t>(unknown)] = -1;
}

void LeafFactors::take_places(std::vector<int>& room) const {
  const Pattern& p = *pattern_;
  for (int k = 0; k < p.size(); ++k)
    room[static_cast<std::size_t>(k < p.num_interior ? p.unknown_of_row[at(k)] : p.boundary[at(k - p.num_interior)])] = k;
}

/// Chooses the order of the columns.
void LeafFactors::arrange(const SparseRows& A, std::vector<int>& room, bool wants_pairs) {
  Pattern& p = own_pattern();
  number(room);
  LeafMatrix columns{p.num_interior, {}, {0}, {}};
  for (int l = 0; l < p.size(); ++l) columns.is_dof.push_back(p.unknown(l) < p.num_dofs ? 1 : 0);
  std::vector<PetscInt> places;
  const auto for_entries = [&](int column, const auto& visit) {
    A.for_places(p.unknown(column), [&](PetscInt unknown, PetscInt place) {
      const int row = room[static_cast<std::size_t>(unknown)];
      if (row >= 0 && (row < p.num_interior || column < p.num_interior)) visit(row, place);
    });
  };
  std::size_t count = 0;
  for (int l = 0; l < p.size(); ++l) for_entries(l, [&](int, PetscInt) { ++count; });
  columns.starts.reserve(at(p.size()) + 1);
  columns.rows.reserve(count);
  places.reserve(count);
  for (int l = 0; l < p.size(); ++l) {
    for_entries(l, [&](int row, PetscInt place) {
      columns.rows.push_back(row);
      places.push_back(place);
    });
    columns.starts.push_back(static_cast<int>(columns.rows.size()));
  }
  leave(room);
  LeafOrder chosen = order_leaf(
      columns, [&](int k) { return std::abs(A.values[places[at(k)]]); }, wants_pairs);
  chosen.sequence.reserve(at(p.size()));
  for (int l = p.num_interior; l < p.size(); ++l) chosen.sequence.push_back(l);
  p.column_at = std::move(chosen.sequence);
  p.is_ordered = true;
  p.operations = chosen.operations;
  p.entries = chosen.entries;
  p.is_paired = chosen.is_paired;
}

/// Of rows in local numbers, those of the interior: powers of two, which round nothing.
void LeafFactors::set_scales(const SparseRows& A, const std::vector<int>& room, Scales scales) {
  Pattern& p = *pattern_;
  std::vector<double> largest(at(p.size()), 0.0), diagonal(scales == Scales::diagonals ? at(p.size()) : 0, 0.0);
  const auto for_interior = [&](const auto& visit) {
    for (int l = 0; l < p.size(); ++l)
      A.for_values(p.unknown(l), [&](PetscInt other, double value) {
        const int row = room[static_cast<std::size_t>(other)];
        if (row >= 0) visit(row, l, std::abs(value));
      });
  };
  if (scales == Scales::diagonals)
    for_interior([&](int row, int column, double size) {
      if (row == column) diagonal[at(row)] = std::sqrt(size);
    });
  // columns are scaled as their rows are, which changes nothing in the choice among their own entries
  const auto has_diagonal = [&](int l) { return !diagonal.empty() && diagonal[at(l)] > 0; };
  for_interior([&](int row, int column, double size) {
    largest[at(row)] = std::max(largest[at(row)], has_diagonal(column) ? size / diagonal[at(column)] : size);
  });
  p.scale.resize(at(p.size()));
  for (int l = 0; l < p.size(); ++l) {
    const double size = has_diagonal(l) ? diagonal[at(l)] : largest[at(l)];
    int exponent = 0;
    if (l < p.num_interior && size > 0) std::frexp(size, &exponent);
    p.scale[at(l)] = PowerOfTwo(-exponent);
  }
}

void LeafFactors::recall_order() {
  Pattern& p = *pattern_;
  p.interior = p.unknown_of_row;
  std::sort(p.interior.begin(), p.interior.end());
  const auto first = p.interior.begin(), end = p.interior.end();
  p.column_at.resize(at(p.size()));
  std::iota(p.column_at.begin(), p.column_at.end(), 0);
  for (int k = 0; k < p.num_interior; ++k)
    p.column_at[at(k)] = static_cast<int>(std::lower_bound(first, end, p.unknown_of_column()[k]) - first);
}

bool LeafFactors::factorise(const SparseRows& A, std::vector<int>& room) {
  order(A, room);
  Pattern& p = own_pattern();
  if (p.column_at.empty()) recall_order();
  if (!find_pivots(A, room)) return false;
  take_places(room);
  smallest_pivot_ = 0;
  return refactorise(A, room);
}

/// Where pivots leave the diagonal and fill much more than the order promised, the order of pairs may do. Where that fills too,
/// diagonals are small beside what couples their dofs in other units, as the rotational inertia of thin beams is beside
/// gradients: a frame of them filled 20 times as much as promised, the more the longer it was. By their own measure they serve.
bool LeafFactors::find_pivots(const SparseRows& A, std::vector<int>& room) {
  const auto are_found = [&](Scales scales, double fill) { return search_pivots(A, room, scales, fill); };
  if (are_found(Scales::rows, tolerated_fill)) return true;
  const bool is_new = !pattern_->is_paired;
  if (is_new) arrange(A, room, true);
  return (is_new && are_found(Scales::rows, tolerated_fill)) || are_found(Scales::diagonals, tolerated_fill) ||
         are_found(Scales::rows, std::numeric_limits<double>::infinity());
}

/// Column by column, each with the columns of L that its own entries reach. False where there is no pivot, and where there are
/// more than `fill` times the entries that the order promised.
bool LeafFactors::search_pivots(const SparseRows& A, std::vector<int>& room, Scales scales, double fill) {
  Pattern& p = *pattern_;
  number(room);
  set_scales(A, room, scales);
  const auto expected = static_cast<std::size_t>(p.entries / 2);
  PivotSearch search(p.size(), expected);
  work_->assign(at(p.size()), 0.0);
  p.upper_starts.assign(1, 0);
  p.upper_starts.reserve(at(p.size()) + 1);
  p.upper_rows.clear();
  p.upper_rows.reserve(expected);
  const auto entries = [&] { return static_cast<double>(search.lower_rows.size() + p.upper_rows.size()); };
  int k = 0;
  const double most = std::min(fill * p.entries, static_cast<double>(std::numeric_limits<int>::max()));
  while (k < p.size() && entries() <= most && eliminate_anew(k, search, A, room)) ++k;
  leave(room);
  if (k < p.size()) return false;
  keep(search, A);
  return true;
}

/// Column `k`; of the boundary the pattern is wanted, no pivot. False: there is none.
bool LeafFactors::eliminate_anew(int k, PivotSearch& search, const SparseRows& A, const std::vector<int>& room) {
  Pattern& p = *pattern_;
  const int n = p.size(), column = p.column_at[at(k)];
  const bool is_interior = k < p.num_interior;
  search.rows.clear();
  A.for_values(p.unknown(column), [&](PetscInt unknown, double value) {
    const int row = room[static_cast<std::size_t>(unknown)];
    if (row < 0 || !(is_interior || row < p.num_interior)) return;
    search.rows.push_back(row);
    (*work_)[at(row)] = value * p.scale[at(row)];
  });
  const int top = search.reach(k);
  const auto first_upper = static_cast<std::ptrdiff_t>(p.upper_rows.size());
  double largest = 0;
  int pivot = -1;
  for (int t = top; t < n; ++t) {
    const int row = search.reached[at(t)], j = search.position[at(row)];
    if (j >= 0) {
      p.upper_rows.push_back(j);
      const double u = (*work_)[at(row)];
      if (is_interior)
        for (int s = search.lower_starts[at(j)]; s < search.lower_starts[at(j) + 1]; ++s)
          (*work_)[at(search.lower_rows[at(s)])] -= search.lower[at(s)] * u;
    } else if (row < p.num_interior && std::abs((*work_)[at(row)]) > largest) {
      largest = std::abs((*work_)[at(row)]);
      pivot = row;
    }
  }
  std::sort(p.upper_rows.begin() + first_upper, p.upper_rows.end());
  p.upper_starts.push_back(static_cast<int>(p.upper_rows.size()));
  if (is_interior && search.mark[at(column)] == k && search.position[at(column)] < 0 && (*work_)[at(column)] != 0 &&
      std::abs((*work_)[at(column)]) >= diagonal_preference * largest)
    pivot = column;
  if (is_interior && pivot >= 0) {
    const double value = (*work_)[at(pivot)];
    search.position[at(pivot)] = k;
    for (int t = top; t < n; ++t) {
      const int row = search.reached[at(t)];
      if (search.position[at(row)] >= 0) continue;
      search.lower_rows.push_back(row);
      search.lower.push_back((*work_)[at(row)] / value);
    }
    search.lower_starts.push_back(static_cast<int>(search.lower_rows.size()));
  }
  for (int t = top; t < n; ++t) (*work_)[at(search.reached[at(t)])] = 0;
  return !is_interior || pivot >= 0;
}

/// The pattern by positions, for those who come with other numbers.
void LeafFactors::keep(const PivotSearch& search, const SparseRows& A) {
  Pattern& p = *pattern_;
  std::vector<int> position = search.position;
  for (int l = p.num_interior; l < p.size(); ++l) position[at(l)] = l;
  std::vector<PowerOfTwo> scale(at(p.size()));
  for (int l = 0; l < p.size(); ++l) scale[at(position[at(l)])] = p.scale[at(l)];
  p.scale = std::move(scale);
  p.upper_rows.shrink_to_fit();
  p.upper_starts.shrink_to_fit();
  p.unknown_of_row.resize(at(p.num_interior));
  p.other_columns.resize(at(p.num_interior));
  for (int l = 0; l < p.num_interior; ++l) p.unknown_of_row[at(position[at(l)])] = p.unknown(l);
  for (int k = 0; k < p.num_interior; ++k) p.other_columns[at(k)] = p.unknown(p.column_at[at(k)]);
  if (p.other_columns == p.unknown_of_row) p.other_columns = std::vector<PetscInt>();
  p.column_at = std::vector<int>();
  p.interior = std::vector<PetscInt>();
  p.lower_starts = search.lower_starts;
  p.lower_rows.resize(search.lower_rows.size());
  for (int k = 0; k < p.num_interior; ++k) {
    const int first = p.lower_starts[at(k)], last = p.lower_starts[at(k) + 1];
    for (int s = first; s < last; ++s) p.lower_rows[at(s)] = position[at(search.lower_rows[at(s)])];
    std::sort(p.lower_rows.begin() + first, p.lower_rows.begin() + last);
  }
  find_joined();
  find_panels(A);
  find_companions();
}

void LeafFactors::find_joined() {
  Pattern& p = *pattern_;
  p.is_joined.assign(at(p.num_interior), 0);
  p.is_joined_upper.assign(at(p.num_interior), 0);
  for (int k = 0; k + 1 < p.num_interior; ++k) {
    const auto first = p.lower_rows.begin() + p.lower_starts[at(k)], end = p.lower_rows.begin() + p.lower_starts[at(k) + 1];
    const auto next_end = p.lower_rows.begin() + p.lower_starts[at(k) + 2];
    if (first != end && *first == k + 1 && std::equal(first + 1, end, end, next_end)) p.is_joined[at(k)] = 1;
    const auto upper = p.upper_rows.begin() + p.upper_starts[at(k)], next = p.upper_rows.begin() + p.upper_starts[at(k) + 1];
    const auto last = p.upper_rows.begin() + p.upper_starts[at(k) + 2];
    if (next != last && *(last - 1) == k && std::equal(upper, next, next, last - 1)) p.is_joined_upper[at(k) + 1] = 1;
  }
}

/// Columns of the interior that have the same rows in A^T, L and U, and those of the boundary that have the same in U.
void LeafFactors::find_panels(const SparseRows& A) {
  Pattern& p = *pattern_;
  const auto upper = [&p](int k) { return p.upper_rows.begin() + p.upper_starts[at(k)]; };
  const auto follows = [&](int k) {
    if (k > p.num_interior) return std::equal(upper(k - 1), upper(k), upper(k), upper(k + 1));
    return k < p.num_interior && p.is_joined[at(k - 1)] && p.is_joined_upper[at(k)] &&
           are_alike(A, p.unknown_of_column()[k], p.unknown_of_column()[k - 1]);
  };
  p.panel_width.assign(at(p.size()), 1);
  p.has_panels = false;
  for (int k = 0; k < p.size();) {
    int width = 1;
    while (width < ColumnPanel::most_columns && k + width < p.size() && follows(k + width)) ++width;
    if (width < ColumnPanel::least_columns) width = 1;
    p.panel_width[at(k)] = static_cast<char>(width);
    p.has_panels = p.has_panels || width > 1;
    k += width;
  }
}

/// By A^T = S^-1 L U, with S the scales of rows: U^T w = b, L^T y = w, x = S y.
template <class Sides>
void LeafFactors::forward(const Sides& b, typename Sides::Number* rest) {
  const Pattern& p = *pattern_;
  auto& room = of_kind<typename Sides::Number>(*work_, work_of_two_);
  room.resize(at(p.size()));
  auto* w = room.data();
  const PetscInt* const unknown_of_column = p.unknown_of_column();
  for (int k = 0; k < p.num_interior; ++k) w[k] = b[unknown_of_column[k]];
  const SparseColumns U = upper_columns();
  for (int k = 0; k < p.num_interior;) k += solve_joined_upper(U, inverse_pivots_.data(), w, k, p.num_interior - k);
  for (int k = p.num_interior; k < p.size(); k += p.panel_width[at(k)])
    multiply_alike(U, w, k, p.panel_width[at(k)], rest + (k - p.num_interior));
}

template <class Sides>
void LeafFactors::backward(const typename Sides::Number* x_boundary, const Sides& x) {
  const Pattern& p = *pattern_;
  auto* y = of_kind<typename Sides::Number>(*work_, work_of_two_).data();
  std::copy(x_boundary, x_boundary + boundary_size(), y + p.num_interior);
  const SparseColumns L = lower_columns();
  for (int k = p.num_interior - 1; k >= 0;) k -= solve_joined_lower(L, y, k);
  for (int k = 0; k < p.num_interior; ++k) x.set(p.unknown_of_row[at(k)], p.scale[at(k)] * y[k]);
}

template void LeafFactors::forward(const OneSide<const PetscScalar>&, double*);
template void LeafFactors::forward(const TwoSides<const PetscScalar>&, Two*);
template void LeafFactors::backward(const double*, const OneSide<PetscScalar>&);
template void LeafFactors::backward(const Two*, const TwoSides<PetscScalar>&);

}  // namespace sinew

#endif
