/// \file
/// Files that a model names, read by one rank.
#pragma once

#include "input/file_readers.hpp"

#include <mpi.h>

namespace sinew {

/// Read on rank 0, which keeps the surfaces; the others learn what they enclose, and all texts. For a model that all ranks read
/// together: every call is collective.
FileReaders readers_on_first_rank(MPI_Comm);

/// Rank 0's text, on all ranks. Collective.
std::string broadcast_text(MPI_Comm, std::string text);

}  // namespace sinew
