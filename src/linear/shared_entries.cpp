#include "linear/shared_entries.hpp"

#include <algorithm>

namespace sinew {

std::optional<SharedEntries> share_entries(const SparseRows& A, const EliminationTree& tree, PetscInt num_dofs) {
  SharedEntries shared;
  shared.of_leaf.resize(static_cast<std::size_t>(tree.leaves));
  const auto first_kept = static_cast<int>(tree.interface.size() - tree.num_kept);
  const auto place = [&](std::size_t leaf, int u) {
    const std::vector<int>& boundary = tree.boundary[leaf];
    const auto found = std::lower_bound(boundary.begin(), boundary.end(), u);
    return found != boundary.end() && *found == u ? static_cast<int>(found - boundary.begin()) : -1;
  };
  bool all_have_one = true;
  for (int u = 0; u < static_cast<int>(tree.interface.size()); ++u) {
    const PetscInt i = tree.interface[static_cast<std::size_t>(u)];
    A.for_places(i, [&](PetscInt j, PetscInt value) {
      const int v = tree.interface_of[static_cast<std::size_t>(j)];
      if (v < 0) return;
      if (u >= first_kept && v >= first_kept) {
        shared.kept.push_back({u - first_kept, v - first_kept, value});
        return;
      }
      // that of what is eliminated first, a dof before a row
      const int mine = tree.node[static_cast<std::size_t>(u)], other = tree.node[static_cast<std::size_t>(v)];
      const bool is_others = other > mine || (other == mine && i >= num_dofs && j < num_dofs);
      const auto leaf = static_cast<std::size_t>(tree.leaf_of[static_cast<std::size_t>(is_others ? j : i)]);
      const int row = place(leaf, u), column = place(leaf, v);
      all_have_one = all_have_one && row >= 0 && column >= 0;
      if (all_have_one) shared.of_leaf[leaf].push_back({row, column, value});
    });
  }
  if (!all_have_one) return std::nullopt;
  return shared;
}

}  // namespace sinew
