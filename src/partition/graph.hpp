/// \file
/// The graph of nodes that elements and joints tie together, and its partition.
#pragma once

#include "partition/exchange.hpp"

#include <array>

namespace sinew {

/// What a partition is made for: nodes at their homes.
struct GraphNodes {
  std::vector<int> weight;                   ///< dofs
  std::vector<std::array<double, 3>> place;  ///< at the start
  std::vector<char> is_slope;                ///< goes where the node before it goes: both are one node of a cable
};

/// New owner of every node at this rank's homes. `edges` are pairs of natural node numbers, any rank may hold any. Of the
/// partition that PETSc makes of the graph and that of the places the one which cuts fewer edges. One rank: all zero. Collective.
std::vector<int> partition_graph(MPI_Comm, const Homes&, std::vector<std::pair<std::int64_t, std::int64_t>> edges,
                                 const GraphNodes&);

}  // namespace sinew
