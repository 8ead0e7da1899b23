/// \file
/// Gyrostats: rigid bodies that carry rotors.
#pragma once

#include "bodies/rigid.hpp"

namespace sinew {

/// A rotor of a gyrostat.
struct RotorItem {
  std::string name;
  SourceMark mark;
  VectorExpression axis;  ///< in body axes, of any length
  Expression inertia;     ///< about the axis, kg m^2
  Expression drag{0.0};   ///< of its bearings, N m s/rad
  Expression angle{0.0};  ///< against the body at the start, rad
  Expression speed{0.0};  ///< likewise, rad/s
};

/// `type: gyrostat`: the keys of a rigid body, whose mass and inertia count the rotors, and `rotors`. All instances have these.
class GyrostatItem final : public Body {
 public:
  static constexpr const char* name = "gyrostat";
  static constexpr const char* help = "a rigid body that carries rotors: flywheels, reaction wheels, gyroscopes";
  static constexpr const char* example = R"(bodies:
  "satellite{i}":
    repeat: {i: 0..2}
    type: gyrostat
    mass: 80
    inertia: [9, 11, 12]
    position: [2*i, 0, 0]
    angular_velocity: [0.1, 0, 0.2]
    rotors:
      roll: {axis: [1, 0, 0], inertia: 0.05}
      pitch: {axis: [0, 1, 0], inertia: 0.05, speed: 300, drag: 1e-4}
forces:
  "motor{i}": {repeat: {i: 0..2}, type: shaft-torque, on: "satellite{i}.roll", value: 0.2*sin(10*t)}
sensors:
  "body{i}": {repeat: {i: 0..2}, type: point, of: "satellite{i}", record: [orientation, angular_velocity]}
  "wheel{i}": {repeat: {i: 0..2}, type: force, of: "motor{i}", record: [angle, rate]}
)";
  static constexpr const char* about =
      R"(Rotors turn about axes that are fixed in the body, and each adds one unknown, its angle against the body, where another
rigid body and a hinge would add eleven. They are balanced and symmetric about their axes, so that mass, inertia and centre
of mass of the whole stay as they are when rotors turn:

    m v' = F
    J omega' + sum j_k phi_k'' a_k + omega x (J omega + sum j_k phi_k' a_k) = M      in body axes, about the centre of mass
    j_k (phi_k'' + a_k . omega') = M_k - c_k phi_k'

(J. Wittenburg, *Dynamics of Multibody Systems*, 2nd ed. 2008, chapter 4, gyrostats.) A rotor is named like a point,
`satellite.roll`, and is a shaft to joints and forces: [shaft-torque](forces/shaft-torque.md) is its motor, which turns the body
the other way. Every torque on a rotor is one between it and its body. [shaft-spring](forces/shaft-spring.md) and
[shaft-gear](joints/shaft-gear.md) couple two. All else takes hold of the body, as of a `rigid` one: its centre of mass or a named
point. Sensors of momentum and of energy count the rotors.
)";
  static std::vector<BodyKey> keys();
  static void read(MapReader&, const ValueReader&, ReadContext&, BodyItem&);

  std::shared_ptr<const RigidBodyItem> whole;  ///< with its rotors held
  std::vector<RotorItem> rotors;

  const char* type() const override { return name; }
  PlaceForm place_form() const override { return PlaceForm::frame; }
  PlaceForm form_of(const PlaceRef& ref) const override;
  FieldGroup field_group() const override { return FieldGroup::bodies; }
  BodySize size() const override { return {1 + num_rotors(), 1, 1, num_rotors()}; }
  MatrixNeed matrix_need() const override;
  bool is_sound(const Model&) const override { return !rotors.empty(); }
  void check(const OneBody&, InstanceCheck&) const override;
  std::optional<Fault> resolve(const OneBody&, const PlaceItem&, const std::string& tail, const Indices&,
                               PlaceRef&) const override;
  std::unique_ptr<BodyAtStart> at_start(const OneBody&) const override;
  const RigidShape* carried_shape() const override { return whole->carried_shape(); }

 private:
  std::int64_t num_rotors() const { return static_cast<std::int64_t>(rotors.size()); }
};

}  // namespace sinew
