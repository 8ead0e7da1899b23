/// \file
/// What travels between ranks while a model is expanded and partitioned.
#pragma once

#include "kernels/describe.hpp"
#include "kernels/nodes/node_kind.hpp"
#include "partition/bounds.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace sinew {

/// A node of the model, known by its natural number.
struct NodeRecord {
  std::int64_t id = -1;
  NodeKind kind = NodeKind::point;
  int is_slope = 0;                     ///< a point that is no place but a derivative of one (of a cable)
  double config[max_config_size] = {};  ///< as its manifold has them: see kernels/nodes/node_kind.hpp
  double velocity[max_node_dofs] = {};

  ManifoldSize size() const { return manifold_size(kind); }
};

/// Where an element comes from in the model file.
enum class OriginKind : int { body, joint, force, attachment };
struct Origin {
  OriginKind kind = OriginKind::body;
  int item = -1;
  std::int64_t instance = 0;
  bool operator==(const Origin&) const = default;
};

/// A run of constraint rows that belong together.
struct RowRecord {
  std::int64_t first = -1;   ///< natural number of the first row
  std::int64_t anchor = -1;  ///< natural number of the node whose owner owns the rows
  int position_rows = 0, velocity_rows = 0;
  Origin origin;
  Bounds places;  ///< of a joint, those on the ground too; empty of others
  int num_rows() const { return position_rows + velocity_rows; }
};

/// The place in that order of what an instance has many of.
constexpr std::int64_t order_key(std::int64_t instance, std::int64_t number) { return (instance << 32) + number; }

/// An element, joint or force: its family, nodes (natural numbers, -1 the ground), rows and parameters.
struct ElementRecord {
  int family = -1;       ///< index into all_families()
  std::int64_t key = 0;  ///< place in the order of the model, the same on any number of ranks
  std::int64_t first_row = -1;
  std::int64_t anchor = -1;  ///< natural number of the node whose owner takes the element
  Origin origin;
  std::vector<std::int64_t> nodes;
  std::vector<double> params;
};

/// A control instance: who owns its states and evaluates its expressions.
struct ControlRecord {
  std::int64_t first_state = -1;  ///< natural number
  std::int64_t anchor = -1;       ///< natural number of the node whose owner takes it; -1: it watches none
  int control = -1;
  std::int64_t instance = 0;
};

/// A state of a control that is read elsewhere.
struct StateTie {
  std::int64_t state = -1;   ///< natural number
  std::int64_t node = -1;    ///< natural number of the node beside which it is read; -1: by a control that watches none
  std::int64_t reader = -1;  ///< the first state of that control, if it has any
};

/// What one rank expands of a model before anything is distributed.
struct Records {
  std::vector<NodeRecord> nodes;
  std::vector<RowRecord> rows;
  std::vector<ElementRecord> elements;
  std::vector<ControlRecord> controls;
  std::vector<std::pair<std::int64_t, std::int64_t>>
      ties;  ///< nodes that belong together because a signal leads from one to the other
  std::vector<StateTie> state_ties;
  Bounds bounds;      ///< of bodies and of the places of joints and forces, those on the ground too
  Bounds own_bounds;  ///< of bodies, their places, and those on the ground that rods hold them to

  /// Takes in a place that moves with a body.
  void include(const Vec3<double>& x, double radius = 0) {
    bounds.include(x, radius);
    own_bounds.include(x, radius);
  }
  /// Takes in a place of a joint or force; `holds`: one on the ground that says how far a body goes from it.
  void include(const Place& place, bool holds = false) {
    if (place.is_scalar) return;
    if (place.is_ground && !holds)
      bounds.include(place.position());
    else
      include(place.position());
  }
};

}  // namespace sinew
