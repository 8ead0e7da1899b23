#include "linear/elimination_tree.hpp"

#include "linear/block_graph.hpp"
#include "linear/lightest_cover.hpp"
#include "linear/row_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {

namespace {

/// Each half of a bisection has at least this share.
constexpr double smallest_share = 0.4;

/// Bisects sets of blocks along an order of them, where the cut is lightest.
class Bisector {
 public:
  Bisector(const BlockGraph& graph, const KktUnknowns& unknowns)
      : graph_(graph), unknowns_(unknowns), place_(graph.sizes.size(), -1) {}

  /// The first `count` of the blocks, reordered, are one half.
  std::size_t bisect(std::vector<int>& blocks) {
    Cut best;
    std::vector<int> order = blocks;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return coordinate(a, axis) < coordinate(b, axis); });
      consider(order, best);
    }
    consider(by_distance(blocks), best);
    blocks = best.order;
    return best.count;
  }

  /// Of every coupling between the first `count` blocks and the others one end, so that these are the fewest unknowns together.
  std::vector<int> separate(const std::vector<int>& blocks, std::size_t count) {
    // 0 and 1: the halves; from 2 on in turn ends of couplings that are cut, in the first and in the second one
    for (std::size_t i = 0; i < blocks.size(); ++i) place_[static_cast<std::size_t>(blocks[i])] = i < count ? 0 : 1;
    std::vector<int> ends[2];
    std::vector<std::pair<int, int>> cut;
    const auto number = [&](int side, int block) {
      int& place = place_[static_cast<std::size_t>(block)];
      if (place < 2) {
        place = 2 + side + 2 * static_cast<int>(ends[side].size());
        ends[side].push_back(block);
      }
      return place / 2 - 1;
    };
    for (std::size_t i = 0; i < count; ++i)
      for_neighbours(blocks[i], [&](int b, int, bool is_coupling) {
        const int place = place_[static_cast<std::size_t>(b)];
        if (!is_coupling || place < 0 || place % 2 == 0) return;
        const int first = number(0, blocks[i]);
        cut.emplace_back(first, number(1, b));
      });
    for (const int b : blocks) place_[static_cast<std::size_t>(b)] = -1;
    std::vector<int> weights[2];
    for (int side = 0; side < 2; ++side)
      for (const int b : ends[side]) weights[side].push_back(graph_.around[static_cast<std::size_t>(b)]);
    const std::vector<char> is_taken = lightest_cover(weights[0], weights[1], cut);
    std::vector<int> separator;
    for (int side = 0, k = 0; side < 2; ++side)
      for (const int b : ends[side])
        if (is_taken[static_cast<std::size_t>(k++)]) separator.push_back(b);
    return separator;
  }

 private:
  struct Cut {
    long weight = std::numeric_limits<long>::max();
    std::size_t count = 0;
    std::vector<int> order;
  };

  double coordinate(int block, std::size_t axis) const {
    return unknowns_.initial_position[static_cast<std::size_t>(block)][axis];
  }

  template <class Visit>
  void for_neighbours(int block, const Visit& visit) const {
    const auto b = static_cast<std::size_t>(block);
    for (int k = graph_.starts[b]; k < graph_.starts[b + 1]; ++k)
      visit(graph_.ends[static_cast<std::size_t>(k)], graph_.weights[static_cast<std::size_t>(k)],
            graph_.is_coupling[static_cast<std::size_t>(k)] != 0);
  }

  /// The lightest cut along an order that leaves either half its share.
  void consider(const std::vector<int>& order, Cut& best) {
    long total = 0, before = 0, cut = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      place_[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
      total += graph_.sizes[static_cast<std::size_t>(order[i])];
    }
    long lightest = std::numeric_limits<long>::max();
    std::size_t count = order.size() / 2;
    double off_centre = 1;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      for_neighbours(order[i], [&](int b, int weight, bool) {
        const int at = place_[static_cast<std::size_t>(b)];
        if (at >= 0) cut += at > static_cast<int>(i) ? weight : -weight;
      });
      before += graph_.sizes[static_cast<std::size_t>(order[i])];
      const double share = static_cast<double>(before) / static_cast<double>(total), off = std::abs(share - 0.5);
      if (share < smallest_share || share > 1 - smallest_share) continue;
      if (cut > lightest || (cut == lightest && off >= off_centre)) continue;
      lightest = cut;
      off_centre = off;
      count = i + 1;
    }
    for (const int b : order) place_[static_cast<std::size_t>(b)] = -1;
    if (lightest < best.weight || best.order.empty()) best = {lightest, count, order};
  }

  /// By the number of edges from a block at the rim of the set.
  std::vector<int> by_distance(const std::vector<int>& blocks) {
    std::vector<int> order = search(blocks, blocks.front());
    return search(blocks, order.back());
  }

  std::vector<int> search(const std::vector<int>& blocks, int from) {
    for (const int b : blocks) place_[static_cast<std::size_t>(b)] = 0;  // 0: not yet found
    std::vector<int> order;
    const auto find = [&](int b) {
      if (place_[static_cast<std::size_t>(b)] != 0) return;
      place_[static_cast<std::size_t>(b)] = 1;
      order.push_back(b);
    };
    std::size_t next = 0;
    const auto spread = [&] {
      for (; next < order.size(); ++next) for_neighbours(order[next], [&](int b, int, bool) { find(b); });
    };
    find(from);
    spread();
    for (const int b : blocks) {
      find(b);
      spread();
    }
    for (const int b : blocks) place_[static_cast<std::size_t>(b)] = -1;
    return order;
  }

  const BlockGraph& graph_;
  const KktUnknowns& unknowns_;
  std::vector<int> place_;
};

