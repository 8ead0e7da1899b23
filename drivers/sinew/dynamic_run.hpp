/// \file
/// Analyses in time. Those without are in stationary_run.hpp.
#pragma once

#include "command_model.hpp"
#include "mesh_levels.hpp"
#include "run_request.hpp"

namespace sinew {

/// Runs a built model whose analysis is dynamic, and its coarser levels for error bars of the mesh; returns the exit code. What
/// is needed first is tested first, and nothing is written before the start is right. Throws InputError, SolveError,
/// EnvironmentError. Collective.
int run_dynamic(const RunRequest&, BuiltModel&, const MeshLevels&);

}  // namespace sinew
