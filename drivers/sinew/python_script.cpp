#include "python_script.hpp"

#include "base/build_info.hpp"
#include "base/error.hpp"
#include "observe/text_file.hpp"
#include "partition/exchange.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <filesystem>

extern char** environ;  // NOLINT: POSIX says that programs declare it

namespace sinew {

namespace {

namespace fs = std::filesystem;

/// Runs a program and waits for it. Returns its exit code, 127 where it cannot be started, 128 + signal where it was ended.
int run_program(const std::vector<std::string>& words, bool is_silent) {
  std::vector<char*> argv;
  for (const std::string& w : words)
    argv.push_back(const_cast<char*>(w.c_str()));  // NOLINT: POSIX takes them so and leaves them alone
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (is_silent)
    for (const int stream : {1, 2}) posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int fault = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (fault != 0) return 127;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool has_packages(const std::string& python, const std::string& packages) {
  return run_program({python, "-c", "import " + packages}, true) == 0;
}

/// The first interpreter with what the script needs. Throws EnvironmentError that says what is missing.
std::string find_python(const PythonScript& script, const std::string& chosen) {
  std::vector<std::string> candidates{"python3", "/usr/bin/python3", "/usr/local/bin/python3", "python"};
  if (!chosen.empty()) candidates = {chosen};
  std::string first;
  for (const std::string& python : candidates) {
    if (has_packages(python, fmt::format("{}", fmt::join(script.packages, ", ")))) return python;
    if (first.empty() && has_packages(python, "sys")) first = python;
  }
  if (first.empty() && !chosen.empty())
    throw EnvironmentError(fmt::format(
        "--python {}: this cannot be started as a Python interpreter; give the path of one, like /usr/bin/python3, with {}",
        chosen, fmt::join(script.packages, ", ")));
  const std::string debian = fmt::format("Debian, Ubuntu: apt install python3-{}", fmt::join(script.packages, " python3-"));
  if (first.empty())
    throw EnvironmentError(fmt::format("`{}` needs Python 3 with {}, and no interpreter was found; install them ({})",
                                       script.command, fmt::join(script.packages, ", "), debian));
  std::vector<std::string> missing;
  for (const std::string& package : script.packages)
    if (!has_packages(first, package)) missing.push_back(package);
  throw EnvironmentError(fmt::format(
      "`{}` needs Python packages that {} does not have: {}; install them ({}; elsewhere: {} -m pip install {}), or name another "
      "interpreter with --python",
      script.command, first, fmt::join(missing, " "), debian, first,
      fmt::join(missing.empty() ? script.packages : missing, " ")));
}

/// The script: beside an installed program, else in the sources, else where CMake was told to install. Throws EnvironmentError.
fs::path find_script(const PythonScript& script) {
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  const fs::path places[] = {program.parent_path().parent_path() / "share/sinew", fs::path(build_info().source_directory),
                             fs::path(build_info().data_directory)};
  for (const fs::path& place : places)
    if (fs::exists(place / "plotting" / script.file, code)) return place / "plotting" / script.file;
  throw EnvironmentError(fmt::format("the script of `{}` is missing: neither {} nor {} has plotting/{}; install Sinew again",
                                     script.command, places[1].string(), places[2].string(), script.file));
}

void run(const PythonScript& script, const std::vector<std::string>& arguments, const std::string& python) {
  std::vector<std::string> words{find_python(script, python), "-B", find_script(script).string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const int code = run_program(words, false);
  if (code != 0) throw EnvironmentError(fmt::format("the drawing script failed with code {} (its message stands above)", code));
}

}  // namespace

void run_python_script(const PythonScript& script, const std::vector<std::string>& arguments, const std::string& python) {
  std::string fault;
  if (comm_rank(MPI_COMM_WORLD) == 0) {
    try {
      run(script, arguments, python);
    } catch (const EnvironmentError& error) {
      fault = error.what();
    }
  }
  throw_from_first_rank(MPI_COMM_WORLD, fault);
}

}  // namespace sinew
