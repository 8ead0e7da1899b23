/// \file
/// `sinew run MODEL.yaml`: integrates a model and writes what it does.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sinew {

/// Adds the subcommand; when it is chosen, parsing sets `job`. `command_line` is kept in run.json.
void add_run_command(CLI::App& app, std::vector<std::string> command_line, std::function<int()>& job);

}  // namespace sinew
