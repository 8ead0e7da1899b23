/// \file
/// How long a run may be.
#pragma once

namespace sinew {

/// More steps of time than this no one waits for.
inline constexpr double longest_run = 1e10;

}  // namespace sinew
