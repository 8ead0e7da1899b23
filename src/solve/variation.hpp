/// \file
/// Whether the equations of small motions in a moving frame have constant coefficients.
#pragma once

#include "solve/steady_motion.hpp"

#include <utility>
#include <vector>

namespace sinew {

/// How far the coefficients of the equations in the frame are from constant: over the given shapes u, the largest change of u_i^T
/// K u_j and omega u_i^T D u_j (relative to omega^2 and masses, omega the larger one of the two), of G u and of the
/// accelerations, when the motion has gone on until the frame has turned by 1 rad (where it does not turn, the fastest body).
/// Collective.
double variation(const System&, const MovingState&, const MovingFrame&, const LinearisedSystem&,
                 const std::vector<std::pair<double, PetscVec>>& shapes);

}  // namespace sinew
