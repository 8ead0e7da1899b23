#include "bodies/beam.hpp"

#include "base/error.hpp"
#include "kernels/algebra/symmetric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
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

/// The largest turn from one segment to the next. Through the places of a circle, an angle a apart, a cubic spline rises by
/// R sin^2(a/2) c/2 between two of them, c = 3 cos(a/2)/(2 + cos(a)), where the circle rises by R (1 - cos(a/2)): 0.9 % less at a
/// tenth of a turn, 5 % at a fifth.
constexpr double largest_turn = 2 * std::numbers::pi / 10;
/// The largest corner between straight parts, beside which the spline swings out by (3 - sqrt(3))/8 sin(a/2) of the segments
/// there: 1 % at this angle.
constexpr double largest_corner = 2 * 0.01 * 8 / (3 - std::numbers::sqrt3);

/// Whether the line turns at a place by more than at both neighbours together. Of places on an arc none does, however they are
/// spaced: turns are as the means of the two segments, and each neighbour has one of these in its mean.
bool is_lone_turn(const LinePath& path, std::size_t place, double turn) {
  const std::size_t last = path.places().size() - 2;
  if (last < 2) return false;  // through three places runs a parabola
  const double before = place > 1 ? path.turn(place - 1) : path.turn(place + 1);
  const double after = place < last ? path.turn(place + 1) : path.turn(place - 1);
  return turn > before + after;
}

/// Reports where the places of a mesh are those of no smooth line, as the spline through them would be.
void check_turns(const LinePath& path, const SourceMark& mark, const std::string& what, Faults& faults) {
  const auto where = [&](std::size_t place) {
    const Vec3<double>& x = path.places()[place];
    return fmt::format("({:g}, {:g}, {:g})", x[0], x[1], x[2]);
  };
  std::size_t sharpest = 0, corner = 0;
  double most = largest_turn, at_corner = largest_corner;
  for (std::size_t k = 1; k + 1 < path.places().size(); ++k) {
    const double turn = path.turn(k);
    if (turn > most) {
      most = turn;
      sharpest = k;
    } else if (turn > at_corner && is_lone_turn(path, k, turn)) {
      at_corner = turn;
      corner = k;
    }
  }
  constexpr double degree = std::numbers::pi / 180;
  constexpr const char* remedy =
      "mesh a curve finer; where there is a corner take a body for each straight part and join them by "
      "type: fixed";
  if (sharpest > 0)
    faults.error(mark,
                 fmt::format("{}: the curve of the mesh turns by {:.3g} degrees from one segment to the next, at {}: beams run "
                             "along a smooth line, which follows turns of {:g} degrees at most",
                             what, most / degree, where(sharpest), largest_turn / degree),
                 remedy);
  else if (corner > 0)
    faults.warning(
        mark,
        fmt::format("{}: the curve of the mesh has a corner of {:.3g} degrees at {}, which the smooth line of the beam "
                    "rounds and swings beside",
                    what, at_corner / degree, where(corner)),
        remedy);
}

/// What follows from the places of a mesh.
void take_path(const DocumentNode& mesh, const std::string& what, BeamItem& beam, Faults& faults) {
  const LinePath* path = beam.mesh.path.get();
  if (!path) return;
  beam.num_elements = path->num_elements();
  check_turns(*path, mesh.mark, what, faults);
  if (path->places().size() > 2)
    beam.mesh_spline = std::make_shared<const CubicSpline>(path->places());
  else
    for (const Vec3<double>& x : path->places()) beam.points.push_back({Expression(x[0]), Expression(x[1]), Expression(x[2])});
}

/// `elements` and `order` of a line; a mesh without `elements` has as many as its curve has cells.
void read_division(MapReader& map, const ValueReader& values, BeamItem& beam, const std::string& what) {
  const auto* elements = beam.mesh.is_given ? map.find("elements") : map.require("elements", "elements: 16");
  if (elements) beam.num_elements = static_cast<int>(values.whole(*elements, "elements of " + what, 1, max_elements));
  if (const auto* order = map.find("order")) beam.order = static_cast<int>(values.whole(*order, "order of " + what, 1, 3));
}

/// `mesh`, `group`, `elements` and `order` beside the type.
void read_mesh_beside(MapReader& map, const ValueReader& values, ReadContext& context, BeamItem& beam) {
  if (beam.mesh.read(map, values, context, LineEnds::open)) {
    take_path(*map.find("mesh"), map.what(), beam, context.faults);
    return read_division(map, values, beam, map.what());
  }
  for (const char* key : {"elements", "order"})
    if (const auto* node = map.find(key))
      values.faults.error(node->mark, map.what() + " has '" + key + "', but no mesh beside it",
                          std::string("it belongs into the line: {..., ") + key + ": " + node->text + "}");
}

