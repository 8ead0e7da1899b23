/// \file
/// Files that a model names, read by one rank.
#pragma once

#include "input/file_readers.hpp"

#include <mpi.h>

#include <functional>
#include <string>

namespace sinew {

/// Read on rank 0, which keeps the surfaces; the others learn what they enclose, all texts and all lines, each of which is sent
/// once however many bodies have it. For a model that all ranks read together: every call is collective.
FileReaders readers_on_first_rank(MPI_Comm);

/// What rank 0 reads, on all ranks; all throw what it throws. Collective.
std::string text_from_first_rank(MPI_Comm, const std::function<std::string()>& read);

}  // namespace sinew
