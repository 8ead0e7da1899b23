#include "bodies/ring.hpp"

#include "bodies/cable_at_start.hpp"
#include "kernels/elements/cable.hpp"
#include "model/instance_check.hpp"
#include "model/place_on_body.hpp"

#include <cmath>
#include <numbers>

namespace sinew {

namespace {

constexpr double pi = std::numbers::pi;
constexpr int least_elements = 3;

/// What follows from the line of a mesh, which has three elements at least: fewer do not close.
void read_path(RingItem& ring) {
  if (!ring.mesh.path) return;
  ring.num_elements = ring.mesh.path->num_elements();
  ring.mesh_middle = ring.mesh.path->middle();
}

}  // namespace

std::array<int, 4> RingInstance::ends(int element) const {
  const int next = (element + 1) % size();
  return {2 * element, 2 * element + 1, 2 * next, 2 * next + 1};
}

CableNode RingInstance::node(int k) const {
  CableNode result;
  if (path) {
    result.x = placed(mesh, path->corner(k % size()));
    result.slope = mesh.R * path->tangent(k % size());
  } else {
    result = nodes[static_cast<std::size_t>(k % size())];
  }
  result.v = velocity + cross(angular_velocity, result.x - middle);
  result.slope_rate = cross(angular_velocity, result.slope);
  return result;
}

std::vector<BodyKey> RingItem::keys() {
  std::vector<BodyKey> keys = {{"circle", "`{centre, axis, radius, elements}`", "m, 1, m, 1",
                                "required without a list of `points` or a `mesh`", "three elements or more"}};
  for (const BodyKey& key : MeshLine::keys("none")) keys.push_back(key);
  for (const BodyKey& key : CableSection::keys()) keys.push_back(key);
  keys.push_back({"velocity", "3 numbers", "m/s", "0", "of the middle: the circle's centre, or the mean of the elements' ends"});
  keys.push_back({"angular_velocity", "3 numbers", "rad/s", "0", "initial rigid motion about the middle, global axes"});
  keys.push_back({"points", "map of names and `{at: 0.5}`", "1", "none",
                  "fractions of the length; or, without `circle`, the list of element ends `[[x, y, z], ...]`, the first one not "
                  "repeated"});
  return keys;
}

void RingItem::read(MapReader& map, const ValueReader& values, ReadContext& context, BodyItem& item) {
  auto read = std::make_shared<RingItem>();
  RingItem& ring = *read;
  item.content = read;
  const std::string what = map.what();
  const DocumentNode* points = map.find("points");
  const bool listed = points && points->is_sequence();
  const bool meshed = ring.mesh.read(map, values, context, LineEnds::closed);
  ring.mesh.read_placement(map, values);
  if (meshed) {
    read_path(ring);
    refuse_beside_mesh(map, {"circle"}, values);
    if (listed) values.faults.error(points->mark, what + " has a mesh and a list of points", "give one of them");
  } else if (listed) {
    for (const DocumentNode& point : points->items) ring.points.push_back(values.vector(point, "point of " + what));
    ring.num_elements = static_cast<int>(ring.points.size());
    if (ring.num_elements < least_elements) values.faults.error(points->mark, what + " needs three points at least");
    if (const auto* circle = map.find("circle"))
      values.faults.error(circle->mark, what + " has points and a circle", "give one of them");
  } else if (const auto* circle =
                 map.require("circle", "circle: {centre: [0, 0, 0], axis: [0, 0, 1], radius: 1, elements: 16}")) {
    MapReader keys(*circle, "circle of " + what, values.faults);
    if (const auto* node = keys.require("centre", "centre: [0, 0, 0]")) ring.centre = values.vector(*node, "centre of " + what);
    if (const auto* node = keys.require("axis", "axis: [0, 0, 1]")) ring.axis = values.vector(*node, "axis of " + what);
    if (const auto* node = keys.require("radius", "radius: 1")) ring.radius = values.number(*node, "radius of " + what);
    if (const auto* node = keys.require("elements", "elements: 16"))
      ring.num_elements = static_cast<int>(values.whole(*node, "elements of " + what, least_elements, max_cable_elements));
  }
  ring.section.read(map, values, context);
  if (const auto* node = map.find("velocity")) ring.velocity = values.vector(*node, "velocity of " + what);
  if (const auto* node = map.find("angular_velocity"))
    ring.angular_velocity = values.vector(*node, "angular_velocity of " + what);
  if (!listed) read_named_points(map, values, PointForm::fractions, item);
}

void RingItem::check(const OneBody& one, InstanceCheck& check) const {
  check.all_finite(velocity, "velocity");
  check.all_finite(angular_velocity, "angular_velocity");
  if (mesh.path) return check.placement(mesh.placement);
  if (points.empty()) {
    check.all_finite(centre, "centre");
    check.positive(radius, "radius");
    if (check.all_finite(axis, "axis") && norm(evaluate(axis, check.indices)) == 0)
      check.add(axis[0].mark(), "the axis of the circle is the zero vector", "give its direction, like [0, 0, 1]");
    return;
  }
  for (const VectorExpression& point : points)
    if (!check.all_finite(point, "point of the ring")) return;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (norm(evaluate(points[(k + 1) % points.size()], check.indices) - evaluate(points[k], check.indices)) == 0)
      return check.add(points[k][0].mark(), "two neighbouring points of the ring '" + one.name() + "' coincide",
                       "it closes by itself: leave the last point out where it is the first one again");
}

/// It starts where it ends.
std::optional<Fault> RingItem::resolve(const OneBody& one, const PlaceItem& item, const std::string& tail, const Indices& indices,
                                       PlaceRef& ref) const {
  std::optional<double> part;
  if (auto wrong = resolve_on_line(one, item, tail == "end" ? "start" : tail, indices, num_elements - 1, ref, part)) return wrong;
  if (part) set_station(station_at(one, *part), num_elements, ref);
  return {};
}

/// Along a circle slopes are its tangents, and elements as long as leaves them unstrained where strains are taken; along points
/// and a mesh's line they are what the path says.
RingInstance RingItem::numbers(const Model& model, const Indices& indices) const {
  RingInstance result;
  static_cast<CableMatter&>(result) = section.matter(model);
  result.velocity = evaluate(velocity, indices);
  result.angular_velocity = evaluate(angular_velocity, indices);
  if (mesh.path) {
    result.path = mesh.path;
    result.mesh = mesh.frame(indices);
    result.middle = placed(result.mesh, mesh_middle);
    return result;
  }
  if (!points.empty()) {
    std::vector<Vec3<double>> places;
    for (const VectorExpression& point : points) places.push_back(evaluate(point, indices));
    result.path = std::make_shared<const LinePath>(LinePath::through(std::move(places), LineEnds::closed));
    result.middle = result.path->middle();
    return result;
  }
  result.middle = evaluate(centre, indices);
  const double R = radius.value(indices);
  const Vec3<double> direction = evaluate(axis, indices), unit = (1 / norm(direction)) * direction;
  const auto across = complete_triad(unit);
  for (int k = 0; k < num_elements; ++k) {
    const double angle = 2 * pi * static_cast<double>(k) / num_elements;
    CableNode node;
    node.x = result.middle + R * std::cos(angle) * across[0] + R * std::sin(angle) * across[1];
    node.slope = -std::sin(angle) * across[0] + std::cos(angle) * across[1];
    result.nodes.push_back(node);
  }
  // with which the cubic between two nodes is unstrained at its middle, as at its ends: shorter than the arc by 1 - x^4/180
  const double x = pi / num_elements;
  result.length = 3 * R * std::sin(x) / (1 + 0.5 * std::cos(x));
  return result;
}

std::unique_ptr<BodyAtStart> RingItem::at_start(const OneBody& one) const {
  return std::make_unique<CableAtStart<RingInstance>>(one, numbers(one.model, one.indices()), num_elements);
}

const char* RingItem::element_family() const { return Cable::name; }

CableStation RingItem::station_at(const OneBody& one, double part) const {
  if (mesh.path) return mesh.path->station(part);
  return points.empty() ? even_station(num_elements, part) : numbers(one.model, one.indices()).path->station(part);
}

}  // namespace sinew
