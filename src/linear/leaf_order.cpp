#include "linear/leaf_order.hpp"

#include "base/index.hpp"

#ifdef SINEW_HAVE_KLU  // what they need comes with it

#include <camd.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace sinew {

namespace {

/// The partner of every row, -1 for dofs and where no dof is left.
std::vector<int> partners_of(const LeafMatrix& A, const std::function<double(int)>& size) {
  std::vector<int> partner(at(A.size()), -1);
  std::vector<char> is_taken(at(A.size()), 0);
  for (int l = 0; l < A.num_interior; ++l) {
    if (A.is_dof[at(l)]) continue;
    double largest = 0;
    for (int k = A.starts[at(l)]; k < A.starts[at(l) + 1]; ++k) {
      const int i = A.rows[at(k)];
      if (i >= A.num_interior || !A.is_dof[at(i)] || is_taken[at(i)] || !(size(k) > largest)) continue;
      largest = size(k);
      partner[at(l)] = i;
    }
    if (partner[at(l)] >= 0) is_taken[at(partner[at(l)])] = 1;
  }
  return partner;
}

/// What may come late: the boundary is last, and before it the rows of constraints where they are to come behind all dofs.
enum class Late { boundary, rows };

/// Numbers without gaps, which CAMD wants: with others it writes beyond its lists, or returns an order that is none.
void close_ranks(std::vector<int>& turn) {
  std::vector<int> used = turn;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (int& t : turn) t = static_cast<int>(std::lower_bound(used.begin(), used.end(), t) - used.begin());
}

/// Approximate minimum degree of groups of unknowns (by group). Members of a group stay in their order.
std::vector<int> minimum_degree(const LeafMatrix& A, const std::vector<int>& group_of, int num_groups, Late late) {
  std::vector<int> member_starts(at(num_groups) + 1, 0), members(group_of.size());
  for (const int g : group_of) ++member_starts[at(g) + 1];
  for (int g = 0; g < num_groups; ++g) member_starts[at(g) + 1] += member_starts[at(g)];
  std::vector<int> next(member_starts.begin(), member_starts.end() - 1);
  for (int pass = 0; pass < 2; ++pass)  // dofs, then rows
    for (int l = 0; l < A.size(); ++l)
      if ((A.is_dof[at(l)] != 0) == (pass == 0)) members[at(next[at(group_of[at(l)])]++)] = l;
  std::vector<int> starts{0}, ends, turn(at(num_groups), 0), seen(at(num_groups), -1), sequence(at(num_groups));
  ends.reserve(A.rows.size() + 1);  // CAMD refuses a null pointer
  for (int g = 0; g < num_groups; ++g) {
    seen[at(g)] = g;
    for (int m = member_starts[at(g)]; m < member_starts[at(g) + 1]; ++m) {
      const int l = members[at(m)];
      if (l >= A.num_interior)
        turn[at(g)] = 2;
      else if (late == Late::rows && !A.is_dof[at(l)])
        turn[at(g)] = 1;
      for (int k = A.starts[at(l)]; k < A.starts[at(l) + 1]; ++k) {
        const int other = group_of[at(A.rows[at(k)])];
        if (seen[at(other)] == g) continue;
        seen[at(other)] = g;
        ends.push_back(other);
      }
    }
    std::sort(ends.begin() + starts.back(), ends.end());
    starts.push_back(static_cast<int>(ends.size()));
  }
  close_ranks(turn);
  if (camd_order(num_groups, starts.data(), ends.data(), sequence.data(), nullptr, nullptr, turn.data()) < CAMD_OK)
    throw SolveError("CAMD cannot order the unknowns of a part of the matrix");
  std::vector<int> order;
  for (const int g : sequence)
    for (int m = member_starts[at(g)]; m < member_starts[at(g) + 1]; ++m)
      if (members[at(m)] < A.num_interior) order.push_back(members[at(m)]);
  return order;
}

/// Unknowns each for itself; rows that come before their partners are put behind them.
std::vector<int> order_apart(const LeafMatrix& A, const std::vector<int>& partner, Late late) {
  std::vector<int> group(at(A.size()));
  for (int l = 0; l < A.size(); ++l) group[at(l)] = l;
  const std::vector<int> order = minimum_degree(A, group, A.size(), late);
  std::vector<int> row_of(at(A.size()), -1), sequence;
  std::vector<char> is_done(at(A.size()), 0), waits(at(A.size()), 0);
  for (int l = 0; l < A.num_interior; ++l)
    if (partner[at(l)] >= 0) row_of[at(partner[at(l)])] = l;
  for (const int l : order) {
    if (partner[at(l)] >= 0 && !is_done[at(partner[at(l)])]) {
      waits[at(l)] = 1;
      continue;
    }
    sequence.push_back(l);
    is_done[at(l)] = 1;
    const int row = row_of[at(l)];
    if (row >= 0 && waits[at(row)]) sequence.push_back(row);
  }
  return sequence;
}

std::vector<int> order_pairs(const LeafMatrix& A, const std::vector<int>& partner) {
  std::vector<int> group(at(A.size()), -1);
  int num_groups = 0;
  for (int l = 0; l < A.size(); ++l)
    if (partner[at(l)] < 0) group[at(l)] = num_groups++;
  for (int l = 0; l < A.size(); ++l)
    if (partner[at(l)] >= 0) group[at(l)] = group[at(partner[at(l)])];
  return minimum_degree(A, group, num_groups, Late::boundary);
}

/// The elimination tree of a matrix whose unknowns are eliminated in an order.
class OrderedTree {
 public:
  OrderedTree(const LeafMatrix& A, const std::vector<int>& sequence) : A_(A), unknown_(sequence), place_(at(A.size())) {
    for (int l = A.num_interior; l < A.size(); ++l) unknown_.push_back(l);
    for (int k = 0; k < A.size(); ++k) place_[at(unknown_[at(k)])] = k;
    find_parents();
    find_postorder();
  }

