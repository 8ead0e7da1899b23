/// \file
/// The linearised equations as files: Matrix Market for numpy, scipy and MATLAB, tables of names as CSV.
#pragma once

#include "solve/state_space.hpp"

#include <filesystem>

namespace sinew {

/// matrix_M, _D, _K (dofs x dofs), _G (rows x dofs), for nonholonomic constraints about a motion also _H, as .mtx in coordinates;
/// matrix_dofs.csv and matrix_rows.csv name what is numbered from 1. Rank 0 writes what the ranks hand it one after the other;
/// the order of the entries may differ between numbers of ranks, their numbers do not. Throws EnvironmentError. Collective.
void write_matrices(const System&, const NaturalUnknowns&, const LinearisedSystem&, const std::filesystem::path& directory);

/// state_A, _B, _C, _D, _T as .mtx arrays, state_inputs.csv, state_outputs.csv. Throws EnvironmentError. Collective.
void write_state_space(MPI_Comm, const StateSpace&, const std::filesystem::path& directory);

}  // namespace sinew
