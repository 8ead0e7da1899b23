/// \file
/// Reads meshes that Gmsh wrote. User page: docs/meshes.md.
#pragma once

#include <filesystem>

#include "model/mesh.hpp"

namespace sinew {

/// Reads a Gmsh mesh file: formats 2.2 and 4.1, text and little-endian binary, first and second order cells without pyramids,
/// physical groups that may overlap; or what `sinew mesh` has made of one (input/stored_mesh.hpp), with the same result.
///
/// Cells come in Gmsh's node order, which is Sinew's (model/cell_shape.hpp), each once however many groups hold it; points
/// that no cell uses are left out. Without physical groups the mesh has all the file's cells and no group. Jacobians are not
/// checked here: see require_solid_mesh.
///
/// Serial: call it on the one rank that reads. Throws InputError, with file and line or byte, if the file cannot be read or
/// is damaged, or holds what is not supported.
Mesh read_gmsh(const std::filesystem::path& path);

}  // namespace sinew
