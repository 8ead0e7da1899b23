#include "solve/equilibrium.hpp"

#include "linear/direct_solver.hpp"
#include "solve/body_owners.hpp"
#include "solve/consistent.hpp"
#include "solve/path_follower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// An increment that moves something further than this, in parts of the model's length or in radians, may have left its branch.
constexpr double longest_move = 0.5;
/// Newton's method is asked again at most so often.
constexpr int most_rounds = 5;
/// What a step of the relaxation aims at.
constexpr double aimed_move = 0.2;
/// Where the relaxation moves less, Newton's method is tried.
constexpr double small_move = 0.05;
/// Increments of the load are not cut below this: before anything has been reached, and afterwards.
constexpr double smallest_first_step = 1.0 / 64, smallest_step = 1.0 / 4096;
/// Steps along a path, in the same units, and the largest change of the load factor by one of them.
constexpr double longest_path_step = 0.02, shortest_path_step = 1e-7, largest_path_change = 0.1;
constexpr int most_path_newton = 12, aimed_path_newton = 5, max_path_steps = 10000;
/// Steps of the relaxation; what still moves then is held by nothing.
constexpr int max_relaxation_steps = 300;
/// Growth of tau beyond which motions that are still too small to be seen count as rest.
constexpr double large_growth = 1e9;

}  // namespace

EquilibriumSolver::EquilibriumSolver(System& system, const Numbering& numbering, EquilibriumOptions options)
    : system_(system),
      numbering_(numbering),
      options_(options),
      unbalanced_(system.make_dof_vector()),
      rest_(system.make_dof_vector()),
      equations_(system, unbalanced_, rest_),
      x_(make_kkt_vector(system.layout())) {
  Configuration q;
  system.initial_state(q, rest_);
  system.clear_all_but_states(rest_);
}

/// A solver of its own after every failure: what has met a singular matrix may refuse all later ones.
void EquilibriumSolver::renew_newton() {
  NewtonProblem problem;
  problem.residual = [this](PetscVec x, PetscVec F) { equations_.residual(x, F); };
  problem.assemble = [this](PetscMat A) { equations_.assemble(A); };
  problem.measure = [this](PetscVec update) { return equations_.size_of_correction(update); };
  problem.fault = [this] { return system_.fault(equations_.q1()); };
  newton_.reset();
  newton_ = std::make_unique<NewtonSolver>("sinew_static_", system_.make_tangent_matrix(), x_, std::move(problem));
  configure_direct_solver(newton_->ksp(), system_.is_compact());
}

/// Newton's method from w = 0 and the given multipliers.
EquilibriumSolver::Move EquilibriumSolver::move(const Configuration& q, PetscVec lambda, double load_factor, double inverse_tau,
                                                bool line_search) {
  equations_.begin(q, load_factor, inverse_tau);
  petsc(VecSet(equations_.increment(), 0.0));
  join_kkt(equations_.increment(), lambda, x_);
  NewtonSettings settings;
  settings.tolerance = options_.tolerance;
  settings.max_iterations = options_.max_newton;
  settings.refresh = TangentRefresh::every_iteration;
  settings.line_search = line_search;
  if (!newton_) renew_newton();
  newton_->invalidate();
  Move result;
  result.newton = newton_->solve(x_, settings);
  // The solver believes in quadratic convergence; soft and stiff directions together disappoint it, and here the last digit counts.
  for (int round = 0; result.newton.converged && result.newton.correction > options_.tolerance && round < most_rounds; ++round) {
    NewtonReport again = newton_->solve(x_, settings);
    again.iterations += result.newton.iterations;
    again.linear += result.newton.linear;
    again.factorizations += result.newton.factorizations;
    result.newton = again;
  }
  if (!result.newton.converged) newton_.reset();
  result.size = equations_.size_of_increment(x_);
  report_.newton += result.newton.iterations;
  report_.factorizations += result.newton.factorizations;
  return result;
}

/// Takes over what the last move came to.
void EquilibriumSolver::accept(Configuration& q, PetscVec lambda) {
  split_kkt(x_, equations_.increment(), lambda);
  Configuration moved = system_.make_configuration();
  system_.retract(q, equations_.increment(), moved);
  Kokkos::deep_copy(q.values, moved.values);
  const VecRead change(equations_.increment());
  VecWrite rest(rest_);
  for (const PetscInt s : system_.layout().states) rest[s] += change[s];
  system_.accept({0.0, &q, rest_, nullptr});
}

void EquilibriumSolver::tell(const LoadIncrement& done) {
  if (!done.accepted) ++report_.rejected;
  if (after_) after_(done);
}

/// One increment of the load: Newton's method, and once more with a line search.
LoadIncrement EquilibriumSolver::increment(Configuration& q, PetscVec lambda, double from, double to) {
  LoadIncrement done;
  done.load_factor = to;
  done.step = to - from;
  for (const bool line_search : {false, true}) {
    const Move result = move(q, lambda, to, 0, line_search);
    done.newton += result.newton.iterations;
    done.linear += result.newton.linear;
    done.factorizations += result.newton.factorizations;
    done.correction = result.newton.correction;
    done.reason = result.newton.reason;
    done.accepted = result.newton.converged && result.size <= longest_move;
    if (done.accepted) {
      accept(q, lambda);
      return done;
    }
    if (result.newton.converged) {
      done.reason = "it moves the model too far for one increment";
      return done;
    }
  }
  return done;
}

