/// \file
/// Models whose joints say where they start: bodies are moved there before a run begins.
#pragma once

#include "partition/local_model.hpp"

namespace sinew {

/// distribute(), with the nodes where the joints' starts put them: motions hold their coordinates while the bodies are drawn onto
/// all constraints as wholes, by the least change, weighted by mass; then their rates, while the velocities are (see
/// project_onto_constraints). What elements, joints and forces take from the model as drawn, like lengths of springs and zeros of
/// angles, stays so; turns on the way are counted. `warnings` gets what strains flexible bodies. Throws InputError where joints
/// cannot be brought there. Collective.
LocalModel distribute_at_start(MPI_Comm, const Model&, const SolidMeshes&, const Numbering&,
                               std::vector<std::string>* warnings = nullptr);

}  // namespace sinew
