/// \file
/// The graph of nodes that elements and joints tie together, and its partition.
#pragma once

#include "partition/exchange.hpp"

namespace sinew {

/// New owner of every node at this rank's homes. `edges` are pairs of natural node numbers, any rank may hold any; weight: dofs
/// of the nodes at home. One rank: all zero. Collective.
std::vector<int> partition_graph(MPI_Comm, const Homes&, std::vector<std::pair<std::int64_t, std::int64_t>> edges,
                                 const std::vector<int>& weight);

}  // namespace sinew
