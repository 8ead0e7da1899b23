#include "bodies/rigid.hpp"

#include "kernels/elements/rigid_body.hpp"
#include "kernels/sweep/registry.hpp"
#include "model/check.hpp"
#include "model/instance_check.hpp"
#include "model/place_on_body.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

class RigidAtStart final : public BodyAtStart {
 public:
  explicit RigidAtStart(const RigidBodyInstance& numbers) : numbers_(numbers) {}

  NodeAtStart node(int) const override { return {numbers_.frame, numbers_.twist, NodeKind::frame, false}; }
  ElementAtStart element(int) const override {
    RigidBody::Params p;
    p.mass = numbers_.mass;
    p.inertia = numbers_.inertia;
    return {RigidBody::name, {0}, packed(p)};
  }
  BodyPlace place(const PlaceRef& ref) const override {
    Place place;
    place.frame = numbers_.frame;
    place.point = ref.point;
    return {0, place};
  }
  /// Half the trace of the inertia is the integral of r^2 dm: the radius of gyration about the centre of mass.
  double radius() const override {
    const Mat3<double>& J = numbers_.inertia;
    return numbers_.mass > 0 ? std::sqrt(0.5 * (J(0, 0) + J(1, 1) + J(2, 2)) / numbers_.mass) : 0;
  }

 private:
  RigidBodyInstance numbers_;
};

}  // namespace

Vec3<double> RigidBodyItem::centre() const { return shape && is_placed_by_shape ? shape->centre : Vec3<double>{}; }

std::vector<BodyKey> RigidBodyItem::keys() {
  return {{"mass", "number, >= 0", "kg", "required without `shape`",
           "without mass the joints must hold the body (a massless frame); beside `shape` in place of densities, its pieces are "
           "then equally dense"},
          {"inertia", "3 numbers or 3 x 3, not negative", "kg m^2", "required without `shape`",
           "about the centre of mass in body axes; beside `shape` in place of that of the shape"},
          {"inertia_check", "true or false", "", "true",
           "false takes an inertia that no body has, of which one principal value exceeds the sum of the others, as it is: some "
           "published models have such"},
          {"shape", "[forms](input.md#shapes), one or a list", "", "none",
           "mass and inertia follow from it and its `density`, `material` and `origin`; pictures and fields show it"},
          {"position", "3 numbers", "m", "required", "of the centre of mass"},
          {"orientation", "`{axis, angle}`, `{sequence: zyx, angles: [3]}`, `{quaternion: [w, x, y, z]}` or `{matrix: 3 x 3}`",
           "", "none", "body to global"},
          {"velocity", "3 numbers", "m/s", "0", "of the centre of mass"},
          {"angular_velocity", "3 numbers", "rad/s", "0", "of the body, global axes"},
          {"angular_velocity_local", "3 numbers", "rad/s", "0", "in its place: body axes"},
          {"points", "map of names and vectors", "m", "none", "from the centre of mass, in body axes"}};
}

void RigidBodyItem::read(MapReader& map, const ValueReader& values, ReadContext& context, BodyItem& item) {
  auto rigid = std::make_shared<RigidBodyItem>();
  if (const auto* shape = map.find("shape")) {
    read_rigid_shape(map, *shape, context, *rigid);
  } else {
    for (const char* key : {"density", "material", "origin"})
      if (const auto* node = map.find_foreign(key))
        context.faults.error(node->mark, std::string("'") + key + "' of " + map.what() + " has a meaning beside a shape only",
                             "add shape: {box: [0.2, 0.05, 0.05]}, say");
    if (const auto* node = map.require("mass", "mass: 1.0, or a shape with a density"))
      rigid->mass = values.number(*node, "mass of " + map.what());
    if (const auto* node = map.require("inertia", "inertia: [1, 1, 1], about the centre of mass in body axes, or a shape"))
      rigid->inertia = values.matrix(*node, 3, "inertia of " + map.what());
  }
  if (const auto* node = map.find("inertia_check"))
    rigid->checks_inertia = values.boolean(*node, "inertia_check of " + map.what());
  rigid->placement = read_placement(map, values, true);
  item.content = rigid;
  read_named_points(map, values, PointForm::coordinates, item);
}

void RigidBodyItem::check(const OneBody& one, InstanceCheck& check) const {
  check.not_negative(mass, "mass");  // massless frames are held by joints
  check.placement(placement);
  if (one.instance > 0 && std::none_of(inertia.begin(), inertia.end(), [](const auto& J) { return J.uses_indices(); }))
    return;  // that of the first
  if (inertia.empty() || !check.all_finite(inertia, "inertia")) return;
  const Mat3<double> J = numbers(check.indices).inertia;
  const std::string of_a_body = inertia_fault(J, checks_inertia);
  if (of_a_body.empty()) return;
  const std::string of_any = inertia_fault(J, false);
  check.add(inertia.front().mark(), of_any.empty() ? of_a_body : of_any,
            std::string("it is taken about the centre of mass, in body axes") +
                (of_any.empty() ? "; `inertia_check: false` computes with it all the same" : ""));
}

std::optional<Fault> RigidBodyItem::resolve(const OneBody& one, const PlaceItem& item, const std::string& tail, const Indices&,
                                            PlaceRef& ref) const {
  ref.anchor = Anchor::point;
  if (item.tail == PlaceItem::Tail::none) return {};
  if (item.tail == PlaceItem::Tail::node) return place_fault(item, "a rigid body has no nodes", "name one of its points");
  const NamedPoint* point = find_point(one, tail);
  if (!point) return place_fault(item, "the body has no point '" + tail + "'", point_remedy(one.item(), tail, {}));
  ref.point = evaluate(std::get<VectorExpression>(point->place), one.indices()) - centre();
  return {};
}

RigidBodyInstance RigidBodyItem::numbers(const Indices& indices) const {
  RigidBodyInstance result;
  result.mass = mass.value(indices);
  for (int k = 0; k < static_cast<int>(inertia.size()); ++k) {
    const double entry = inertia[static_cast<std::size_t>(k)].value(indices);
    if (inertia.size() == 3) {
      result.inertia(k, k) = entry;
    } else {
      result.inertia(k / 3, k % 3) = entry;
    }
  }
  result.frame.x = evaluate(placement.position, indices);
  result.frame.R = evaluate(placement.orientation, indices);
  result.twist.v = evaluate(placement.velocity, indices);
  result.twist.omega = local_rate(placement, result.frame.R, indices);
  result.frame.x = result.frame.x + result.frame.R * centre();
  result.twist.v = result.twist.v + result.frame.R * cross(result.twist.omega, centre());
  return result;
}

std::unique_ptr<BodyAtStart> RigidBodyItem::at_start(const OneBody& one) const {
  return std::make_unique<RigidAtStart>(numbers(one.indices()));
}

}  // namespace sinew
