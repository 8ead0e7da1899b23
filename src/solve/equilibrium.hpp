/// \file
/// States of rest: f(q, 0, lambda) = 0 and g(q) = 0 under the loads that stand at one moment; first-order states where f_s = 0.
///
/// Gravity and prescribed loads grow with the load factor s from 0 to 1; what is out of balance without them, prestressed springs say, fades with
/// 1 - s. Every increment is solved by Newton's method in w and lambda, q = q0 o exp(w), with the matrix [K T, G^T; G T, 0]. Where that does
/// not converge (mechanisms and slack cables have no stiffness before they hang) the state relaxes along M q' = f, which leads downhill to a
/// stable equilibrium, by implicit Euler steps that grow until they are steps of Newton's method.
#pragma once

#include "partition/numbering.hpp"
#include "solve/newton.hpp"
#include "solve/rest_equations.hpp"

#include <functional>
#include <memory>

namespace sinew {

struct EquilibriumOptions {
  double tolerance = 1e-8;  ///< on corrections: lengths over the model's length, rotations in radians
  int max_newton = 25;
  int steps = 0;              ///< load increments; 0: as few as converge
  bool follows_path = false;  ///< by arc length, through limit points
};

/// One increment of the load, or the relaxation.
struct LoadIncrement {
  double load_factor = 0;  ///< at its end
  double step = 0;         ///< change of the load factor
  bool accepted = false;
  bool is_relaxation = false;
  int newton = 0, linear = 0, factorizations = 0;
  double correction = 0;  ///< the last one of Newton's method
  std::string reason;     ///< why it was not accepted
};

struct EquilibriumReport {
  int increments = 0, rejected = 0, relaxation_steps = 0, newton = 0, factorizations = 0;
  double residual = 0;    ///< largest entry of f that is left
  double force = 0;       ///< what to compare it with: the largest entry of f or of the constraints' forces alone
  bool is_unique = true;  ///< false: some motion meets no resistance
};

class EquilibriumSolver {
 public:
  /// The system's loads are held at time 0 from now on, and first-order states start as the model says. System and numbering must outlive it.
  /// Collective.
  EquilibriumSolver(System&, const Numbering&, EquilibriumOptions);

  /// From a configuration that fulfils the constraints to the one that is at rest under the whole load; lambda holds its multipliers. `after` is
  /// called after every attempt, the state being that of the last accepted one. Throws SolveError that names the bodies that nothing holds.
  /// Collective.
  EquilibriumReport solve(Configuration& q, PetscVec lambda, const std::function<void(const LoadIncrement&)>& after = {});

  /// Velocities of the state of rest: zero but for first-order states.
  PetscVec velocity() const { return rest_; }

 private:
  void renew_newton();
  struct Move {
    NewtonReport newton;
    double size = 0;  ///< of w
  };
  Move move(const Configuration& q, PetscVec lambda, double load_factor, double inverse_tau, bool line_search);
  void accept(Configuration& q, PetscVec lambda);
  LoadIncrement increment(Configuration& q, PetscVec lambda, double from, double to);
  bool load(Configuration& q, PetscVec lambda, double& factor);
  void follow(Configuration& q, PetscVec lambda);
  LoadIncrement relax(Configuration& q, PetscVec lambda, double from);
  double first_tau(const Configuration& q, PetscVec lambda);
  void tell(const LoadIncrement&);
  void measure(const Configuration& q, PetscVec lambda);

  System& system_;
  const Numbering& numbering_;
  EquilibriumOptions options_;
  VecHandle unbalanced_, rest_;
  RestEquations equations_;
  VecHandle x_;
  std::unique_ptr<NewtonSolver> newton_;
  EquilibriumReport report_;
  std::function<void(const LoadIncrement&)> after_;
};

}  // namespace sinew
