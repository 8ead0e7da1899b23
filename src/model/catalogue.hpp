/// \file
/// The joints and forces that a program knows, as the reader and the reference page see them.
#pragma once

#include "kernels/describe.hpp"

#include <string>
#include <vector>

namespace sinew {

/// One joint or force type. Everything but the name, fields and number of places has a sensible default.
struct ItemDescription {
  std::string name;  ///< the kernel's
  std::string type;  ///< `type:` in the model file, where several kernels share one; empty: the name
  std::string key;   ///< the key that tells it from others of its type
  std::string own;   ///< what its expression calls the coordinate that it measures itself
  std::vector<FieldSpec> fields;
  int num_places = 2;                ///< 0: named by its expression; 1: `on:`; n: so many to `connect:`; -n: so many or more
  std::string help;                  ///< one line
  std::vector<std::string> aliases;  ///< other spellings of `type:`
  bool ground_is_contact = false;    ///< a bare `ground` passes where the second place touches it at the start (rolling-disc)
  bool ground_is_origin = false;     ///< a bare `ground` is the origin, not the other place's position (distance, spring-damper)
  std::vector<std::string> joints;   ///< types of joint that a force may be in: it takes `of: joint` alone
  std::string coordinate;            ///< what of a joint such a force, or a motion, acts on: `angle`, `rate.angle` ...
  bool is_load = false;              ///< a force that the load factor of states of rest scales
  bool is_on_surface = false;        ///< a force on the faces of a solid's surface group, not on its mean motion
  bool is_spread = false;            ///< a force all along a beam or a cable
  bool is_line_first = false;        ///< a force between a line, all of it, and a place
  bool is_drive = false;             ///< a motion or an actuator, which may take the places and the axis of a joint
  bool holds_all_nodes = false;      ///< a joint of one node that holds all nodes of a place to the ground or a body (clamp)
  std::string on_frame, on_line;     ///< the joints that stand in for it at a node that turns, at the end of a line
  std::string one_way;               ///< the one that stands in for it in each direction, where not all are held
  std::string on_body, body_way;     ///< those that stand in for it, and for that one, where a body holds in place of the ground

  /// What the model file calls it.
  const std::string& word() const { return type.empty() ? name : type; }
};

/// All joint and force types, in the order of registration.
struct Catalogue {
  std::vector<ItemDescription> joints;
  std::vector<ItemDescription> forces;
};

/// The description whose kernel is called `name` (or that has it as an alias), or null.
const ItemDescription* find_description(const std::vector<ItemDescription>& list, const std::string& name);

}  // namespace sinew
