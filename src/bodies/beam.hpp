/// \file
/// Beams.
#pragma once

#include "bodies/beam_line.hpp"
#include "bodies/mesh_line.hpp"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace sinew {

/// The section at a part of a beam's length; between two of them stiffness and inertia are linear.
struct BeamStationItem {
  Expression at;
  int section = -1;  ///< index into Model::sections
};

/// The turn of a beam's section at a part of its length; linear between two of them.
struct BeamTwistItem {
  Expression at, angle;
};

/// `type: beam`: a straight line, a curve or a spline, through listed places or those of a mesh. Its nodes are frames.
class BeamItem final : public LineBody {
 public:
  static constexpr const char* name = "beam";
  static constexpr const char* help = "a beam that stretches, shears, bends and twists: sections along a line";
  static constexpr const char* example = R"(materials:
  steel: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3}
sections:
  rod: {shape: circle, diameter: 0.02}
bodies:
  "spar{i}":
    repeat: {i: 0..2}
    type: beam
    line: {from: [0, 0, 0.5*i], to: [1, 0, 0.5*i], elements: 3}
    section: rod
    material: steel
sensors:
  "end{i}": {repeat: {i: 0..2}, type: point, of: "spar{i}.end", record: [position, orientation]}
)";
  static std::vector<BodyKey> keys();
  static void read(MapReader&, const ValueReader&, ReadContext&, BodyItem&);

  int order = 2;                          ///< of an element, 1 to 3: it has order + 1 nodes
  std::vector<VectorExpression> points;   ///< the ends of a straight line: two; of a spline, any number
  std::optional<VectorExpression> curve;  ///< else: places as functions of a parameter, where expressions otherwise have the time
  std::array<Expression, 2> range;        ///< of the parameter
  MeshLine mesh;                          ///< places it; two places of a mesh are `points`, and of more there is
  std::shared_ptr<const CubicSpline> mesh_spline;  ///< through them, in the mesh's axes
  std::vector<BeamStationItem> sections;           ///< one, all along; or by rising `at` from 0 to 1
  int material = -1;                               ///< index into Model::materials; -1 where all sections have matrices
  std::optional<BeamDamping> damping;              ///< in place of the material's
  std::optional<VectorExpression> up;              ///< axis 2 of the section at the start, roughly
  Expression twist;                                ///< total turn about the tangent, or the turn as a function of the parameter
  std::vector<BeamTwistItem> twists;               ///< in its place: by rising `at` from 0 to 1
  VectorExpression velocity;                       ///< of the start
  VectorExpression angular_velocity;               ///< initial rigid motion about the start, global axes
  /// The division of all instances, where it follows from no index.
  std::shared_ptr<const BeamDivision> common_division;

  /// The division of an instance: its named points have nodes, and where its section jumps elements end. Throws InputError,
  /// without a line, where the beam has too few elements.
  std::shared_ptr<const BeamDivision> division(const BodyItem& body, const Indices& indices) const;
  /// Throws InputError, without a line, for that and where it has no shape.
  BeamInstance numbers(const OneBody&) const;

  const char* type() const override { return name; }
  PlaceForm place_form() const override { return PlaceForm::frame; }
  FieldGroup field_group() const override { return FieldGroup::beams; }
  BodySize size() const override {
    const std::int64_t nodes = std::int64_t{num_elements} * order + 1;
    return {nodes, nodes, num_elements};
  }
  MatrixNeed matrix_need() const override;
  bool is_sound(const Model&) const override;
  void check(const OneBody&, InstanceCheck&) const override;
  std::optional<Fault> resolve(const OneBody&, const PlaceItem&, const std::string& tail, const Indices&,
                               PlaceRef&) const override;
  std::unique_ptr<BodyAtStart> at_start(const OneBody&) const override;
  bool has_offsets(const Model&) const override;
  const char* element_family() const override;
  int first_node(int element) const override { return order * element; }
  CableStation station_at(const OneBody&, double part) const override;
  double part_before(const OneBody&, int node) const override;
};

}  // namespace sinew
