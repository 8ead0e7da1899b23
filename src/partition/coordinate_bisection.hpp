/// \file
/// Parts of nodes that lie together.
#pragma once

#include <mpi.h>

#include <array>
#include <vector>

namespace sinew {

/// A part, from 0 on, for each of this rank's nodes, by recursive bisection: a set of nodes is cut across its longest extent so
/// that either half weighs what its ranks should have, the first half of an odd number having one more. Nodes at one place stay
/// together. As many parts as ranks. Collective.
std::vector<int> bisect_coordinates(MPI_Comm, const std::vector<std::array<double, 3>>& places, const std::vector<int>& weights);

}  // namespace sinew
