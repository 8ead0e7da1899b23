/// \file
/// The graph of a matrix of equations of motion by blocks, the dofs of a node, and where it repeats itself.
#pragma once

#include "linear/matrix_rows.hpp"
#include "system/kkt_unknowns.hpp"

#include <vector>

namespace sinew {

/// Blocks tied by J and by rows.
struct BlockGraph {
  std::vector<int> starts{0}, ends, weights;
  std::vector<char> is_coupling;  ///< of the edges: by J, perhaps by rows as well
  std::vector<int> sizes;         ///< of the blocks: dofs, and rows that are counted with one of theirs
  std::vector<int> around;        ///< dofs and all rows
};

/// The graph of a matrix with these unknowns. Edges are weighted by what a cut adds to the interface, a block or a row.
BlockGraph graph_of(const SparseRows&, const KktUnknowns&);

/// Leaves of blocks, which are divided into `leaves` runs of a chain whose length is a multiple of its period. Empty where too
/// many ties would be cut.
std::vector<int> find_runs(const BlockGraph&, const std::vector<int>& blocks, int leaves);

}  // namespace sinew
