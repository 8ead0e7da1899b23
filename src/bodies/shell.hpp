/// \file
/// Shells.
#pragma once

#include "input/body_type.hpp"

namespace sinew {

/// `type: shell`: a thin-walled body on a mesh of triangles and quadrilaterals, or a plate. The placement's velocity is that of
/// the body's origin.
class ShellItem final : public MeshedBody {
 public:
  static constexpr const char* name = "shell";
  static constexpr const char* help = "a plate or shell: a surface mesh or a rectangle, a thickness and a material";
  static constexpr const char* example = R"(materials:
  rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}
bodies:
  "flap{i}":
    repeat: {i: 0..2}
    type: shell
    plate: {size: [0.5, 0.2], elements: [4, 2]}
    thickness: 0.01
    material: rubber
    position: [0, 0, 0.5*i]
sensors:
  "tip{i}": {repeat: {i: 0..2}, type: point, of: "flap{i}.x+", record: [position, velocity]}
)";
  static std::vector<BodyKey> keys();
  static void read(MapReader&, const ValueReader&, ReadContext&, BodyItem&);

  double thickness = 0;  ///< m

  const char* type() const override { return name; }
  PlaceForm place_form() const override { return PlaceForm::surface; }
  PlaceForm form_of(const PlaceRef&) const override;
  FieldGroup field_group() const override { return FieldGroup::solids; }
  BodySize size() const override;
  MatrixNeed matrix_need() const override;
  void check(const OneBody&, InstanceCheck&) const override;
  std::optional<Fault> resolve(const OneBody&, const PlaceItem&, const std::string& tail, const Indices&,
                               PlaceRef&) const override;
  std::unique_ptr<BodyAtStart> at_start(const OneBody&) const override { return nullptr; }
  int dimension() const override { return 2; }
  NodeKind node_kind() const override { return NodeKind::frame; }
  double node_gyration() const override;
  std::optional<ElementAtStart> element_of(CellShape, const Material&, const std::vector<Vec3<double>>& x,
                                           const Frame<double>& body) const override;
  std::string shapes_made() const override;
};

}  // namespace sinew
