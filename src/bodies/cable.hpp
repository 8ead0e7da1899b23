/// \file
/// Cables.
#pragma once

#include "bodies/mesh_line.hpp"

#include <array>
#include <memory>
#include <vector>

namespace sinew {

/// A node of a cable at the start: position, dr/ds and their rates.
struct CableNode {
  Vec3<double> x;
  Vec3<double> slope;
  Vec3<double> v;
  Vec3<double> slope_rate;
};

/// More cannot be numbered.
constexpr std::int64_t max_cable_elements = 1000000000;

/// What cables are made of, per length.
struct CableMatter {
  double axial_stiffness = 0;    ///< EA
  double bending_stiffness = 0;  ///< EI
  double mass_per_length = 0;    ///< rho A
  RayleighDamping damping;
  double axial_viscosity = 0;  ///< eta A, beside that of the damping
  double compression = 1;      ///< share of the axial force that is borne where it presses
};

/// What they are made of as the model file has it.
struct CableSection {
  int section = -1;                        ///< index into Model::sections
  int material = -1;                       ///< index into Model::materials; -1 if the section has matrices
  std::optional<RayleighDamping> damping;  ///< in place of the material's
  double compression = 1;

  static std::vector<BodyKey> keys();
  /// Reads all, and checks that a cable can be made of them.
  void read(MapReader&, const ValueReader&, ReadContext&);
  CableMatter matter(const Model&) const;
};

/// One of the two nodes of the model that a node of a cable is.
NodeAtStart node_of_cable(const CableNode& node, bool is_slope);
/// An element of a length between nodes of the model.
ElementAtStart element_of_cable(const CableMatter& matter, double length, std::vector<int> nodes);
/// The station at a fraction, 0 to 1, of a line of elements that are equally long.
CableStation even_station(int num_elements, double fraction);
/// Sets `ref` to a station, or to the node that it is at; `num_nodes`: of a ring the node behind the last one is the first.
void set_station(const CableStation& station, int num_nodes, PlaceRef& ref);

/// A cable at the start.
struct CableInstance : CableMatter {
  int num_elements = 0;
  std::vector<Vec3<double>> points;      ///< the ends of a line that is divided evenly; of others none:
  std::shared_ptr<const LinePath> path;  ///< through listed points; or of a mesh, shared by the instances
  Frame<double> mesh;                    ///< where the mesh stands
  Vec3<double> velocity;
  Vec3<double> angular_velocity;
  /// v and dv/ds at every node, where the velocity is given along the cable in place of both
  std::vector<std::array<Vec3<double>, 2>> motions;

  /// Length of an element's chord, or what the path says.
  double element_length(int element) const;
  /// Node k, 0 <= k <= num_elements.
  CableNode node(int k) const;
  /// Numbers of the model's nodes at the two ends of an element, within the body.
  std::array<int, 4> ends(int element) const { return {2 * element, 2 * element + 1, 2 * element + 2, 2 * element + 3}; }
  /// The station at a fraction of the length, 0 to 1.
  CableStation station(double fraction) const;
};

/// `type: cable`: a straight line, the ends of its elements, or a curve of a mesh. Its nodes are positions and slopes in turn.
class CableItem final : public LineBody {
 public:
  static constexpr const char* name = "cable";
  static constexpr const char* help = "a cable or wire, which bends alike in all directions and does not twist";
  static constexpr const char* example = R"(materials:
  steel: {density: 7850, youngs_modulus: 2.1e11}
sections:
  wire: {shape: circle, diameter: 0.02}
bodies:
  "rope{i}":
    repeat: {i: 0..2}
    type: cable
    line: {from: [0, 0, 0.5*i], to: [1, 0, 0.5*i], elements: 4}
    section: wire
    material: steel
sensors:
  "end{i}": {repeat: {i: 0..2}, type: point, of: "rope{i}.end", record: [position, velocity]}
)";
  static std::vector<BodyKey> keys();
  static void read(MapReader&, const ValueReader&, ReadContext&, BodyItem&);

  std::vector<VectorExpression> points;  ///< 2: the ends of a straight line divided evenly; num_elements + 1 with is_polyline
  bool is_polyline = false;
  MeshLine mesh;  ///< in the place of points
  CableSection section;
  VectorExpression velocity;          ///< of the start; or, of the length s from there, of every place
  VectorExpression angular_velocity;  ///< initial rigid motion about the start, global axes

  CableInstance numbers(const Model&, const Indices&) const;

  const char* type() const override { return name; }
  PlaceForm place_form() const override { return PlaceForm::line; }
  FieldGroup field_group() const override { return FieldGroup::cables; }
  BodySize size() const override { return {2 * (std::int64_t{num_elements} + 1), 0, num_elements}; }
  MatrixNeed matrix_need() const override { return {144, 0.75 * 144}; }  // it shares a fourth with each neighbour
  bool is_sound(const Model&) const override {
    return num_elements > 0 && (mesh.path || points.size() > 1) && section.section >= 0;
  }
  void check(const OneBody&, InstanceCheck&) const override;
  std::optional<Fault> resolve(const OneBody&, const PlaceItem&, const std::string& tail, const Indices&,
                               PlaceRef&) const override;
  std::unique_ptr<BodyAtStart> at_start(const OneBody&) const override;
  const char* element_family() const override;
  int first_node(int element) const override { return 2 * element; }
  CableStation station_at(const OneBody&, double part) const override;
  double part_before(const OneBody&, int node) const override {
    return mesh.path ? mesh.path->part_before(node) : static_cast<double>(node) / num_elements;
  }
};

}  // namespace sinew
