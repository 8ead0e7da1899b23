/// \file
/// What is to be said of an analysis that can be made and may not be what was meant.
#pragma once

#include "input/document.hpp"
#include "input/faults.hpp"
#include "model/analysis.hpp"

namespace sinew {

/// Warns of keys that have no effect, and of methods that lose what the run is asked for. `map`: of the model file.
/// `has_joints`: constraints have reactions.
void warn_of_analysis(const DocumentNode& map, const Analysis& analysis, bool has_joints, Faults& faults);

}  // namespace sinew
