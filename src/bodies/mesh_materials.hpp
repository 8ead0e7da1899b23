/// \file
/// What bodies with meshes read alike.
#pragma once

#include "input/body_type.hpp"

namespace sinew {

/// `material`: the name of one, or a map of groups of the mesh and names.
void read_mesh_materials(const DocumentNode& node, const std::string& what, ReadContext& context, MeshedBody& body);

}  // namespace sinew
