#include "bodies/cable.hpp"

#include "bodies/along_line.hpp"
#include "bodies/cable_at_start.hpp"
#include "kernels/elements/cable.hpp"
#include "kernels/sweep/registry.hpp"
#include "model/instance_check.hpp"
#include "model/place_on_body.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew {

namespace {

/// `line: {from, to, elements}`, `line: {points: [...]}` or `line: {mesh, group}`.
void read_line(const DocumentNode& node, const ValueReader& values, ReadContext& context, CableItem& cable,
               const std::string& what) {
  MapReader map(node, "line of " + what, values.faults);
  if (cable.mesh.read(map, values, context, LineEnds::open)) {
    if (const auto* elements = map.find("elements"))
      values.faults.error(elements->mark, "line of " + what + " has a mesh and 'elements'",
                          "every cell of the curve is an element: leave it out, or mesh the curve with as many");
    return refuse_beside_mesh(map, {"from", "to", "points"}, values);
  }
  for (const char* later : {"curve", "range"})
    if (const auto* curved = map.find(later)) {
      values.faults.error(curved->mark, "line of " + what + ": curved lines are not built yet",
                          "list the element ends under points");
      map.forgive();
      return;
    }
  if (const auto* points = map.find("points")) {
    for (const char* key : {"from", "to", "elements"})
      if (map.has(key)) values.faults.error(points->mark, "line of " + what + " has points and " + key, "give one of them");
    cable.is_polyline = true;
    for (const DocumentNode& item : points->items) cable.points.push_back(values.vector(item, "point of " + what));
    return;
  }
  const DocumentNode* from = map.require("from", "from: [0, 0, 0]");
  const DocumentNode* to = map.require("to", "to: [1, 0, 0]");
  const DocumentNode* elements = map.require("elements", "elements: 16");
  if (from) cable.points.push_back(values.vector(*from, "from of " + what));
  if (to) cable.points.push_back(values.vector(*to, "to of " + what));
  if (elements) cable.num_elements = static_cast<int>(values.whole(*elements, "elements of " + what, 1, max_cable_elements));
  if (const auto* order = map.find("order")) values.whole(*order, "order of " + what, 1, 1);
}

}  // namespace

std::vector<BodyKey> CableSection::keys() {
  return {{"section", "name of a section", "", "required", "with `iy` equal to `iz`"},
          {"material", "name of a material", "", "required unless the section has a stiffness", "its density and stiffness"},
          {"damping", "`{alpha: 0, beta: 0}`", "1/s, s", "that of the material",
           "Rayleigh damping: *beta* times *EA* works on the rate of stretching"},
          {"compression", "number, 0 to 1", "1", "1",
           "share of the axial force that is borne under pressure: 0 of a rope, which "
           "[goes slack](elements/cable.md#strains-and-energy)"}};
}

namespace {

/// Of a section's matrices a cable takes N, M2 and the mass alone: terms that couple, and other masses, are lost.
void warn_of_lost_terms(const Section& section, const SourceMark& mark, const std::string& what, Faults& faults) {
  const SectionMatrices& m = *section.matrices;
  bool is_coupled = false, is_uneven = false;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < i; ++j) is_coupled = is_coupled || m.stiffness(i, j) != 0 || m.inertia(i, j) != 0;
  for (int i = 1; i < 3; ++i) is_uneven = is_uneven || std::fabs(m.inertia(i, i) - m.inertia(0, 0)) > 1e-6 * m.inertia(0, 0);
  if (is_coupled)
    faults.warning(mark, what + ": a cable leaves out what couples strains or velocities in section '" + section.name + "'",
                   "take type: beam");
  if (is_uneven)
    faults.warning(mark, what + ": a cable has one mass per length, the first of section '" + section.name + "'",
                   "take type: beam");
}

}  // namespace

