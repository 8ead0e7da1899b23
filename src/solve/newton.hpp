/// \file
/// Newton's method on PETSc's SNES with the stopping test of the integrators and a tangent that is kept as long as it serves.
#pragma once

#include "base/petsc.hpp"

#include <exception>
#include <functional>
#include <string>

namespace sinew {

/// When the tangent is assembled and factorised anew.
enum class TangentRefresh { automatic, every_iteration, once };

struct NewtonSettings {
  double tolerance = 1e-8;  ///< on `measure`
  int max_iterations = 12;
  TangentRefresh refresh = TangentRefresh::automatic;
  bool line_search = false;  ///< backtracking on the residual's norm
  bool continues = false;    ///< the same step once more: the tangent at hand is of this step
};

struct NewtonReport {
  bool converged = false;
  std::string reason;  ///< why not
  int iterations = 0;
  int linear = 0;
  int factorizations = 0;
  double correction = 0;        ///< last measured correction
  double first_correction = 0;  ///< the first one
  double rate = 0;              ///< last observed ratio of corrections
};

/// What Newton's method needs of a problem F(x) = 0. All collective.
struct NewtonProblem {
  std::function<void(PetscVec x, PetscVec F)> residual;
  std::function<void(PetscMat J)> assemble;  ///< at the x of the last residual
  /// Size of a correction (x changed by -update) in the units of the tolerance.
  std::function<double(PetscVec update)> measure;
  /// Not empty: x is not admissible, the sentence says why.
  std::function<std::string()> fault;
};

class NewtonSolver {
 public:
  /// Takes over the matrix; `x` gives the layout. PETSc options with that prefix apply (-<prefix>snes_..., -<prefix>ksp_..., -<prefix>pc_...).
  /// Collective.
  NewtonSolver(const std::string& prefix, MatHandle matrix, PetscVec x, NewtonProblem problem);
  ~NewtonSolver();
  NewtonSolver(const NewtonSolver&) = delete;
  NewtonSolver& operator=(const NewtonSolver&) = delete;

  /// Solves from the given x. Never throws for a solution that is not found; the report says so. Collective.
  NewtonReport solve(PetscVec x, const NewtonSettings&);
  /// Reads the options, once the KSP is configured; else the first solve does it. Throws InputError. Collective.
  void read_options();
  /// Makes the next solve start with a new tangent.
  void invalidate() { tangent_is_usable_ = false; }
  KSP ksp() const;

 private:
  static PetscErrorCode residual_callback(SNES, PetscVec, PetscVec, void*);
  static PetscErrorCode jacobian_callback(SNES, PetscVec, PetscMat, PetscMat, void*);
  static PetscErrorCode convergence_callback(SNES, PetscInt, PetscReal, PetscReal, PetscReal, SNESConvergedReason*, void*);
  bool wants_new_tangent() const;
  bool wants_refresh(int iteration, double correction) const;
  void learn();
  SNESConvergedReason judge(int iteration, double residual_norm);

  NewtonProblem problem_;
  MatHandle matrix_;
  SnesHandle snes_;
  NewtonSettings settings_;
  NewtonReport report_;
  std::exception_ptr failure_;
  bool options_are_read_ = false;
  bool tangent_is_usable_ = false;
  bool tangent_is_fresh_ = false;  ///< assembled in this iteration
  bool refresh_next_ = false;
  // TangentRefresh::automatic, learnt from earlier steps: whether kept tangents carry a step.
  bool started_with_kept_ = false;
  bool is_trial_ = false;  ///< this step tries to do without a new tangent
  int pause_ = 0;          ///< steps that take a new one in their second iteration before the next trial
  int last_pause_ = 0;
  double previous_correction_ = 0;
};

}  // namespace sinew
