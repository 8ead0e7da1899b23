#include "linear/row_places.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// A row is independent of others if this part of it, at least, is orthogonal to them: bars turn while a model moves, and what is
/// nearly dependent now may be so altogether then.
constexpr double independent_part = 0.3;

/// G D^-1 G^T of rows that a subtree has begun, less what rows say that have all their dofs in it.
struct RowFront {
  std::vector<int> rows;    ///< rising
  std::vector<double> sum;  ///< square
  double& operator()(std::size_t i, std::size_t j) { return sum[i * rows.size() + j]; }
};

class RowPlaces {
 public:
  RowPlaces(const SparseRows& A, const PlacedDofs& dofs) : A_(A), dofs_(dofs), node_(at(A.n), 0) {
    low_.assign(at(A.n), 0);
    high_.assign(at(A.n), 0);
    bool may_differ = false;
    for (PetscInt r = dofs.count; r < A.n; ++r) may_differ = find_range(r) || may_differ;
    if (may_differ)
      place_from_below();
    else
      node_ = high_;
  }
  std::vector<int> take() { return std::move(node_); }

 private:
  bool is_kept(PetscInt row) const { return dofs_.node[at(row)] < 0; }

  /// Whether a row has a choice.
  bool find_range(PetscInt r) {
    if (is_kept(r)) return false;
    int low = 0, high = 0;
    A_.for_columns(r, [&](PetscInt j) {
      const int t = j < dofs_.count ? dofs_.node[at(j)] : 0;
      if (t <= 0) return;
      low = std::max(low, t);
      high = high == 0 ? t : common_node(high, t);
    });
    // where lowest dofs are in different subtrees, where these meet
    A_.for_columns(r, [&](PetscInt j) {
      const int t = j < dofs_.count ? dofs_.node[at(j)] : 0;
      if (t > 0 && !is_below_or_at(low, t)) low = common_node(low, t);
    });
    low_[at(r)] = std::max(low, 1);
    high_[at(r)] = std::max(high, 1);
    return low_[at(r)] != high_[at(r)];
  }

  void place_from_below() {
    const auto nodes = static_cast<std::size_t>(2 * dofs_.leaves);
    std::vector<std::vector<int>> dofs_at(nodes);
    for (PetscInt i = 0; i < dofs_.count; ++i)
      if (dofs_.node[at(i)] > 0) dofs_at[at(dofs_.node[at(i)])].push_back(static_cast<int>(i));
    size_.assign(at(A_.n), 0.0);
    for (PetscInt i = 0; i < dofs_.count; ++i) for_rows(static_cast<int>(i), [&](int r, double a) { size_[at(r)] += a * a; });
    local_.assign(at(A_.n), -1);
    std::vector<RowFront> fronts(nodes);
    const RowFront none;
    for (std::size_t t = nodes - 1; t >= 2; --t) {
      const bool is_leaf = t >= nodes / 2;
      fronts[t] = assemble(dofs_at[t], is_leaf ? none : fronts[2 * t], is_leaf ? none : fronts[2 * t + 1]);
      eliminate_whole(static_cast<int>(t), fronts[t]);
    }
    node_ = high_;
    for (std::size_t t = 2; t < nodes; ++t) {
      choose(static_cast<int>(t), fronts[t]);
      fronts[t] = RowFront();
    }
  }

  /// use(row, its entry over the root of the dof's diagonal entry) for the rows of a dof that are not kept.
  template <class Use>
  void for_rows(int dof, const Use& use) const {
    double diagonal = 0;
    A_.for_values(dof, [&](PetscInt j, PetscScalar a) { diagonal += j == dof ? std::abs(a) : 0.0; });
    const double scale = diagonal > 0 ? 1 / std::sqrt(diagonal) : 1.0;
    A_.for_values(dof, [&](PetscInt j, PetscScalar a) {
      if (j >= dofs_.count && !is_kept(j)) use(static_cast<int>(j), a * scale);
    });
  }

