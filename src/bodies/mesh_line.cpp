#include "bodies/mesh_line.hpp"

#include "base/error.hpp"
#include "input/named_file.hpp"

namespace sinew {

std::vector<BodyKey> MeshLine::keys(const char* required) {
  return {{"mesh", "file of Gmsh", "", required,
           "a curve of it is the line; path from the model file, see [meshes](meshes.md#lines)"},
          {"group", "name", "", "the mesh's only group of curves", "the physical group of the curve"},
          {"position", "3 numbers", "m", "0", "of the mesh's origin"},
          {"orientation", "as of a `rigid` body", "", "none", "of the mesh: its axes to global"}};
}

bool MeshLine::read(MapReader& map, const ValueReader& values, ReadContext& context, LineEnds ends) {
  const DocumentNode* file = map.find("mesh");
  const DocumentNode* name = map.find("group");
  if (!file) {
    if (name) values.faults.error(name->mark, map.what() + " has a group, but no mesh that it would be of", "add mesh: file.msh");
    return false;
  }
  if (is_given) {
    values.faults.error(file->mark, map.what() + " has a second mesh", "name it once");
    return true;
  }
  is_given = true;
  const std::string group = name ? values.outer_name(*name, "group of " + map.what()) : "";
  const auto found = find_named_file(*file, values, context, map.what(), "mesh file");
  try {
    path = context.readers.line(found, group, ends);
  } catch (const InputError& fault) {
    values.faults.error(file->mark, map.what() + ": " + fault.what());
  }
  return true;
}

void MeshLine::read_placement(MapReader& map, const ValueReader& values) {
  const DocumentNode *position = map.find("position"), *orientation = map.find("orientation");
  if (position) placement.position = values.vector(*position, "position of " + map.what());
  if (orientation) placement.orientation = read_orientation(*orientation, values, "orientation of " + map.what());
  if (is_given) return;
  for (const DocumentNode* node : {position, orientation})
    if (node)
      values.faults.error(
          node->mark,
          map.what() + (node == position ? " has a position" : " has an orientation") + ", but no mesh that it would place",
          "a line that is no mesh's says itself where it runs: shift its points");
}

void refuse_beside_mesh(MapReader& map, const std::vector<const char*>& keys, const ValueReader& values) {
  for (const char* key : keys)
    if (const auto* node = map.find(key))
      values.faults.error(node->mark, map.what() + " has a mesh and '" + key + "'", "give one of them");
}

}  // namespace sinew
