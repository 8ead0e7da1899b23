/// \file
/// Results of a run and modes of the same model are not to replace each other.
#pragma once

#include "model/analysis.hpp"

#include <mpi.h>

#include <filesystem>

namespace sinew {

/// Refuses a directory in which an earlier analysis left results of the other kind, modes or not modes; anything else is left to
/// `OutputDirectory`. Throws InputError. Collective.
void protect_other_results(MPI_Comm comm, const std::filesystem::path& directory, AnalysisType analysis);

}  // namespace sinew
