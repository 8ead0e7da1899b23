/// \file
/// Solids of which a few shapes of vibration are left.
#pragma once

#include "model/reduced_body.hpp"

#include "input/body_type.hpp"

namespace sinew {

/// `type: modal`: the keys of a solid, `interfaces`, `modes` and `damping_ratio`. Its nodes: the frame in the centre of mass, a
/// frame at each interface, which the first one and the amplitudes carry, and the amplitudes.
class ModalItem final : public ReducedBody {
 public:
  static constexpr const char* name = "modal";
  static constexpr const char* help = "a solid as a few shapes of vibration about a frame that moves with it";
  static constexpr const char* example = R"(materials:
  rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}
bodies:
  "bar{i}":
    repeat: {i: 0..2}
    type: modal
    box: {size: [0.5, 0.1, 0.1], elements: [3, 1, 1]}
    material: rubber
    position: [0, 0, 0.5*i]
    velocity: [0.05*i, 0, 0]
    angular_velocity: [0, 0, i]
    interfaces: [x-, x+]
    modes: 2
joints:
  "hinge{i}": {repeat: {i: 0..2}, type: revolute, connect: [ground, "bar{i}.x-"], axis: [0, 0, 1]}
sensors:
  "end{i}": {repeat: {i: 0..2}, type: point, of: "bar{i}.x+", record: [position, velocity, acceleration]}
)";
  static constexpr const char* about =
      R"(Takes the place of a `solid` that bends little while it moves a lot: of a mesh of thousands of unknowns six are left,
and one for each shape of vibration. Mesh, materials and placement are those of a `solid`, and so are the names of its
places, of which `interfaces` lists those that joints, forces and sensors may take hold of. The body by its own name is
its frame, which follows the centre of mass: for sensors; a force there moves the whole body and bends nothing.
Materials damp as they damp the mesh, `damping_ratio` adds to that. Sensors of energy and momentum count the shapes.
Equations, how the shapes are found, and what they leave out, among it buckling: [modal body](elements/modal.md).
)";
  static std::vector<BodyKey> keys();
  static void read(MapReader&, const ValueReader&, ReadContext&, BodyItem&);

  const char* type() const override { return name; }
  PlaceForm place_form() const override { return PlaceForm::frame; }
  FieldGroup field_group() const override { return FieldGroup::bodies; }
  BodySize size() const override;
  MatrixNeed matrix_need() const override;
  bool is_sound(const Model&) const override { return !interfaces.empty() && whole != nullptr; }
  void check(const OneBody&, InstanceCheck&) const override;
  std::optional<Fault> resolve(const OneBody&, const PlaceItem&, const std::string& tail, const Indices&,
                               PlaceRef&) const override;
  std::unique_ptr<BodyAtStart> at_start(const OneBody&) const override;
  std::shared_ptr<const Body> with(std::shared_ptr<const ModalShapes>) const override;
};

}  // namespace sinew
