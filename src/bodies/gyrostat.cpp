#include "bodies/gyrostat.hpp"

#include "input/names.hpp"
#include "kernels/elements/gyrostat.hpp"
#include "kernels/sweep/registry.hpp"
#include "model/instance_check.hpp"
#include "model/place_on_body.hpp"

#include <algorithm>
#include <numeric>

namespace sinew {

namespace {

/// Numbers of a rotor.
struct Rotor {
  Vec3<double> axis;  ///< of length 1
  double inertia = 0, drag = 0, angle = 0, speed = 0;
};

Rotor rotor_of(const RotorItem& item, const Indices& indices) {
  const Vec3<double> axis = evaluate(item.axis, indices);
  return {(1 / norm(axis)) * axis, item.inertia.value(indices), item.drag.value(indices), item.angle.value(indices),
          item.speed.value(indices)};
}

/// The first node is the body, the others are the rotors.
class GyrostatAtStart final : public BodyAtStart {
 public:
  GyrostatAtStart(const RigidBodyInstance& whole, std::unique_ptr<BodyAtStart> rigid, std::vector<Rotor> rotors)
      : whole_(whole), rigid_(std::move(rigid)), rotors_(std::move(rotors)) {}

  NodeAtStart node(int k) const override {
    if (k == 0) return rigid_->node(0);
    NodeAtStart node;
    node.kind = NodeKind::scalar;
    node.frame.x[0] = rotor(k).angle;
    node.twist.v[0] = rotor(k).speed;
    return node;
  }
  ElementAtStart element(int) const override {
    ElementAtStart element;
    element.family = Gyrostat::name;
    element.nodes.resize(1 + rotors_.size());
    std::iota(element.nodes.begin(), element.nodes.end(), 0);
    element.params = packed(Gyrostat::Params{whole_.mass, whole_.inertia});
    for (const Rotor& r : rotors_)
      element.params.insert(element.params.end(), {r.axis[0], r.axis[1], r.axis[2], r.inertia, r.drag});
    return element;
  }
  BodyPlace place(const PlaceRef& ref) const override {
    if (ref.anchor == Anchor::point) return rigid_->place(ref);
    Place place;
    place.frame.x[0] = rotor(ref.node).angle;
    place.can_turn = false;
    place.is_scalar = true;
    return {ref.node, place};
  }
  double radius() const override { return rigid_->radius(); }

 private:
  const Rotor& rotor(int node) const { return rotors_[static_cast<std::size_t>(node - 1)]; }

  RigidBodyInstance whole_;
  std::unique_ptr<BodyAtStart> rigid_;
  std::vector<Rotor> rotors_;
};

/// Whether kinetic energy is positive whatever turns: J - sum j_k a_k a_k^T, by its leading minors.
bool has_positive_energy(Mat3<double> J, const std::vector<Rotor>& rotors) {
  const double size = J(0, 0) + J(1, 1) + J(2, 2);
  for (const Rotor& r : rotors)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) J(i, j) -= r.inertia * r.axis[i] * r.axis[j];
  J = (1 / size) * J;
  constexpr double rounding = 1e-12;  // of sums of a few products of size 1, with some to spare
  return J(0, 0) > rounding && J(0, 0) * J(1, 1) - J(0, 1) * J(1, 0) > rounding && determinant(J) > rounding;
}

RotorItem read_rotor(const DocumentEntry& entry, const ValueReader& values, const std::string& of) {
  RotorItem rotor;
  rotor.name = entry.key;
  rotor.mark = entry.mark;
  const std::string what = "rotor '" + entry.key + "' of " + of;
  if (!is_valid_name(entry.key))
    values.faults.error(entry.mark, what + " holds characters that names cannot have", "use letters, digits, _ and -");
  MapReader map(entry.value, what, values.faults);
  if (const auto* node = map.require("axis", "axis: [0, 0, 1], in body axes"))
    rotor.axis = values.vector(*node, "axis of " + what);
  if (const auto* node = map.require("inertia", "inertia: 0.02, about its axis"))
    rotor.inertia = values.number(*node, "inertia of " + what);
  if (const auto* node = map.find("drag")) rotor.drag = values.number(*node, "drag of " + what);
  if (const auto* node = map.find("angle")) rotor.angle = values.number(*node, "angle of " + what);
  if (const auto* node = map.find("speed")) rotor.speed = values.number(*node, "speed of " + what);
  return rotor;
}

}  // namespace

