#include "bodies/shell.hpp"

#include "bodies/read_meshed.hpp"
#include "kernels/elements/shell.hpp"
#include "kernels/sweep/registry.hpp"
#include "model/choices.hpp"
#include "model/instance_check.hpp"
#include "model/nearest_name.hpp"
#include "model/place_on_body.hpp"
#include "model/plate_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

PlateShape read_plate(const DocumentNode& node, const ValueReader& values, const std::string& what) {
  PlateShape plate;
  MapReader map(node, "plate of " + what, values.faults);
  const auto two = [&](const DocumentNode& list, const char* example) {
    if (list.is_sequence() && list.items.size() == 2) return true;
    values.faults.error(list.mark, "size and elements of the plate of " + what + " are lists of 2, not " + list.describe(),
                        example);
    return false;
  };
  if (const auto* size = map.require("size", "size: [1, 1]"))
    if (two(*size, "write [1, 0.5]"))
      for (std::size_t k = 0; k < 2; ++k) plate.size[k] = values.positive(size->items[k], "size of the plate of " + what);
  if (const auto* elements = map.require("elements", "elements: [4, 4]"))
    if (two(*elements, "write [4, 2]"))
      for (std::size_t k = 0; k < 2; ++k)
        plate.elements[k] = static_cast<int>(values.whole(elements->items[k], "elements of " + what, 1, 1000000));
  if (const auto* element = map.find("element")) {
    const std::string word = values.text(*element, "element of the plate of " + what);
    if (word == "tri3")
      plate.cell = CellShape::tri3;
    else if (word != "quad4")
      values.faults.error(element->mark, "the plate of " + what + " cannot be made of " + element->describe(),
                          suggestion(word, {"quad4", "tri3"}));
  }
  if ((plate.elements[0] + 1.0) * (plate.elements[1] + 1.0) > std::numeric_limits<int>::max()) {
    values.faults.error(map.mark(), "the plate of " + what + " has too many elements", "a body has at most 2e9 points");
    plate.elements = {1, 1};
  }
  return plate;
}

/// The law of shells is linear between strains and resultants: that of the first law of solids, for thin walls in plane stress.
void check_shell_material(const SolidMaterial& entry, const std::string& what, ReadContext& context) {
  if (entry.material < 0) return;
  const Material& material = context.model.materials[static_cast<std::size_t>(entry.material)];
  if (material.law != MaterialLaw{})
    context.faults.error(entry.mark,
                         what + ": a shell's material is " + name_in_file(MaterialLaw{}) + ", not " + name_in_file(material.law),
                         "leave the law out, or make a solid");
  if (material.viscosity > 0)
    context.faults.error(entry.mark, what + ": the viscosity of material '" + material.name + "' is one of solids",
                         "take damping: {beta: ...} of the material");
}

/// The curvature of drilling resists bending of a strip in its plane, too: by .7 t^2/b^2 of E I, b its width (see
/// docs/elements/shell.md).
void warn_of_narrow_strip(const PlateShape& plate, double thickness, const SourceMark& mark, const std::string& what,
                          Faults& faults) {
  constexpr double in_part = 0.7, noticeable = 0.05;
  const double ratio = thickness / std::min(plate.size[0], plate.size[1]), stiffer = in_part * ratio * ratio;
  if (stiffer > noticeable)
    faults.warning(mark,
                   fmt::format("{} is {:.2g} times as wide as thick: against bending in its plane it is {:.0f} % too stiff", what,
                               1 / ratio, 100 * stiffer),
                   "take a beam");
}

template <int N>
ElementAtStart make_element(const std::vector<Vec3<double>>& x, const Frame<double>& body, const ShellSection& section) {
  Vec3<double> X[N];
  for (int a = 0; a < N; ++a) X[a] = transpose_times(body.R, x[static_cast<std::size_t>(a)] - x[0]);
  return {Shell<N>::name, {}, packed(Shell<N>::make(X, section))};
}

}  // namespace

