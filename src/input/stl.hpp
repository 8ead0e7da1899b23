/// \file
/// Surfaces of triangles in STL files, as CAD programs write them.
#pragma once

#include "model/rigid_shape.hpp"

#include <filesystem>

namespace sinew {

/// Reads an STL file, text or binary. Corners at the same place become one point, triangles without area are left out. A surface
/// that is inside out is turned. Throws InputError, with file and line or byte and a remedy, if the file cannot be read, is
/// damaged, or its surface is not closed: then nothing can be said of its volume.
TriangleSurface read_stl(const std::filesystem::path& path);

/// Throws InputError unless every edge belongs to two triangles that agree about the outside. `name`: of the file.
void require_closed(const TriangleSurface& surface, const std::string& name);

}  // namespace sinew
