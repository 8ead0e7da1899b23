/// \file
/// MPI, PETSc and Kokkos for the lifetime of a command.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace sinew {

/// The command line, split into Sinew's own words and PETSc's options (`-name [value]`, one dash and more than one letter).
struct SplitArguments {
  std::vector<std::string> own;
  std::vector<std::string> petsc;
};
SplitArguments split_arguments(int argc, char** argv);

/// Starts the libraries, runs the job on all ranks and turns what it throws into a message (rank 0) and an exit code: 2 the input
/// is wrong (PETSc's options are part of it), 3 the solution failed, 4 the environment failed (memory, or standard output on a
/// full disk). A rank that fails alone ends the others.
int run_session(const std::vector<std::string>& petsc_arguments, const std::function<int()>& job);

}  // namespace sinew