/// The nodes of blocks in the subtree of t, which has `parts` leaves from `first` on. `cut(blocks, first, parts)`: so many of
/// them, which it may reorder, are the half with the first leaves.
template <class Cut>
void split(Bisector& bisector, const Cut& cut, std::vector<int> blocks, int t, int parts, int first, std::vector<int>& node) {
  if (parts == 1 || blocks.size() < 2) {
    for (const int b : blocks) node[static_cast<std::size_t>(b)] = first;
    return;
  }
  const std::size_t count = cut(blocks, first, parts);
  for (const int b : bisector.separate(blocks, count)) node[static_cast<std::size_t>(b)] = t;
  const auto without = [&](std::size_t begin, std::size_t end) {
    std::vector<int> half;
    for (std::size_t i = begin; i < end; ++i)
      if (node[static_cast<std::size_t>(blocks[i])] != t) half.push_back(blocks[i]);
    return half;
  };
  split(bisector, cut, without(0, count), 2 * t, parts / 2, first, node);
  split(bisector, cut, without(count, blocks.size()), 2 * t + 1, parts / 2, first + parts / 2, node);
}

}  // namespace

EliminationTree::EliminationTree(const SparseRows& A, const KktUnknowns& unknowns, PetscInt leaf_size,
                                 const std::vector<PetscInt>& kept, Division division)
    : num_kept(kept.size()) {
  const auto num_dofs = static_cast<PetscInt>(unknowns.block_of_dof.size());
  while (A.n / (2 * leaves) >= leaf_size) leaves *= 2;
  const std::vector<int> node_of = place(A, unknowns, divide(A, unknowns, kept, division), kept);
  number_interface(node_of, kept);
  list_touched(A, node_of, num_dofs);
}

void EliminationTree::forget_unknowns() {
  // an empty list in braces would keep the room
  leaf_of = std::vector<int>();
  interface_of = std::vector<int>();
  interior = std::vector<std::vector<PetscInt>>();
  node = std::vector<int>();
}

/// The nodes of blocks, -1 of those that are kept.
std::vector<int> EliminationTree::divide(const SparseRows& A, const KktUnknowns& unknowns, const std::vector<PetscInt>& kept,
                                         Division division) {
  std::vector<int> nodes(unknowns.initial_position.size(), leaves);
  for (const PetscInt i : kept)
    if (static_cast<std::size_t>(i) < unknowns.block_of_dof.size())
      nodes[static_cast<std::size_t>(unknowns.block_of_dof[static_cast<std::size_t>(i)])] = -1;
  if (leaves == 1) return nodes;
  const BlockGraph graph = graph_of(A, unknowns);
  std::vector<int> blocks;
  for (std::size_t b = 0; b < nodes.size(); ++b)
    if (nodes[b] >= 0) blocks.push_back(static_cast<int>(b));
  Bisector bisector(graph, unknowns);
  const auto bisect = [&bisector](std::vector<int>& some, int, int) { return bisector.bisect(some); };
  if (division == Division::bisections) {
    split(bisector, bisect, blocks, 1, leaves, leaves, nodes);
    return nodes;
  }
  const std::vector<int> run = find_runs(graph, blocks, leaves);
  if (run.empty()) {
    leaves = 1;
    for (const int b : blocks) nodes[static_cast<std::size_t>(b)] = 1;
    return nodes;
  }
  const auto cut_between = [&run, all = leaves](const std::vector<int>& some, int first, int parts) {
    const int end = first - all + parts / 2;
    return static_cast<std::size_t>(
        std::count_if(some.begin(), some.end(), [&](int b) { return run[static_cast<std::size_t>(b)] < end; }));
  };
  split(bisector, cut_between, blocks, 1, leaves, leaves, nodes);
  return nodes;
}

