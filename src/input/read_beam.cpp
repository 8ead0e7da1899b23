#include "input/section_readers.hpp"

#include <cmath>

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

/// `line: {from, to, elements, order}` or `line: {curve, range, elements, order}`.
void read_line(const DocumentNode& node, const ValueReader& values, BeamItem& beam, const std::string& what) {
  MapReader map(node, "line of " + what, values.faults);
  if (const auto* points = map.find("points")) {
    values.faults.error(points->mark, "line of " + what + ": a beam through listed points is not built yet",
                        "give from and to, or a curve; join straight beams with fixed");
    map.forgive();
    return;
  }
  if (const auto* curve = map.find("curve")) {
    read_curve(*curve, map, values, beam);
  } else {
    const DocumentNode* from = map.require("from", "from: [0, 0, 0]");
    const DocumentNode* to = map.require("to", "to: [1, 0, 0]");
    if (from) beam.ends.push_back(values.vector(*from, "from of " + what));
    if (to) beam.ends.push_back(values.vector(*to, "to of " + what));
  }
  if (const auto* elements = map.require("elements", "elements: 16"))
    beam.num_elements = static_cast<int>(values.whole(*elements, "elements of " + what, 1, max_elements));
  if (const auto* order = map.find("order")) beam.order = static_cast<int>(values.whole(*order, "order of " + what, 1, 3));
}

/// True where a symmetric matrix is positive definite: every pivot of its triangular factors is above rounding.
template <int n>
bool is_positive(Mat<double, n> A) {
  for (int k = 0; k < n; ++k) {
    const double pivot = A(k, k);
    double diagonal = 0;
    for (int i = 0; i < n; ++i) diagonal = std::fmax(diagonal, std::fabs(A(i, i)));
    if (!(pivot > 1e-14 * diagonal)) return false;
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j) A(i, j) -= A(i, k) * A(k, j) / pivot;
  }
  return true;
}

/// A scaled to diagonal entries of 1, so that units do not matter; zero where one is not positive.
template <int n>
Mat<double, n> scaled(const Mat<double, n>& A) {
  Mat<double, n> B;
  for (int i = 0; i < n; ++i)
    if (!(A(i, i) > 0)) return B;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) B(i, j) = A(i, j) / std::sqrt(A(i, i) * A(j, j));
  return B;
}

/// Matrices that a beam can have: stiff and inert in every direction, the centre of mass on the line.
void check_matrices(const Section& section, const std::string& what, const SourceMark& mark, Faults& faults) {
  const std::string whose = what + ": section '" + section.name + "'";
  const Mat<double, 6>&C = section.matrices->stiffness, &I = section.matrices->inertia;
  if (!is_positive(scaled(C)))
    faults.error(mark, whose + " has a stiffness that is not positive definite", "give a stiffness to each of N V2 V3 T M2 M3");
  bool is_coupled = false, is_even = true;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 6; ++j) {
      if (j < 3 && i != j) is_even = is_even && I(i, j) == 0;
      if (j >= 3) is_coupled = is_coupled || I(i, j) != 0;
    }
  is_even = is_even && I(1, 1) == I(0, 0) && I(2, 2) == I(0, 0);
  if (is_coupled)
    faults.error(mark, whose + " has its centre of mass beside the line, which is not built yet",
                 "lay the line through the centres of mass: entries 1 to 3 by 4 to 6 of the inertia are then zero");
  if (!is_even || !(I(0, 0) > 0))
    faults.error(mark, whose + ": the first three diagonal entries of the inertia are the mass per length, alike and positive",
                 "write inertia: [m, m, m, j1, j2, j3]");
  Mat3<double> J;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) J(i, j) = I(3 + i, 3 + j);
  if (!is_positive(scaled(J)))
    faults.error(mark, whose + ": a beam's sections turn and need inertia about all three axes",
                 "give entries 4 to 6 of the inertia: rho (iy + iz), rho iy, rho iz");
}

/// Checks that a beam can be made of its section and material, and finds them.
void read_beam_section(MapReader& map, BeamItem& beam, ReadContext& context) {
  const std::string what = map.what();
  if (const auto* node = map.require("section", "section: the name of one under sections"))
    beam.section = find_section(*node, what, context);
  const DocumentNode* node = map.find("material");
  if (node) beam.material = find_material(*node, what, context);
  const Section* section = beam.section < 0 ? nullptr : &context.model.sections[static_cast<std::size_t>(beam.section)];
  if (!section) return;
  if (section->matrices) check_matrices(*section, what, map.mark(), context.faults);
  if (!section->matrices && !node)
    context.faults.error(map.mark(), what + " has no 'material'", "add material: the name of one under materials");
  if (beam.material < 0) return;
  const Material& material = context.model.materials[static_cast<std::size_t>(beam.material)];
  if (!section->matrices && !material.has_poissons_ratio)
    context.faults.error(node->mark,
                         what + ": material '" + material.name + "' has no poissons_ratio, which shear and torsion need",
                         "add poissons_ratio: 0.3 to the material");
  if (material.viscosity > 0)
    context.faults.error(node->mark, what + ": the viscosity of material '" + material.name + "' is one of solids",
                         "damp a beam with damping: {beta: ...} of its material");
}

}  // namespace

BeamItem read_beam(MapReader& map, const ValueReader& values, ReadContext& context) {
  BeamItem beam;
  const std::string what = map.what();
  if (const auto* mesh = map.find("mesh")) {
    map.known("group");
    values.faults.error(mesh->mark, what + ": beams from a mesh are not built yet", "give a line");
  } else if (const auto* line = map.require("line", "line: {from: [0, 0, 0], to: [1, 0, 0], elements: 16}")) {
    read_line(*line, values, beam, what);
  }
  read_beam_section(map, beam, context);
  if (const auto* node = map.find("up")) beam.up = values.vector(*node, "up of " + what);
  if (const auto* node = map.find("twist")) beam.twist = values.with_parameter("s").number(*node, "twist of " + what);
  if (const auto* node = map.find("velocity")) beam.velocity = values.vector(*node, "velocity of " + what);
  if (const auto* node = map.find("angular_velocity"))
    beam.angular_velocity = values.vector(*node, "angular_velocity of " + what);
  return beam;
}

}  // namespace sinew
