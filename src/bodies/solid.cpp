#include "bodies/solid.hpp"

#include "bodies/read_meshed.hpp"
#include "kernels/elements/solid_entry.hpp"
#include "model/box_grid.hpp"
#include "model/choices.hpp"
#include "model/instance_check.hpp"
#include "model/place_on_body.hpp"

#include <limits>

namespace sinew {

namespace {

/// `element: hex20`, where order alone does not say it.
void read_box_element(const DocumentNode& node, bool has_order, const ValueReader& values, const std::string& what,
                      BoxShape& box) {
  const std::string name = values.text(node, "element of the box of " + what);
  for (const CellShape shape : {CellShape::hex8, CellShape::hex20, CellShape::hex27})
    if (name == shape_info(shape).name) {
      if (has_order && shape_info(shape).order != shape_info(box.cell).order)
        values.faults.error(node.mark, "order and element of the box of " + what + " contradict each other", "give one of them");
      box.cell = shape;
      return;
    }
  values.faults.error(node.mark, "the box of " + what + " cannot be made of " + node.describe(),
                      suggestion(name, {"hex8", "hex20", "hex27"}));
}

BoxShape read_box(const DocumentNode& node, const ValueReader& values, const std::string& what) {
  BoxShape box;
  MapReader map(node, "box of " + what, values.faults);
  if (const auto* size = map.require("size", "size: [1, 1, 1]")) {
    const std::size_t before = values.faults.num_errors();
    box.size = values.constant_vector(*size, "size of " + what);
    const bool readable = values.faults.num_errors() == before;
    if (readable && !(box.size[0] > 0 && box.size[1] > 0 && box.size[2] > 0))
      values.faults.error(size->mark, "the edges of the box of " + what + " must be positive");
  }
  if (const auto* elements = map.require("elements", "elements: [4, 2, 2]")) {
    if (!elements->is_sequence() || elements->items.size() != 3) {
      values.faults.error(elements->mark, "elements of " + what + " must be a list of 3 numbers, not " + elements->describe(),
                          "write [4, 2, 2]");
    } else {
      for (std::size_t k = 0; k < 3; ++k)
        box.elements[k] = static_cast<int>(values.whole(elements->items[k], "elements of " + what, 1, 1000000));
    }
  }
  if (const auto* order = map.find("order"))
    if (values.whole(*order, "order of the box of " + what, 1, 2) == 2) box.cell = CellShape::hex27;
  if (const auto* element = map.find("element")) read_box_element(*element, map.has("order"), values, what, box);
  double points = 1;
  for (const int count : box.elements) points *= shape_info(box.cell).order * static_cast<double>(count) + 1.0;
  if (points > std::numeric_limits<int>::max()) {
    values.faults.error(map.mark(), "the box of " + what + " has too many elements", "a body has at most 2e9 points");
    box.elements = {1, 1, 1};
  }
  return box;
}

}  // namespace

std::vector<BodyKey> SolidItem::keys() {
  return {{"mesh", "file of Gmsh", "", "required without `box`", "path from the model file; see [meshes](meshes.md)"},
          {"box", "`{size, elements, order: 1}`", "m, 1", "required without `mesh`",
           "its corner is the body's origin; order 2: 27-node hexahedra; or `element`: `hex8`, `hex20`, `hex27`"},
          {"material", "name, or map of groups and names", "", "required", "of all elements, or of those of groups of the mesh"},
          {"formulation", "`enhanced` or `displacement`", "", "`enhanced`",
           "8-node hexahedra with [strains of their own](elements/solid.md#hexahedra-that-bend), which bend, or without"},
          {"position", "3 numbers", "m", "0", "of the body's origin"},
          {"orientation", "as of a `rigid` body", "", "none", "body to global"},
          {"velocity", "3 numbers", "m/s", "0", "of the body's origin"},
          {"angular_velocity", "3 numbers", "rad/s", "0", "initial rigid motion about the body's origin, global axes"},
          {"angular_velocity_local", "3 numbers", "rad/s", "0", "in its place: body axes"},
          {"points", "map of names and vectors", "m", "none",
           "from the body's origin, in its axes: places for joints, forces and sensors, which need not be nodes"}};
}

void SolidItem::read(MapReader& map, const ValueReader& values, ReadContext& context, BodyItem& item) {
  auto read = std::make_shared<SolidItem>();
  SolidItem& solid = *read;
  const std::string what = map.what();
  if (const auto* node = read_mesh_or("box", map, values, context, solid)) solid.box = read_box(*node, values, what);
  if (const auto* node = map.require("material", "material: the name of one under materials"))
    read_mesh_materials(*node, what, context, solid);
  if (const auto* node = map.find_foreign("law")) {
    context.faults.error(node->mark, "the law of " + what + " belongs to its material", "move it to materials");
  }
  if (const auto* node = map.find("formulation"))
    solid.formulation = values.choice(*node, "formulation of " + what, solid.formulation);
  solid.placement = read_placement(map, values, false);
  item.content = read;
  read_named_points(map, values, PointForm::coordinates, item);
  for (const NamedPoint& point : item.points)
    if (solid.box && point.name.is_plain() && BoxGrid::group_dimension(point.name.text()) >= 0)
      context.faults.error(point.mark, "'" + point.name.text() + "' names a side, an edge or a corner of " + what + " already",
                           "choose another name");
}

/// Of a box: corners, middles of edges of quadratic cells, and middles of faces and cells where they have them. What a mesh has
/// is known where it is read.
BodySize SolidItem::size() const {
  if (!box) return {0, 0, 0};
  const std::int64_t x = box->elements[0], y = box->elements[1], z = box->elements[2], cells = x * y * z;
  if (box->cell == CellShape::hex27) return {(2 * x + 1) * (2 * y + 1) * (2 * z + 1), 0, cells};
  const std::int64_t corners = (x + 1) * (y + 1) * (z + 1);
  if (shape_info(box->cell).order == 1) return {corners, 0, cells};
  return {corners + x * (y + 1) * (z + 1) + (x + 1) * y * (z + 1) + (x + 1) * (y + 1) * z, 0, cells};
}

/// Cells of a box have 8 nodes, those of a mesh 4 at least. Of the entries of the whole an element has its share: a node has 27
/// neighbours in a lattice, 14 in tetrahedra, of which there are five to six a node; incomplete factors of symmetric matrices
/// keep half.
MatrixNeed SolidItem::matrix_need() const { return box ? MatrixNeed{576, 243, 0.5} : MatrixNeed{144, 126.0 / 6, 0.5}; }

void SolidItem::check(const OneBody&, InstanceCheck& check) const { check.placement(placement); }

std::optional<Fault> SolidItem::resolve(const OneBody& one, const PlaceItem& item, const std::string& tail, const Indices&,
                                        PlaceRef& ref) const {
  if (item.tail == PlaceItem::Tail::none)
    return place_fault(item, "a solid is not a place",
                       box ? "name a surface, an edge or a corner, like " + item.text + ".x-, .x-y+ or .x-y+z-"
                           : "name a group of its mesh: a surface, a curve or points");
  if (item.tail == PlaceItem::Tail::node)
    return place_fault(item, "nodes of a solid have no numbers here", "name a point or a group");
  if (const NamedPoint* point = find_point(one, tail)) {
    ref.anchor = Anchor::point;
    ref.point = evaluate(std::get<VectorExpression>(point->place), one.indices());
    ref.node = static_cast<int>(point - one.item().points.data());
    return {};
  }
  if (box && BoxGrid::group_dimension(tail) < 0) {
    static const std::vector<std::string> known{"x-", "x+", "y-", "y+", "z-", "z+", "edges like x-y+", "corners like x-y+z-"};
    return place_fault(item, "the box has no surface, edge, corner or point '" + tail + "'",
                       point_remedy(one.item(), tail, known));
  }
  ref.anchor = Anchor::group;
  ref.group = tail;
  return {};
}

std::optional<ElementAtStart> SolidItem::element_of(CellShape shape, const Material& material, const std::vector<Vec3<double>>& x,
                                                    const Frame<double>&) const {
  const SolidEntry* entry =
      find_solid(std::string(shape_info(shape).name), name_in_file(formulation), name_in_file(material.law));
  if (entry == nullptr) return {};
  return ElementAtStart{entry->family,
                        {},
                        entry->make_params(x, {material.youngs_modulus, material.poissons_ratio, material.density,
                                               material.damping.alpha, material.damping.beta, material.viscosity})};
}

std::string SolidItem::shapes_made() const {
  std::string known;
  for (const SolidEntry& solid : registered_solids())
    if (known.find(solid.cell) == std::string::npos) known += (known.empty() ? "" : ", ") + solid.cell;
  return known;
}

}  // namespace sinew