/// Loads in increments; false where they become too small. `factor`: how far it came.
bool EquilibriumSolver::load(Configuration& q, PetscVec lambda, double& factor) {
  const double whole = options_.steps > 0 ? 1.0 / options_.steps : 1.0;
  double step = whole;
  for (int n = 1; factor < 1;) {
    const double end = options_.steps > 0 ? std::min(1.0, n * whole) : 1.0;
    const double to = end - factor - step < 1e-9 * step ? end : factor + step;
    const LoadIncrement done = increment(q, lambda, factor, to);
    if (done.accepted) {
      factor = to;
      ++report_.increments;
      if (to == end) ++n;
      step = options_.steps > 0 ? std::min(2 * step, whole) : 2 * step;
    } else {
      step /= 4;
    }
    tell(done);
    if (step < (factor > 0 ? smallest_step : smallest_first_step) * whole) return false;
  }
  return true;
}

/// Along the curve of states of rest until the load factor is 1.
void EquilibriumSolver::follow(Configuration& q, PetscVec lambda) {
  PathFollower path(equations_, options_.tolerance, most_path_newton);
  const double largest_change = options_.steps > 0 ? 1.0 / options_.steps : largest_path_change;
  double factor = 0, length = longest_path_step;
  while (factor < 1) {
    LoadIncrement done;
    const PathFollower::Step step = path.step(q, lambda, factor, length, largest_change);
    report_.newton += step.newton;
    report_.factorizations += step.newton + 1;
    const bool is_end = step.converged && step.load_factor >= 1;
    if (is_end) {
      done = increment(q, lambda, factor, 1);
    } else {
      done.newton = step.newton;
      done.linear = 2 * (step.newton + 1);
      done.factorizations = step.newton + 1;
      done.load_factor = step.load_factor;
      done.step = step.load_factor - factor;
      done.correction = step.correction;
      done.accepted = step.converged;
      if (!done.accepted) done.reason = "the path is not found again";
    }
    if (done.accepted && !is_end) {
      petsc(VecCopy(path.solution(), x_));
      accept(q, lambda);
      path.accept();
    }
    if (done.accepted) {
      factor = done.load_factor;
      ++report_.increments;
      length = std::min(longest_path_step, step.newton < aimed_path_newton ? 1.5 * length : length);
    } else {
      length /= 4;
    }
    tell(done);
    if (length < shortest_path_step || report_.increments > max_path_steps)
      throw SolveError(fmt::format("the path of states of rest is lost at the load factor {:.6g}: {}", factor,
                                   done.accepted ? "it does not come to 1" : done.reason));
  }
}

/// The tau with which the accelerations at rest make a step of the length aimed at; lambda gets their multipliers. 0: nothing accelerates.
double EquilibriumSolver::first_tau(const Configuration& q, PetscVec lambda) {
  equations_.begin(q, 1, 0);
  VecHandle a = system_.make_dof_vector();
  AccelerationSolver(system_).solve(0.0, q, rest_, a, lambda);
  const double size = equations_.size(a);
  return size > 0 ? aimed_move / size : 0;
}

/// Downhill under the whole load: M w = tau f, until Newton's method finds the place of rest nearby.
LoadIncrement EquilibriumSolver::relax(Configuration& q, PetscVec lambda, double from) {
  LoadIncrement done;
  done.load_factor = 1;
  done.step = 1 - from;
  done.is_relaxation = true;
  const int newton = report_.newton, factorizations = report_.factorizations;
  const double start = first_tau(q, lambda);
  double tau = start > 0 ? start : 1;
  for (; report_.relaxation_steps < max_relaxation_steps && !done.accepted; ++report_.relaxation_steps) {
    const Move step = move(q, lambda, 1, 1 / tau, false);
    if (!step.newton.converged || step.size > longest_move) {
      tau /= 8;
      done.reason = step.newton.reason;
      if (tau < 1e-12 * start) break;
      continue;
    }
    accept(q, lambda);
    done.correction = step.newton.correction;
    if (step.size < small_move) {
      const Move rest = move(q, lambda, 1, 0, false);
      done.accepted = rest.newton.converged && rest.size < 2 * small_move;
      if (done.accepted) {
        accept(q, lambda);
        break;
      }
      done.accepted = step.size <= options_.tolerance && tau >= large_growth * start;
      report_.is_unique = !done.accepted;
    }
    tau *= std::clamp(aimed_move / std::max(step.size, 1e-30), 0.5, 30.0);
  }
  done.newton = report_.newton - newton;
  done.factorizations = report_.factorizations - factorizations;
  return done;
}

void EquilibriumSolver::measure(const Configuration& q, PetscVec lambda) {
  system_.hold(0.0, 1.0);
  VecHandle f = system_.make_dof_vector(), alone = system_.make_dof_vector();
  system_.forces({0.0, &q, rest_, lambda}, f);
  system_.clear_states(f);
  system_.force_change({0.0, &q, rest_, nullptr}, lambda, alone);
  report_.residual = max_norm(f);
  report_.force = max_norm(alone);
  petsc(VecAYPX(alone, -1.0, f));
  report_.force = std::max(report_.force, max_norm(alone));
}

EquilibriumReport EquilibriumSolver::solve(Configuration& q, PetscVec lambda,
                                           const std::function<void(const LoadIncrement&)>& after) {
  report_ = {};
  after_ = after;
  system_.hold(0.0, 0.0);
  petsc(VecSet(lambda, 0.0));
  system_.forces({0.0, &q, rest_, lambda}, unbalanced_);
  double factor = 0;
  if (options_.follows_path) {
    follow(q, lambda);
  } else if (!load(q, lambda, factor)) {
    const LoadIncrement done = relax(q, lambda, factor);
    ++report_.increments;
    tell(done);
    if (!done.accepted)
      throw SolveError(fmt::format("no state of rest is found: {} keeps moving under the load; is it held against it?",
                                   bodies_with_largest(system_, numbering_, equations_.increment())));
  }
  measure(q, lambda);
  return report_;
}

}  // namespace sinew
