#include "bodies/read_meshed.hpp"

#include "input/named_file.hpp"

#include <fmt/format.h>

namespace sinew {

namespace {

void check_material(const SolidMaterial& entry, const std::string& what, const MeshedBody& body, ReadContext& context) {
  if (entry.material < 0) return;
  const Material& material = context.model.materials[static_cast<std::size_t>(entry.material)];
  if (!material.has_poissons_ratio)
    context.faults.error(entry.mark,
                         what + ": material '" + material.name + "' has no poissons_ratio, which a " + body.type() + " needs",
                         "add poissons_ratio: 0.3 to the material");
}

}  // namespace

const DocumentNode* read_mesh_or(const char* shape, MapReader& map, const ValueReader& values, ReadContext& context,
                                 MeshedBody& body) {
  const DocumentNode* mesh = map.find("mesh");
  const DocumentNode* made = map.find(shape);
  if (mesh && made) values.faults.error(made->mark, fmt::format("{} has a mesh and a {}", map.what(), shape), "give one of them");
  if (!mesh && !made)
    values.faults.error(map.mark(), fmt::format("{} has neither mesh nor {}", map.what(), shape),
                        fmt::format("add mesh: file.msh or {}: {{size: ..., elements: ...}}", shape));
  if (!mesh) return made;
  body.mesh = find_named_file(*mesh, values, context, map.what(), "mesh file").value_or("");
  body.mesh_mark = mesh->mark;
  return nullptr;
}

void read_mesh_materials(const DocumentNode& node, const std::string& what, ReadContext& context, MeshedBody& body) {
  if (!node.is_map()) {
    body.materials.push_back({"", find_material(node, what, context), node.mark});
  } else {
    for (const DocumentEntry& entry : node.entries) {
      DocumentNode group;
      group.kind = DocumentNode::Kind::scalar;
      group.mark = entry.mark;
      group.text = entry.key;
      const std::string name = context.values().outer_name(group, "a group of " + what);
      body.materials.push_back({name, find_material(entry.value, what, context), entry.mark});
    }
    if (node.entries.empty()) context.faults.error(node.mark, what + " has an empty map of materials", "name a material");
  }
  for (const SolidMaterial& entry : body.materials) check_material(entry, what, body, context);
}

}  // namespace sinew
