/// \file
/// What bodies with meshes read alike.
#pragma once

#include "input/body_type.hpp"

namespace sinew {

/// `mesh`, or the key of the shape that the program meshes in its place: one of the two has to be there. Returns the node of that
/// shape, null where the body has a mesh or neither.
const DocumentNode* read_mesh_or(const char* shape, MapReader& map, const ValueReader& values, ReadContext& context,
                                 MeshedBody& body);

/// `material`: the name of one, or a map of groups of the mesh and names.
void read_mesh_materials(const DocumentNode& node, const std::string& what, ReadContext& context, MeshedBody& body);

}  // namespace sinew
