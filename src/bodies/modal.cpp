#include "bodies/modal.hpp"

#include "bodies/solid.hpp"
#include "kernels/elements/modal_body.hpp"
#include "kernels/joints/modal_frame.hpp"
#include "kernels/joints/modal_share.hpp"
#include "kernels/sweep/registry.hpp"
#include "model/instance_check.hpp"
#include "model/place_on_body.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {

namespace {

class ModalAtStart final : public BodyAtStart {
 public:
  ModalAtStart(std::shared_ptr<const ModalShapes> shapes, const PlacementAtStart& placement)
      : shapes_(std::move(shapes)), placement_(placement) {}

  NodeAtStart node(int k) const override {
    NodeAtStart node;
    node.kind = k <= num_interfaces() ? NodeKind::frame : NodeKind::scalar;
    if (node.kind == NodeKind::scalar) return node;
    const Vec3<double> arm = placement_.frame.R * (shapes_->centre + (k == 0 ? Vec3<double>{} : shapes_->places[at(k - 1)]));
    node.frame = {placement_.frame.x + arm, placement_.frame.R};
    node.twist = {placement_.velocity + cross(placement_.angular_velocity, arm),
                  transpose_times(placement_.frame.R, placement_.angular_velocity)};
    return node;
  }

  /// The body; then of every interface what the frame does to it, and each shape.
  ElementAtStart element(int k) const override {
    if (k == 0) return body();
    const int parts = 1 + num_shapes(), attachment = (k - 1) / parts, shape = (k - 1) % parts - 1;
    const auto i = at(attachment);
    if (shape < 0)
      return {ModalFrame::name,
              {0, 1 + attachment},
              packed(ModalFrame::Params{shapes_->places[i], identity<double, 3>()}),
              attachment};
    const ModalShapes::Shape& of = shapes_->shapes[at(shape)];
    return {ModalShare::name, {amplitude(shape)}, packed(ModalShare::Params{of.displacements[i], of.turns[i], 0.0}), attachment};
  }
  int attached_node(int attachment) const override { return 1 + attachment; }

  BodyPlace place(const PlaceRef& ref) const override {
    Place place;
    place.frame = node(ref.node).frame;
    return {ref.node, place};
  }
  double radius() const override {
    const Mat3<double>& J = shapes_->inertia;
    return std::sqrt(0.5 * (J(0, 0) + J(1, 1) + J(2, 2)) / shapes_->mass);
  }

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  int num_interfaces() const { return static_cast<int>(shapes_->places.size()); }
  int num_shapes() const { return static_cast<int>(shapes_->shapes.size()); }
  int amplitude(int shape) const { return 1 + num_interfaces() + shape; }
  ElementAtStart body() const {
    ElementAtStart element{ModalBody::name, {0}, packed(ModalBody::Params{shapes_->mass, shapes_->inertia, shapes_->drag})};
    for (int k = 0; k < num_shapes(); ++k) element.nodes.push_back(amplitude(k));
    element.params.insert(element.params.end(), shapes_->numbers.begin(), shapes_->numbers.end());
    return element;
  }

  std::shared_ptr<const ModalShapes> shapes_;
  PlacementAtStart placement_;
};

std::vector<InterfaceItem> read_interfaces(const DocumentNode& node, const ValueReader& values, const std::string& of) {
  std::vector<InterfaceItem> interfaces;
  if (!node.is_sequence() || node.items.empty()) {
    values.faults.error(node.mark, "interfaces of " + of + " must be a list of names, not " + node.describe(),
                        "write interfaces: [x-, x+]: the groups and points that joints, forces and sensors take hold of");
    return interfaces;
  }
  for (const DocumentNode& entry : node.items) {
    const std::string name = values.text(entry, "an interface of " + of);
    const auto is_same = [&](const InterfaceItem& other) { return other.name == name; };
    if (std::any_of(interfaces.begin(), interfaces.end(), is_same))
      values.faults.error(entry.mark, of + " has the interface '" + name + "' twice", "name it once");
    else if (name.find('{') != std::string::npos)
      values.faults.error(entry.mark, "the interface '" + name + "' of " + of + " has an index",
                          "bodies of a repeat have the same shapes, and interfaces of the same names");
    else if (!name.empty())
      interfaces.push_back({name, entry.mark});
  }
  return interfaces;
}

/// More shapes than these make a dense block that costs more than the mesh is likely to.
constexpr int most_kept_modes = 200;

}  // namespace

