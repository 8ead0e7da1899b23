/// \file
/// Motions and actuators: what they drive, and how those of shafts are told from those of bodies.
#pragma once

#include "input/section_readers.hpp"
#include "kernels/sweep/registry.hpp"

#include <string>
#include <vector>

namespace sinew {

/// What a motion drives, what an actuator exerts: the key of its signal; empty of what is neither.
std::string driven_by(const ItemDescription& item);

/// The key of the only direction of a joint (`axis` of a revolute joint, `normal` of a planar one); empty where it has none or
/// several.
std::string only_direction(const FamilyEntry& joint);

/// Is it a motion of shafts, all its places being shafts?
bool drives_shafts(const ItemDescription& item);

/// The type among these that drives the same of so many shafts; null where there is none.
const ItemDescription* drive_of_shafts(const std::vector<ItemDescription>& types, const ItemDescription& drive, int count);

/// A motion is told from its places: of shafts it is another kernel than of bodies, which is returned. What carries a shaft, the
/// ground or the body of a rotor, may stand before it and takes the opposite: it is no place of that kernel, and is taken from
/// the item. `types`: of all joints. Nothing changes where places are unknown or others; faults go to the context.
const ItemDescription* settle_shafts(ReadContext& context, const std::vector<ItemDescription>& types,
                                     const ItemDescription& description, ConnectedItem& item);

}  // namespace sinew
