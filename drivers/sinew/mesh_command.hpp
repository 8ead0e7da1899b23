/// \file
/// `sinew mesh MESH.msh -o PARTS.h5`: a mesh cut and stored so that ranks read their slices.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace sinew {

/// Adds the subcommand; when it is chosen, parsing sets `job`.
void add_mesh_command(CLI::App& app, std::function<int()>& job);

}  // namespace sinew