  /// The entries of L in every column: time and memory in proportion to the entries of A, however many those of L are (Gilbert,
  /// Ng and Peyton, SIAM J. Matrix Anal. Appl. 15, 1994; as in Davis, Direct Methods for Sparse Linear Systems, 2006). An entry
  /// of A is a leaf of the subtree that a row of L is if no descendant of its column has one in that row. Every leaf adds one
  /// along its path up to the row, and what two paths have in common is taken off at their lowest common ancestor.
  std::vector<int> column_counts() {
    const int n = A_.size();
    std::vector<int> first(at(n), -1), count(at(n), 0), last_first(at(n), -1), last_leaf(at(n), -1);
    for (int turn = 0; turn < n; ++turn) {
      int k = postorder_[at(turn)];
      if (first[at(k)] < 0) count[at(k)] = 1;  // a leaf of the tree
      for (; k >= 0 && first[at(k)] < 0; k = parent_[at(k)]) first[at(k)] = turn;
    }
    std::iota(ancestor_.begin(), ancestor_.end(), 0);
    for (const int k : postorder_) {
      if (parent_[at(k)] >= 0) --count[at(parent_[at(k)])];
      for_entries(k, [&](int row) {
        if (row <= k || first[at(k)] <= last_first[at(row)]) return;
        last_first[at(row)] = first[at(k)];
        ++count[at(k)];
        if (last_leaf[at(row)] >= 0) --count[at(common_ancestor(last_leaf[at(row)]))];
        last_leaf[at(row)] = k;
      });
      if (parent_[at(k)] >= 0) ancestor_[at(k)] = parent_[at(k)];
    }
    for (int k = 0; k < n; ++k)
      if (parent_[at(k)] >= 0) count[at(parent_[at(k)])] += count[at(k)];
    return count;
  }

 private:
  template <class Visit>
  void for_entries(int k, const Visit& visit) const {
    const int l = unknown_[at(k)];
    for (int t = A_.starts[at(l)]; t < A_.starts[at(l) + 1]; ++t) visit(place_[at(A_.rows[at(t)])]);
  }

  /// Paths up the tree that have been walked are shortened (Liu, ACM Trans. Math. Softw. 12, 1986).
  void find_parents() {
    parent_.assign(at(A_.size()), -1);
    ancestor_.assign(at(A_.size()), -1);
    for (int k = 0; k < A_.size(); ++k)
      for_entries(k, [&](int i) {
        while (i >= 0 && i < k) {
          const int next = ancestor_[at(i)];
          ancestor_[at(i)] = k;
          if (next < 0) parent_[at(i)] = k;
          i = next;
        }
      });
  }

  /// Every subtree one after the other, its root last.
  void find_postorder() {
    const int n = A_.size();
    std::vector<int> child(at(n), -1), sibling(at(n), -1), path;
    for (int k = n - 1; k >= 0; --k)
      if (parent_[at(k)] >= 0) sibling[at(k)] = std::exchange(child[at(parent_[at(k)])], k);
    postorder_.reserve(at(n));
    for (int root = 0; root < n; ++root) {
      if (parent_[at(root)] >= 0) continue;
      path.push_back(root);
      while (!path.empty()) {
        const int k = path.back(), next = child[at(k)];
        if (next >= 0) {
          child[at(k)] = sibling[at(next)];
          path.push_back(next);
        } else {
          postorder_.push_back(k);
          path.pop_back();
        }
      }
    }
  }

  /// Of a column of which all descendants are done, and the one at hand.
  int common_ancestor(int k) {
    int top = k;
    while (top != ancestor_[at(top)]) top = ancestor_[at(top)];
    while (k != top) k = std::exchange(ancestor_[at(k)], top);
    return top;
  }

  const LeafMatrix& A_;
  std::vector<int> unknown_, place_, parent_, ancestor_, postorder_;
};

/// Entries and operations of a sequence, from the columns' counts in L.
LeafOrder price(const LeafMatrix& A, std::vector<int> sequence) {
  const std::vector<int> count = OrderedTree(A, sequence).column_counts();
  LeafOrder order;
  for (int k = 0; k < A.num_interior; ++k) {
    const double below = count[at(k)] - 1;
    order.entries += 2 * below + 1;
    order.operations += below + 2 * below * below;
  }
  order.sequence = std::move(sequence);
  return order;
}

}  // namespace

LeafOrder order_leaf(const LeafMatrix& A, const std::function<double(int)>& size, bool wants_pairs) {
  if (A.num_interior == 0) return {};
  const std::vector<int> partner = partners_of(A, size);
  LeafOrder pairs = price(A, order_pairs(A, partner));
  pairs.is_paired = true;
  if (wants_pairs || std::all_of(partner.begin(), partner.end(), [](int p) { return p < 0; })) return pairs;
  LeafOrder best = price(A, order_apart(A, partner, Late::boundary));
  LeafOrder dofs_first = price(A, order_apart(A, partner, Late::rows));
  if (dofs_first.entries < best.entries) best = std::move(dofs_first);
  if (pairs.entries < best.entries) best = std::move(pairs);
  return best;
}

}  // namespace sinew

#endif
