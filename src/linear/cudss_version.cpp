#include "linear/cudss_factors.hpp"

#ifdef SINEW_HAVE_CUDSS
#include <cudss.h>
#include <fmt/format.h>
#endif

namespace sinew {

std::string cudss_version() {
#ifdef SINEW_HAVE_CUDSS
  int number[3] = {0, 0, 0};
  const libraryPropertyType parts[] = {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL};
  for (int i = 0; i < 3; ++i) cudssGetProperty(parts[i], &number[i]);
  return fmt::format("{}.{}.{}", number[0], number[1], number[2]);
#else
  return {};
#endif
}

}  // namespace sinew
