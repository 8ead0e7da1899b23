/// \file
/// Two stages of a step that depend on each other a little: accelerations by Newton's method, velocities by a projection.
#pragma once

#include "solve/newton.hpp"

#include <functional>

namespace sinew {

/// What a projection at the configuration that Newton's method left did to the equations of that method.
enum class Projected { failed, without_effect, with_effect };

/// Newton's method from x and the projection in turn until neither moves the other; x is the solution where the report says so.
/// `project` is given what may be left of a correction (NewtonReport::limit). Collective.
NewtonReport alternate(NewtonSolver&, PetscVec x, const NewtonSettings&, const std::function<Projected(double)>& project);

}  // namespace sinew
