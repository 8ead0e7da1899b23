/// \file
/// Point masses.
#pragma once

#include "input/body_type.hpp"

namespace sinew {

/// A point mass at the start.
struct PointMassInstance {
  double mass = 0;
  Vec3<double> x;
  Vec3<double> v;
};

/// `type: point-mass`.
class PointMassItem final : public Body {
 public:
  static constexpr const char* name = "point-mass";
  static constexpr const char* help = "a mass in a point, which does not turn";
  static constexpr const char* example = R"(bodies:
  "stone{i}": {repeat: {i: 0..2}, type: point-mass, mass: 1, position: [0, 0, 0.5*i], velocity: [2, 0, 0]}
sensors:
  "stone{i}": {repeat: {i: 0..2}, type: point, of: "stone{i}", record: [position, velocity]}
)";
  static std::vector<BodyKey> keys();
  static void read(MapReader&, const ValueReader&, ReadContext&, BodyItem&);

  Expression mass{1.0};
  VectorExpression position;
  VectorExpression velocity;

  PointMassInstance numbers(const Indices&) const;

  const char* type() const override { return name; }
  PlaceForm place_form() const override { return PlaceForm::point; }
  FieldGroup field_group() const override { return FieldGroup::bodies; }
  BodySize size() const override { return {1, 0, 1}; }
  MatrixNeed matrix_need() const override { return {0, 3}; }
  void check(const OneBody&, InstanceCheck&) const override;
  std::optional<Fault> resolve(const OneBody&, const PlaceItem&, const std::string& tail, const Indices&,
                               PlaceRef&) const override;
  std::unique_ptr<BodyAtStart> at_start(const OneBody&) const override;
};

}  // namespace sinew