/// The node that eliminates every unknown, -1 for what is kept. Sets leaf_of: that of one of the lowest dofs that an unknown
/// touches.
std::vector<int> EliminationTree::place(const SparseRows& A, const KktUnknowns& unknowns, const std::vector<int>& node_of_block,
                                        const std::vector<PetscInt>& kept) {
  const auto at = [](PetscInt i) { return static_cast<std::size_t>(i); };
  PlacedDofs dofs{static_cast<PetscInt>(unknowns.block_of_dof.size()), leaves, std::vector<int>(at(A.n), 0)};
  for (PetscInt i = 0; i < dofs.count; ++i) dofs.node[at(i)] = node_of_block[at(unknowns.block_of_dof[at(i)])];
  for (const PetscInt i : kept) dofs.node[at(i)] = -1;
  leaf_of.assign(at(A.n), 0);
  if (leaves == 1) {
    std::vector<int> all(at(A.n), 1);
    for (const PetscInt i : kept) all[at(i)] = -1;
    return all;
  }
  std::vector<int> all = place_rows(A, dofs);
  for (PetscInt i = 0; i < A.n; ++i)
    if (dofs.node[at(i)] != 0) all[at(i)] = dofs.node[at(i)];
  std::vector<PetscInt> from_below(at(A.n));
  std::iota(from_below.begin(), from_below.end(), PetscInt{0});
  std::stable_sort(from_below.begin(), from_below.end(), [&](PetscInt i, PetscInt j) {
    return all[at(i)] != all[at(j)] ? all[at(i)] > all[at(j)] : i < dofs.count && j >= dofs.count;
  });
  for (const PetscInt i : from_below) {
    const int t = std::max(all[at(i)], 1);
    int lowest = t;
    while (lowest < leaves) lowest *= 2;
    leaf_of[at(i)] = lowest - leaves;
    const auto is_above = [&](PetscInt j) { return j < dofs.count && dofs.node[at(j)] > 0 && dofs.node[at(j)] < t; };
    if (i >= dofs.count && all[at(i)] > 0) A.for_columns(i, [&](PetscInt j) { has_low_rows = has_low_rows || is_above(j); });
    lowest = t - (i < dofs.count ? 0 : 1);  // a row has the leaf of a dof that goes with it
    A.for_columns(i, [&](PetscInt j) {
      if (j >= dofs.count || dofs.node[at(j)] <= lowest || !is_below_or_at(dofs.node[at(j)], t)) return;
      lowest = dofs.node[at(j)];
      leaf_of[at(i)] = leaf_of[at(j)];
    });
  }
  return all;
}

/// What is not eliminated by leaves.
void EliminationTree::number_interface(const std::vector<int>& node_of, const std::vector<PetscInt>& kept) {
  interface_of.assign(node_of.size(), -1);
  interior.resize(static_cast<std::size_t>(leaves));
  const auto add = [&](PetscInt unknown) {
    interface_of[static_cast<std::size_t>(unknown)] = static_cast<int>(interface.size());
    interface.push_back(unknown);
    node.push_back(std::max(node_of[static_cast<std::size_t>(unknown)], 0));
  };
  for (PetscInt i = 0; i < static_cast<PetscInt>(node_of.size()); ++i) {
    const int t = node_of[static_cast<std::size_t>(i)];
    if (t >= leaves)
      interior[static_cast<std::size_t>(t - leaves)].push_back(i);
    else if (t > 0)
      add(i);
  }
  for (const PetscInt i : kept) add(i);
}

/// Into boundary, and what inner nodes eliminate and have beyond. An entry is in the leaf that is noted for the one which is
/// eliminated first, of a dof and a row that go together for the dof.
void EliminationTree::list_touched(const SparseRows& A, const std::vector<int>& node_of, PetscInt num_dofs) {
  const std::size_t count = interface.size(), first_kept = count - num_kept;
  boundary.resize(static_cast<std::size_t>(leaves));
  inner.resize(static_cast<std::size_t>(leaves));
  for (std::size_t u = 0; u < count; ++u) {
    const PetscInt i = interface[u];
    std::vector<int> touched;
    if (u < first_kept) touched.push_back(leaf_of[static_cast<std::size_t>(i)]);
    A.for_columns(i, [&](PetscInt column) {
      const int t = node_of[static_cast<std::size_t>(column)];
      if (t > node[u] || (t == node[u] && column < num_dofs)) touched.push_back(leaf_of[static_cast<std::size_t>(column)]);
    });
    if (touched.empty()) touched.push_back(0);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    if (u < first_kept) inner[static_cast<std::size_t>(node[u])].eliminated.push_back(static_cast<int>(u));
    for (const int p : touched) {
      boundary[static_cast<std::size_t>(p)].push_back(static_cast<int>(u));
      for (int t = (leaves + p) >> 1; t > node[u]; t >>= 1)
        inner[static_cast<std::size_t>(t)].rest.push_back(static_cast<int>(u));
    }
  }
  for (Inner& front : inner) {
    std::sort(front.rest.begin(), front.rest.end());
    front.rest.erase(std::unique(front.rest.begin(), front.rest.end()), front.rest.end());
  }
}

}  // namespace sinew
