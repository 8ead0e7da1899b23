// States of rest along the curve that they make, through limit points.
#include "base/stop_signal.hpp"
#include "solve/equilibrium.hpp"
#include "solve/path_follower.hpp"
#include "solve/rest_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Steps along a path, in the units of moves, and the largest change of the load factor by one of them.
constexpr double longest_path_step = 0.02, shortest_path_step = 1e-7, largest_path_change = 0.1;
/// A step of the path is cut where Newton's method needs more iterations than the first; where it needs fewer than the second the
/// next one is half as long again.
constexpr int most_path_newton = 12, aimed_path_newton = 5, max_path_steps = 10000;
/// A load factor below this is none: the path has not left its beginning.
constexpr double no_load = 1e-9;

}  // namespace

/// Along the curve of states of rest until the load factor is 1.
void EquilibriumSolver::follow(Configuration& q, PetscVec lambda) {
  PathFollower path(equations_, options_.tolerance, most_path_newton);
  const double largest_change = options_.steps > 0 ? 1.0 / options_.steps : largest_path_change;
  double factor = 0, length = longest_path_step;
  while (factor < 1) {
    heed_signals(system_.layout().comm);
    LoadIncrement done;
    const PathFollower::Step step = path.step(q, lambda, factor, length, largest_change);
    report_.newton += step.newton;
    report_.factorizations += step.newton + 1;
    const bool is_end = step.converged && step.load_factor >= 1;
    if (is_end) {
      done = increment(q, lambda, {1, 0}, 1 - factor);
    } else {
      done.newton = step.newton;
      done.linear = 2 * (step.newton + 1);
      done.factorizations = step.newton + 1;
      done.load_factor = step.load_factor;
      done.step = step.load_factor - factor;
      done.correction = step.correction;
      if (!step.converged) {
        done.reason = "the path is not found again";
      } else {
        const Imbalance left = equations_.imbalance(path.solution(), path.tangent(), options_.tolerance);
        done.accepted = left.is_rest();
        done.reason = left.text;
      }
    }
    if (done.accepted && !is_end) {
      petsc(VecCopy(path.solution(), x_));
      accept(q, lambda);
      path.accept();
    }
    if (done.accepted) {
      factor = done.load_factor;
      length = std::min(longest_path_step, step.newton < aimed_path_newton ? 1.5 * length : length);
    } else {
      length /= 4;
    }
    tell(done);
    if (length < shortest_path_step || report_.increments > max_path_steps)
      throw SolveError(
          fmt::format("the path of states of rest is lost at the load factor {:.6g}: {}{}{}", factor,
                      done.accepted ? "it does not come to 1" : done.reason,
                      factor < reached_ ? fmt::format("; the largest on the way was {:.6g}", reached_) : std::string(),
                      std::abs(factor) < no_load && is_neutral(system_, linearise(system_, q, lambda, rest_))
                          ? "; some motion of the model meets no resistance (analysis type modes shows which)" +
                                without_friction(system_.model())
                          : std::string()));
  }
}

}  // namespace sinew