  RowFront assemble(const std::vector<int>& dofs, const RowFront& left, const RowFront& right) {
    RowFront front;
    front.rows = left.rows;
    front.rows.insert(front.rows.end(), right.rows.begin(), right.rows.end());
    for (const int i : dofs) for_rows(i, [&](int r, double) { front.rows.push_back(r); });
    std::sort(front.rows.begin(), front.rows.end());
    front.rows.erase(std::unique(front.rows.begin(), front.rows.end()), front.rows.end());
    front.sum.assign(front.rows.size() * front.rows.size(), 0.0);
    for (std::size_t k = 0; k < front.rows.size(); ++k) local_[at(front.rows[k])] = static_cast<int>(k);
    for (const RowFront* child : {&left, &right})
      for (std::size_t i = 0; i < child->rows.size(); ++i)
        for (std::size_t j = 0; j < child->rows.size(); ++j)
          front(at(local_[at(child->rows[i])]), at(local_[at(child->rows[j])])) += child->sum[i * child->rows.size() + j];
    std::vector<std::pair<int, double>> entries;
    for (const int i : dofs) {
      entries.clear();
      for_rows(i, [&](int r, double a) { entries.emplace_back(local_[at(r)], a); });
      for (const auto& [a, of_a] : entries)
        for (const auto& [b, of_b] : entries) front(at(a), at(b)) += of_a * of_b;
    }
    return front;
  }

  /// Of a row, what is left of its square.
  double part(std::size_t k, RowFront& front) const {
    const double size = size_[at(front.rows[k])];
    return size > 0 ? front(k, k) / size : 0.0;
  }
  bool is_independent(std::size_t k, RowFront& front) const { return part(k, front) > independent_part * independent_part; }

  static void take(std::size_t k, std::vector<char>& is_done, RowFront& front) {
    const std::size_t count = front.rows.size();
    is_done[k] = 1;
    const double* of_k = front.sum.data() + k * count;
    for (std::size_t i = 0; i < count; ++i) {
      const double factor = is_done[i] ? 0.0 : of_k[i] / of_k[k];
      if (factor == 0) continue;
      double* of_i = front.sum.data() + i * count;
      for (std::size_t j = 0; j < count; ++j) of_i[j] -= factor * of_k[j];
    }
  }

  /// Rows that have no dofs above t go.
  void eliminate_whole(int t, RowFront& front) {
    std::vector<char> is_done(front.rows.size(), 0);
    for (std::size_t k = 0; k < front.rows.size(); ++k) {
      if (high_[at(front.rows[k])] != t) continue;
      if (is_independent(k, front)) take(k, is_done, front);
      is_done[k] = 1;  // or others say it already
    }
    RowFront rest;
    std::vector<std::size_t> left;
    for (std::size_t k = 0; k < front.rows.size(); ++k)
      if (!is_done[k]) left.push_back(k);
    rest.sum.reserve(left.size() * left.size());
    for (const std::size_t i : left) {
      rest.rows.push_back(front.rows[i]);
      for (const std::size_t j : left) rest.sum.push_back(front(i, j));
    }
    front = std::move(rest);
  }

  /// Which of the rows that the node above t eliminates, or may, t can: the most independent first.
  void choose(int t, RowFront& front) {
    std::vector<char> is_done(front.rows.size(), 0);
    for (;;) {
      std::size_t best = front.rows.size();
      for (std::size_t k = 0; k < front.rows.size(); ++k) {
        const std::size_t r = at(front.rows[k]);
        if (is_done[k] || low_[r] < t || node_[r] != t >> 1) continue;
        if (best == front.rows.size() || part(k, front) > part(best, front)) best = k;
      }
      if (best == front.rows.size() || !is_independent(best, front)) return;
      take(best, is_done, front);
      node_[at(front.rows[best])] = t;
    }
  }

  const SparseRows& A_;
  const PlacedDofs& dofs_;
  std::vector<int> node_, low_, high_;
  std::vector<double> size_;  ///< of the rows, squared
  std::vector<int> local_;    ///< in the front at hand
};

}  // namespace

int common_node(int a, int b) {
  while (a != b) (a > b ? a : b) >>= 1;
  return a;
}

bool is_below_or_at(int node, int top) {
  while (node > top) node >>= 1;
  return node == top;
}

std::vector<int> place_rows(const SparseRows& A, const PlacedDofs& dofs) { return RowPlaces(A, dofs).take(); }

}  // namespace sinew
