/// \file
/// Cables whose line goes back on itself inside an element.
///
/// The stretch of a cable is taken at three places of an element (docs/elements/cable.md). Where the slope turns right round from
/// one of them to the next, all three may be as long as they should while the line runs there and back: a state that costs next
/// to no energy, of the mesh and not of the cable, in which the element is too short by a third of its length.
#pragma once

#include "system/system.hpp"

#include <cstdint>
#include <string>

namespace sinew {

struct DoubledCables {
  std::int64_t count = 0;   ///< elements
  std::int64_t cables = 0;  ///< elements of cables in all
  std::string first;        ///< the body that the first one in the order of the model belongs to; empty on ranks without any
  std::int64_t item = -1, instance = -1;  ///< that body; -1 on ranks without any
};

/// Do the slopes of two neighbouring places of an element point opposite ways, and is none of the three so short (half) that the
/// cable lies slack in a heap there? `slope` are r' at start and end, `chord` is r2 - r1, `length` that of the element, m.
bool is_doubled(const Vec3<double>& slope1, const Vec3<double>& slope2, const Vec3<double>& chord, double length);

/// All of a configuration; `count` and `cables` are those of all ranks. Collective.
DoubledCables doubled_cables(const System&, const Configuration&);

}  // namespace sinew
