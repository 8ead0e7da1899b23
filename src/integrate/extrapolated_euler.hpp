/// \file
/// A step without history: implicit Euler in 1, 2, ... k parts, extrapolated to order k.
#pragma once

#include "integrate/step_solver.hpp"

#include <functional>

namespace sinew {

/// With T_n the end of a step that n parts of implicit Euler have led to, places as vectors in the chart of its beginning, and
/// w_n the weights of extrapolation in 1/n (`subdivision_weights`; docs/theory/bdf.md, "Start"):
///
///   y1 = sum_{n <= k} w_n T_n, of order k        e = y1 - the same sum of order k - 1
///
/// e is what order k - 1 has wrong, h^k, and bounds what y1 has.
class ExtrapolatedEuler {
 public:
  /// Both must outlive it. Collective.
  ExtrapolatedEuler(const DynamicSystem&, const StageEquations&);

  /// Solves one step of implicit Euler of this size from a state; the end stands in the equations and in `result`.
  using Solve = std::function<NewtonReport(const State& from, double h)>;
  using Settings = std::function<void(const NewtonReport& of_first)>;
  /// From s to t + h by `order` >= 1. `see_first` is told how the one step of Euler over all of h went, before the others are
  /// made. The report is that of the part that did not converge, or of the last one. Collective.
  NewtonReport step(const State& s, double h, int order, const Solve& solve, const StepResult& result, const Settings& see_first);
  /// The end, extrapolated: time, places (off the constraints by h^(k + 1)) and velocities are of use.
  State& end() { return part_; }
  /// By how far places have gone.
  PetscVec way() const { return w_; }
  /// e of places and of velocities; of order 1 they are what they have come to.
  PetscVec error_of_places() const { return error_w_; }
  PetscVec error_of_velocities() const { return error_z_; }

 private:
  NewtonReport go(const State& s, double h, int count, const Solve& solve, const StepResult& result);

  const DynamicSystem& system_;
  const StageEquations& equations_;
  State part_;
  VecHandle w_, z_, error_w_, error_z_, way_of_part_;
};

}  // namespace sinew
