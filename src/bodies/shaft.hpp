/// \file
/// Shafts: discs whose only degree of freedom is their angle.
#pragma once

#include "input/body_type.hpp"

namespace sinew {

/// `type: shaft`.
class ShaftItem final : public Body {
 public:
  static constexpr const char* name = "shaft";
  static constexpr const char* help = "a rotor, or several along a line, that have angles and no place in space";
  static constexpr const char* example = R"(bodies:
  "crank{i}": {repeat: {i: 0..2}, type: shaft, inertia: [0.1, 0.2, 0.1], stiffness: [20, 30], speed: 3 + i}
forces:
  "motor{i}": {repeat: {i: 0..2}, type: shaft-torque, on: "crank{i}.start", value: 2}
sensors:
  "motor{i}": {repeat: {i: 0..2}, type: force, of: "motor{i}"}
)";
  static std::vector<BodyKey> keys();
  static void read(MapReader&, const ValueReader&, ReadContext&, BodyItem&);

  std::vector<Expression> inertia;             ///< of every disc, kg m^2
  std::vector<Expression> stiffness, damping;  ///< from each to the next, N m/rad and N m s/rad
  Expression drag{0.0};                        ///< of the bearings of every disc, N m s/rad
  Expression angle{0.0};                       ///< at the start, rad
  Expression speed{0.0};                       ///< at the start, rad/s

  const char* type() const override { return name; }
  PlaceForm place_form() const override { return PlaceForm::scalar; }
  FieldGroup field_group() const override { return FieldGroup::none; }
  BodySize size() const override { return {num_discs(), 0, 1, num_discs()}; }
  MatrixNeed matrix_need() const override;
  void check(const OneBody&, InstanceCheck&) const override;
  std::optional<Fault> resolve(const OneBody&, const PlaceItem&, const std::string& tail, const Indices&,
                               PlaceRef&) const override;
  std::unique_ptr<BodyAtStart> at_start(const OneBody&) const override;

 private:
  std::int64_t num_discs() const { return static_cast<std::int64_t>(inertia.size()); }
};

}  // namespace sinew
