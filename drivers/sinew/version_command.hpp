/// \file
/// `sinew version`: versions, back ends, packages found.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace sinew {

/// Adds the subcommand; when it is chosen, parsing sets `job`.
void add_version_command(CLI::App& app, std::function<int()>& job);

}  // namespace sinew
