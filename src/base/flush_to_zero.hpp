/// \file
/// How the processor treats numbers too small for full precision.
#pragma once

namespace sinew {

/// From now on results below 1e-308 are zero on this thread and on those that it starts. Motion out of a plane that should be
/// none decays through such numbers, and the processor takes a hundred times as long for each: a falling planar chain took three
/// times as long a step. Nothing on processors where this is not known.
void flush_to_zero();

}  // namespace sinew