std::vector<BodyKey> ModalItem::keys() {
  std::vector<BodyKey> keys = SolidItem::keys();
  keys.push_back({"interfaces", "list of names", "", "required",
                  "groups of the mesh, sides of the box or named points: what joints, forces and sensors may take hold of"});
  keys.push_back({"modes", "whole number, 0 to 200", "1", "required",
                  "lowest vibrations with the interfaces held, and those as fast as the last of them"});
  keys.push_back({"damping_ratio", "number, >= 0", "1", "0",
                  "of every vibration of the free body, part of critical, beside what materials damp; a mounted one has less"});
  return keys;
}

void ModalItem::read(MapReader& map, const ValueReader& values, ReadContext& context, BodyItem& item) {
  SolidItem::read(map, values, context, item);
  auto modal = std::make_shared<ModalItem>();
  auto whole = std::make_shared<SolidItem>(static_cast<const SolidItem&>(*item.content));
  modal->placement = std::exchange(whole->placement, Placement());
  modal->whole = std::move(whole);
  const std::string what = map.what();
  if (const auto* node = map.require("interfaces", "interfaces: [x-, x+]"))
    modal->interfaces = read_interfaces(*node, values, what);
  if (const auto* node = map.require("modes", "modes: 10"))
    modal->modes = static_cast<int>(values.whole(*node, "modes of " + what, 0, most_kept_modes));
  if (const auto* node = map.find("damping_ratio"))
    modal->damping_ratio = values.positive(*node, "damping_ratio of " + what, true);
  if (modal->interfaces.size() == 1 && modal->modes == 0)
    values.faults.error(map.mark(), what + " has one interface and no modes: nothing of it would bend",
                        "give modes: 10, or make it rigid");
  item.content = modal;
}

BodySize ModalItem::size() const {
  const std::int64_t held = num_interfaces(), count = num_shapes();
  return {1 + held + count, 1 + held, 1 + held * (1 + count), count, num_interfaces()};
}

/// A dense block of frame and amplitudes; what adds to the rows of interfaces has 12 x 12 with them, and a few entries.
MatrixNeed ModalItem::matrix_need() const {
  const double n = 6 + num_shapes(), block = n * n / static_cast<double>(size().elements);
  return {block + 144, block + 12};
}

void ModalItem::check(const OneBody& one, InstanceCheck& check) const {
  check.placement(placement);
  for (const InterfaceItem& interface : interfaces) {
    const PlaceItem item = place_of(interface, one.name());
    PlaceRef ref, of_first;
    if (auto fault = whole->resolve(one, item, interface.name, check.indices, ref)) {
      check.add(std::move(*fault));
      continue;
    }
    const OneBody first{one.model, one.body, 0};
    if (!whole->resolve(first, item, interface.name, first.indices(), of_first) && norm(ref.point - of_first.point) > 0)
      check.add(interface.mark,
                "the interface '" + interface.name +
                    "' lies elsewhere than in the first of these bodies, whose shapes are those of all",
                "make a body of its own of each");
  }
}

std::optional<Fault> ModalItem::resolve(const OneBody& one, const PlaceItem& item, const std::string& tail, const Indices&,
                                        PlaceRef& ref) const {
  ref.anchor = Anchor::node;
  ref.node = 0;
  if (item.tail == PlaceItem::Tail::none) return {};
  if (item.tail == PlaceItem::Tail::node) return place_fault(item, "nodes of a solid have no numbers here", "name an interface");
  const auto is_meant = [&](const InterfaceItem& interface) { return interface.name == tail; };
  const auto found = std::find_if(interfaces.begin(), interfaces.end(), is_meant);
  if (found != interfaces.end()) {
    ref.node = 1 + static_cast<int>(found - interfaces.begin());
    return {};
  }
  std::string known;
  for (const InterfaceItem& interface : interfaces) known += (known.empty() ? "" : ", ") + interface.name;
  return place_fault(item, "'" + tail + "' is no interface of " + one.name(), "add it to `interfaces`, which are " + known);
}

std::unique_ptr<BodyAtStart> ModalItem::at_start(const OneBody& one) const {
  return std::make_unique<ModalAtStart>(shapes, evaluate(placement, one.indices()));
}

std::shared_ptr<const Body> ModalItem::with(std::shared_ptr<const ModalShapes> found) const {
  auto same = std::make_shared<ModalItem>(*this);
  same->shapes = std::move(found);
  return same;
}

}  // namespace sinew
