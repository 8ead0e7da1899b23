#include "modes_command.hpp"

#include "command_line.hpp"
#include "device_option.hpp"
#include "stationary_run.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <filesystem>

namespace sinew {

namespace {

struct ModesOptions {
  RunRequest request;
  std::string directory;
  std::vector<std::string> overrides, refinements;
  int count = 0;
  bool about_rest = false, about_motion = false, matrices = false;
};

/// Where the modes go without -o: where the model says, else beside the results of a run, which they do not replace.
std::string modes_directory(const ModesOptions& options, const std::string& of_model) {
  const std::string name = std::filesystem::path(options.request.model).stem().string();
  return of_model == name + ".out" ? name + ".modes.out" : of_model;
}

/// The options are short for these: whoever reads the model knows what is asked of it.
std::vector<std::string> overrides_of(const ModesOptions& options) {
  std::vector<std::string> all = options.overrides;
  all.push_back("analysis.type=modes");
  if (options.about_rest) all.push_back("analysis.about=static");
  if (options.about_motion) all.push_back("analysis.about=motion");
  if (options.matrices) all.push_back("analysis.matrices=true");
  if (options.count > 0) all.push_back(fmt::format("analysis.count={}", options.count));
  return all;
}

int find(const ModesOptions& options) {
  const std::vector<std::string> overrides = overrides_of(options);
  const auto built = build_finest(PETSC_COMM_WORLD, options.request.model, overrides, options.refinements);
  MeshLevels levels = build_levels(PETSC_COMM_WORLD, options.request.model, overrides, options.refinements, *built);
  if (options.directory.empty())
    built->model.output.directory = modes_directory(options, built->model.output.directory);
  else
    set_output(built->model, options.directory);
  return run_stationary(options.request, *built, levels);
}

/// What is wrong with a number of modes; empty where nothing is.
std::string check_count(const std::string& word) {
  int count = 0;
  const char* end = word.data() + word.size();
  const auto [last, code] = std::from_chars(word.data(), end, count);
  if (code == std::errc() && last == end && count >= 1 && count <= most_modes) return {};
  return fmt::format("the number of modes must be a whole one from 1 to {}, but is '{}'", most_modes, word);
}

}  // namespace

void add_modes_command(CLI::App& app, std::vector<std::string> command_line, std::function<int()>& job) {
  auto options = std::make_shared<ModesOptions>();
  options->request.command_line = std::move(command_line);
  CLI::App* command =
      app.add_subcommand("modes", "eigenfrequencies and mode shapes about the initial state, the state of rest or a motion");
  command->add_option("model", options->request.model, "model file")->required();
  command->add_option("-n,--count", options->count, "how many modes (default: as the model says, else 10)")->check(check_count);
  auto* rest = command->add_flag("--static", options->about_rest, "about the state of rest under the loads");
  command->add_flag("--motion", options->about_motion, "about the motion of the initial velocities")->excludes(rest);
  command->add_flag("--matrices", options->matrices, "write the linearised equations as Matrix Market files");
  command->add_option("-o,--output", options->directory, "output directory (default: as the model says, else MODEL.modes.out)")
      ->check(check_directory);
  command->add_option("--set", options->overrides, "change a value of the model")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_refine_option(*command, options->refinements);
  add_device_option(*command);
  command->add_flag("--quiet", options->request.quiet, "print errors and warnings only");
  command->add_flag("--no-output", options->request.no_output, "write no files");
  command->callback([options, &job] { job = [options] { return find(*options); }; });
}

}  // namespace sinew
