/// \file
/// How much the joints of a model hold, whatever of it is recorded.
#pragma once

#include "observe/sensor_series.hpp"

namespace sinew {

/// Of a stage: the largest reaction of all the model's rows, as the moment that it has about the model's extent, N m,
///
///   max over rows i of |lambda_i| |G_i S|        S the sizes of the dofs: the extent for displacements, 1 for rotations
///
/// whatever the rows are measured in (DynamicSystem::row_sizes), or the kinetic energy where that is more, which a moment of this
/// size takes away within a radian: a drive that keeps a rotor turning has none but rounding. Forces are that over the extent,
/// energies that over a radian. Empty where there are no rows.
/// The system must outlive it. Collective, and so is what it returns, which is the same on all ranks.
SensorSeries::Reaction largest_reaction_of(const DynamicSystem&);

}  // namespace sinew
