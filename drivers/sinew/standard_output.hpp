/// \file
/// What the program says on its standard output, and its warnings.
#pragma once

#include <mpi.h>

#include <string>

namespace sinew {

/// Prints on rank 0 only.
void print_once(MPI_Comm comm, const std::string& text);
/// A line on standard error, by rank 0 only.
void warn_once(MPI_Comm comm, const std::string& warning);

/// A sentence where standard output did not take what was said (a full disk); empty also where its reader has gone (`| head`),
/// who wanted no more.
std::string fault_of_standard_output();

}  // namespace sinew
