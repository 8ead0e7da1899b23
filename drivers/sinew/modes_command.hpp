/// \file
/// `sinew modes MODEL.yaml -n 20`: eigenfrequencies and shapes of a model, whatever its analysis is.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sinew {

/// Adds the subcommand; when it is chosen, parsing sets `job`. `command_line` is kept in run.json.
void add_modes_command(CLI::App& app, std::vector<std::string> command_line, std::function<int()>& job);

}  // namespace sinew
