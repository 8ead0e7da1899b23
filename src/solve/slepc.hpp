/// \file
/// Owning handles for SLEPc's solvers, and its start.
#pragma once

#include "base/petsc.hpp"

#include <slepceps.h>

namespace sinew {

using EpsHandle = PetscHandle<EPS, EPSDestroy>;

/// Starts SLEPc unless it runs already; PETSc ends it. PETSc must be running. Collective.
void start_slepc();

/// Shift and invert about the solver's target with the direct solver for matrices of one pattern; options are read by the solver.
/// Collective.
void configure_inversion(ST, bool is_compact);

/// Reads the options of an eigenvalue solver that is set up otherwise, those of its inversion too. Throws InputError. Collective.
void read_solver_options(EPS);

/// How many eigenvalues are wanted of how many there are, the size of the Krylov space that serves, and the relative tolerance.
void set_sizes(EPS, int wanted, int all, double tolerance);

}  // namespace sinew