void CableSection::read(MapReader& map, const ValueReader& values, ReadContext& context) {
  const std::string what = map.what();
  if (const auto* node = map.find_foreign("torsional_stiffness"))
    values.faults.error(node->mark, what + " does not resist torsion: its elements know no turn about their line",
                        "take type: beam, with the same keys; its section has the torsion constant, or the entry T of stiffness");
  if (const auto* node = map.find("compression")) {
    compression = values.constant(*node, "compression of " + what);
    if (!(compression >= 0 && compression <= 1))
      values.faults.error(node->mark, "compression of " + what + " must be between 0 and 1",
                          "it is the share of the axial force that the cable bears where it is pressed: 0 of a rope");
  }
  if (const auto* node = map.require("section", "section: the name of one under sections"))
    section = find_section(*node, what, context);
  const Section* shape = section < 0 ? nullptr : &context.model.sections[static_cast<std::size_t>(section)];
  const DocumentNode* matter = map.find("material");
  if (matter) material = find_material(*matter, what, context);
  if (material >= 0) warn_of_law(context.model.materials[static_cast<std::size_t>(material)], matter->mark, what, context.faults);
  damping = read_damping(map, values);
  if (!shape) return;
  const SourceMark mark = map.mark();
  if (shape->matrices) warn_of_lost_terms(*shape, mark, what, context.faults);
  if (!shape->matrices && !matter) {
    context.faults.error(mark, what + " has no 'material'", "add material: the name of one under materials");
  }
  const double stiff2 = shape->matrices ? shape->matrices->stiffness(4, 4) : shape->iy;
  const double stiff3 = shape->matrices ? shape->matrices->stiffness(5, 5) : shape->iz;
  if (std::fabs(stiff2 - stiff3) > 1e-6 * std::fmax(stiff2, stiff3))
    context.faults.error(mark, what + ": a cable bends alike in all directions, but its section '" + shape->name + "' does not",
                         "use a section with iy equal to iz");
  if (shape->matrices && (!(shape->matrices->stiffness(0, 0) > 0) || !(shape->matrices->inertia(0, 0) > 0)))
    context.faults.error(mark, what + ": section '" + shape->name + "' needs a positive axial stiffness and mass per length");
  if (shape->matrices && material >= 0 && context.model.materials[static_cast<std::size_t>(material)].viscosity > 0)
    context.faults.error(matter->mark, what + ": the viscosity of its material has no area in section '" + shape->name + "'",
                         "give the body damping: {beta: ...}");
}

CableMatter CableSection::matter(const Model& model) const {
  const Section& shape = model.sections[static_cast<std::size_t>(section)];
  CableMatter result;
  result.compression = compression;
  if (material >= 0) {
    const Material& matter = model.materials[static_cast<std::size_t>(material)];
    result.axial_stiffness = matter.youngs_modulus * shape.area;
    result.bending_stiffness = matter.youngs_modulus * shape.iy;
    result.mass_per_length = matter.density * shape.area;
    result.damping = matter.damping;
    result.axial_viscosity = matter.viscosity * shape.area;
  }
  if (damping) result.damping = *damping;
  if (shape.matrices) {
    result.axial_stiffness = shape.matrices->stiffness(0, 0);
    result.bending_stiffness = shape.matrices->stiffness(4, 4);
    result.mass_per_length = shape.matrices->inertia(0, 0);
  }
  return result;
}

NodeAtStart node_of_cable(const CableNode& node, bool is_slope) {
  NodeAtStart result;
  result.is_slope = is_slope;
  result.frame.x = is_slope ? node.slope : node.x;
  result.twist.v = is_slope ? node.slope_rate : node.v;
  return result;
}

ElementAtStart element_of_cable(const CableMatter& matter, double length, std::vector<int> nodes) {
  Cable::Params p;
  p.length = length;
  p.axial_stiffness = matter.axial_stiffness;
  p.bending_stiffness = matter.bending_stiffness;
  p.mass_per_length = matter.mass_per_length;
  p.axial_viscosity = matter.axial_viscosity + matter.damping.beta * matter.axial_stiffness;
  p.alpha = matter.damping.alpha;
  p.compression = matter.compression;
  return {Cable::name, std::move(nodes), packed(p)};
}

