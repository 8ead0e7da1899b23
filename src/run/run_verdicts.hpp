/// \file
/// What there is to say against a run in time when it has ended.
#pragma once

#include "integrate/simulation.hpp"
#include "system/system.hpp"

#include <string>
#include <vector>

namespace sinew {

/// Sentences, none of them empty: what the steps have not resolved, what has left the range that its element describes, switches
/// that chatter, singular positions, attempts that failed too often. `has_error_bars`: of runs that are compared it is said that
/// all may have missed the same. Collective.
std::vector<std::string> verdicts_of_run(const Integrator&, const System&, const State& end, const SimulationSummary&,
                                         bool has_error_bars = false);

}  // namespace sinew
