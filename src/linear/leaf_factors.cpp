#include "linear/leaf_factors.hpp"

#ifdef SINEW_HAVE_KLU  // what they need comes with it

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {

namespace {

/// A pivot on the diagonal is taken if it is no smaller than this part of the largest in its column.
constexpr double diagonal_preference = 1e-3;
/// Kept pivots are given up when the smallest one, relative to the largest, falls below this part of what a search gave.
constexpr double tolerated_drop = 1e-3;
/// Factors may have so many times the entries that their order promised: pivots off the diagonal, here and there, add to them.
constexpr double tolerated_fill = 2;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

/// Before the first order positions are local numbers.
LeafFactors::LeafFactors(const SparseRows& A, PetscInt num_dofs, Part part, std::vector<int>& local_of) {
  Pattern& p = *pattern_;
  p.num_interior = static_cast<int>(part.interior.size());
  p.unknowns = std::move(part.interior);
  p.shared = std::move(part.shared);
  p.unknowns.insert(p.unknowns.end(), part.boundary.begin(), part.boundary.end());
  const int n = p.size();
  p.unknowns.shrink_to_fit();
  p.is_dof.reserve(at(n));
  for (int l = 0; l < n; ++l) {
    local_of[static_cast<std::size_t>(p.unknowns[at(l)])] = l;
    p.is_dof.push_back(p.unknowns[at(l)] < num_dofs ? 1 : 0);
  }
  // Columns of A from its rows, whose pattern is the same: counted, then filled row by row.
  const auto for_entries = [&](const auto& visit) {
    for (int l = 0; l < n; ++l)
      for (PetscInt k = A.starts[p.unknowns[at(l)]]; k < A.starts[p.unknowns[at(l)] + 1]; ++k) {
        const int column = local_of[static_cast<std::size_t>(A.columns[k])];
        if (column >= 0 && (l < p.num_interior || column < p.num_interior)) visit(l, column, A.place(k));
      }
  };
  p.a_starts.assign(at(n) + 1, 0);
  for_entries([&](int, int column, PetscInt) { ++p.a_starts[at(column) + 1]; });
  std::partial_sum(p.a_starts.begin(), p.a_starts.end(), p.a_starts.begin());
  p.a_rows.resize(at(p.a_starts.back()));
  p.a_values.resize(p.a_rows.size());
  std::vector<int> next(p.a_starts.begin(), p.a_starts.end() - 1);
  for_entries([&](int row, int column, PetscInt k) {
    const int to = next[at(column)]++;
    p.a_rows[at(to)] = row;
    p.a_values[at(to)] = k;
  });
  for (const PetscInt unknown : p.unknowns) local_of[static_cast<std::size_t>(unknown)] = -1;
  p.row_at.resize(at(n));
  std::iota(p.row_at.begin(), p.row_at.end(), 0);
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

void LeafFactors::order(const MatrixValues& values) {
  if (!pattern_->is_ordered) arrange(values, false);
}

/// Brings the columns into an order of elimination, from local numbers or from another order; rows are in local numbers, until
/// pivots are sought. Lists are moved rather than copied: this is where a leaf needs most memory.
void LeafFactors::arrange(const MatrixValues& values, bool wants_pairs) {
  Pattern& p = own_pattern();
  const auto take_in_turn = [&p](const std::vector<int>& positions) {
    std::vector<int> starts{0}, rows;
    std::vector<PetscInt> of_entries;
    starts.reserve(p.a_starts.size());
    rows.reserve(p.a_rows.size());
    of_entries.reserve(p.a_values.size());
    for (const int k : positions) {
      const int first = p.a_starts[at(k)], last = p.a_starts[at(k) + 1];
      rows.insert(rows.end(), p.a_rows.begin() + first, p.a_rows.begin() + last);
      of_entries.insert(of_entries.end(), p.a_values.begin() + first, p.a_values.begin() + last);
      starts.push_back(static_cast<int>(rows.size()));
    }
    p.a_starts = std::move(starts);
    p.a_rows = std::move(rows);
    p.a_values = std::move(of_entries);
  };
  if (p.is_ordered) {
    std::vector<int> position(at(p.size()));  // of local columns
    for (int k = 0; k < p.size(); ++k) position[at(p.column_at[at(k)])] = k;
    take_in_turn(position);
  }
  LeafMatrix A{p.num_interior, p.is_dof, std::move(p.a_starts), std::move(p.a_rows)};
  LeafOrder chosen = order_leaf(
      A, [&](int k) { return std::abs(values[p.a_values[at(k)]]); }, wants_pairs);
  p.a_starts = std::move(A.starts);
  p.a_rows = std::move(A.rows);
  chosen.sequence.reserve(at(p.size()));
  for (int l = p.num_interior; l < p.size(); ++l) chosen.sequence.push_back(l);
  take_in_turn(chosen.sequence);
  p.column_at = std::move(chosen.sequence);
  p.is_ordered = true;
  p.operations = chosen.operations;
  p.entries = chosen.entries;
  p.is_paired = chosen.is_paired;
}

/// Of rows in local numbers, those of the interior: powers of two, which round nothing, near the largest entry.
void LeafFactors::set_scales(const MatrixValues& values) {
  Pattern& p = *pattern_;
  std::vector<double> largest(at(p.size()), 0.0);
  for (std::size_t k = 0; k < p.a_rows.size(); ++k)
    largest[at(p.a_rows[k])] = std::max(largest[at(p.a_rows[k])], std::abs(values[p.a_values[k]]));
  p.scale.resize(at(p.size()));
  for (int l = 0; l < p.size(); ++l) {
    int exponent = 0;
    if (l < p.num_interior && largest[at(l)] > 0) std::frexp(largest[at(l)], &exponent);
    // within what a float has
    p.scale[at(l)] = std::ldexp(
        1.0F, std::clamp(-exponent, std::numeric_limits<float>::min_exponent, std::numeric_limits<float>::max_exponent - 1));
  }
}

/// What is known while pivots are sought. Rows in local numbers.
struct LeafFactors::Search {
  /// `entries`: of L, as many as are expected.
  Search(int n, std::size_t entries) : position(at(n), -1), mark(at(n), -1), stack(at(n)), head(at(n)), reached(at(n)) {
    lower_starts.reserve(at(n) + 1);
    lower_rows.reserve(entries);
    lower.reserve(entries);
  }

  std::vector<int> position;  ///< of rows that have become pivots, -1: none yet
  std::vector<int> lower_starts{0}, lower_rows;
  std::vector<double> lower;
  std::vector<int> mark, stack, head, reached;

  /// Rows that a column reaches through those of L before it, in topological order: reached[top], ... (Gilbert and Peierls, SIAM
  /// J. Sci. Stat. Comput. 9, 1988).
  int reach(int k, const int* rows, int count) {
    int top = static_cast<int>(reached.size());
    for (int e = 0; e < count; ++e) {
      if (mark[at(rows[e])] == k) continue;
      mark[at(rows[e])] = k;
      int depth = 0;
      push(0, rows[e]);
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

void LeafFactors::recall_local_numbers() {
  Pattern& p = *pattern_;
  const auto end = p.unknowns.begin() + p.num_interior;
  const auto locals_of = [&](const std::vector<PetscInt>& unknowns) {
    std::vector<int> locals(at(p.size()));
    std::iota(locals.begin(), locals.end(), 0);
    for (std::size_t k = 0; k < unknowns.size(); ++k)
      locals[k] = static_cast<int>(std::lower_bound(p.unknowns.begin(), end, unknowns[k]) - p.unknowns.begin());
    return locals;
  };
  p.row_at = locals_of(p.unknown_of_row);
  p.column_at = locals_of(p.unknown_of_column);
}

/// Column by column, each with the columns of L that its own entries reach. Where pivots leave the diagonal and fill much more
/// than the order promised, it is given up for that of pairs.
bool LeafFactors::factorise(const MatrixValues& values) {
  order(values);
  Pattern& p = own_pattern();
  if (p.row_at.empty()) recall_local_numbers();
  for (int& row : p.a_rows) row = p.row_at[at(row)];  // back to local numbers
  std::iota(p.row_at.begin(), p.row_at.end(), 0);
  for (;;) {
    set_scales(values);
    const auto expected = static_cast<std::size_t>(p.entries / 2);
    auto search = std::make_unique<Search>(p.size(), expected);
    work_.assign(at(p.size()), 0.0);
    p.upper_starts.assign(1, 0);
    p.upper_starts.reserve(at(p.size()) + 1);
    p.upper_rows.clear();
    p.upper_rows.reserve(expected);
    const double most = p.is_paired ? std::numeric_limits<double>::infinity() : tolerated_fill * p.entries;
    const auto fill = [&] { return static_cast<double>(search->lower_rows.size() + p.upper_rows.size()); };
    int k = 0;
    while (k < p.size() && fill() <= most && eliminate_anew(k, *search, values)) ++k;
    if (k == p.size()) {
      keep(*search);
      search.reset();
      smallest_pivot_ = 0;
      return refactorise(values);
    }
    if (p.is_paired) return false;
    arrange(values, true);
  }
}

/// Column `k`; of the boundary the pattern is wanted, no pivot. False: there is none.
bool LeafFactors::eliminate_anew(int k, Search& search, const MatrixValues& values) {
  Pattern& p = *pattern_;
  const int n = p.size(), first = p.a_starts[at(k)], column = p.column_at[at(k)];
  const bool is_interior = k < p.num_interior;
  const int top = search.reach(k, p.a_rows.data() + first, p.a_starts[at(k) + 1] - first);
  for (int t = first; t < p.a_starts[at(k) + 1]; ++t)
    work_[at(p.a_rows[at(t)])] = values[p.a_values[at(t)]] * p.scale[at(p.a_rows[at(t)])];
  const auto first_upper = static_cast<std::ptrdiff_t>(p.upper_rows.size());
  double largest = 0;
  int pivot = -1;
  for (int t = top; t < n; ++t) {
    const int row = search.reached[at(t)], j = search.position[at(row)];
    if (j >= 0) {
      p.upper_rows.push_back(j);
      const double u = work_[at(row)];
      if (is_interior)
        for (int s = search.lower_starts[at(j)]; s < search.lower_starts[at(j) + 1]; ++s)
          work_[at(search.lower_rows[at(s)])] -= search.lower[at(s)] * u;
    } else if (row < p.num_interior && std::abs(work_[at(row)]) > largest) {
      largest = std::abs(work_[at(row)]);
      pivot = row;
    }
  }
  std::sort(p.upper_rows.begin() + first_upper, p.upper_rows.end());
  p.upper_starts.push_back(static_cast<int>(p.upper_rows.size()));
  if (is_interior && search.mark[at(column)] == k && search.position[at(column)] < 0 && work_[at(column)] != 0 &&
      std::abs(work_[at(column)]) >= diagonal_preference * largest)
    pivot = column;
  if (is_interior && pivot >= 0) {
    const double value = work_[at(pivot)];
    search.position[at(pivot)] = k;
    for (int t = top; t < n; ++t) {
      const int row = search.reached[at(t)];
      if (search.position[at(row)] >= 0) continue;
      search.lower_rows.push_back(row);
      search.lower.push_back(work_[at(row)] / value);
    }
    search.lower_starts.push_back(static_cast<int>(search.lower_rows.size()));
  }
  for (int t = top; t < n; ++t) work_[at(search.reached[at(t)])] = 0;
  return !is_interior || pivot >= 0;
}

/// The pattern by positions, for those who come with other numbers.
void LeafFactors::keep(const Search& search) {
  Pattern& p = *pattern_;
  std::vector<int> position = search.position;
  for (int l = p.num_interior; l < p.size(); ++l) position[at(l)] = l;
  std::vector<float> scale(at(p.size()));
  for (int l = 0; l < p.size(); ++l) {
    p.row_at[at(position[at(l)])] = l;
    scale[at(position[at(l)])] = p.scale[at(l)];
  }
  p.scale = std::move(scale);
  for (int& row : p.a_rows) row = position[at(row)];
  p.upper_rows.shrink_to_fit();
  p.upper_starts.shrink_to_fit();
  p.unknown_of_row.clear();
  p.unknown_of_column.clear();
  p.unknown_of_row.reserve(at(p.num_interior));
  p.unknown_of_column.reserve(at(p.num_interior));
  for (int k = 0; k < p.num_interior; ++k) {
    p.unknown_of_row.push_back(p.unknowns[at(p.row_at[at(k)])]);
    p.unknown_of_column.push_back(p.unknowns[at(p.column_at[at(k)])]);
  }
  p.row_at = std::vector<int>();
  p.column_at = std::vector<int>();
  p.lower_starts = search.lower_starts;
  p.lower_rows.resize(search.lower_rows.size());
  for (int k = 0; k < p.num_interior; ++k) {
    const int first = p.lower_starts[at(k)], last = p.lower_starts[at(k) + 1];
    for (int s = first; s < last; ++s) p.lower_rows[at(s)] = position[at(search.lower_rows[at(s)])];
    std::sort(p.lower_rows.begin() + first, p.lower_rows.begin() + last);
  }
  find_joined();
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
  p.is_mostly_joined = 2 * std::count(p.is_joined.begin(), p.is_joined.end(), 1) > p.num_interior;
}

SparseColumns LeafFactors::lower_columns() const {
  return {pattern_->lower_starts.data(), pattern_->lower_rows.data(), lower_.data(), pattern_->is_joined.data()};
}

SparseColumns LeafFactors::upper_columns() const {
  return {pattern_->upper_starts.data(), pattern_->upper_rows.data(), upper_.data(), pattern_->is_joined_upper.data()};
}

/// Column `k` of A into work_, less what the columns of L before it take away.
void LeafFactors::eliminate(int k, const MatrixValues& values) {
  const Pattern& p = *pattern_;
  double* work = work_.data();
  for (int t = p.a_starts[at(k)]; t < p.a_starts[at(k) + 1]; ++t) {
    const int row = p.a_rows[at(t)];
    work[row] = values[p.a_values[at(t)]] * p.scale[at(row)];
  }
  const SparseColumns L = lower_columns();
  const int end = p.upper_starts[at(k) + 1];
  for (int t = p.upper_starts[at(k)]; t < end;)
    t += take_joined_lower<true>(L, work, p.upper_rows[at(t)], end - t, upper_.data() + t);
}

bool LeafFactors::refactorise(const MatrixValues& values) {
  const Pattern& p = *pattern_;
  lower_.resize(p.lower_rows.size());
  upper_.resize(p.upper_rows.size());
  diagonal_.resize(at(p.num_interior));
  work_.assign(at(p.size()), 0.0);
  complement_.resize(at(boundary_size()) * at(boundary_size()));
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (int k = 0; k < p.num_interior; ++k) {
    eliminate(k, values);
    const double pivot = work_[at(k)];
    work_[at(k)] = 0;
    diagonal_[at(k)] = pivot;
    smallest = std::min(smallest, std::abs(pivot));
    largest = std::max(largest, std::abs(pivot));
    for (int s = p.lower_starts[at(k)]; s < p.lower_starts[at(k) + 1]; ++s) {
      double& entry = work_[static_cast<std::size_t>(p.lower_rows[at(s)])];
      lower_[at(s)] = entry / pivot;
      entry = 0;
    }
  }
  const auto count = static_cast<std::size_t>(boundary_size());
  for (std::size_t b = 0; b < count; ++b) {
    eliminate(p.num_interior + static_cast<int>(b), values);
    for (std::size_t i = 0; i < count; ++i) {
      double& entry = work_[at(p.num_interior) + i];
      complement_[b * count + i] = entry;
      entry = 0;
    }
  }
  for (const Shared& s : p.shared)
    complement_[static_cast<std::size_t>(s.column) * count + static_cast<std::size_t>(s.row)] += values[s.value];
  const double ratio = p.num_interior > 0 ? smallest / largest : 1;
  if (!(ratio >= tolerated_drop * smallest_pivot_) || ratio == 0) return false;
  if (smallest_pivot_ == 0) smallest_pivot_ = ratio;
  return true;
}

void LeafFactors::forward(const PetscScalar* b, double* rest) {
  const Pattern& p = *pattern_;
  double* y = work_.data();
  for (int k = 0; k < p.num_interior; ++k) y[k] = b[p.unknown_of_row[at(k)]] * p.scale[at(k)];
  std::fill(y + p.num_interior, y + p.unknowns.size(), 0.0);
  if (p.is_mostly_joined) {
    double pivots[most_joined];
    const SparseColumns L = lower_columns();
    for (int k = 0; k < p.num_interior;) k += take_joined_lower<false>(L, y, k, p.num_interior - k, pivots);
  } else {
    for (int k = 0; k < p.num_interior; ++k) {
      const double v = y[k];
      for (int s = p.lower_starts[at(k)]; s < p.lower_starts[at(k) + 1]; ++s) y[p.lower_rows[at(s)]] -= lower_[at(s)] * v;
    }
  }
  std::copy(y + p.num_interior, y + p.unknowns.size(), rest);
}

void LeafFactors::backward(const double* x_boundary, PetscScalar* x) {
  const Pattern& p = *pattern_;
  double* y = work_.data();
  const auto take = [&](int k, double v) {
    for (int s = p.upper_starts[at(k)]; s < p.upper_starts[at(k) + 1]; ++s) y[p.upper_rows[at(s)]] -= upper_[at(s)] * v;
  };
  for (int b = 0; b < boundary_size(); ++b) take(p.num_interior + b, x_boundary[b]);
  const SparseColumns U = upper_columns();
  for (int k = p.num_interior - 1; k >= 0 && p.is_mostly_joined;) {
    const int next = k - take_joined_upper(U, diagonal_.data(), y, k);
    for (; k > next; --k) x[p.unknown_of_column[at(k)]] = y[k];
  }
  for (int k = p.num_interior - 1; k >= 0 && !p.is_mostly_joined; --k) {
    const double v = y[k] / diagonal_[at(k)];
    x[p.unknown_of_column[at(k)]] = v;
    take(k, v);
  }
}

}  // namespace sinew

#endif
