#include "linear/leaf_factors.hpp"

#ifdef SINEW_HAVE_KLU  // what they need comes with it

#include <camd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace sinew {

namespace {

/// A pivot on the diagonal is taken if it is no smaller than this part of the largest in its column.
constexpr double diagonal_preference = 1e-3;
/// Kept pivots are given up when the smallest one, relative to the largest, falls below this part of what a search gave.
constexpr double tolerated_drop = 1e-3;

}  // namespace

LeafFactors::LeafFactors(const MatrixRows& A, PetscInt num_dofs, std::vector<PetscInt> interior,
                         const std::vector<PetscInt>& boundary, std::vector<Shared> shared)
    : num_interior_(static_cast<int>(interior.size())),
      unknowns_(std::move(interior)),
      shared_(std::move(shared)),
      num_dofs_(num_dofs) {
  unknowns_.insert(unknowns_.end(), boundary.begin(), boundary.end());
  std::unordered_map<PetscInt, int> local;
  for (std::size_t l = 0; l < unknowns_.size(); ++l) local.emplace(unknowns_[l], static_cast<int>(l));
  columns_.resize(unknowns_.size());
  for (std::size_t l = 0; l < unknowns_.size(); ++l) {
    for (PetscInt k = A.starts[unknowns_[l]]; k < A.starts[unknowns_[l] + 1]; ++k) {
      const auto found = local.find(A.columns[k]);
      if (found == local.end()) continue;
      if (static_cast<int>(l) >= num_interior_ && found->second >= num_interior_) continue;  // A_BB
      columns_[static_cast<std::size_t>(found->second)].push_back({static_cast<int>(l), k});
    }
  }
  work_.assign(unknowns_.size(), 0.0);
  solution_.assign(unknowns_.size(), 0.0);
  complement_.assign(boundary.size() * boundary.size(), 0.0);
}

/// Every row of constraints forms a pair with a dof, that of its largest entry which no row has yet: eliminated together, dof
/// first, they need no pivots elsewhere. Approximate minimum degree of the pairs, the boundary last.
void LeafFactors::order(const PetscScalar* values) {
  const auto n = static_cast<int>(unknowns_.size());
  std::vector<int> group(static_cast<std::size_t>(n), -1);
  std::vector<std::vector<int>> members;
  for (int l = 0; l < num_interior_; ++l) {
    if (unknowns_[static_cast<std::size_t>(l)] >= num_dofs_) continue;
    group[static_cast<std::size_t>(l)] = static_cast<int>(members.size());
    members.push_back({l});
  }
  for (int l = 0; l < num_interior_; ++l) {
    if (unknowns_[static_cast<std::size_t>(l)] < num_dofs_) continue;
    int partner = -1;
    double largest = 0;
    for (const Entry& e : columns_[static_cast<std::size_t>(l)]) {
      if (e.row >= num_interior_ || unknowns_[static_cast<std::size_t>(e.row)] >= num_dofs_) continue;
      const int g = group[static_cast<std::size_t>(e.row)];
      const double size = std::abs(values[e.value]);
      if (members[static_cast<std::size_t>(g)].size() > 1 || !(size > largest)) continue;
      largest = size;
      partner = g;
    }
    if (partner < 0) {
      partner = static_cast<int>(members.size());
      members.emplace_back();
    }
    group[static_cast<std::size_t>(l)] = partner;
    members[static_cast<std::size_t>(partner)].push_back(l);
  }
  for (int l = num_interior_; l < n; ++l) {
    group[static_cast<std::size_t>(l)] = static_cast<int>(members.size());
    members.push_back({l});
  }
  const auto num_groups = static_cast<int>(members.size());
  std::vector<int> starts{0}, ends, is_last(static_cast<std::size_t>(num_groups), 0),
      seen(static_cast<std::size_t>(num_groups), -1), sequence(static_cast<std::size_t>(num_groups));
  for (int g = 0; g < num_groups; ++g) {
    if (members[static_cast<std::size_t>(g)].front() >= num_interior_) is_last[static_cast<std::size_t>(g)] = 1;
    seen[static_cast<std::size_t>(g)] = g;
    for (const int l : members[static_cast<std::size_t>(g)])
      for (const Entry& e : columns_[static_cast<std::size_t>(l)]) {
        const int other = group[static_cast<std::size_t>(e.row)];
        if (seen[static_cast<std::size_t>(other)] == g) continue;
        seen[static_cast<std::size_t>(other)] = g;
        ends.push_back(other);
      }
    std::sort(ends.begin() + starts.back(), ends.end());
    starts.push_back(static_cast<int>(ends.size()));
  }
  if (camd_order(num_groups, starts.data(), ends.data(), sequence.data(), nullptr, nullptr, is_last.data()) < CAMD_OK)
    throw SolveError("CAMD cannot order the unknowns of a leaf");
  column_order_.clear();
  for (const int g : sequence)
    for (const int l : members[static_cast<std::size_t>(g)])
      if (l < num_interior_) column_order_.push_back(l);
}

