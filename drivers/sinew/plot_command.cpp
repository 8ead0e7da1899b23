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

/// Is there anything to draw with so many pictures of the moving model? Throws InputError.
void require_results(const fs::path& directory, int frames) {
  std::error_code code;
  if (!fs::is_directory(directory, code))
    throw InputError(fmt::format("there is no directory {}; name the one that `sinew run` has written", directory.string()));
  const bool has_fields = fs::exists(directory / "fields.h5", code);
  const bool has_shapes = fs::exists(directory / "modes.csv", code) || fs::exists(directory / "buckling.csv", code);
  const bool has_curves =
      !has_shapes && (fs::exists(directory / "sensors.csv", code) || fs::exists(directory / "steps.csv", code));
  if (has_curves || (has_fields && frames > 0)) return;
  if (has_fields)
    throw InputError(fmt::format("--frames 0: of {} there is nothing to draw but what its fields show; give a number from 1 on",
                                 directory.string()));
  throw InputError(fmt::format("{} holds no results of a run (sensors.csv, steps.csv or fields.h5)", directory.string()));
}

}  // namespace

int run_plot(const PlotOptions& options) {
  throw_together(MPI_COMM_WORLD, [&] { require_results(options.directory, options.frames); });
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
