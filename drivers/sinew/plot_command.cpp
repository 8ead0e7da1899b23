#include "plot_command.hpp"

#include "base/error.hpp"
#include "command_line.hpp"
#include "partition/collective_error.hpp"
#include "python_script.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

namespace sinew {

namespace {

namespace fs = std::filesystem;

/// Is there anything to draw? Throws InputError.
void require_results(const fs::path& directory) {
  std::error_code code;
  if (!fs::is_directory(directory, code))
    throw InputError(fmt::format("there is no directory {}; name the one that `sinew run` has written", directory.string()));
  for (const char* file : {"sensors.csv", "steps.csv", "fields.h5"})
    if (fs::exists(directory / file, code)) return;
  throw InputError(fmt::format("{} holds no results of a run (sensors.csv, steps.csv or fields.h5)", directory.string()));
}

}  // namespace

int run_plot(const PlotOptions& options) {
  throw_together(MPI_COMM_WORLD, [&] { require_results(options.directory); });
  const std::string pictures = options.pictures.empty() ? (fs::path(options.directory) / "plots").string() : options.pictures;
  run_python_script({"sinew plot", "plot_run.py", {"numpy", "matplotlib", "h5py"}},
                    {options.directory, "--out", pictures, "--frames", std::to_string(options.frames)}, options.python);
  return 0;
}

void add_plot_command(CLI::App& app, std::function<int()>& job) {
  const auto options = std::make_shared<PlotOptions>();
  CLI::App* command = app.add_subcommand("plot", "draw what a run left: sensors, steps, energy and the moving model");
  command->add_option("directory", options->directory, "output directory of a run")->required()->type_name("DIR");
  command->add_option("-o,--output", options->pictures, "where the pictures go (default: DIR/plots)")
      ->type_name("DIR")
      ->check(check_directory);
  command->add_option("--frames", options->frames, "how many pictures of the moving model")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command->add_option("--python", options->python, "the Python interpreter to use")->type_name("FILE")->check(check_file);
  command->callback([options, &job] { job = [options] { return run_plot(*options); }; });
}

}  // namespace sinew
