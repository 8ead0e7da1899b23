#include "bodies/shaft.hpp"

#include "kernels/elements/shaft.hpp"
#include "kernels/sweep/registry.hpp"
#include "model/instance_check.hpp"
#include "model/place_on_body.hpp"

#include <numeric>

namespace sinew {

namespace {

class ShaftAtStart final : public BodyAtStart {
 public:
  ShaftAtStart(ElementAtStart element, double angle, double speed) : element_(std::move(element)), angle_(angle), speed_(speed) {}

  NodeAtStart node(int) const override {
    NodeAtStart node;
    node.kind = NodeKind::scalar;
    node.frame.x[0] = angle_;
    node.twist.v[0] = speed_;
    return node;
  }
  ElementAtStart element(int) const override { return element_; }
  BodyPlace place(const PlaceRef& ref) const override {
    Place place;
    place.frame.x[0] = angle_;
    place.can_turn = false;
    place.is_scalar = true;
    return {ref.node, place};
  }

 private:
  ElementAtStart element_;
  double angle_, speed_;
};

/// One number, or a list of them.
std::vector<Expression> read_list(const DocumentNode& node, const ValueReader& values, const std::string& what) {
  if (node.is_scalar()) return {values.number(node, what)};
  return values.numbers(node, node.items.size(), what);
}

}  // namespace

std::vector<BodyKey> ShaftItem::keys() {
  return {{"inertia", "number, > 0, or a list `J_0, J_1, ...`", "kg m^2", "required",
           "of the disc, or of every disc, about the axis"},
          {"stiffness", "list, one number less", "N m/rad", "required with several discs", "from each disc to the next"},
          {"damping", "list, one number less", "N m s/rad", "0", "likewise"},
          {"drag", "number, >= 0", "N m s/rad", "0", "of the bearings of each disc"},
          {"angle", "number", "rad", "0", "of all discs at the start, where nothing is twisted"},
          {"speed", "number", "rad/s", "0", "of all discs at the start"}};
}

void ShaftItem::read(MapReader& map, const ValueReader& values, ReadContext& context, BodyItem& item) {
  auto shaft = std::make_shared<ShaftItem>();
  if (const auto* node = map.require("inertia", "inertia: 0.01"))
    shaft->inertia = read_list(*node, values, "inertia of " + map.what());
  if (shaft->inertia.empty()) shaft->inertia.emplace_back(1.0);  // a fault that is noted
  const std::size_t gaps = shaft->inertia.size() - 1;
  const auto between = [&](const char* key, const DocumentNode* node, std::vector<Expression>& list) {
    if (!node) return list.resize(gaps, Expression{0.0});
    list = read_list(*node, values, key + (" of " + map.what()));
    if (list.size() != gaps)
      context.faults.error(
          node->mark,
          map.what() + " has " + std::to_string(gaps + 1) + " discs and " + std::to_string(list.size()) + " of '" + key + "'",
          "give one from each disc to the next");
    list.resize(gaps, Expression{0.0});
  };
  between("stiffness", gaps > 0 ? map.require("stiffness", "stiffness: [800]") : map.find("stiffness"), shaft->stiffness);
  between("damping", map.find("damping"), shaft->damping);
  if (const auto* node = map.find("drag")) shaft->drag = values.number(*node, "drag of " + map.what());
  if (const auto* node = map.find("angle")) shaft->angle = values.number(*node, "angle of " + map.what());
  if (const auto* node = map.find("speed")) shaft->speed = values.number(*node, "speed of " + map.what());
  item.content = shaft;
}

/// Three entries a row, of the ends two.
MatrixNeed ShaftItem::matrix_need() const {
  const auto n = static_cast<double>(num_discs());
  return {n * n, 3 * n - 2};
}

void ShaftItem::check(const OneBody&, InstanceCheck& check) const {
  for (const Expression& number : inertia) check.positive(number, "inertia");
  for (const Expression& number : stiffness) check.not_negative(number, "stiffness");
  for (const Expression& number : damping) check.not_negative(number, "damping");
  check.not_negative(drag, "drag");
  check.finite(angle, "angle");
  check.finite(speed, "speed");
}

std::optional<Fault> ShaftItem::resolve(const OneBody& one, const PlaceItem& item, const std::string& tail,
                                        const Indices& indices, PlaceRef& ref) const {
  ref.anchor = Anchor::node;
  if (item.tail == PlaceItem::Tail::none && num_discs() == 1) return {};
  if (num_discs() == 1) return place_fault(item, "a shaft of one disc has no points", "write the body's name alone");
  std::optional<double> part;
  return resolve_on_line(one, item, tail, indices, static_cast<int>(num_discs()) - 1, ref, part);
}

std::unique_ptr<BodyAtStart> ShaftItem::at_start(const OneBody& one) const {
  const Indices indices = one.indices();
  ElementAtStart element;
  element.family = Shaft::name;
  element.nodes.resize(inertia.size());
  std::iota(element.nodes.begin(), element.nodes.end(), 0);
  element.params = packed(Shaft::Params{drag.value(indices)});
  for (const auto* list : {&inertia, &stiffness, &damping})
    for (const Expression& number : *list) element.params.push_back(number.value(indices));
  return std::make_unique<ShaftAtStart>(std::move(element), angle.value(indices), speed.value(indices));
}

}  // namespace sinew
