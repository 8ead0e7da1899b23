/// \file
/// The start of the index-3 method without a transient of first order in the multipliers.
#pragma once

#include "integrate/alpha_coefficients.hpp"
#include "integrate/integrator.hpp"

namespace sinew {

/// z += h^2 P r with r = (2 (1 - 6 beta - 3 alpha) z'' + [z, z'])/12 and P = M^-1 G^T (G M^-1 G^T)^-1 G the projector onto what
/// the position constraints forbid: the velocity with which the index-3 method starts without an oscillation of order h. z' is
/// the state's a, z'' is given. Source: Arnold, Cardona and Bruls, "A Lie algebra approach to Lie group time integration of
/// constrained systems" (2016). Collective.
void perturb_velocity(const DynamicSystem&, const AlphaCoefficients&, double h, PetscVec jerk, State&);

}  // namespace sinew
