/// \file
/// What ends a motion that no step carries on.
#pragma once

#include "integrate/integrator.hpp"

#include <string>

namespace sinew {

/// Names the expression that has no value, where that is what keeps even a step of h from being taken: a sentence, or nothing.
/// Collective.
std::string no_value_after(const DynamicSystem&, const State&, double h);

/// Says what ends the motion, if that is known: `no_value` of `no_value_after`, or geometry, where the constraints cannot be
/// fulfilled any more at a time t that should be reached next, or where a joint would leave its branch by then if everything went
/// on as it moves now. A sentence, or nothing. Collective.
std::string obstacle(const DynamicSystem&, const State&, double t, const std::string& no_value);

/// The same for what lies up to `farthest` beyond the state, looked for in growing distances from `reach` on: before a place
/// where a motion ends accelerations grow without bound, so that errors ask for ever shorter steps long before one has no
/// solution. Collective.
std::string obstacle_ahead(const DynamicSystem&, const State&, double reach, double farthest, const std::string& no_value);

/// The same where steps keep short although errors let them grow, as they do where constraints have begun to contradict each
/// other: looked for as far as bodies go on nearly straight, up to `farthest`. Collective.
std::string contradiction_ahead(const DynamicSystem&, const State&, double reach, double farthest);

}  // namespace sinew
