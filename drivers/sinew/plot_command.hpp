/// \file
/// `sinew plot DIR`: pictures of what a run left.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace sinew {

/// What was asked for on the command line.
struct PlotOptions {
  std::string directory;  ///< of the run
  std::string pictures;   ///< where the pictures go; empty: DIR/plots
  int frames = 6;         ///< pictures of the moving model
  std::string python;     ///< interpreter; empty: the first one with what the script needs
};

/// Runs the drawing script (rank 0). Returns 0. Throws InputError where there is nothing to draw, EnvironmentError where Python
/// or one of its packages is missing or the script fails. Collective.
int run_plot(const PlotOptions& options);

/// Adds the subcommand to the program; see add_verify_command.
void add_plot_command(CLI::App& app, std::function<int()>& job);

}  // namespace sinew
