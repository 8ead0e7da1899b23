/// \file
/// Masses that depend on time or on the configuration.
#pragma once

#include "kernels/sweep/family.hpp"
#include "system/dynamic_system.hpp"

namespace sinew {

class VariesMass;

/// The family as one whose mass depends on the configuration; null of all others.
const VariesMass* as_varying(const Family&);

/// Does M depend on time or configuration? The same on all ranks.
bool mass_varies(const DynamicSystem&);

}  // namespace sinew
