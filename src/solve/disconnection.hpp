/// \file
/// Models whose joints hold places that lie apart.
#pragma once

#include "system/row_owners.hpp"

namespace sinew {

/// A warning that names the joints when the given positions are further from the constraints than slips of the pen, a thousandth
/// of the model's length or of a radian: `file:line:column: warning: ...`; empty otherwise. `motions_fit`: what motions prescribe
/// from the initial configuration on is no misfit, as where a state of rest is sought, or where joints say where they start.
/// Collective.
std::string disconnection_warning(const System&, double t, bool motions_fit);

}  // namespace sinew
