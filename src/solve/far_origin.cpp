#include "solve/far_origin.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace sinew {

std::string far_origin_warning(const System& system) {
  const double reach = system.configuration_norm(system.make_configuration()), extent = system.extent();
  const double rounding = std::numeric_limits<double>::epsilon() * reach;
  if (extent == 0 || rounding <= std::sqrt(std::numeric_limits<double>::epsilon()) * extent) return {};
  const std::string& file = system.model().source.file;
  const std::string where = fmt::format("the model is {:.2g} across but lies {:.2g} from the origin", extent, reach);
  if (rounding >= extent)
    throw InputError(
        fmt::format("{}: error: {}: its coordinates have no digits left for it (put the origin near the model)", file, where));
  return fmt::format("{}: warning: {}: its motion is computed with {:.0f} digits (put the origin near the model)", file, where,
                     -std::log10(rounding / extent));
}

}  // namespace sinew
