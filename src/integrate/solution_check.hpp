/// \file
/// The one place that decides whether what a solver hands on is a solution of the step.
#pragma once

#include "integrate/constraint_drift.hpp"
#include "integrate/step_solver.hpp"

namespace sinew {

/// Which levels of the holonomic constraints a method holds; nonholonomic ones are always held.
struct HeldLevels {
  bool positions = true, velocities = true;
};

/// Looks at the residuals of the step themselves, whatever the solver believes of its convergence: at gaps of the constraints at
/// both levels, by the sizes of their rows and the largest speed, and at the balance of momentum, by the forces at work.
class SolutionCheck {
 public:
  /// The equations must outlive it. Collective.
  explicit SolutionCheck(const StageEquations&);

  /// Empty for a solution of the step that the equations have begun; otherwise what is wrong, how much, and where. `tolerance`:
  /// of Newton's method, in case that a user allows more than is allowed here. Collective.
  std::string fault(const StepResult&, HeldLevels, double tolerance);

  /// What has become of a level that the method does not hold: a sentence if it has become visible, otherwise nothing.
  ConstraintDrift& drift() { return drift_; }
  const ConstraintDrift& drift() const { return drift_; }

 private:
  /// A row may be larger than its misfit by its size times (most allowed part times the unit, and rounding); `what` for messages.
  struct Allowed {
    double unit, misfit, most, rounding;
    const char* what;
  };
  /// What the residuals of a step come to, on all ranks.
  struct Found {
    double speed = 0;                    ///< the largest, 1/s
    double misfit = 0, rate_misfit = 0;  ///< what gaps and their rates may be out of line by
    bool leaves_branch = false;
    double position = 0, velocity = 0;  ///< the largest gap and its rate beyond that, over the sizes of the rows
    double unheld = 0;                  ///< the largest of the rows that the method does not hold
    double left = 0, work = 0;          ///< of the momentum equation, and of the forces, J
    VectorPool::Loan unheld_rows;
  };
  Found look(const StepResult&, HeldLevels);
  bool loses_turns(const Stage& end) const;
  double largest_gap_beyond(double misfit, PetscVec gaps) const;
  std::string open_rows(double size, PetscVec gaps, const Allowed&) const;
  std::string imbalance(const StepResult&, double most, double left, double work);
  VectorPool::Loan take_out_unheld(HeldLevels);
  std::string find_fault(const StepResult&, HeldLevels, double tolerance);

  const StageEquations& equations_;
  const DynamicSystem& system_;
  VectorPool::Loan position_, velocity_, momentum_;  ///< as long as it looks
  ConstraintDrift drift_;
};

}  // namespace sinew