/// Column by column, each with the columns of L that its own entries reach (Gilbert and Peierls, 1988).
bool LeafFactors::factorise(const PetscScalar* values) {
  if (column_order_.empty()) order(values);
  const auto n = static_cast<int>(unknowns_.size());
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<double> scale(at(n), 0.0);
  for (const std::vector<Entry>& column : columns_)
    for (const Entry& e : column) scale[at(e.row)] = std::max(scale[at(e.row)], std::abs(values[e.value]));
  for (int l = 0; l < n; ++l) {
    int exponent = 0;
    if (l < num_interior_ && scale[at(l)] > 0) std::frexp(scale[at(l)], &exponent);
    scale[at(l)] = std::ldexp(1.0, -exponent);  // powers of two: no rounding
  }
  position_.assign(at(n), -1);
  std::vector<std::vector<int>> lower_rows(at(num_interior_));
  std::vector<std::vector<double>> lower(at(num_interior_));
  std::vector<int> mark(at(n), -1), stack(at(n)), head(at(n)), reached(at(n));
  upper_starts_.assign(1, 0);
  upper_rows_.clear();
  for (int k = 0; k < n; ++k) {
    const int column = k < num_interior_ ? column_order_[at(k)] : k;
    int top = n;
    for (const Entry& e : columns_[at(column)]) {
      if (mark[at(e.row)] == k) continue;
      mark[at(e.row)] = k;
      int depth = 0;
      stack[0] = e.row;
      head[0] = 0;
      while (depth >= 0) {
        const int row = stack[at(depth)], p = row < num_interior_ ? position_[at(row)] : -1;
        bool goes_down = false;
        while (p >= 0 && head[at(depth)] < static_cast<int>(lower_rows[at(p)].size())) {
          const int next = lower_rows[at(p)][at(head[at(depth)]++)];
          if (mark[at(next)] == k) continue;
          mark[at(next)] = k;
          ++depth;
          stack[at(depth)] = next;
          head[at(depth)] = 0;
          goes_down = true;
          break;
        }
        if (goes_down) continue;
        reached[at(--top)] = row;
        --depth;
      }
    }
    for (const Entry& e : columns_[at(column)]) work_[at(e.row)] = values[e.value] * scale[at(e.row)];
    const auto first_upper = static_cast<std::ptrdiff_t>(upper_rows_.size());
    double largest = 0;
    int pivot = -1;
    for (int t = top; t < n; ++t) {
      const int row = reached[at(t)], p = row < num_interior_ ? position_[at(row)] : -1;
      if (p < 0) {
        if (row < num_interior_ && std::abs(work_[at(row)]) > largest) {
          largest = std::abs(work_[at(row)]);
          pivot = row;
        }
        continue;
      }
      upper_rows_.push_back(p);
      if (k >= num_interior_) continue;  // of the boundary the pattern is wanted, no pivot
      const double u = work_[at(row)];
      for (std::size_t s = 0; s < lower_rows[at(p)].size(); ++s) work_[at(lower_rows[at(p)][s])] -= lower[at(p)][s] * u;
    }
    std::sort(upper_rows_.begin() + first_upper, upper_rows_.end());
    upper_starts_.push_back(static_cast<int>(upper_rows_.size()));
    if (k < num_interior_) {
      if (mark[at(column)] == k && position_[at(column)] < 0 && std::abs(work_[at(column)]) >= diagonal_preference * largest &&
          work_[at(column)] != 0)
        pivot = column;
      if (pivot >= 0) {
        const double value = work_[at(pivot)];
        position_[at(pivot)] = k;
        for (int t = top; t < n; ++t) {
          const int row = reached[at(t)];
          if (row < num_interior_ && position_[at(row)] >= 0) continue;
          lower_rows[at(k)].push_back(row);
          lower[at(k)].push_back(work_[at(row)] / value);
        }
      }
    }
    for (int t = top; t < n; ++t) work_[at(reached[at(t)])] = 0;
    if (k < num_interior_ && pivot < 0) return false;
  }
  for (int l = num_interior_; l < n; ++l) position_[at(l)] = l;
  scale_.resize(at(n));
  for (int l = 0; l < n; ++l) scale_[at(position_[at(l)])] = scale[at(l)];
  keep(lower_rows);
  smallest_pivot_ = 0;
  return refactorise(values);
}

