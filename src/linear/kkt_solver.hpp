/// \file
/// Exact solvers of KKT systems, and the choice among them.
#pragma once

#include "base/petsc.hpp"

#include <memory>
#include <string>

namespace sinew {

/// Solves with matrices of one pattern whose numbers change: the analysis of the first is kept.
class KktSolver {
 public:
  virtual ~KktSolver() = default;
  /// False: the matrix, or a part of it that this solver needs, is singular, or it is no matrix of the solver's kind. Collective.
  virtual bool factorise(PetscMat A) = 0;
  /// x = A^-1 b of the last matrix that was factorised. False: x is no solution. Collective.
  virtual bool solve(PetscVec b, PetscVec x) = 0;
  /// For people. Collective.
  virtual std::string describe() const = 0;
};

/// The makers of solvers return null where Sinew was built without the library that they need.

/// KLU of SuiteSparse: the pivot order of the first factorisation is kept, so that matrices that follow take less than a third of
/// the time, and given up where a pivot has become small. On several ranks each gathers the whole matrix: for small ones.
std::unique_ptr<KktSolver> make_klu_solver(int ranks);

/// By substructures, for matrices that have noted what their unknowns are (note_unknowns), on any number of ranks.
std::unique_ptr<KktSolver> make_substructure_solver();

/// MUMPS, on any number of ranks.
std::unique_ptr<KktSolver> make_mumps_solver();

/// Makes `pc` an exact solver for AIJ matrices of one pattern: by substructures where the matrix says what its unknowns are, else
/// by KLU, and by MUMPS where that fails or on several ranks had to gather much. -ksp_view shows which it is.
void use_kkt_solver(PC pc);

}  // namespace sinew
