/// \file
/// Numbers of things as containers take them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew {

/// `i`, which is not negative, as the place in a container.
constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace sinew
