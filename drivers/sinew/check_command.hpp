/// \file
/// `sinew check MODEL.yaml`: reads, validates and builds a model, tests its initial state, says sizes.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace sinew {

/// Adds the subcommand; when it is chosen, parsing sets `job`.
void add_check_command(CLI::App& app, std::function<int()>& job);

}  // namespace sinew
