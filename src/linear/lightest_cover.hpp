/// \file
/// The lightest vertex cover of a bipartite graph.
#pragma once

#include <utility>
#include <vector>

namespace sinew {

/// Of every edge (first, second) between two sets one end, so that the weights of these are the least together: the cut of a
/// network from a source over the first set to a sink behind the second one (Koenig's theorem, with weights). By those of the
/// first set, then of the second one.
std::vector<char> lightest_cover(const std::vector<int>& first, const std::vector<int>& second,
                                 const std::vector<std::pair<int, int>>& edges);

}  // namespace sinew
