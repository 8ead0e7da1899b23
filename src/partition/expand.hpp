/// \file
/// Expands one rank's share of a model into records: nodes with initial values, elements, joints, forces, rows.
#pragma once

#include "partition/local_signals.hpp"
#include "partition/numbering.hpp"
#include "partition/records.hpp"

#include <memory>
#include <optional>

namespace sinew {

/// A point of a mesh where its body stands.
inline Vec3<double> placed(const Frame<double>& frame, const Point3& X) {
  return frame.x + frame.R * Vec3<double>{{X[0], X[1], X[2]}};
}

/// A node as it is at the start; its number is left out.
NodeRecord record_of(const NodeAtStart&);

/// A node as joints see it at the start, and its natural number (-1: the ground).
struct NodePlace {
  std::int64_t node = -1;
  Place place;
};

/// A joint that holds a frame where it is, on the ground (a place without a node) or in the axes of another node; `row`: its
/// first. Its rows are to be recorded by who asks for it.
ElementRecord fixed_to(const NodePlace& carrier, const NodePlace& held, std::int64_t row, const Origin&);

/// One of `size` equal parts of a list.
struct Part {
  int rank = 0, size = 1;
  std::int64_t begin(std::int64_t total) const { return total * rank / size; }
  std::int64_t end(std::int64_t total) const { return total * (rank + 1) / size; }
};

class Expansion {
 public:
  Expansion(const Model& model, const SolidMeshes& meshes, const Numbering& numbering)
      : model_(model), meshes_(meshes), numbering_(numbering) {}

  /// The share of one rank. Throws InputError with one line per fault.
  Records share(Part) const;
  /// The node and local point behind a place. Throws InputError.
  NodePlace find(const PlaceRef&) const;
  /// The places of a joint or force, a bare `ground` where it lies beside the other place. Throws InputError with its line.
  std::vector<NodePlace> places(const ConnectedItem&, std::int64_t instance) const;
  /// The nodes behind the motion of a place, points inside a cable's element included. Throws InputError.
  PlaceProbe probe(const PlaceRef&) const;
  /// Where leaves of signals are found, with natural numbers alone; not the relative coordinates. Throws InputError.
  std::vector<LocalLeaf> leaves(const std::vector<SignalLeaf>&) const;
  /// The coordinates of an instance of a relative sensor, with natural numbers alone. Throws InputError.
  std::vector<LocalRelative> relatives(int sensor, std::int64_t instance) const;
  /// Does a leaf read a relative coordinate: of a relative sensor, or of the force whose expression it stands in?
  bool is_relative(const SignalLeaf&) const;
  /// The one that it reads, itself or its rate.
  LocalRelative relative(const SignalLeaf&, bool& is_rate) const;
  /// The places on bodies that the expression of a relation reads, the first one first. Throws InputError.
  std::vector<PlaceProbe> relation_places(const JointItem&, std::int64_t instance) const;

 private:
  /// What is wrong with the numbers of this part of large repeats; empty where nothing is.
  std::string find_faults(Part) const;
  void add_bodies(Part, Records&) const;
  void add_body_element(int body, std::int64_t instance, int element, Records&) const;
  void add_attachment_rows(int body, std::int64_t instance, int attachment, std::int64_t node, Records&) const;
  const BodyAtStart& at_start(int body, std::int64_t instance) const;
  PlacementAtStart placement(int body, std::int64_t instance) const;
  NodeRecord initial_node(std::int64_t node) const;
  void add_solid(int body, const SolidSource&, Part, Records&) const;
  void add_solid_node(int body, std::int64_t instance, std::int64_t point, const SolidSource&, Records&) const;
  void add_solid_cell(int body, std::int64_t instance, std::int64_t number, const SolidSource&, Records&) const;
  void add_attachment(int body, std::int64_t instance, int attachment, Records&) const;
  void add_point_nodes(int body, std::int64_t instance, int attachment, Records&) const;
  void add_attached_node(int body, std::int64_t instance, int group, std::int64_t index, const SolidSource&, Records&) const;
  void add_node_beside(int body, std::int64_t instance, int group, std::int64_t index, const SolidSource&, Records&) const;
  void add_held_frame(int body, std::int64_t instance, int group, const NodePlace& carrier, Records&) const;
  NodePlace frame_node(int body, std::int64_t instance, int node, const SolidSource&) const;
  /// An instance of a joint that holds all nodes of a place.
  struct Clamping {
    int joint = -1;
    std::int64_t instance = 0;
    NodePlace carrier;  ///< what holds them
  };
  void add_joint(int joint, std::int64_t instance, Part, Records&) const;
  NodePlace slope_behind(const NodePlace& end) const;
  void add_clamp(int joint, std::int64_t instance, Part, Records&) const;
  void add_clamped_node(const Clamping&, const NodePlace& held, std::int64_t row, Records&) const;
  void add_clamped_place(const Clamping&, const PlaceRef&, const NodePlace&, Records&) const;
  void add_clamped_surface(const Clamping&, const PlaceRef&, Part, Records&) const;
  void add_relation(int joint, std::int64_t instance, Records&) const;
  void require_type(const ForceItem&, const std::vector<std::string>& types, const InstanceRef& of, std::int64_t instance) const;
  void add_force(int force, std::int64_t instance, Records&) const;
  void add_surface_load(int force, std::int64_t instance, Part, Records&) const;
  void add_spread_load(int force, std::int64_t instance, Part, Records&) const;
  void add_force_on_line(int force, std::int64_t instance, Records&) const;
  void add_control(int control, std::int64_t instance, SignalTracer&, Records&) const;
  std::vector<std::int64_t> watched_nodes(const std::vector<SignalLeaf>&) const;
  std::vector<std::int64_t> read_states(const std::vector<SignalLeaf>&) const;
  void locate_ground(const ConnectedItem&, std::int64_t instance, std::vector<NodePlace>&) const;
  Setup setup(const ConnectedItem&, std::int64_t instance, const std::vector<NodePlace>&) const;
  [[noreturn]] void throw_with_line(const ConnectedItem&, std::int64_t instance, const std::string& fault) const;
  std::vector<double> made_params(int family, const ConnectedItem&, std::int64_t instance, const Setup&) const;
  ElementRecord connected(int family, const ConnectedItem&, std::int64_t instance, const std::vector<NodePlace>&) const;
  Frame<double> attachment_frame(int body, std::int64_t instance, int attachment) const;

  /// What a flow reads, with natural numbers alone: a relative coordinate for each leaf that is one.
  struct ReadPlaces {
    std::vector<LocalLeaf> leaves;
    std::vector<std::optional<LocalRelative>> relatives;
    /// The places among them that move.
    std::vector<PlaceProbe> on_bodies() const;
  };
  ReadPlaces read_places(const SignalFlow&) const;
  std::vector<RelativeCoordinate> directed(const SensorItem&, const Indices&) const;
  LocalRelative own_coordinate(const InstanceRef& force) const;

  /// The body that was asked for last: it is laid out once for all of its nodes.
  struct KnownBody {
    int body = -1;
    std::int64_t instance = 0;
    std::shared_ptr<const BodyAtStart> start;
  };

  const Model& model_;
  const SolidMeshes& meshes_;
  const Numbering& numbering_;
  mutable KnownBody known_;
};

}  // namespace sinew
