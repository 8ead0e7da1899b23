#include "bodies/beam.hpp"

#include "base/error.hpp"
#include "kernels/algebra/symmetric.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {
namespace {

constexpr std::int64_t max_elements = 1000000000;

/// `line: {curve: [x, y, z], range: [from, to], ...}`: expressions of s.
void read_curve(const DocumentNode& curve, MapReader& map, const ValueReader& values, BeamItem& beam) {
  beam.curve = values.with_parameter("s").vector(curve, "curve of " + map.what());
  for (const char* key : {"from", "to"})
    if (const auto* end = map.find(key))
      values.faults.error(end->mark, map.what() + " has a curve and '" + key + "'", "give one of them");
  if (const auto* range = map.require("range", "range: [0, 1], where s begins and ends")) {
    std::vector<Expression> ends = values.numbers(*range, 2, "range of " + map.what());
    for (std::size_t k = 0; k < 2; ++k) beam.range[k] = std::move(ends[k]);
  }
}

/// `line: {points, ...}`: a straight line, or a spline.
void read_points(const DocumentNode& points, MapReader& map, const ValueReader& values, BeamItem& beam) {
  for (const char* key : {"from", "to", "curve"})
    if (const auto* other = map.find(key))
      values.faults.error(other->mark, map.what() + " has points and '" + key + "'", "give one of them");
  if (!points.is_sequence() || points.items.size() < 2)
    return values.faults.error(points.mark, "points of " + map.what() + " must be a list of two places or more",
                               "write points: [[0, 0, 0], [1, 0, 0.1], [2, 0, 0.3]]");
  for (const DocumentNode& point : points.items) beam.points.push_back(values.vector(point, "point of " + map.what()));
}

/// `line: {from, to, elements, order}`, `line: {points, elements, order}` or `line: {curve, range, elements, order}`.
void read_line(const DocumentNode& node, const ValueReader& values, BeamItem& beam, const std::string& what) {
  MapReader map(node, "line of " + what, values.faults);
  if (const auto* points = map.find("points")) {
    read_points(*points, map, values, beam);
  } else if (const auto* curve = map.find("curve")) {
    read_curve(*curve, map, values, beam);
  } else {
    const DocumentNode* from = map.require("from", "from: [0, 0, 0]");
    const DocumentNode* to = map.require("to", "to: [1, 0, 0]");
    if (from) beam.points.push_back(values.vector(*from, "from of " + what));
    if (to) beam.points.push_back(values.vector(*to, "to of " + what));
  }
  if (const auto* elements = map.require("elements", "elements: 16"))
    beam.num_elements = static_cast<int>(values.whole(*elements, "elements of " + what, 1, max_elements));
  if (const auto* order = map.find("order")) beam.order = static_cast<int>(values.whole(*order, "order of " + what, 1, 3));
}

/// Is the upper right quarter of an inertia a skew matrix -S~, and the upper left one a multiple of the unit matrix?
bool has_momentum_of_mass(const Mat<double, 6>& inertia) {
  double scale = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 6; ++j) scale = std::fmax(scale, std::fabs(inertia(i, j)));
  const auto is_zero = [scale](double x) { return std::fabs(x) <= 1e-12 * scale; };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (!is_zero(inertia(i, 3 + j) + inertia(j, 3 + i))) return false;
      if (!is_zero(inertia(i, j) - (i == j ? inertia(0, 0) : 0))) return false;
    }
  return inertia(0, 0) > 0;
}

