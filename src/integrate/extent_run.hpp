/// \file
/// A run beforehand that finds how far a motion goes, where a model has no length that errors could be measured by.
#pragma once

#include "integrate/simulation.hpp"

#include <functional>

namespace sinew {

/// The extent of the motion of a model that has none itself (lacks_extent), m: of a run with a tolerance of 0.01, in which errors
/// are measured by what the motion covers until then and would, went it on so to the end. It ends after 40,000 steps, unless the
/// extent still grows then. Its integrator is `soi2` whatever the analysis has: a rule of first order, as BDF starts with, errs
/// by as much as that in any step from rest. 0 where the model has an extent, where steps are prescribed, and where the run
/// fails. `begin` sets the state before it is made consistent, and lets the system forget what went before. Collective.
double find_extent(const DynamicSystem&, Analysis, SimulationOptions, const std::function<void(State&)>& begin);

}  // namespace sinew
