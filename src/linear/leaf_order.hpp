/// \file
/// The order in which the interior of a part of a KKT matrix is eliminated.
#pragma once

#include "base/petsc.hpp"

#include <functional>
#include <vector>

namespace sinew {

/// A square matrix by columns, in the numbering of a part: unknowns of the interior first, then those of the boundary. Its
/// pattern is symmetric but for the square of the boundary, which is empty.
struct LeafMatrix {
  int num_interior = 0;
  std::vector<char> is_dof;       ///< of every unknown; the others are rows of constraints
  std::vector<int> starts, rows;  ///< of columns
  int size() const { return static_cast<int>(starts.size()) - 1; }
};

/// The interior in the order of elimination, and what that costs if every pivot is found on the diagonal.
struct LeafOrder {
  std::vector<int> sequence;
  double entries = 0;     ///< of L and U
  double operations = 0;  ///< multiplications and additions of the factorisation, those of the boundary too
  bool is_paired = false;
};

/// Minimum degree with the boundary last. No row of constraints, which has no diagonal of its own, comes before its partner: the
/// dof with its largest entry which no other row has. `size`: the magnitude of an entry. Three such orders are compared: the dof
/// and its row apart; all rows behind all dofs (shorter in a part of a chain between two cuts: whatever is eliminated there has
/// neighbours on both sides, and so bodies have no more than their own joints); and both together as one unknown (shorter where
/// rows tie many dofs, as in nets of cables). The one with fewest entries is taken, or the last where it is asked for: where dofs
/// have little on their diagonals, as those of rigid bodies at rest, its pivots are found where they are expected. Throws
/// SolveError where CAMD fails.
LeafOrder order_leaf(const LeafMatrix&, const std::function<double(int)>& size, bool wants_pairs = false);

}  // namespace sinew