/// Matrices that a beam can have: stiff and inert in every direction, also about the centre of mass.
void check_matrices(const Section& section, const std::string& what, const SourceMark& mark, Faults& faults) {
  const std::string whose = what + ": section '" + section.name + "'";
  const Mat<double, 6>&C = section.matrices->stiffness, &I = section.matrices->inertia;
  if (!is_positive_definite(C))
    faults.error(mark, whose + " has a stiffness that is not positive definite", "give a stiffness to each of N V2 V3 T M2 M3");
  if (!has_momentum_of_mass(I))
    return faults.error(mark,
                        whose +
                            ": the inertia is no section's: its first three diagonal entries are the mass per length, alike and "
                            "positive, and entries 1 to 3 by 4 to 6 are those of a centre of mass (c1, c2, c3)",
                        "write inertia: [m, m, m, j1, j2, j3], or rows [m, 0, 0, 0, m*c3, -m*c2], [0, m, 0, -m*c3, 0, m*c1], "
                        "[0, 0, m, m*c2, -m*c1, 0] above their mirror image and the inertia about the line");
  if (!is_positive_definite(I))
    faults.error(mark, whose + ": a beam's sections turn and need inertia about all three axes, of their centre of mass too",
                 "give entries 4 to 6 of the inertia: rho (iy + iz), rho iy, rho iz, about the line");
}

/// `section: name`, or `section: [[0, root], [0.4, middle], [1, tip]]`.
void read_stations(const DocumentNode& node, const ValueReader& values, const std::string& what, BeamItem& beam,
                   ReadContext& context) {
  if (!node.is_sequence()) {
    beam.sections.push_back({0.0, find_section(node, what, context)});
    return;
  }
  for (const DocumentNode& pair : node.items) {
    if (!pair.is_sequence() || pair.items.size() != 2) {
      context.faults.error(pair.mark, "section of " + what + " must be a name or pairs of a place and a name",
                           "write section: [[0, root], [1, tip]]");
      continue;
    }
    beam.sections.push_back(
        {values.number(pair.items[0], "place of a section of " + what), find_section(pair.items[1], what, context)});
  }
  if (node.items.size() < 2)
    context.faults.error(node.mark, "section of " + what + " needs a name, or two places or more with a name each",
                         "write section: [[0, root], [1, tip]]");
}

/// `twist: 10 deg`, an expression of s, or `twist: [[0, 13 deg], [1, 0]]`.
void read_twist(const DocumentNode& node, const ValueReader& values, const std::string& what, BeamItem& beam) {
  if (!node.is_sequence()) {
    beam.twist = values.with_parameter("s").number(node, "twist of " + what);
    return;
  }
  for (const DocumentNode& pair : node.items) {
    const std::vector<Expression> numbers = values.numbers(pair, 2, "twist at a place of " + what);
    if (numbers.size() == 2) beam.twists.push_back({numbers[0], numbers[1]});
  }
  if (node.items.size() < 2)
    values.faults.error(node.mark, "twist of " + what + " needs an angle, or two places or more with an angle each",
                        "write twist: [[0, 13 deg], [1, 0]]");
}

/// Checks that a beam can be made of its sections and material, and finds them.
void read_beam_sections(MapReader& map, const ValueReader& values, BeamItem& beam, ReadContext& context) {
  const std::string what = map.what();
  if (const auto* node = map.require("section", "section: the name of one under sections"))
    read_stations(*node, values, what, beam, context);
  const DocumentNode* node = map.find("material");
  if (node) beam.material = find_material(*node, what, context);
  beam.damping = read_damping(map, values);
  bool needs_material = false;
  std::set<int> checked;
  for (const BeamStationItem& station : beam.sections) {
    if (station.section < 0 || !checked.insert(station.section).second) continue;
    const Section& section = context.model.sections[static_cast<std::size_t>(station.section)];
    if (section.matrices) check_matrices(section, what, map.mark(), context.faults);
    needs_material = needs_material || !section.matrices;
  }
  if (needs_material && !node)
    context.faults.error(map.mark(), what + " has no 'material'", "add material: the name of one under materials");
  if (beam.material < 0) return;
  const Material& material = context.model.materials[static_cast<std::size_t>(beam.material)];
  if (needs_material && !material.has_poissons_ratio)
    context.faults.error(node->mark,
                         what + ": material '" + material.name + "' has no poissons_ratio, which shear and torsion need",
                         "add poissons_ratio: 0.3 to the material");
  if (material.viscosity > 0)
    context.faults.error(node->mark, what + ": the viscosity of material '" + material.name + "' is one of solids",
                         "damp a beam with damping: {beta: ...} of its material");
}

