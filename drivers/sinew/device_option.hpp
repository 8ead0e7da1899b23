/// \file
/// Which GPU a rank works on.
#pragma once

namespace CLI {
class App;
}

namespace sinew {

/// Adds `--device N` to a command: all ranks use that GPU of their machine. Without it each takes the next one.
void add_device_option(CLI::App& command);

}  // namespace sinew
