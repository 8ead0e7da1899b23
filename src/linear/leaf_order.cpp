#include "linear/leaf_order.hpp"

#ifdef SINEW_HAVE_KLU  // what they need comes with it

#include <camd.h>

#include <algorithm>
#include <array>

namespace sinew {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

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

/// Entries and operations of a sequence, from the columns' counts in L: every entry of a row of A is the foot of a path up the
/// elimination tree, and all on it have an entry in that row (Liu, SIAM J. Matrix Anal. Appl. 11, 1990).
LeafOrder price(const LeafMatrix& A, std::vector<int> sequence) {
  const int n = A.size();
  std::vector<int> place(at(n)), parent(at(n), -1), seen(at(n), -1);
  std::vector<double> count(at(n), 1.0);
  for (int k = 0; k < A.num_interior; ++k) place[at(sequence[at(k)])] = k;
  for (int l = A.num_interior; l < n; ++l) place[at(l)] = l;
  for (int k = 0; k < n; ++k) {
    const int l = k < A.num_interior ? sequence[at(k)] : k;
    seen[at(k)] = k;
    for (int t = A.starts[at(l)]; t < A.starts[at(l) + 1]; ++t)
      for (int i = place[at(A.rows[at(t)])]; i < k && i < A.num_interior && seen[at(i)] != k; i = parent[at(i)]) {
        if (parent[at(i)] < 0) parent[at(i)] = k;
        count[at(i)] += 1;
        seen[at(i)] = k;
      }
  }
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