CableStation even_station(int num_elements, double fraction) {
  const double at = std::clamp(fraction, 0.0, 1.0) * num_elements;
  const int element = std::min(static_cast<int>(at), num_elements - 1);
  return {element, at - element};
}

void set_station(const CableStation& station, int num_nodes, PlaceRef& ref) {
  const double nearest = std::round(station.xi);
  ref.station = station;
  ref.node = (station.element + static_cast<int>(nearest)) % num_nodes;
  if (std::fabs(station.xi - nearest) > same_place) ref.anchor = Anchor::station;
}

double CableInstance::element_length(int element) const {
  return path ? path->element_length(element) : norm(points[1] - points[0]) / num_elements;
}

CableNode CableInstance::node(int k) const {
  CableNode result;
  if (path) {
    result.x = placed(mesh, path->corner(k));
    result.slope = mesh.R * path->tangent(k);
  } else {
    const Vec3<double> span = points[1] - points[0];
    result.x = k == num_elements ? points[1] : points[0] + (static_cast<double>(k) / num_elements) * span;
    result.slope = (1 / norm(span)) * span;
  }
  if (!motions.empty()) {
    result.v = motions[static_cast<std::size_t>(k)][0];
    result.slope_rate = motions[static_cast<std::size_t>(k)][1];
    return result;
  }
  result.v = velocity + cross(angular_velocity, result.x - (path ? placed(mesh, path->corner(0)) : points[0]));
  result.slope_rate = cross(angular_velocity, result.slope);
  return result;
}

CableStation CableInstance::station(double fraction) const {
  return path ? path->station(fraction) : even_station(num_elements, fraction);
}

std::vector<BodyKey> CableItem::keys() {
  std::vector<BodyKey> keys = {{"line", "`{from, to, elements}` or `{points: [[x, y, z], ...]}`", "m",
                                "required without a list of `points` or a `mesh`",
                                "a straight line, or the ends of the elements; or `{mesh, group}`, as beside it"}};
  for (const BodyKey& key : MeshLine::keys("none")) keys.push_back(key);
  for (const BodyKey& key : CableSection::keys()) keys.push_back(key);
  keys.push_back({"velocity", "3 numbers, or expressions of `s`", "m/s", "0",
                  "of the start; with `s`, the length from there, of every place, without `angular_velocity`"});
  keys.push_back({"angular_velocity", "3 numbers", "rad/s", "0", "initial rigid motion about the start, global axes"});
  keys.push_back({"points", "map of names and `{at: 0.5}`", "1", "none",
                  "fractions of the length; or, without `line`, the list of element ends"});
  return keys;
}

void CableItem::read(MapReader& map, const ValueReader& values, ReadContext& context, BodyItem& item) {
  auto read = std::make_shared<CableItem>();
  CableItem& cable = *read;
  const std::string what = map.what();
  const DocumentNode* line = map.find("line");
  const DocumentNode* points = map.find("points");
  const bool listed = points && points->is_sequence();
  const bool meshed = cable.mesh.read(map, values, context, LineEnds::open);
  if (line) read_line(*line, values, context, cable, what);
  cable.mesh.read_placement(map, values);
  if (meshed && (line || listed))
    values.faults.error((line ? line : points)->mark, what + " has a mesh and " + (line ? "a line" : "a list of points"),
                        "give one of them");
  if (listed && line)
    values.faults.error(points->mark, what + " has a line and a list of points",
                        "put the list into the line, as line: {points: ...}");
  if (listed && !line && !meshed) {
    cable.is_polyline = true;
    for (const DocumentNode& point : points->items) cable.points.push_back(values.vector(point, "point of " + what));
  }
  if (!line && !listed && !meshed)
    values.faults.error(map.mark(), what + " has no 'line'", "add line: {from: [0, 0, 0], to: [1, 0, 0], elements: 16}");
  if (cable.mesh.path) cable.num_elements = cable.mesh.path->num_elements();
  if (cable.is_polyline) {
    cable.num_elements = static_cast<int>(cable.points.size()) - 1;
    if (cable.points.size() < 2) values.faults.error(map.mark(), what + " needs two points at least");
    cable.is_polyline = cable.points.size() > 2;
  }
  cable.section.read(map, values, context);
  if (const auto* node = map.find("velocity")) cable.velocity = values.with_parameter("s").vector(*node, "velocity of " + what);
  if (const auto* node = map.find("angular_velocity")) {
    cable.angular_velocity = values.vector(*node, "angular_velocity of " + what);
    if (varies_along(cable.velocity))
      values.faults.error(node->mark, what + " has an angular_velocity beside a velocity that is given along it",
                          "leave it out: the velocity says how every place moves");
  }
  item.content = read;
  if (!points || !points->is_sequence()) read_named_points(map, values, PointForm::fractions, item);
}

