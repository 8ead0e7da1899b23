/// \file
/// Modes so slow that rounding of the assembled stiffness may be as large as their own.
#pragma once

#include "solve/eigenmodes.hpp"

namespace sinew {

/// Finds anew what `find_modes` has set to 0, or is not sure of by a thousandth, with a stiffness that is not assembled: see
/// System::stiffness_times. In the space of the shapes that are there, of their corrections with the assembled matrix and of the
/// shapes of the round before, the slowest are taken until their frequencies stand (Knyazev (2001), SIAM J. Sci. Comput. 23,
/// 517-541). What is 0 then meets no stiffness. Of damped models it tells what of the frequencies is open (Mode::rounding), and
/// what modes that rounding alone has set to 0 would be without damping (Mode::undamped). `about`: the state of rest that the
/// equations are those of. Does nothing, and says so by false, where rounding may have a part in the modes and K is not
/// symmetric, or holds more than the elements do (controls). Collective.
bool sharpen_slow_modes(const System&, const Stage& about, const LinearisedSystem&, std::vector<Mode>& modes);

}  // namespace sinew
