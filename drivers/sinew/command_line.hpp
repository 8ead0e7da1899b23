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

/// What is wrong with the name of a directory; empty where nothing is.
std::string check_directory(const std::string& word);
/// Likewise of that of a file.
std::string check_file(const std::string& word);

/// The sentence about what CLI11 refuses. `petsc`: what it has not seen, since it is for PETSc.
std::string describe(const CLI::App& app, const CLI::Error& fault, const std::vector<std::string>& petsc);

/// Says what is wrong, on one rank, before or while the libraries start; returns the exit code.
int refuse(const std::string& fault);

}  // namespace sinew
