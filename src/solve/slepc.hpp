/// \file
/// Owning handles for SLEPc's solvers, and its start.
#pragma once

#include "base/petsc.hpp"

#include <slepceps.h>

namespace sinew {

using EpsHandle = PetscHandle<EPS, EPSDestroy>;

/// Starts SLEPc unless it runs already; PETSc ends it. PETSc must be running. Collective.
void start_slepc();

/// Reads the options of an eigenvalue solver that is set up otherwise, those of its inversion too. Throws InputError. Collective.
void read_solver_options(EPS);

/// How many eigenvalues are wanted of how many there are, the size of the Krylov space that serves, and the relative tolerance.
void set_sizes(EPS, int wanted, int all, double tolerance);

/// Eigenvalues of A x = theta B x nearest to a target, by shift and invert with the direct solver, for A and B of one pattern.
struct Nearest {
  EPSProblemType type;
  double target;
  int wanted;
  int all;  ///< eigenvalues that there are
  double tolerance;
  bool is_compact;  ///< of the direct solver
};
/// Their solver, whose options begin with the prefix. Throws InputError for wrong ones. Collective.
EpsHandle make_inverting_solver(const char* prefix, PetscMat A, PetscMat B, const Nearest&);

/// Solves, without PETSc's own message where it fails. Throws Stopped where a signal has ended the search. Collective.
PetscErrorCode solve(EPS);

/// How many `solve` has found.
PetscInt num_converged(EPS);

}  // namespace sinew