/// Divides all instances at once where their named points and sections are at the same places.
void divide_all(const BodyItem& item, BeamItem& beam) {
  const auto is_alike = [](const Expression& at) { return !at.is_unreadable() && !at.uses_indices(); };
  const auto is_point_alike = [&](const NamedPoint& point) { return is_alike(std::get<Expression>(point.place)); };
  const auto is_section_alike = [&](const BeamStationItem& station) { return is_alike(station.at); };
  if (beam.num_elements < 1 || !std::all_of(item.points.begin(), item.points.end(), is_point_alike) ||
      !std::all_of(beam.sections.begin(), beam.sections.end(), is_section_alike))
    return;
  try {
    beam.common_division = beam.division(item, {});
  } catch (const InputError&) {  // too few elements: reported with each instance
  }
}

}  // namespace

std::vector<BodyKey> BeamItem::keys() {
  return {
      {"line", "`{from, to, elements}`, `{points: [[x, y, z], ...], elements}` or `{curve: [x, y, z], range: [a, b], elements}`",
       "m", "required",
       "a straight line, the cubic spline through points, or expressions of `s` from a to b; `order: 1`, `2` (default) or `3`: "
       "an element has one node more than that"},
      {"section", "name of a section, or `[[0, root], [0.4, middle], [1, tip]]`", "", "required",
       "sections at fractions of the length, between which stiffness and inertia are linear; a fraction inside may stand twice, "
       "where the section jumps"},
      {"material", "name of a material", "", "required unless all sections have a stiffness", "with a `poissons_ratio`"},
      {"damping", "`{alpha: 0, beta: 0}`", "1/s, s", "that of the material",
       "Rayleigh damping: *beta* times the stiffness works on the rates of strain"},
      {"up", "3 numbers", "1", "y; z where the line runs within 25 degrees of y",
       "axis 2 of the section at the start, made orthogonal to the line"},
      {"twist", "angle, `[[0, 13 deg], [0.3, 11 deg], [1, 0]]` or an expression of `s`", "rad", "0",
       "turn of the section about the line: over the whole length, linear in the arc length; linear between fractions of the "
       "length; or of `s`, without `curve` the length from the start"},
      {"velocity", "3 numbers", "m/s", "0", "of the start"},
      {"angular_velocity", "3 numbers", "rad/s", "0", "initial rigid motion about the start, global axes"},
      {"points", "map of names and `{at: 0.5}`", "1", "none", "fractions of the length, which become nodes"}};
}

void BeamItem::read(MapReader& map, const ValueReader& values, ReadContext& context, BodyItem& item) {
  auto read = std::make_shared<BeamItem>();
  BeamItem& beam = *read;
  const std::string what = map.what();
  if (const auto* mesh = map.find_foreign("mesh")) {
    map.find_foreign("group");
    map.known("line");
    values.faults.error(mesh->mark, what + ": beams from a mesh are not built yet", "give a line");
  } else if (const auto* line = map.require("line", "line: {from: [0, 0, 0], to: [1, 0, 0], elements: 16}")) {
    read_line(*line, values, beam, what);
  }
  read_beam_sections(map, values, beam, context);
  if (const auto* node = map.find("up")) beam.up = values.vector(*node, "up of " + what);
  if (const auto* node = map.find("twist")) read_twist(*node, values, what, beam);
  if (const auto* node = map.find("velocity")) beam.velocity = values.vector(*node, "velocity of " + what);
  if (const auto* node = map.find("angular_velocity"))
    beam.angular_velocity = values.vector(*node, "angular_velocity of " + what);
  item.content = read;
  read_named_points(map, values, PointForm::fractions, item);
  divide_all(item, beam);
}

}  // namespace sinew