/// The pattern by positions, for those who come with other numbers.
void LeafFactors::keep(const std::vector<std::vector<int>>& lower_rows) {
  lower_starts_.assign(1, 0);
  lower_rows_.clear();
  for (const std::vector<int>& rows : lower_rows) {
    const auto first = static_cast<std::ptrdiff_t>(lower_rows_.size());
    for (const int row : rows) lower_rows_.push_back(position_[static_cast<std::size_t>(row)]);
    std::sort(lower_rows_.begin() + first, lower_rows_.end());
    lower_starts_.push_back(static_cast<int>(lower_rows_.size()));
  }
  a_starts_.assign(1, 0);
  a_rows_.clear();
  a_values_.clear();
  for (std::size_t k = 0; k < unknowns_.size(); ++k) {
    const std::size_t column = k < column_order_.size() ? static_cast<std::size_t>(column_order_[k]) : k;
    for (const Entry& e : columns_[column]) {
      a_rows_.push_back(position_[static_cast<std::size_t>(e.row)]);
      a_values_.push_back(e.value);
    }
    a_starts_.push_back(static_cast<int>(a_rows_.size()));
  }
  lower_.resize(lower_rows_.size());
  upper_.resize(upper_rows_.size());
  diagonal_.resize(static_cast<std::size_t>(num_interior_));
}

/// Column `k` of A into work_, less what the columns of L before it take away.
void LeafFactors::eliminate(int k, const PetscScalar* values) {
  double* work = work_.data();
  const int* rows = lower_rows_.data();
  const double* lower = lower_.data();
  for (int t = a_starts_[static_cast<std::size_t>(k)]; t < a_starts_[static_cast<std::size_t>(k) + 1]; ++t) {
    const int row = a_rows_[static_cast<std::size_t>(t)];
    work[row] = values[a_values_[static_cast<std::size_t>(t)]] * scale_[static_cast<std::size_t>(row)];
  }
  for (int t = upper_starts_[static_cast<std::size_t>(k)]; t < upper_starts_[static_cast<std::size_t>(k) + 1]; ++t) {
    const int j = upper_rows_[static_cast<std::size_t>(t)];
    const double u = work[j];
    work[j] = 0;
    upper_[static_cast<std::size_t>(t)] = u;
    const int end = lower_starts_[static_cast<std::size_t>(j) + 1];
    for (int s = lower_starts_[static_cast<std::size_t>(j)]; s < end; ++s) work[rows[s]] -= lower[s] * u;
  }
}

bool LeafFactors::refactorise(const PetscScalar* values) {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (int k = 0; k < num_interior_; ++k) {
    eliminate(k, values);
    const double pivot = work_[static_cast<std::size_t>(k)];
    work_[static_cast<std::size_t>(k)] = 0;
    diagonal_[static_cast<std::size_t>(k)] = pivot;
    smallest = std::min(smallest, std::abs(pivot));
    largest = std::max(largest, std::abs(pivot));
    for (int s = lower_starts_[static_cast<std::size_t>(k)]; s < lower_starts_[static_cast<std::size_t>(k) + 1]; ++s) {
      double& entry = work_[static_cast<std::size_t>(lower_rows_[static_cast<std::size_t>(s)])];
      lower_[static_cast<std::size_t>(s)] = entry / pivot;
      entry = 0;
    }
  }
  const auto count = static_cast<std::size_t>(boundary_size());
  for (std::size_t b = 0; b < count; ++b) {
    eliminate(num_interior_ + static_cast<int>(b), values);
    for (std::size_t i = 0; i < count; ++i) {
      double& entry = work_[static_cast<std::size_t>(num_interior_) + i];
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
  for (int l = 0; l < num_interior_; ++l) {
    const auto p = static_cast<std::size_t>(position_[static_cast<std::size_t>(l)]);
    y[p] = b[unknowns_[static_cast<std::size_t>(l)]] * scale_[p];
  }
  std::fill(y + num_interior_, y + unknowns_.size(), 0.0);
  for (int k = 0; k < num_interior_; ++k) {
    const double v = y[k];
    for (int s = lower_starts_[static_cast<std::size_t>(k)]; s < lower_starts_[static_cast<std::size_t>(k) + 1]; ++s)
      y[lower_rows_[static_cast<std::size_t>(s)]] -= lower_[static_cast<std::size_t>(s)] * v;
  }
  std::copy(y + num_interior_, y + unknowns_.size(), rest);
}

void LeafFactors::backward(const double* x_boundary, PetscScalar* x) {
  double* y = solution_.data();
  const auto take = [&](int k, double v) {
    for (int s = upper_starts_[static_cast<std::size_t>(k)]; s < upper_starts_[static_cast<std::size_t>(k) + 1]; ++s)
      y[upper_rows_[static_cast<std::size_t>(s)]] -= upper_[static_cast<std::size_t>(s)] * v;
  };
  for (int b = 0; b < boundary_size(); ++b) take(num_interior_ + b, x_boundary[b]);
  for (int k = num_interior_ - 1; k >= 0; --k) {
    const double v = y[k] / diagonal_[static_cast<std::size_t>(k)];
    x[unknowns_[static_cast<std::size_t>(column_order_[static_cast<std::size_t>(k)])]] = v;
    take(k, v);
  }
}

}  // namespace sinew

#endif
