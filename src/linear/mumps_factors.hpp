/// \file
/// Factors by MUMPS, which gets more workspace where its estimate falls short.
#pragma once

#include "base/petsc.hpp"

#include <vector>

namespace sinew {

/// Number of MUMPS's setting of the workspace, per cent more than it estimates (ICNTL(14)).
constexpr PetscInt mumps_workspace = 14;

/// Per cent for the first attempt: pivots of constraints are delayed to later fronts, and MUMPS's own 20 fall short on several
/// ranks.
constexpr PetscInt first_workspace = 200;

/// What to try with after this was too little, or 0: no model that was tried is refused at 4^4 times the first. Of dependent
/// constraints nearly all pivots are delayed. Running out says nothing about a matrix.
constexpr PetscInt workspace_beyond(PetscInt percent) {
  constexpr PetscInt most = 256 * first_workspace;
  return percent < most ? 4 * percent : 0;
}

/// Tries until there is enough: `attempt(percent)` is true where MUMPS ran out. What served last stays in `percent`. False: it
/// ran out of the most that is given.
template <class Attempt>
bool with_workspace(PetscInt& percent, const Attempt& attempt) {
  while (attempt(percent)) {
    if (workspace_beyond(percent) == 0) return false;
    percent = workspace_beyond(percent);
  }
  return true;
}

/// Throws EnvironmentError where MUMPS ran out because some rank had no memory to allocate, and not of the workspace that it was
/// given, after which it may have more. The same on all ranks.
void require_memory(PetscMat factors);

/// Factors of matrices of one pattern, the analysis of the first kept for those that follow.
class MumpsFactors {
 public:
  struct Setting {
    PetscInt number, value;
  };

  /// `settings`: further ones of MUMPS (ICNTL).
  explicit MumpsFactors(MatFactorType type, std::vector<Setting> settings = {}) : type_(type), settings_(std::move(settings)) {}

  /// False: A is singular, or takes more workspace than is given; PETSc's errors are thrown. Collective.
  bool factorise(PetscMat A);
  /// Of the last matrix. Only where it was factorised.
  PetscMat get() const { return factors_; }

 private:
  MatFactorError attempt(PetscMat A);

  MatFactorType type_;
  std::vector<Setting> settings_;
  MatHandle factors_;
  PetscInt workspace_ = first_workspace;
};

}  // namespace sinew
