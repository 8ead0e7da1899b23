#include "device_option.hpp"

#include "kernels/sweep/device.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdlib>

namespace sinew {

/// Kokkos, which starts later, reads it from its environment.
void add_device_option(CLI::App& command) {
  command
      .add_option_function<int>(
          "--device",
          [](int device) {
            const int count = num_devices();
            if (count == 0)
              throw CLI::ValidationError("--device", "element loops of this build run on the processor, or no GPU answers");
            if (device < 0 || device >= count)
              throw CLI::ValidationError("--device", fmt::format("there is no GPU {}; there are 0 to {}", device, count - 1));
            setenv("KOKKOS_DEVICE_ID", std::to_string(device).c_str(), 1);
          },
          "the GPU to work on, from 0 (default: each rank of a machine takes the next)")
      ->type_name("N");
}

}  // namespace sinew