void CableItem::check(const OneBody& one, InstanceCheck& check) const {
  for (const VectorExpression& point : points)
    if (!check.all_finite(point, "point of the cable")) return;
  check.all_finite(velocity, "velocity");
  check.all_finite(angular_velocity, "angular_velocity");
  check.placement(mesh.placement);
  if (section.section < 0 || (!mesh.path && points.size() < 2) || !check.faults.empty()) return;
  const CableInstance cable = numbers(one.model, check.indices);
  for (const auto& [v, slope] : cable.motions)
    if (!std::isfinite(norm(v) + norm(slope)))
      return check.add(velocity[0].mark(), "the velocity is not a finite number all along the cable, or has no slope there",
                       "look for a division by zero or a root of a negative number");
  for (std::size_t k = 0; k + 1 < points.size(); ++k)
    if (norm(evaluate(points[k + 1], check.indices) - evaluate(points[k], check.indices)) == 0)
      return check.add(points[k + 1][0].mark(), is_polyline ? "two neighbouring points of the cable coincide"
                                                            : "the cable has no length: its ends coincide");
}

std::optional<Fault> CableItem::resolve(const OneBody& one, const PlaceItem& item, const std::string& tail,
                                        const Indices& indices, PlaceRef& ref) const {
  std::optional<double> part;
  if (auto wrong = resolve_on_line(one, item, tail, indices, num_elements, ref, part)) return wrong;
  if (part) set_station(station_at(one, *part), num_elements + 1, ref);
  return {};
}

CableInstance CableItem::numbers(const Model& model, const Indices& indices) const {
  CableInstance result;
  static_cast<CableMatter&>(result) = section.matter(model);
  result.num_elements = num_elements;
  for (const VectorExpression& point : points) result.points.push_back(evaluate(point, indices));
  result.path = mesh.path;
  if (mesh.path) result.mesh = mesh.frame(indices);
  if (is_polyline) result.path = std::make_shared<const LinePath>(LinePath::through(std::move(result.points), LineEnds::open));
  result.velocity = evaluate(velocity, indices);
  result.angular_velocity = evaluate(angular_velocity, indices);
  if (!varies_along(velocity)) return result;
  double s = 0;
  for (int k = 0; k <= num_elements; ++k) {
    const AlongLine here(velocity, s, indices);
    result.motions.push_back({here.value, here.slope});
    if (k < num_elements) s += result.element_length(k);
  }
  return result;
}

std::unique_ptr<BodyAtStart> CableItem::at_start(const OneBody& one) const {
  return std::make_unique<CableAtStart<CableInstance>>(one, numbers(one.model, one.indices()), num_elements);
}

const char* CableItem::element_family() const { return Cable::name; }

CableStation CableItem::station_at(const OneBody& one, double part) const {
  return numbers(one.model, one.indices()).station(part);
}

}  // namespace sinew
