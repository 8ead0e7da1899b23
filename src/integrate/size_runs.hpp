/// \file
/// Runs beforehand that find the sizes by which errors are measured, where the model does not say them.
#pragma once

#include "integrate/simulation.hpp"

#include <functional>
#include <vector>

namespace sinew {

/// Sets the state before it is made consistent, and lets the system forget what went before. Collective.
using BeginState = std::function<void(State&)>;

/// The extent of the motion of points that start in one place (DynamicSystem::is_one_point), m: of a run with a tolerance of
/// 0.01, in which errors are measured by what the motion covers until then and would, went it on so to the end. It ends after
/// 40,000 steps, unless the extent still grows then. Where the motion is far faster than what it comes to (vibrations), another
/// run follows, whose errors are measured by what the first one has found. The integrator is `soi2` whatever the analysis has: a
/// rule of first order, as BDF starts with, errs by as much as that in any step from rest. 0 where the bodies have an extent,
/// where steps are prescribed, and where the run fails. Collective.
double find_extent(const DynamicSystem&, Analysis, SimulationOptions, const BeginState&);

/// How large this rank's first-order states become (FirstOrderStates::expect): in a run with a tolerance of 0.01 per step, up to
/// where it fails or has taken 40,000 steps. No list where there are none but those of sampled controls, or the model gives the
/// sizes of all. Collective.
std::vector<double> find_state_sizes(const DynamicSystem&, Analysis, SimulationOptions, const BeginState&);

}  // namespace sinew
