/// \file
/// Solids.
#pragma once

#include "input/body_type.hpp"

namespace sinew {

/// `type: solid`: a three-dimensional continuum on a mesh file or a box. The placement's velocity is that of the body's origin.
class SolidItem final : public MeshedBody {
 public:
  static constexpr const char* name = "solid";
  static constexpr const char* help = "a three-dimensional continuum: a mesh or a box, and materials";
  static constexpr const char* example = R"(materials:
  rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}
bodies:
  "bar{i}":
    repeat: {i: 0..2}
    type: solid
    box: {size: [0.5, 0.1, 0.1], elements: [3, 1, 1]}
    material: rubber
    position: [0, 0, 0.5*i]
    points: {middle: [0.25, 0.05, 0.05]}
sensors:
  "middle{i}": {repeat: {i: 0..2}, type: point, of: "bar{i}.middle", record: [position, velocity]}
)";
  static std::vector<BodyKey> keys();
  static void read(MapReader&, const ValueReader&, ReadContext&, BodyItem&);

  SolidFormulation formulation = SolidFormulation::enhanced;

  const char* type() const override { return name; }
  PlaceForm place_form() const override { return PlaceForm::surface; }
  FieldGroup field_group() const override { return FieldGroup::solids; }
  BodySize size() const override;
  MatrixNeed matrix_need() const override;
  void check(const OneBody&, InstanceCheck&) const override;
  std::optional<Fault> resolve(const OneBody&, const PlaceItem&, const std::string& tail, const Indices&,
                               PlaceRef&) const override;
  std::unique_ptr<BodyAtStart> at_start(const OneBody&) const override { return nullptr; }
  std::optional<ElementAtStart> element_of(CellShape, const Material&, const std::vector<Vec3<double>>& x,
                                           const Frame<double>& body) const override;
  std::string shapes_made() const override;
};

}  // namespace sinew
