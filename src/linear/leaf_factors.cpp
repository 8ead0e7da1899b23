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

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

/// Before the first order positions are local numbers.
LeafFactors::LeafFactors(const SparseRows& A, PetscInt num_dofs, Part part, std::vector<int>& local_of)
    : num_interior_(static_cast<int>(part.interior.size())),
      unknowns_(std::move(part.interior)),
      shared_(std::move(part.shared)) {
  unknowns_.insert(unknowns_.end(), part.boundary.begin(), part.boundary.end());
  const int n = size();
  for (int l = 0; l < n; ++l) {
    local_of[static_cast<std::size_t>(unknowns_[at(l)])] = l;
    is_dof_.push_back(unknowns_[at(l)] < num_dofs ? 1 : 0);
  }
  // Columns of A from its rows, whose pattern is the same: counted, then filled row by row.
  const auto for_entries = [&](const auto& visit) {
    for (int l = 0; l < n; ++l)
      for (PetscInt k = A.starts[unknowns_[at(l)]]; k < A.starts[unknowns_[at(l)] + 1]; ++k) {
        const int column = local_of[static_cast<std::size_t>(A.columns[k])];
        if (column >= 0 && (l < num_interior_ || column < num_interior_)) visit(l, column, A.place(k));
      }
  };
  a_starts_.assign(at(n) + 1, 0);
  for_entries([&](int, int column, PetscInt) { ++a_starts_[at(column) + 1]; });
  std::partial_sum(a_starts_.begin(), a_starts_.end(), a_starts_.begin());
  a_rows_.resize(at(a_starts_.back()));
  a_values_.resize(a_rows_.size());
  std::vector<int> next(a_starts_.begin(), a_starts_.end() - 1);
  for_entries([&](int row, int column, PetscInt k) {
    const int to = next[at(column)]++;
    a_rows_[at(to)] = row;
    a_values_[at(to)] = k;
  });
  for (const PetscInt unknown : unknowns_) local_of[static_cast<std::size_t>(unknown)] = -1;
  row_at_.resize(at(n));
  std::iota(row_at_.begin(), row_at_.end(), 0);
  work_.assign(at(n), 0.0);
  solution_.assign(at(n), 0.0);
  complement_.assign(part.boundary.size() * part.boundary.size(), 0.0);
}

/// Brings the columns into the order of elimination; rows stay where they are until pivots are sought.
void LeafFactors::order(const MatrixValues& values) {
  if (!column_at_.empty()) return;
  LeafMatrix A{num_interior_, is_dof_, a_starts_, a_rows_};
  std::vector<double> sizes(a_values_.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k] = std::abs(values[a_values_[k]]);
  LeafOrder chosen = order_leaf(A, sizes);
  operations_ = chosen.operations;
  column_at_ = std::move(chosen.sequence);
  for (int l = num_interior_; l < size(); ++l) column_at_.push_back(l);
  std::vector<PetscInt> of_entries;
  of_entries.reserve(a_values_.size());
  a_starts_.assign(1, 0);
  a_rows_.clear();
  for (const int column : column_at_) {
    for (int k = A.starts[at(column)]; k < A.starts[at(column) + 1]; ++k) {
      a_rows_.push_back(A.rows[at(k)]);
      of_entries.push_back(a_values_[at(k)]);
    }
    a_starts_.push_back(static_cast<int>(a_rows_.size()));
  }
  a_values_ = std::move(of_entries);
}

/// Of rows in local numbers, those of the interior: powers of two, which round nothing, near the largest entry.
void LeafFactors::set_scales(const MatrixValues& values) {
  scale_.assign(at(size()), 0.0);
  for (std::size_t k = 0; k < a_rows_.size(); ++k)
    scale_[at(a_rows_[k])] = std::max(scale_[at(a_rows_[k])], std::abs(values[a_values_[k]]));
  for (int l = 0; l < size(); ++l) {
    int exponent = 0;
    if (l < num_interior_ && scale_[at(l)] > 0) std::frexp(scale_[at(l)], &exponent);
    scale_[at(l)] = std::ldexp(1.0, -exponent);
  }
}

