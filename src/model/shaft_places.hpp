/// \file
/// Which places of joints and forces are shafts, and where the ground stands for one.
#pragma once

#include "kernels/sweep/registry.hpp"
#include "model/check.hpp"
#include "model/instance_check.hpp"

#include <vector>

namespace sinew {

/// Is the place a shaft, an angle without a place in space?
bool is_scalar(const Model& model, const PlaceRef& ref);

/// May a bare `ground` stand for a shaft that never turns? Where all places of a force are shafts and there are two or more of
/// them; of a joint where there are three: one of two shafts could not turn either.
bool ground_is_shaft(const FamilyEntry& entry, bool is_joint);

/// Shafts are where a joint or force has to do with one, and nowhere else; faults go to `check`.
void check_shaft_places(const Model& model, const ConnectedItem& item, const std::vector<PlaceRef>& refs, InstanceCheck& check);

}  // namespace sinew
