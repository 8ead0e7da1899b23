/// \file
/// Models whose joints hold places that lie apart.
#pragma once

#include "system/row_owners.hpp"

namespace sinew {

/// A warning that names the joints when the given positions are further from the constraints than slips of the pen, a
/// thousandth of the model's length or of a radian: `file:line:column: warning: ...`; empty otherwise. Where a state of rest is
/// sought, what motions prescribe from the initial configuration on is no misfit. Collective.
std::string disconnection_warning(const System&, double t, bool seeks_rest);

}  // namespace sinew