std::vector<BodyKey> ShellItem::keys() {
  return {{"mesh", "file of Gmsh", "", "required without `plate`",
           "path from the model file; its triangles and quadrilaterals are the shell, see [meshes](meshes.md)"},
          {"plate", "`{size, elements, element: quad4}`", "m, 1", "required without `mesh`",
           "a rectangle along the body's axes x and y from its origin; element `quad4` or `tri3`"},
          {"thickness", "number, > 0", "m", "required", "the mesh is the middle surface"},
          {"material", "name, or map of groups and names", "", "required", "of all elements, or of those of surface groups"},
          {"position", "3 numbers", "m", "0", "of the body's origin"},
          {"orientation", "as of a `rigid` body", "", "none", "body to global; nodes' axes at the start"},
          {"velocity", "3 numbers", "m/s", "0", "of the body's origin"},
          {"angular_velocity", "3 numbers", "rad/s", "0", "initial rigid motion about the body's origin, global axes"},
          {"angular_velocity_local", "3 numbers", "rad/s", "0", "in its place: body axes"}};
}

void ShellItem::read(MapReader& map, const ValueReader& values, ReadContext& context, BodyItem& item) {
  auto read = std::make_shared<ShellItem>();
  ShellItem& shell = *read;
  const std::string what = map.what();
  if (const auto* node = read_mesh_or("plate", map, values, context, shell)) shell.plate = read_plate(*node, values, what);
  if (const auto* node = map.require("thickness", "thickness: 0.002"))
    shell.thickness = values.positive(*node, "thickness of " + what);
  if (shell.plate && shell.thickness > 0) warn_of_narrow_strip(*shell.plate, shell.thickness, map.mark(), what, context.faults);
  if (const auto* node = map.require("material", "material: the name of one under materials"))
    read_mesh_materials(*node, what, context, shell);
  for (const SolidMaterial& entry : shell.materials) check_shell_material(entry, what, context);
  shell.placement = read_placement(map, values, false);
  item.content = read;
}

BodySize ShellItem::size() const {
  if (!plate) return {0, 0, 0};
  const PlateGrid grid(plate->size, plate->elements, plate->cell);
  return {grid.num_points(), grid.num_points(), grid.num_cells()};
}

/// A node of a lattice of quadrilaterals has 9 neighbours, itself among them, and there is an element for each; of triangles 7
/// and two.
MatrixNeed ShellItem::matrix_need() const {
  const bool is_quadrilaterals = plate && plate->cell == CellShape::quad4;
  return is_quadrilaterals ? MatrixNeed{576, 9 * 36.0, 1} : MatrixNeed{324, 3.5 * 36, 1};
}

double ShellItem::node_gyration() const { return thickness / std::sqrt(12.0); }

PlaceForm ShellItem::form_of(const PlaceRef& ref) const {
  return ref.anchor == Anchor::node ? PlaceForm::frame : PlaceForm::surface;
}

void ShellItem::check(const OneBody&, InstanceCheck& check) const { check.placement(placement); }

std::optional<Fault> ShellItem::resolve(const OneBody&, const PlaceItem& item, const std::string& tail, const Indices& indices,
                                        PlaceRef& ref) const {
  if (item.tail == PlaceItem::Tail::none)
    return place_fault(item, "a shell is not a place",
                       plate ? "name an edge or corner, like " + item.text + ".x- or .x+y+, or .node[k]"
                             : "name a group of its mesh, or a node: .node[k]");
  if (item.tail == PlaceItem::Tail::node) {
    // how many nodes a mesh has is known where it is read
    const int last = plate ? static_cast<int>(size().nodes) - 1 : std::numeric_limits<int>::max();
    return resolve_node(item, last, indices, ref);
  }
  if (plate && PlateGrid::group_dimension(tail) < 0)
    return place_fault(item, "the plate has no group '" + tail + "'", suggestion(tail, plate_groups()));
  ref.anchor = Anchor::group;
  ref.group = tail;
  return {};
}

std::optional<ElementAtStart> ShellItem::element_of(CellShape shape, const Material& material, const std::vector<Vec3<double>>& x,
                                                    const Frame<double>& body) const {
  ShellSection section;
  section.thickness = thickness;
  section.youngs_modulus = material.youngs_modulus;
  section.poissons_ratio = material.poissons_ratio;
  section.density = material.density;
  section.alpha = material.damping.alpha;
  section.tau = material.damping.beta;
  switch (shape) {
    case CellShape::tri3: return make_element<3>(x, body, section);
    case CellShape::quad4: return make_element<4>(x, body, section);
    default: return {};
  }
}

std::string ShellItem::shapes_made() const { return "tri3 and quad4"; }

}  // namespace sinew
