/// \file
/// What has no mass in a motion that no joint holds: why equations of motion have no solution.
#pragma once

#include "system/system.hpp"

#include <string>

namespace sinew {

/// A clause that names the body without mass that moves most in such a motion, with the remedy; empty where there is none.
/// Mechanical systems only, others get none. Collective.
std::string loose_body(const DynamicSystem&, const Stage&);
/// The same in the initial configuration; where no body is found, a clause without a name. Collective.
std::string loose_body(const System&);

}  // namespace sinew
