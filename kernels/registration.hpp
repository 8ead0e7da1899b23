/// \file
/// What the line of a joint or force in kernels/CMakeLists.txt says of its place in the model file; its struct says the
/// equations. Host code.
#pragma once

#include "kernels/sweep/registry.hpp"

#include <vector>

namespace sinew {

/// Texts are empty, and claims false, where the line says nothing.
struct Registration {
  const char* type = "";          ///< TYPE: `type:` of the model file, where several share one; empty: the struct's name
  const char* key = "";           ///< KEY: the key that tells it from others of its type; motions of shafts: beside their places
  const char* own = "";           ///< OWN: what its expression calls the coordinate that it measures itself
  const char* on_frame = "";      ///< ON_FRAME: the joint that stands in where a place is a node that turns
  const char* on_line = "";       ///< ON_LINE: the one where a body that turns holds the end of a line
  const char* one_way = "";       ///< ONE_WAY: the one that holds a node in a `direction`, where not all are held
  const char* on_body = "";       ///< ON_BODY: the one that holds a point to a body, named first, in place of the ground
  const char* body_way = "";      ///< BODY_WAY: likewise in one direction, its `normal`
  const char* coordinate = "";    ///< COORDINATE: which of a joint it acts on: angle, distance, rate.angle, rate.distance
  bool is_internal = false;       ///< INTERNAL: made by the program, and no type of the model file
  bool is_drive = false;          ///< DRIVE: a motion or an actuator, which may take the places and the axis of a joint
  bool holds_all_nodes = false;   ///< ALL_NODES: the struct holds one node to the ground, the model file's joint all of a place
  bool ground_is_origin = false;  ///< GROUND_IS_ORIGIN: a bare ground beside a place is the origin, not where that place starts
  bool is_spread = false;         ///< SPREAD: acts all along a beam or a cable; the struct is one node's share
  bool is_line_first = false;     ///< LINE_FIRST: between a line, all of it, and a place, at the element that is nearest
};

/// One for each of registered_joints() and registered_forces(), in the same order.
const std::vector<Registration>& joint_registrations();
const std::vector<Registration>& force_registrations();

/// Of a registered joint by the name of its struct; one that says nothing where there is none.
inline Registration joint_registration(const std::string& name) {
  for (std::size_t k = 0; k < registered_joints().size(); ++k)
    if (registered_joints()[k].name == name) return joint_registrations()[k];
  return {};
}

}  // namespace sinew
