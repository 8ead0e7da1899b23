#pragma once

#include <string>

namespace sinew::test {

/// The absolute path of a file of the repository, given relative to its root: "tests/inputs/typo.yaml".
std::string source_path(const std::string& relative);

/// The absolute path of a file in the build folder's scratch directory, which exists.
std::string scratch_path(const std::string& relative);

/// The absolute path of the command `sinew` of this build.
std::string command_path();

/// What starts a program on that many ranks: "mpiexec -n 2".
std::string mpiexec_command(int ranks);

}  // namespace sinew::test
