/// \file
/// Direct solution of the saddle matrices through PETSc: choice of the package, factorisation and solution with failures
/// reported, not thrown.
#pragma once

#include "base/petsc.hpp"
#include "linear/solid_price.hpp"
#include "system/kkt_unknowns.hpp"

#include <memory>
#include <string>

namespace sinew {

/// Which direct solver serves matrices of this kind: that of use_kkt_solver for chains and nets, MUMPS for compact bodies.
/// Options of the prefix override it. With -sinew_deterministic every rank gathers and factorises all of a compact system: MUMPS
/// on several ranks adds in the order in which messages come. `unknowns`: of matrices that will not have noted theirs, as SLEPc's
/// sums; all have the pattern of those that have. Collective.
void configure_direct_solver(KSP, bool is_compact, std::shared_ptr<const KktUnknowns> unknowns = nullptr);

/// Which solver serves this matrix, direct or not: iterations for large solids whose unknowns are noted, else as above. Options
/// of the prefix override it. Collective.
void configure_linear_solver(KSP, PetscMat A, SolidsAs solids = SolidsAs::bodies);

/// Gives MUMPS, where it serves this KSP, more workspace than its estimate, unless an option says how much. The matrix is set,
/// its options are read, and it is not factorised yet. Collective.
void give_workspace(KSP);

/// A solver for A so configured, with the options of that prefix. Collective.
KspHandle make_direct_solver(const std::string& prefix, PetscMat A, bool is_compact);

/// The same by configure_linear_solver. Collective.
KspHandle make_linear_solver(const std::string& prefix, PetscMat A, SolidsAs solids = SolidsAs::bodies);

/// Factorises the matrix at hand (timed). False where it is singular, which some packages report as an error of PETSc.
/// Collective.
bool factorise(KSP);

/// Has a KSP that comes from a solution found one, by its preconditioner alone? Local.
bool has_solved_by_factors(KSP);

/// Solves A x = b (timed), factorising first if the matrix is new. False where A is singular or x is not finite. Collective.
bool solve_linear(KSP, PetscVec b, PetscVec x);

/// Solves A x = b (timed) by a KSP whose preconditioner is set up. False where it does not converge. Collective.
bool solve_iteratively(KSP, PetscVec b, PetscVec x);

}  // namespace sinew
