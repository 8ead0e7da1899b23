/// \file
/// Masses that depend on time or on the configuration.
#pragma once

#include "kernels/sweep/family.hpp"

namespace sinew {

class VariesMass;

/// The family as one whose mass depends on the configuration; null of all others.
const VariesMass* as_varying(const Family&);

}  // namespace sinew
