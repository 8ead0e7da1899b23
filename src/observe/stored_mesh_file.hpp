/// \file
/// Stores a mesh for ranks that read their rows of it (input/stored_mesh.hpp).
#pragma once

#include "input/gmsh_content.hpp"

#include <mpi.h>

#include <filesystem>

namespace sinew {

/// Looks whether a stored mesh can be put there, and touches nothing. Throws InputError where something else than a stored mesh
/// is there, where the directory is not, or where the path is longer than MPI opens; EnvironmentError where it cannot be written.
/// Collective.
void require_place_of_mesh(MPI_Comm comm, const std::filesystem::path& path);

/// The name of the file until it is whole.
std::filesystem::path unfinished_mesh(const std::filesystem::path& path);

/// Writes what the ranks have read of a file of Gmsh, each its part. Between its datasets it heeds signals
/// (base/stop_signal.hpp). Whole numbers take four bytes where those of all ranks fit into them, else eight. Throws
/// EnvironmentError, and leaves then, as where it is stopped, a file that is not whole. Collective.
void write_stored_mesh(MPI_Comm comm, const GmshContent& content, const std::filesystem::path& path);

}  // namespace sinew
