/// \file
/// Expands one rank's share of a model into records: nodes with initial values, elements, joints, forces, rows.
#pragma once

#include "partition/numbering.hpp"
#include "partition/records.hpp"

#include <optional>

namespace sinew {

/// A node as joints see it at the start, and its natural number (-1: the ground).
struct NodePlace {
  std::int64_t node = -1;
  Place place;
};

class Expansion {
 public:
  Expansion(const Model& model, const SolidMeshes& meshes, const Numbering& numbering)
      : model_(model), meshes_(meshes), numbering_(numbering) {}

  /// The share of rank `rank` of `size`. Throws InputError with one line per fault.
  Records share(int rank, int size) const;
  /// The node and local point behind a place. Throws InputError.
  NodePlace find(const PlaceRef&) const;

 private:
  void add_bodies(int rank, int size, Records&) const;
  void add_body_element(int body, std::int64_t item, Records&) const;
  void add_cable_element(int body, std::int64_t instance, int element, Records&) const;
  NodeRecord initial_node(std::int64_t node) const;
  void add_solid(int body, Records&) const;
  void add_solid_cells(int body, std::int64_t instance, const SolidPlacement&, Records&) const;
  void add_attachments(int body, std::int64_t instance, const SolidPlacement&, Records&) const;
  void add_joint(int joint, std::int64_t instance, Records&) const;
  void add_clamp(int joint, std::int64_t instance, Records&) const;
  void add_force(int force, std::int64_t instance, Records&) const;
  std::vector<NodePlace> places(const ConnectedItem&, std::int64_t instance) const;
  std::vector<std::int64_t> clamped_nodes(const PlaceRef&, const NodePlace& found) const;
  ElementRecord connected(int family, const ConnectedItem&, std::int64_t instance, const std::vector<NodePlace>&) const;
  Frame<double> attachment_frame(int body, std::int64_t instance, int group) const;

  const Model& model_;
  const SolidMeshes& meshes_;
  const Numbering& numbering_;
};

}  // namespace sinew
