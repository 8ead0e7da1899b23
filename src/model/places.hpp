/// \file
/// Places: where joints, forces and sensors take hold. As written (`PlaceItem`), and found for one instance (`PlaceRef`).
#pragma once

#include "model/bodies.hpp"
#include "model/name_table.hpp"

#include <string>

namespace sinew {

/// A place as written. `ground`, a point of it, or a body with an optional point, node or group.
struct PlaceItem {
  enum class Kind { ground, ground_point, body };
  enum class Tail { none, name, node };

  Kind kind = Kind::ground;
  SourceMark mark;
  std::string text;        ///< as written, for messages
  VectorExpression point;  ///< of ground_point, global
  NamePattern body;
  Tail tail = Tail::none;
  NamePattern tail_name;  ///< `start`, `end`, a point or a group
  Expression node;        ///< of `node[...]`

  bool is_on_body() const { return kind == Kind::body; }
};

/// Closer together than this part of a length (a body's, an element's) two places on a line are one.
inline constexpr double same_place = 1e-9;

/// What a place is attached to.
enum class Anchor {
  unlocated,  ///< the ground, where the other place says
  point,      ///< a point of the ground (global), of a rigid body, point mass (zero) or solid (body axes)
  node,       ///< a node of a cable or beam
  station,    ///< a point inside an element of a cable
  whole,      ///< all of a beam, a cable or a ring
  group       ///< a physical group of a solid's mesh, or a surface of its box
};

/// A place of one instance.
struct PlaceRef {
  bool is_ground = true;
  InstanceRef body;  ///< item -1 for the ground
  Anchor anchor = Anchor::unlocated;
  Vec3<double> point;    ///< for Anchor::point
  int node = 0;          ///< for Anchor::node; of a solid's Anchor::point its number among the body's named points
  CableStation station;  ///< for Anchor::station
  std::string group;     ///< for Anchor::group
};

}  // namespace sinew