/// What is known while pivots are sought. Rows in local numbers.
struct LeafFactors::Search {
  explicit Search(int n) : position(at(n), -1), mark(at(n), -1), stack(at(n)), head(at(n)), reached(at(n)) {}

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

/// Column by column, each with the columns of L that its own entries reach.
bool LeafFactors::factorise(const MatrixValues& values) {
  order(values);
  for (int& row : a_rows_) row = row_at_[at(row)];  // back to local numbers
  std::iota(row_at_.begin(), row_at_.end(), 0);
  set_scales(values);
  Search search(size());
  upper_starts_.assign(1, 0);
  upper_rows_.clear();
  for (int k = 0; k < size(); ++k)
    if (!eliminate_anew(k, search, values)) return false;
  keep(search);
  smallest_pivot_ = 0;
  return refactorise(values);
}

/// Column `k`; of the boundary the pattern is wanted, no pivot. False: there is none.
bool LeafFactors::eliminate_anew(int k, Search& search, const MatrixValues& values) {
  const int n = size(), first = a_starts_[at(k)], column = column_at_[at(k)];
  const bool is_interior = k < num_interior_;
  const int top = search.reach(k, a_rows_.data() + first, a_starts_[at(k) + 1] - first);
  for (int t = first; t < a_starts_[at(k) + 1]; ++t)
    work_[at(a_rows_[at(t)])] = values[a_values_[at(t)]] * scale_[at(a_rows_[at(t)])];
  const auto first_upper = static_cast<std::ptrdiff_t>(upper_rows_.size());
  double largest = 0;
  int pivot = -1;
  for (int t = top; t < n; ++t) {
    const int row = search.reached[at(t)], p = search.position[at(row)];
    if (p >= 0) {
      upper_rows_.push_back(p);
      const double u = work_[at(row)];
      if (is_interior)
        for (int s = search.lower_starts[at(p)]; s < search.lower_starts[at(p) + 1]; ++s)
          work_[at(search.lower_rows[at(s)])] -= search.lower[at(s)] * u;
    } else if (row < num_interior_ && std::abs(work_[at(row)]) > largest) {
      largest = std::abs(work_[at(row)]);
      pivot = row;
    }
  }
  std::sort(upper_rows_.begin() + first_upper, upper_rows_.end());
  upper_starts_.push_back(static_cast<int>(upper_rows_.size()));
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
  std::vector<int> position = search.position;
  for (int l = num_interior_; l < size(); ++l) position[at(l)] = l;
  std::vector<double> scale(at(size()));
  for (int l = 0; l < size(); ++l) {
    row_at_[at(position[at(l)])] = l;
    scale[at(position[at(l)])] = scale_[at(l)];
  }
  scale_ = std::move(scale);
  for (int& row : a_rows_) row = position[at(row)];
  unknown_of_row_.clear();
  unknown_of_column_.clear();
  for (int p = 0; p < num_interior_; ++p) {
    unknown_of_row_.push_back(unknowns_[at(row_at_[at(p)])]);
    unknown_of_column_.push_back(unknowns_[at(column_at_[at(p)])]);
  }
  lower_starts_ = search.lower_starts;
  lower_rows_.resize(search.lower_rows.size());
  for (int k = 0; k < num_interior_; ++k) {
    const int first = lower_starts_[at(k)], last = lower_starts_[at(k) + 1];
    for (int s = first; s < last; ++s) lower_rows_[at(s)] = position[at(search.lower_rows[at(s)])];
    std::sort(lower_rows_.begin() + first, lower_rows_.begin() + last);
  }
  lower_.resize(lower_rows_.size());
  upper_.resize(upper_rows_.size());
  diagonal_.resize(at(num_interior_));
}

/// Column `k` of A into work_, less what the columns of L before it take away.
void LeafFactors::eliminate(int k, const MatrixValues& values) {
  double* work = work_.data();
  const int* rows = lower_rows_.data();
  const double* lower = lower_.data();
  for (int t = a_starts_[at(k)]; t < a_starts_[at(k) + 1]; ++t) {
    const int row = a_rows_[at(t)];
    work[row] = values[a_values_[at(t)]] * scale_[at(row)];
  }
  for (int t = upper_starts_[at(k)]; t < upper_starts_[at(k) + 1]; ++t) {
    const int j = upper_rows_[at(t)];
    const double u = work[j];
    work[j] = 0;
    upper_[at(t)] = u;
    const int end = lower_starts_[at(j) + 1];
    for (int s = lower_starts_[at(j)]; s < end; ++s) work[rows[s]] -= lower[s] * u;
  }
}

bool LeafFactors::refactorise(const MatrixValues& values) {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (int k = 0; k < num_interior_; ++k) {
    eliminate(k, values);
    const double pivot = work_[at(k)];
    work_[at(k)] = 0;
    diagonal_[at(k)] = pivot;
    smallest = std::min(smallest, std::abs(pivot));
    largest = std::max(largest, std::abs(pivot));
    for (int s = lower_starts_[at(k)]; s < lower_starts_[at(k) + 1]; ++s) {
      double& entry = work_[static_cast<std::size_t>(lower_rows_[at(s)])];
      lower_[at(s)] = entry / pivot;
      entry = 0;
    }
  }
  const auto count = static_cast<std::size_t>(boundary_size());
  for (std::size_t b = 0; b < count; ++b) {
    eliminate(num_interior_ + static_cast<int>(b), values);
    for (std::size_t i = 0; i < count; ++i) {
      double& entry = work_[at(num_interior_) + i];
      complement_[b * count + i] = entry;
      entry = 0;
    }
  }
  for (const Shared& s : shared_)
    complement_[static_cast<std::size_t>(s.column) * count + static_cast<std::size_t>(s.row)] += values[s.value];
  const double ratio = num_interior_ > 0 ? smallest / largest : 1;
  if (!(ratio >= tolerated_drop * smallest_pivot_) || ratio == 0) return false;
  if (smallest_pivot_ == 0) smallest_pivot_ = ratio;
  return true;
}

void LeafFactors::forward(const PetscScalar* b, double* rest) {
  double* y = solution_.data();
  for (int p = 0; p < num_interior_; ++p) y[p] = b[unknown_of_row_[at(p)]] * scale_[at(p)];
  std::fill(y + num_interior_, y + unknowns_.size(), 0.0);
  for (int k = 0; k < num_interior_; ++k) {
    const double v = y[k];
    for (int s = lower_starts_[at(k)]; s < lower_starts_[at(k) + 1]; ++s) y[lower_rows_[at(s)]] -= lower_[at(s)] * v;
  }
  std::copy(y + num_interior_, y + unknowns_.size(), rest);
}

void LeafFactors::backward(const double* x_boundary, PetscScalar* x) {
  double* y = solution_.data();
  const auto take = [&](int k, double v) {
    for (int s = upper_starts_[at(k)]; s < upper_starts_[at(k) + 1]; ++s) y[upper_rows_[at(s)]] -= upper_[at(s)] * v;
  };
  for (int b = 0; b < boundary_size(); ++b) take(num_interior_ + b, x_boundary[b]);
  for (int k = num_interior_ - 1; k >= 0; --k) {
    const double v = y[k] / diagonal_[at(k)];
    x[unknown_of_column_[at(k)]] = v;
    take(k, v);
  }
}

}  // namespace sinew

#endif
