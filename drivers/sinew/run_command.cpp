#include "run_command.hpp"

#include "command_line.hpp"
#include "command_model.hpp"
#include "device_option.hpp"
#include "dynamic_run.hpp"
#include "mesh_levels.hpp"
#include "observe/error_bar_run.hpp"
#include "stationary_run.hpp"

#include <CLI/CLI.hpp>

namespace sinew {

namespace {

struct RunOptions {
  RunRequest request;
  std::string directory;
  std::vector<std::string> overrides, refinements;
};

/// Of runs that are compared.
void refuse_restart(const RunRequest& request) {
  if (!request.restart.empty())
    throw InputError("--restart: error bars compare runs from the start on; none of them goes on from a checkpoint");
}

int run(const RunOptions& options) {
  const RunRequest& request = options.request;
  if (!options.refinements.empty()) refuse_restart(request);
  const auto built = request.restart.empty()
                         ? build_finest(PETSC_COMM_WORLD, request.model, options.overrides, options.refinements)
                         : build_for_command(PETSC_COMM_WORLD, request.model, options.overrides, true, request.restart);
  MeshLevels levels = build_levels(PETSC_COMM_WORLD, request.model, options.overrides, options.refinements, *built);
  if (!options.directory.empty()) set_output(built->model, options.directory);
  if (built->model.analysis.type == AnalysisType::dynamic) {
    if (wants_error_bars(built->model.analysis)) refuse_restart(request);
    return run_dynamic(request, *built, levels);
  }
  if (!request.restart.empty()) throw InputError("--restart: only dynamic runs go on from a checkpoint");
  return run_stationary(request, *built, levels);
}

}  // namespace

void add_run_command(CLI::App& app, std::vector<std::string> command_line, std::function<int()>& job) {
  auto options = std::make_shared<RunOptions>();
  options->request.command_line = std::move(command_line);
  CLI::App* command =
      app.add_subcommand("run", "do the analysis that a model asks for: integrate it in time, find its state of rest, its modes");
  command->add_option("model", options->request.model, "model file")->required();
  command->add_option("-o,--output", options->directory, "output directory (default: as the model says, else MODEL.out)")
      ->check(check_directory);
  command->add_option("--set", options->overrides, "change a value of the model: --set analysis.step=1e-4")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_refine_option(*command, options->refinements);
  add_device_option(*command);
  command
      ->add_option("--restart", options->request.restart,
                   "go on from a checkpoint of the same model (its files too, in their directory)")
      ->check(check_file);
  command->add_flag("--quiet", options->request.quiet, "print errors and warnings only");
  command->add_flag("--no-output", options->request.no_output, "write no files (timing studies)");
  command->callback([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sinew
