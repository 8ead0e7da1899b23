#include "input/section_readers.hpp"

#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr std::int64_t max_elements = 1000000000;

/// `line: {from, to, elements}` or `line: {points: [...]}`.
void read_line(const DocumentNode& node, const ValueReader& values, CableItem& cable, const std::string& what) {
  MapReader map(node, "line of " + what, values.faults);
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
  if (elements) cable.num_elements = static_cast<int>(values.whole(*elements, "elements of " + what, 1, max_elements));
  if (const auto* order = map.find("order")) values.whole(*order, "order of " + what, 1, 1);
}

/// Checks that a cable can be made of its section, and finds its material.
void read_cable_section(MapReader& map, CableItem& cable, ReadContext& context) {
  const std::string what = map.what();
  if (const auto* node = map.require("section", "section: the name of one under sections"))
    cable.section = find_section(*node, what, context);
  const Section* section = cable.section < 0 ? nullptr : &context.model.sections[static_cast<std::size_t>(cable.section)];
  const DocumentNode* material = map.find("material");
  if (material) cable.material = find_material(*material, what, context);
  if (!section) return;
  const SourceMark mark = map.mark();
  if (!section->matrices && !material) {
    context.faults.error(mark, what + " has no 'material'", "add material: the name of one under materials");
  }
  const double stiff2 = section->matrices ? section->matrices->stiffness(4, 4) : section->iy;
  const double stiff3 = section->matrices ? section->matrices->stiffness(5, 5) : section->iz;
  if (std::fabs(stiff2 - stiff3) > 1e-6 * std::fmax(stiff2, stiff3))
    context.faults.error(mark, what + ": a cable bends alike in all directions, but its section '" + section->name + "' does not",
                         "use a section with iy equal to iz");
  if (section->matrices && (!(section->matrices->stiffness(0, 0) > 0) || !(section->matrices->inertia(0, 0) > 0)))
    context.faults.error(mark, what + ": section '" + section->name + "' needs a positive axial stiffness and mass per length");
}

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

void check_solid_material(const SolidMaterial& entry, const std::string& what, ReadContext& context) {
  if (entry.material < 0) return;
  const Material& material = context.model.materials[static_cast<std::size_t>(entry.material)];
  if (!material.has_poissons_ratio)
    context.faults.error(entry.mark, what + ": material '" + material.name + "' has no poissons_ratio, which a solid needs",
                         "add poissons_ratio: 0.3 to the material");
}

void read_solid_materials(const DocumentNode& node, const std::string& what, ReadContext& context, SolidItem& solid) {
  if (!node.is_map()) {
    solid.materials.push_back({"", find_material(node, what, context), node.mark});
  } else {
    for (const DocumentEntry& entry : node.entries)
      solid.materials.push_back({entry.key, find_material(entry.value, what, context), entry.mark});
    if (node.entries.empty()) context.faults.error(node.mark, what + " has an empty map of materials", "name a material");
  }
  for (const SolidMaterial& entry : solid.materials) check_solid_material(entry, what, context);
}

}  // namespace

CableItem read_cable(MapReader& map, const ValueReader& values, ReadContext& context) {
  CableItem cable;
  const std::string what = map.what();
  const DocumentNode* line = map.find("line");
  const DocumentNode* points = map.find("points");
  const DocumentNode* mesh = map.find("mesh");
  if (mesh) map.known("group");
  const bool listed = points && points->is_sequence();
  if (line) read_line(*line, values, cable, what);
  if (listed && line)
    values.faults.error(points->mark, what + " has a line and a list of points",
                        "put the list into the line, as line: {points: ...}");
  if (listed && !line) {
    cable.is_polyline = true;
    for (const DocumentNode& item : points->items) cable.points.push_back(values.vector(item, "point of " + what));
  }
  if (mesh)
    values.faults.error(mesh->mark, what + ": cables from a mesh are not built yet",
                        "give a line, or list the element ends under points");
  if (!line && !listed && !mesh)
    values.faults.error(map.mark(), what + " has no 'line'", "add line: {from: [0, 0, 0], to: [1, 0, 0], elements: 16}");
  if (cable.is_polyline) {
    cable.num_elements = static_cast<int>(cable.points.size()) - 1;
    if (cable.points.size() < 2) values.faults.error(map.mark(), what + " needs two points at least");
    cable.is_polyline = cable.points.size() > 2;
  }
  read_cable_section(map, cable, context);
  if (const auto* node = map.find("velocity")) cable.velocity = values.vector(*node, "velocity of " + what);
  if (const auto* node = map.find("angular_velocity"))
    cable.angular_velocity = values.vector(*node, "angular_velocity of " + what);
  return cable;
}

SolidItem read_solid(MapReader& map, const ValueReader& values, ReadContext& context) {
  SolidItem solid;
  const std::string what = map.what();
  const DocumentNode* mesh = map.find("mesh");
  const DocumentNode* box = map.find("box");
  if (mesh && box) values.faults.error(box->mark, what + " has a mesh and a box", "give one of them");
  if (!mesh && !box)
    values.faults.error(map.mark(), what + " has neither mesh nor box", "add mesh: file.msh or box: {size: ..., elements: ...}");
  if (mesh) {
    solid.mesh = find_mesh_file(*mesh, values, context, what).value_or("");
    solid.mesh_mark = mesh->mark;
  }
  if (box && !mesh) solid.box = read_box(*box, values, what);
  if (const auto* node = map.require("material", "material: the name of one under materials"))
    read_solid_materials(*node, what, context, solid);
  if (const auto* node = map.find("law")) {
    context.faults.error(node->mark, "the law of " + what + " belongs to its material", "move it to materials");
  }
  if (const auto* node = map.find("formulation"))
    solid.formulation = values.choice(*node, "formulation of " + what, solid.formulation);
  solid.placement = read_placement(map, values, false);
  return solid;
}

}  // namespace sinew
