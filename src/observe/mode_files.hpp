/// \file
/// modes.csv and buckling.csv, and the same as tables for the screen.
#pragma once

#include "solve/buckling.hpp"
#include "solve/eigenmodes.hpp"

#include <mpi.h>

#include <filesystem>
#include <string>
#include <vector>

namespace sinew {

/// A line for each mode: number, frequency (Hz), omega (rad/s), eigenvalue (real and imaginary part, rad/s), damping ratio.
/// Collective.
void write_modes(MPI_Comm comm, const std::filesystem::path& file, const std::vector<Mode>& modes);
std::string to_text(const std::vector<Mode>& modes);

/// A line for each load factor. Collective.
void write_buckling(MPI_Comm comm, const std::filesystem::path& file, const std::vector<BucklingMode>& modes);
std::string to_text(const std::vector<BucklingMode>& modes);

}  // namespace sinew
