/// \file
/// Runs the command `sinew` as a user does, in a process of its own.
#pragma once

#include "tests/catch.hpp"
#include "tests/paths.hpp"

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace sinew::test {

/// How a run of the program ended.
struct Outcome {
  int code = -1;     ///< exit code; 124: it did not end in time
  std::string said;  ///< standard output and standard error
};

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// An empty folder of the build's scratch directory.
inline std::filesystem::path fresh_folder(const std::string& name) {
  const std::filesystem::path folder = scratch_path("program-" + name);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

/// Writes a file and returns its path.
inline std::string write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

/// A piece of shell, in `folder`, with the command as $sinew; what it says on both streams is kept.
inline Outcome run_shell(const std::filesystem::path& folder, const std::string& script) {
  const std::string log = (folder / "said.txt").string();
  const std::string file = write_file(folder / "script.sh", "sinew='" + command_path() + "'\n" + script + "\n");
  const std::string command = "cd '" + folder.string() + "' && timeout -k 5 120 bash '" + file + "' > '" + log + "' 2>&1";
  const int status = std::system(command.c_str());
  Outcome outcome;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.said = file_text(log);
  std::filesystem::remove(log);
  std::filesystem::remove(file);
  return outcome;
}

/// `sinew ARGUMENTS` with a shell's quoting, in `folder`; under mpiexec where `ranks` is not 0.
inline Outcome run_sinew(const std::filesystem::path& folder, const std::string& arguments, int ranks = 0) {
  return run_shell(folder, (ranks > 0 ? mpiexec_command(ranks) + ' ' : std::string()) + "\"$sinew\" " + arguments);
}

}  // namespace sinew::test