/// `line: {from, to, elements, order}`, or in the place of both ends `points`, `curve` and `range`, or `mesh` and `group`.
void read_line(const DocumentNode& node, const ValueReader& values, ReadContext& context, BeamItem& beam,
               const std::string& what) {
  MapReader map(node, "line of " + what, values.faults);
  if (beam.mesh.read(map, values, context, LineEnds::open)) {
    take_path(*map.find("mesh"), what, beam, context.faults);
    refuse_beside_mesh(map, {"from", "to", "points", "curve", "range"}, values);
  } else if (const auto* points = map.find("points")) {
    read_points(*points, map, values, beam);
  } else if (const auto* curve = map.find("curve")) {
    read_curve(*curve, map, values, beam);
  } else {
    const DocumentNode* from = map.require("from", "from: [0, 0, 0]");
    const DocumentNode* to = map.require("to", "to: [1, 0, 0]");
    if (from) beam.points.push_back(values.vector(*from, "from of " + what));
    if (to) beam.points.push_back(values.vector(*to, "to of " + what));
  }
  read_division(map, values, beam, what);
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
  std::optional<Vec<double, 6>> components;
  if (const auto damping = read_damping(map, values, &components)) beam.damping = BeamDamping{*damping, components};
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
  warn_of_law(material, node->mark, what, context.faults);
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
  std::vector<BodyKey> keys = {
      {"line", "`{from, to, elements}`, `{points: [[x, y, z], ...], elements}` or `{curve: [x, y, z], range: [a, b], elements}`",
       "m", "required without `mesh`",
       "a straight line, the cubic spline through points, or expressions of `s` from a to b; `order: 1`, `2` (default) or `3`: "
       "an element has one node more than that; or `{mesh, group, elements, order}`, as beside it"}};
  for (const BodyKey& key : MeshLine::keys("none")) keys.push_back(key);
  const std::vector<BodyKey> others = {
      {"elements", "whole number", "1", "as many as the curve has cells",
       "beside `mesh`, along the cubic spline through its nodes"},
      {"order", "1, 2 or 3", "1", "2", "beside `mesh`"},
      {"section", "name of a section, or `[[0, root], [0.4, middle], [1, tip]]`", "", "required",
       "sections at fractions of the length, between which stiffness and inertia are linear; a fraction inside may stand twice, "
       "where the section jumps"},
      {"material", "name of a material", "", "required unless all sections have a stiffness", "with a `poissons_ratio`"},
      {"damping", "`{alpha: 0, beta: 0}` or `{alpha: 0, beta: [0, 0, 0, 0, 0, 0]}`", "1/s, s", "that of the material",
       "Rayleigh damping: *beta* times the stiffness works on the rates of strain; of six times each of N V2 V3 T M2 M3 has its "
       "own"},
      {"up", "3 numbers", "1", "y; z where the line runs within 25 degrees of y",
       "axis 2 of the section at the start, made orthogonal to the line"},
      {"twist", "angle, `[[0, 13 deg], [0.3, 11 deg], [1, 0]]` or an expression of `s`", "rad", "0",
       "turn of the section about the line: over the whole length, linear in the arc length; linear between fractions of the "
       "length; or of `s`, without `curve` the length from the start"},
      {"velocity", "3 numbers, or expressions of `s`", "m/s", "0",
       "of the start; with `s` in it or in the next one both are those of every place, `s` as of `twist`"},
      {"angular_velocity", "3 numbers, or expressions of `s`", "rad/s", "0", "initial rigid motion about the start, global axes"},
      {"points", "map of names and `{at: 0.5}`", "1", "none", "fractions of the length, which become nodes"}};
  keys.insert(keys.end(), others.begin(), others.end());
  return keys;
}

void BeamItem::read(MapReader& map, const ValueReader& values, ReadContext& context, BodyItem& item) {
  auto read = std::make_shared<BeamItem>();
  BeamItem& beam = *read;
  const std::string what = map.what();
  read_mesh_beside(map, values, context, beam);
  if (beam.mesh.is_given) {
    refuse_beside_mesh(map, {"line"}, values);
  } else if (const auto* line = map.require("line", "line: {from: [0, 0, 0], to: [1, 0, 0], elements: 16}")) {
    read_line(*line, values, context, beam, what);
  }
  beam.mesh.read_placement(map, values);
  read_beam_sections(map, values, beam, context);
  if (const auto* node = map.find("up")) beam.up = values.vector(*node, "up of " + what);
  if (const auto* node = map.find("twist")) read_twist(*node, values, what, beam);
  if (const auto* node = map.find("velocity")) beam.velocity = values.with_parameter("s").vector(*node, "velocity of " + what);
  if (const auto* node = map.find("angular_velocity"))
    beam.angular_velocity = values.with_parameter("s").vector(*node, "angular_velocity of " + what);
  item.content = read;
  read_named_points(map, values, PointForm::fractions, item);
  divide_all(item, beam);
}

}  // namespace sinew
