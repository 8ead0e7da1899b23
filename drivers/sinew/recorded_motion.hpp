/// \file
/// A model's motion for runs that are compared.
#pragma once

#include "command_model.hpp"
#include "observe/error_bar_run.hpp"

#include <set>
#include <string>

namespace sinew {

/// Of all sensors of a kind, by which their columns begin.
std::set<std::string> names_of_sensors(const Model&, SensorKind);

/// The motion of a model from a state before it is made consistent, which is copied. Model and sensors must outlive it. `quiet`:
/// warnings only. Collective.
RecordedMotion recorded_motion(const BuiltModel&, const Sensors&, const State& begin, bool quiet);

}  // namespace sinew
