/// \file
/// Which elements prescribed angles wind up.
#pragma once

#include "kernels/sweep/family.hpp"

namespace sinew {

/// Whether its elements lie between nodes that turn, as beams do: they know how these lie to each other, and not on which way
/// they came there.
inline bool can_be_wound(const FamilyShape& shape) {
  int turning = 0;
  for (int k = 0; k < shape.nodes_per_element; ++k) turning += first_turn_of(shape.node_kind(k)) >= 0 ? 1 : 0;
  return shape.has_mass && turning > 1;
}

}  // namespace sinew
