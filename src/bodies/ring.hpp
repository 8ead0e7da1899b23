/// \file
/// Closed cables.
#pragma once

#include "bodies/cable.hpp"

namespace sinew {

/// A closed cable at the start.
struct RingInstance : CableMatter {
  std::vector<CableNode> nodes;  ///< of a circle: element k goes from node k to the next one, the last to node 0; of others none:
  double length = 0;             ///< of each of its elements
  std::shared_ptr<const LinePath> path;  ///< through listed points; or of a mesh, shared by the instances
  Frame<double> mesh;                    ///< where the mesh stands
  Vec3<double> middle, velocity, angular_velocity;

  int size() const { return path ? path->num_elements() : static_cast<int>(nodes.size()); }
  double element_length(int k) const { return path ? path->element_length(k) : length; }
  CableNode node(int k) const;
  /// Numbers of the model's nodes at the two ends of an element, within the body.
  std::array<int, 4> ends(int element) const;
};

/// `type: ring`: a cable without ends, a circle, through given points or a curve of a mesh. All instances have the same number of
/// elements.
class RingItem final : public LineBody {
 public:
  static constexpr const char* name = "ring";
  static constexpr const char* help = "a cable without ends: a hoop, a belt, the edge of a net";
  static constexpr const char* example = R"(materials:
  steel: {density: 7850, youngs_modulus: 2.1e11}
sections:
  wire: {shape: circle, diameter: 0.02}
bodies:
  "hoop{i}":
    repeat: {i: 0..2}
    type: ring
    circle: {centre: [0, 0, 0.5*i], axis: [0, 1, 0], radius: 0.4, elements: 8}
    section: wire
    material: steel
sensors:
  "start{i}": {repeat: {i: 0..2}, type: point, of: "hoop{i}.start", record: [position, velocity]}
)";
  static std::vector<BodyKey> keys();
  static void read(MapReader&, const ValueReader&, ReadContext&, BodyItem&);

  std::vector<VectorExpression> points;  ///< the ends of the elements, or, where there are none, a circle:
  VectorExpression centre, axis;
  Expression radius;
  MeshLine mesh;             ///< in the place of both
  Vec3<double> mesh_middle;  ///< the mean of the ends of its elements, in the mesh's axes
  CableSection section;
  VectorExpression velocity;          ///< of the middle
  VectorExpression angular_velocity;  ///< initial rigid motion about the middle, global axes

  RingInstance numbers(const Model&, const Indices&) const;

  const char* type() const override { return name; }
  PlaceForm place_form() const override { return PlaceForm::line; }
  FieldGroup field_group() const override { return FieldGroup::cables; }
  BodySize size() const override { return {2 * std::int64_t{num_elements}, 0, num_elements}; }
  MatrixNeed matrix_need() const override { return {144, 0.75 * 144}; }
  bool is_sound(const Model&) const override { return num_elements > 2 && section.section >= 0; }
  void check(const OneBody&, InstanceCheck&) const override;
  std::optional<Fault> resolve(const OneBody&, const PlaceItem&, const std::string& tail, const Indices&,
                               PlaceRef&) const override;
  std::unique_ptr<BodyAtStart> at_start(const OneBody&) const override;
  const char* element_family() const override;
  bool is_closed() const override { return true; }
  int first_node(int element) const override { return 2 * element; }
  CableStation station_at(const OneBody&, double part) const override;
  double part_before(const OneBody&, int node) const override {
    return mesh.path ? mesh.path->part_before(node) : static_cast<double>(node) / num_elements;
  }
};

}  // namespace sinew