std::vector<BodyKey> GyrostatItem::keys() {
  return {{"rotors", "map of names and `{axis, inertia, angle, speed, drag}`", "", "required",
           "axis in body axes, of any length; inertia about it, kg m^2; angle and speed against the body at the start, rad and "
           "rad/s, 0; drag of the bearings, N m s/rad, 0"},
          {"mass", "number, > 0", "kg", "required without `shape`", "of the whole, rotors included"},
          {"inertia", "3 numbers or 3 x 3", "kg m^2", "required without `shape`",
           "of the whole, its rotors held, about the centre of mass in body axes; above what the rotors have about their axes"},
          {"inertia_check", "true or false", "", "true", "as of a `rigid` body"},
          {"shape", "as of a `rigid` body", "", "none", "with `density`, `material` and `origin`: the whole, rotors included"},
          {"position", "3 numbers", "m", "required", "of the centre of mass"},
          {"orientation", "as of a `rigid` body", "", "none", "body to global"},
          {"velocity", "3 numbers", "m/s", "0", "of the centre of mass"},
          {"angular_velocity", "3 numbers", "rad/s", "0", "of the body, global axes"},
          {"angular_velocity_local", "3 numbers", "rad/s", "0", "in its place: body axes"},
          {"points", "map of names and vectors", "m", "none", "from the centre of mass, in body axes"}};
}

void GyrostatItem::read(MapReader& map, const ValueReader& values, ReadContext& context, BodyItem& item) {
  RigidBodyItem::read(map, values, context, item);
  auto gyrostat = std::make_shared<GyrostatItem>();
  gyrostat->whole = std::static_pointer_cast<const RigidBodyItem>(item.content);
  const auto* node = map.require("rotors", "rotors: {wheel: {axis: [0, 0, 1], inertia: 0.02, speed: 300}}");
  if (node && (!node->is_map() || node->entries.empty()))
    context.faults.error(
        node->mark,
        "rotors of " + map.what() + (node->is_map() ? " are none" : " must be a map of names, not " + node->describe()),
        "write wheel: {axis: [0, 0, 1], inertia: 0.02}");
  if (node && node->is_map())
    for (const DocumentEntry& entry : node->entries) {
      gyrostat->rotors.push_back(read_rotor(entry, values, map.what()));
      const bool is_taken = std::any_of(item.points.begin(), item.points.end(),
                                        [&](const NamedPoint& point) { return point.name.text() == entry.key; });
      if (is_taken)
        context.faults.error(entry.mark, map.what() + " has a rotor and a point '" + entry.key + "'", "rename one of them");
    }
  item.content = gyrostat;
}

PlaceForm GyrostatItem::form_of(const PlaceRef& ref) const {
  return ref.anchor == Anchor::node ? PlaceForm::scalar : PlaceForm::frame;
}

/// Diagonal mass, 3 x 3 of the inertia, two columns of 3 and a diagonal of each rotor.
MatrixNeed GyrostatItem::matrix_need() const {
  const auto n = static_cast<double>(num_rotors());
  return {(6 + n) * (6 + n), 3 + 9 + 7 * n};
}

void GyrostatItem::check(const OneBody& one, InstanceCheck& check) const {
  whole->check(one, check);
  check.positive(whole->mass, "mass");
  for (const RotorItem& rotor : rotors) {
    check.positive(rotor.inertia, "inertia");
    check.not_negative(rotor.drag, "drag");
    check.finite(rotor.angle, "angle");
    check.finite(rotor.speed, "speed");
    if (check.all_finite(rotor.axis, "axis") && !(norm(evaluate(rotor.axis, check.indices)) > 0))
      check.add(rotor.mark, "the axis of rotor '" + rotor.name + "' has no direction", "write axis: [0, 0, 1], say");
  }
  if (!check.faults.empty()) return;
  std::vector<Rotor> all;
  for (const RotorItem& rotor : rotors) all.push_back(rotor_of(rotor, check.indices));
  if (!has_positive_energy(whole->numbers(check.indices).inertia, all))
    check.add(rotors.front().mark, "the rotors have no less inertia about their axes than the body with them",
              "inertia of the body counts its rotors, held: add theirs to it");
}

std::optional<Fault> GyrostatItem::resolve(const OneBody& one, const PlaceItem& item, const std::string& tail,
                                           const Indices& indices, PlaceRef& ref) const {
  std::vector<std::string> names;
  for (const RotorItem& rotor : rotors) names.push_back(rotor.name);
  const auto found = std::find(names.begin(), names.end(), tail);
  if (item.tail != PlaceItem::Tail::name || (found == names.end() && find_point(one, tail)))
    return whole->resolve(one, item, tail, indices, ref);
  if (found == names.end())
    return place_fault(item, "the gyrostat has no point and no rotor '" + tail + "'", point_remedy(one.item(), tail, names));
  ref.anchor = Anchor::node;
  ref.node = 1 + static_cast<int>(found - names.begin());
  return {};
}

std::unique_ptr<BodyAtStart> GyrostatItem::at_start(const OneBody& one) const {
  std::vector<Rotor> all;
  for (const RotorItem& rotor : rotors) all.push_back(rotor_of(rotor, one.indices()));
  return std::make_unique<GyrostatAtStart>(whole->numbers(one.indices()), whole->at_start(one), std::move(all));
}

}  // namespace sinew
