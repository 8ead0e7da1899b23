#include "linear/elimination_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {

namespace {

/// Weights of an edge of the graph of blocks: by what a cut adds to the interface, a block or a row.
constexpr int coupling_weight = 12, row_weight = 1;
/// Each half of a bisection has at least this share.
constexpr double smallest_share = 0.4;

/// Blocks tied by J and by rows.
struct BlockGraph {
  std::vector<int> starts{0}, ends, weights, sizes;
};

std::vector<int> blocks_in_row(const SparseRows& A, const KktUnknowns& unknowns, PetscInt row) {
  const auto num_dofs = static_cast<PetscInt>(unknowns.block_of_dof.size());
  std::vector<int> blocks;
  A.for_columns(row, [&](PetscInt column) {
    if (column < num_dofs) blocks.push_back(static_cast<int>(unknowns.block_of_dof[static_cast<std::size_t>(column)]));
  });
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

BlockGraph graph_of(const SparseRows& A, const KktUnknowns& unknowns) {
  const std::size_t num_blocks = unknowns.position.size();
  const auto num_dofs = static_cast<PetscInt>(unknowns.block_of_dof.size());
  std::vector<std::vector<std::pair<int, int>>> edges(num_blocks);
  BlockGraph graph;
  graph.sizes.assign(num_blocks, 0);
  for (PetscInt i = 0; i < A.n; ++i) {
    const std::vector<int> blocks = blocks_in_row(A, unknowns, i);
    if (i >= num_dofs) {
      if (!blocks.empty()) ++graph.sizes[static_cast<std::size_t>(blocks.front())];
      for (const int a : blocks)
        for (const int b : blocks)
          if (a != b) edges[static_cast<std::size_t>(a)].emplace_back(b, row_weight);
      continue;
    }
    const auto a = static_cast<std::size_t>(unknowns.block_of_dof[static_cast<std::size_t>(i)]);
    ++graph.sizes[a];
    for (const int b : blocks)
      if (b != static_cast<int>(a)) edges[a].emplace_back(b, coupling_weight);
  }
  for (std::vector<std::pair<int, int>>& list : edges) {
    std::sort(list.begin(), list.end());
    const int first = graph.starts.back();
    for (const auto& [b, weight] : list) {
      if (static_cast<int>(graph.ends.size()) > first && graph.ends.back() == b) {
        // a coupling counts once, rows each for itself
        graph.weights.back() = std::max(weight, std::min(coupling_weight, graph.weights.back() + weight));
      } else {
        graph.ends.push_back(b);
        graph.weights.push_back(weight);
      }
    }
    graph.starts.push_back(static_cast<int>(graph.ends.size()));
  }
  return graph;
}

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

 private:
  struct Cut {
    long weight = std::numeric_limits<long>::max();
    std::size_t count = 0;
    std::vector<int> order;
  };

  double coordinate(int block, std::size_t axis) const { return unknowns_.position[static_cast<std::size_t>(block)][axis]; }

  template <class Visit>
  void for_neighbours(int block, const Visit& visit) const {
    const auto b = static_cast<std::size_t>(block);
    for (int k = graph_.starts[b]; k < graph_.starts[b + 1]; ++k)
      visit(graph_.ends[static_cast<std::size_t>(k)], graph_.weights[static_cast<std::size_t>(k)]);
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
      for_neighbours(order[i], [&](int b, int weight) {
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
      for (; next < order.size(); ++next) for_neighbours(order[next], [&](int b, int) { find(b); });
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

void split(Bisector& bisector, std::vector<int> blocks, int first, int parts, std::vector<int>& leaf) {
  if (parts == 1 || blocks.size() < 2) {
    for (const int b : blocks) leaf[static_cast<std::size_t>(b)] = first;
    return;
  }
  const auto middle = blocks.begin() + static_cast<std::ptrdiff_t>(bisector.bisect(blocks));
  split(bisector, {blocks.begin(), middle}, first, parts / 2, leaf);
  split(bisector, {middle, blocks.end()}, first + parts / 2, parts / 2, leaf);
}

/// The lowest common node of two in a heap.
int common(int a, int b) {
  while (a != b) (a > b ? a : b) >>= 1;
  return a;
}

}  // namespace

EliminationTree::EliminationTree(const SparseRows& A, const KktUnknowns& unknowns, PetscInt leaf_size,
                                 const std::vector<PetscInt>& kept)
    : num_kept(kept.size()) {
  divide(A, unknowns, leaf_size);
  choose_interface(A, unknowns, kept);
  place_interface(A, static_cast<PetscInt>(unknowns.block_of_dof.size()));
}

void EliminationTree::forget_unknowns() {
  // an empty list in braces would keep the room
  leaf_of = std::vector<int>();
  interface_of = std::vector<int>();
  interior = std::vector<std::vector<PetscInt>>();
}

/// Into leaf_of, of dofs.
void EliminationTree::divide(const SparseRows& A, const KktUnknowns& unknowns, PetscInt leaf_size) {
  leaf_of.assign(static_cast<std::size_t>(A.n), 0);
  while (A.n / (2 * leaves) >= leaf_size) leaves *= 2;
  if (leaves == 1) return;
  const BlockGraph graph = graph_of(A, unknowns);
  std::vector<int> blocks(graph.sizes.size()), leaf(graph.sizes.size(), 0);
  std::iota(blocks.begin(), blocks.end(), 0);
  Bisector bisector(graph, unknowns);
  split(bisector, blocks, 0, leaves, leaf);
  for (std::size_t i = 0; i < unknowns.block_of_dof.size(); ++i)
    leaf_of[i] = leaf[static_cast<std::size_t>(unknowns.block_of_dof[i])];
}

/// Of every coupling that is cut one block, then rows. Blocks with many such couplings first; among equals those of fewer rows.
void EliminationTree::choose_interface(const SparseRows& A, const KktUnknowns& unknowns, const std::vector<PetscInt>& kept) {
  const std::size_t num_dofs = unknowns.block_of_dof.size(), num_blocks = unknowns.position.size();
  std::vector<char> is_kept(static_cast<std::size_t>(A.n), 0), is_interface(num_blocks, 0);
  for (const PetscInt i : kept) {
    is_kept[static_cast<std::size_t>(i)] = 1;
    if (static_cast<std::size_t>(i) < num_dofs)
      is_interface[static_cast<std::size_t>(unknowns.block_of_dof[static_cast<std::size_t>(i)])] = 1;
  }
  std::vector<std::vector<int>> cut(num_blocks);
  std::vector<int> rows(num_blocks, 0), dof_of_block(num_blocks, 0);
  for (std::size_t i = 0; i < num_dofs; ++i)
    dof_of_block[static_cast<std::size_t>(unknowns.block_of_dof[i])] = static_cast<int>(i);
  const auto leaf_of_block = [&](int b) { return leaf_of[static_cast<std::size_t>(dof_of_block[static_cast<std::size_t>(b)])]; };
  for (std::size_t i = 0; i < static_cast<std::size_t>(A.n) && leaves > 1; ++i) {
    const std::vector<int> blocks = blocks_in_row(A, unknowns, static_cast<PetscInt>(i));
    if (i >= num_dofs) {
      for (const int b : blocks) ++rows[static_cast<std::size_t>(b)];
      continue;
    }
    const auto a = static_cast<int>(unknowns.block_of_dof[i]);
    for (const int b : blocks)
      if (leaf_of_block(b) != leaf_of[i]) cut[static_cast<std::size_t>(a)].push_back(b);
  }
  std::vector<int> order(num_blocks);
  std::iota(order.begin(), order.end(), 0);
  for (std::vector<int>& list : cut) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) {
    const auto a = static_cast<std::size_t>(x), b = static_cast<std::size_t>(y);
    return cut[a].size() != cut[b].size() ? cut[a].size() > cut[b].size() : rows[a] < rows[b];
  });
  for (const int a : order)
    for (const int b : cut[static_cast<std::size_t>(a)])
      if (!is_interface[static_cast<std::size_t>(b)]) is_interface[static_cast<std::size_t>(a)] = 1;
  interface_of.assign(static_cast<std::size_t>(A.n), -1);
  const auto add = [&](std::size_t unknown) {
    interface_of[unknown] = static_cast<int>(interface.size());
    interface.push_back(static_cast<PetscInt>(unknown));
  };
  for (std::size_t i = 0; i < num_dofs; ++i)
    if (is_interface[static_cast<std::size_t>(unknowns.block_of_dof[i])] && !is_kept[i]) add(i);
  for (std::size_t i = num_dofs; i < static_cast<std::size_t>(A.n); ++i) {
    if (is_kept[i]) continue;
    bool spans = false;
    int leaf = -1;
    A.for_columns(static_cast<PetscInt>(i), [&](PetscInt column) {
      const auto j = static_cast<std::size_t>(column);
      if (j >= num_dofs) return;
      if (leaf < 0) leaf = leaf_of[j];
      spans = spans || interface_of[j] >= 0 || leaf_of[j] != leaf;
    });
    leaf_of[i] = std::max(leaf, 0);
    if (spans) add(i);
  }
  for (const PetscInt i : kept) add(static_cast<std::size_t>(i));
}

void EliminationTree::place_interface(const SparseRows& A, PetscInt num_dofs) {
  const std::size_t count = interface.size(), first_kept = count - num_kept;
  const auto is_kept = [&](PetscInt i) { return interface_of[static_cast<std::size_t>(i)] >= static_cast<int>(first_kept); };
  std::vector<std::vector<int>> touched(count);
  std::vector<int> node(count, 0);
  for (std::size_t u = 0; u < count; ++u) {
    const PetscInt i = interface[u];
    if (i < num_dofs && u < first_kept) touched[u].push_back(leaf_of[static_cast<std::size_t>(i)]);
    A.for_columns(i, [&](PetscInt column) {
      if (column < num_dofs && !is_kept(column)) touched[u].push_back(leaf_of[static_cast<std::size_t>(column)]);
    });
    if (touched[u].empty()) touched[u].push_back(0);
    std::sort(touched[u].begin(), touched[u].end());
    touched[u].erase(std::unique(touched[u].begin(), touched[u].end()), touched[u].end());
    if (u >= first_kept) continue;
    int t = leaves + touched[u].front();
    for (const int p : touched[u]) t = common(t, leaves + p);
    node[u] = t >= leaves && t > 1 ? t >> 1 : t;
  }
  for (std::size_t u = 0; u < first_kept; ++u) {
    if (interface[u] < num_dofs) continue;
    A.for_columns(interface[u], [&](PetscInt column) {
      const int v = interface_of[static_cast<std::size_t>(column)];
      if (column < num_dofs && v >= 0) node[u] = common(node[u], node[static_cast<std::size_t>(v)]);
    });
  }
  interior.resize(static_cast<std::size_t>(leaves));
  boundary.resize(static_cast<std::size_t>(leaves));
  inner.resize(static_cast<std::size_t>(leaves));
  for (PetscInt i = 0; i < A.n; ++i)
    if (interface_of[static_cast<std::size_t>(i)] < 0)
      interior[static_cast<std::size_t>(leaf_of[static_cast<std::size_t>(i)])].push_back(i);
  for (std::size_t u = 0; u < count; ++u) {
    if (u < first_kept) inner[static_cast<std::size_t>(node[u])].eliminated.push_back(static_cast<int>(u));
    for (const int p : touched[u]) {
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
