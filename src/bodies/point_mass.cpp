#include "bodies/point_mass.hpp"

#include "kernels/elements/point_mass.hpp"
#include "kernels/sweep/registry.hpp"
#include "model/instance_check.hpp"
#include "model/place_on_body.hpp"

namespace sinew {

namespace {

class PointMassAtStart final : public BodyAtStart {
 public:
  explicit PointMassAtStart(const PointMassInstance& numbers) : numbers_(numbers) {}

  NodeAtStart node(int) const override {
    NodeAtStart node;
    node.frame.x = numbers_.x;
    node.twist.v = numbers_.v;
    return node;
  }
  ElementAtStart element(int) const override {
    PointMass::Params p;
    p.mass = numbers_.mass;
    return {PointMass::name, {0}, packed(p)};
  }
  BodyPlace place(const PlaceRef&) const override {
    Place place;
    place.frame.x = numbers_.x;
    place.can_turn = false;
    return {0, place};
  }

 private:
  PointMassInstance numbers_;
};

}  // namespace

std::vector<BodyKey> PointMassItem::keys() {
  return {{"mass", "number, > 0", "kg", "required", "at a point, without inertia about it"},
          {"position", "3 numbers", "m", "required", "at the start"},
          {"velocity", "3 numbers", "m/s", "0", "at the start"}};
}

void PointMassItem::read(MapReader& map, const ValueReader& values, ReadContext&, BodyItem& item) {
  auto mass = std::make_shared<PointMassItem>();
  if (const auto* node = map.require("mass", "mass: 1.0")) mass->mass = values.number(*node, "mass of " + map.what());
  if (const auto* node = map.require("position", "position: [0, 0, 0]"))
    mass->position = values.vector(*node, "position of " + map.what());
  if (const auto* node = map.find("velocity")) mass->velocity = values.vector(*node, "velocity of " + map.what());
  item.content = mass;
}

void PointMassItem::check(const OneBody&, InstanceCheck& check) const {
  check.positive(mass, "mass");
  check.all_finite(position, "position");
  check.all_finite(velocity, "velocity");
}

std::optional<Fault> PointMassItem::resolve(const OneBody&, const PlaceItem& item, const std::string&, const Indices&,
                                            PlaceRef& ref) const {
  ref.anchor = Anchor::point;
  if (item.tail != PlaceItem::Tail::none) return place_fault(item, "a point mass has no points", "write the body's name alone");
  return {};
}

PointMassInstance PointMassItem::numbers(const Indices& indices) const {
  return {mass.value(indices), evaluate(position, indices), evaluate(velocity, indices)};
}

std::unique_ptr<BodyAtStart> PointMassItem::at_start(const OneBody& one) const {
  return std::make_unique<PointMassAtStart>(numbers(one.indices()));
}

}  // namespace sinew
