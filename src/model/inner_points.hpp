/// \file
/// Points and nodes of meshes that something takes hold of. A point inside a solid has a frame of its own in the mesh.
#pragma once

#include "model/model.hpp"

namespace sinew {

/// Does what a sensor records of a point inside a solid need a frame there? Turns do, and what expressions read; places and their
/// rates follow from the nodes, like stress.
bool needs_frame(const Model&, const SensorItem&);
/// An orientation or a rate of one.
bool is_rotational(Quantity);
bool records_rotation(const SensorItem&);

/// Numbers, among the named points of a solid body, of those that have a frame, ascending.
std::vector<int> points_with_frames(const Model&, int body);

/// Numbers of the nodes of a meshed body that the model names, ascending.
std::vector<int> nodes_in_use(const Model&, int body);

}  // namespace sinew
