#include "linear/block_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sinew {

namespace {

/// Weights of an edge of the graph of blocks: by what a cut adds to the interface, a block or a row.
constexpr int coupling_weight = 12, row_weight = 1;
/// After so many blocks at most a chain repeats itself: the parts of a robot, or of a track's link.
constexpr std::size_t longest_period = 64;
/// Ties that are cut, for every cut: a joint, and what goes round it.
constexpr std::size_t most_ties = 4;

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

/// After how many blocks they are tied to others as before, three of four of them at least; 1 where there is no such number.
std::size_t period_of(const BlockGraph& graph, const std::vector<int>& blocks) {
  const auto is_like = [&graph](int a, int b) {
    const auto of_a = static_cast<std::size_t>(a), of_b = static_cast<std::size_t>(b);
    const int first = graph.starts[of_a], other = graph.starts[of_b], length = graph.starts[of_a + 1] - first;
    if (graph.sizes[of_a] != graph.sizes[of_b] || length != graph.starts[of_b + 1] - other) return false;
    for (int k = 0; k < length; ++k) {
      const auto i = static_cast<std::size_t>(first + k), j = static_cast<std::size_t>(other + k);
      if (graph.ends[i] - a != graph.ends[j] - b || graph.is_coupling[i] != graph.is_coupling[j]) return false;
    }
    return true;
  };
  for (std::size_t period = 1; period <= std::min(longest_period, blocks.size() / 2); ++period) {
    std::size_t alike = 0;
    for (std::size_t i = 0; i + period < blocks.size(); ++i) alike += is_like(blocks[i], blocks[i + period]) ? 1 : 0;
    if (4 * alike >= 3 * (blocks.size() - period)) return period;
  }
  return 1;
}

}  // namespace

BlockGraph graph_of(const SparseRows& A, const KktUnknowns& unknowns) {
  const std::size_t num_blocks = unknowns.initial_position.size();
  const auto num_dofs = static_cast<PetscInt>(unknowns.block_of_dof.size());
  std::vector<std::vector<std::pair<int, int>>> edges(num_blocks);
  BlockGraph graph;
  graph.sizes.assign(num_blocks, 0);
  graph.around.assign(num_blocks, 0);
  for (PetscInt i = 0; i < A.n; ++i) {
    const std::vector<int> blocks = blocks_in_row(A, unknowns, i);
    if (i >= num_dofs) {
      if (!blocks.empty()) ++graph.sizes[static_cast<std::size_t>(blocks.front())];
      for (const int a : blocks) {
        ++graph.around[static_cast<std::size_t>(a)];
        for (const int b : blocks)
          if (a != b) edges[static_cast<std::size_t>(a)].emplace_back(b, row_weight);
      }
      continue;
    }
    const auto a = static_cast<std::size_t>(unknowns.block_of_dof[static_cast<std::size_t>(i)]);
    ++graph.sizes[a];
    ++graph.around[a];
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
        graph.is_coupling.back() = graph.is_coupling.back() || weight == coupling_weight;
      } else {
        graph.ends.push_back(b);
        graph.weights.push_back(weight);
        graph.is_coupling.push_back(weight == coupling_weight);
      }
    }
    graph.starts.push_back(static_cast<int>(graph.ends.size()));
  }
  return graph;
}

std::vector<int> find_runs(const BlockGraph& graph, const std::vector<int>& blocks, int leaves) {
  const std::size_t period = period_of(graph, blocks), fair = blocks.size() / static_cast<std::size_t>(leaves) + 1;
  const std::size_t length = (fair + period - 1) / period * period;
  std::vector<int> leaf(graph.sizes.size(), -1);
  for (std::size_t i = 0; i < blocks.size(); ++i) leaf[static_cast<std::size_t>(blocks[i])] = static_cast<int>(i / length);
  std::size_t ties = 0;
  for (const int a : blocks)
    for (int k = graph.starts[static_cast<std::size_t>(a)]; k < graph.starts[static_cast<std::size_t>(a) + 1]; ++k) {
      const int b = graph.ends[static_cast<std::size_t>(k)];
      if (b > a && leaf[static_cast<std::size_t>(b)] > leaf[static_cast<std::size_t>(a)]) ++ties;
    }
  if (ties > most_ties * static_cast<std::size_t>(leaves)) leaf.clear();
  return leaf;
}

}  // namespace sinew
