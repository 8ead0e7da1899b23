#include "plot_command.hpp"

#include "base/build_info.hpp"
#include "base/error.hpp"
#include "observe/text_file.hpp"
#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

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
std::string find_python(const std::string& chosen) {
  std::vector<std::string> candidates{"python3", "/usr/bin/python3", "/usr/local/bin/python3", "python"};
  if (!chosen.empty()) candidates = {chosen};
  std::string first;
  for (const std::string& python : candidates) {
    if (has_packages(python, "numpy, matplotlib, h5py")) return python;
    if (first.empty() && has_packages(python, "sys")) first = python;
  }
  if (first.empty())
    throw EnvironmentError(
        "`sinew plot` needs Python 3 with numpy, matplotlib and h5py, and no interpreter was found; install them "
        "(Debian, Ubuntu: apt install python3-numpy python3-matplotlib python3-h5py)");
  std::string missing;
  for (const char* package : {"numpy", "matplotlib", "h5py"})
    if (!has_packages(first, package)) missing += (missing.empty() ? "" : " ") + std::string(package);
  throw EnvironmentError(
      fmt::format("`sinew plot` needs Python packages that {} does not have: {}; install them (Debian, Ubuntu: apt install "
                  "python3-numpy python3-matplotlib python3-h5py; elsewhere: {} -m pip install {}), or name another "
                  "interpreter with --python",
                  first, missing, first, missing.empty() ? "numpy matplotlib h5py" : missing));
}

/// The script: beside an installed program, else in the sources, else where CMake was told to install. Throws EnvironmentError.
fs::path find_script() {
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  const fs::path places[] = {program.parent_path().parent_path() / "share/sinew", fs::path(build_info().source_directory),
                             fs::path(build_info().data_directory)};
  for (const fs::path& place : places)
    if (fs::exists(place / "plotting/plot_run.py", code)) return place / "plotting/plot_run.py";
  throw EnvironmentError(
      fmt::format("the script of `sinew plot` is missing: neither {} nor {} has plotting/plot_run.py; install Sinew again",
                  places[1].string(), places[2].string()));
}

/// Is there anything to draw? Throws InputError.
void require_results(const fs::path& directory) {
  std::error_code code;
  if (!fs::is_directory(directory, code))
    throw InputError(fmt::format("there is no directory {}; name the one that `sinew run` has written", directory.string()));
  for (const char* file : {"sensors.csv", "steps.csv", "fields.h5"})
    if (fs::exists(directory / file, code)) return;
  throw InputError(fmt::format("{} holds no results of a run (sensors.csv, steps.csv or fields.h5)", directory.string()));
}

void draw(const PlotOptions& options) {
  const std::string pictures = options.pictures.empty() ? (fs::path(options.directory) / "plots").string() : options.pictures;
  const std::string python = find_python(options.python);
  const int code = run_program(
      {python, "-B", find_script().string(), options.directory, "--out", pictures, "--frames", std::to_string(options.frames)},
      false);
  if (code != 0) throw EnvironmentError(fmt::format("the drawing script failed with code {} (its message stands above)", code));
}

}  // namespace

int run_plot(const PlotOptions& options) {
  throw_together(MPI_COMM_WORLD, [&] { require_results(options.directory); });
  std::string fault;
  if (comm_rank(MPI_COMM_WORLD) == 0) {
    try {
      draw(options);
    } catch (const EnvironmentError& error) {
      fault = error.what();
    }
  }
  throw_from_first_rank(MPI_COMM_WORLD, fault);
  return 0;
}

void add_plot_command(CLI::App& app, std::function<int()>& job) {
  const auto options = std::make_shared<PlotOptions>();
  CLI::App* command = app.add_subcommand("plot", "draw what a run left: sensors, steps, energy and the moving model");
  command->add_option("directory", options->directory, "output directory of a run")->required()->type_name("DIR");
  command->add_option("-o,--output", options->pictures, "where the pictures go (default: DIR/plots)")->type_name("DIR");
  command->add_option("--frames", options->frames, "how many pictures of the moving model")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command->add_option("--python", options->python, "the Python interpreter to use")->type_name("FILE");
  command->callback([options, &job] { job = [options] { return run_plot(*options); }; });
}

}  // namespace sinew
