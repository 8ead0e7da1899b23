/// \file
/// What is said about a command line that is wrong.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Error;
}  // namespace CLI

namespace sinew {

/// Looks at the first word and at options with one dash that are meant to have two; empty if nothing is wrong with them.
std::string first_fault(const CLI::App& app, const std::vector<std::string>& own, const std::vector<std::string>& petsc);

/// The sentence about what CLI11 refuses.
std::string describe(const CLI::App& app, const CLI::Error& fault);

/// Prints a line for every option that was meant for PETSc and that nothing asked for (rank 0). PETSc must be running. Collective.
void warn_of_unused_options();

}  // namespace sinew
