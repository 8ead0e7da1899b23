/// \file
/// Rigid bodies.
#pragma once

#include "input/body_type.hpp"
#include "model/rigid_shape.hpp"

namespace sinew {

/// A rigid body at the start.
struct RigidBodyInstance {
  double mass = 0;
  Mat3<double> inertia;  ///< about the centre of mass, body axes
  Frame<double> frame;   ///< of the centre of mass
  Twist<double> twist;   ///< v global, omega in body axes
};

/// `type: rigid`. Inertia: 3 diagonal entries or 9 by rows, about the centre of mass in body axes.
class RigidBodyItem final : public Body {
 public:
  static constexpr const char* name = "rigid";
  static constexpr const char* help = "a rigid body: mass and inertia, or a shape with a density";
  static constexpr const char* example = R"(bodies:
  "box{i}":
    repeat: {i: 0..2}
    type: rigid
    mass: 1
    inertia: [0.1, 0.2, 0.2]
    position: [0, 0, 0.5*i]
    angular_velocity: [0, 0, 3]
    points: {corner: [0.2, 0.1, 0]}
sensors:
  "corner{i}": {repeat: {i: 0..2}, type: point, of: "box{i}.corner", record: [position, velocity]}
)";
  static std::vector<BodyKey> keys();
  static void read(MapReader&, const ValueReader&, ReadContext&, BodyItem&);

  Expression mass{1.0};
  std::vector<Expression> inertia;
  bool checks_inertia = true;  ///< is it to be one that a body has?
  Placement placement;
  /// where one is given; mass and inertia are then those of it, or what stands beside it
  std::shared_ptr<const RigidShape> shape;
  /// position, velocity and points are those of the shape's origin, not from the centre of mass
  bool is_placed_by_shape = false;

  /// The centre of mass from where position and points are counted from, in body axes.
  Vec3<double> centre() const;
  RigidBodyInstance numbers(const Indices&) const;

  const char* type() const override { return name; }
  PlaceForm place_form() const override { return PlaceForm::frame; }
  FieldGroup field_group() const override { return FieldGroup::bodies; }
  BodySize size() const override { return {1, 1, 1}; }
  MatrixNeed matrix_need() const override { return {0, 6}; }  // some have no more than the diagonal
  void check(const OneBody&, InstanceCheck&) const override;
  std::optional<Fault> resolve(const OneBody&, const PlaceItem&, const std::string& tail, const Indices&,
                               PlaceRef&) const override;
  std::unique_ptr<BodyAtStart> at_start(const OneBody&) const override;
  bool is_massless(const Indices& indices) const override { return mass.value(indices) == 0; }
  const RigidShape* carried_shape() const override { return shape.get(); }
};

/// The shape of a rigid body, with density, material or mass, inertia and origin beside it: fills in what follows from them.
void read_rigid_shape(MapReader& map, const DocumentNode& shape, ReadContext& context, RigidBodyItem& rigid);

}  // namespace sinew
