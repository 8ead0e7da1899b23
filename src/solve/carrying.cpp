#include "solve/equilibrium.hpp"

#include "solve/consistent.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace sinew {

/// Are there angles prescribed beyond half a turn, and elements that they wind up? These are not wound up by what turns their
/// ends at once. The turns are left in the equations.
bool EquilibriumSolver::is_wound(const Configuration& drawn) {
  if (!system_.winds_up()) return false;
  VecHandle moving = duplicate(rest_);
  Configuration start = system_.make_configuration();
  system_.initial_state(start, moving);  // turns are counted from there
  const bool is = system_.whole_turns({0.0, &drawn, rest_, nullptr}, equations_.turns());
  if (!is) count_again();
  return is;
}

/// Counts turns from the initial configuration to where the search starts, as at the beginning.
void EquilibriumSolver::count_again() {
  VecHandle moving = duplicate(rest_);
  Configuration start = system_.make_configuration();
  system_.initial_state(start, moving);
  draw_onto_constraints(system_, 0.0, start, moving, Turns::counted);
}

/// Do prescribed motions that go far from where the model is drawn wind it up, strain it more than its loads do, or turn elements
/// inside out? Where nothing can be wound up, prescribed angles have been carried out with all turns that springs count.
bool EquilibriumSolver::is_crumpled(const Configuration& drawn, const Configuration& q) {
  if (equations_.has_angles() && !system_.winds_up()) return false;
  if (is_wound(drawn)) return true;
  VecHandle w = system_.make_dof_vector(), none = system_.make_row_vector();
  system_.difference(drawn, q, w);
  if (!(equations_.size(w) > small_move)) return false;
  if (!system_.fault(q).empty()) return true;
  system_.hold(0.0, 1.0);
  system_.force_magnitudes({0.0, &drawn, rest_, none}, w);
  return max_norm(unbalanced_) > max_norm(w);
}

/// Increments by which prescribed angles are carried out: rows do not tell a whole turn from none. 0: as few as converge.
int EquilibriumSolver::turning_steps() {
  VecHandle angles = duplicate(equations_.gaps());
  equations_.gap_angles(angles);
  return static_cast<int>(std::ceil(max_norm(angles) / (0.8 * longest_move)));
}

/// The load first, on the model as it is drawn, with the gaps in its joints; then these are closed under the load.
bool EquilibriumSolver::load_and_close(Configuration& q, PetscVec lambda) {
  Way load{{0, 1}, {1, 1}, options_.steps}, closing{{1, 1}, {1, 0}, turning_steps()};
  start_at(q);
  target_ = load.from;
  if (!advance(q, lambda, load)) {
    target_ = load.to;
    if (!relax(q, lambda, 0).accepted) return false;
  }
  double stop = -1;
  while (!advance(q, lambda, closing)) {
    const bool is_same = closing.part == stop;
    stop = closing.part;
    target_ = closing.at(closing.part);
    if (is_same || !relax(q, lambda, 0).accepted) return false;
    if (target_.gap == 0) return true;
  }
  return true;
}

/// Prescribed motions like loads, where they would crumple the model if they were carried out at once (a cable whose ends are
/// brought together). False, and nothing is changed, where there are none such or that leads nowhere.
bool EquilibriumSolver::carry(Configuration& q, PetscVec lambda) {
  Configuration drawn = system_.make_configuration();
  if (!is_crumpled(drawn, q)) return false;
  VecHandle states = duplicate(rest_), velocity = system_.make_row_vector();
  petsc(VecCopy(rest_, states));
  system_.hold(0.0, 0.0);
  system_.constraints({0.0, &drawn, rest_, nullptr}, equations_.gaps(), velocity);
  petsc(VecAXPY(equations_.gaps(), 1.0, equations_.turns()));
  LoadIncrement done;
  done.load_factor = done.step = 1;
  done.is_relaxation = true;
  const int newton = report_.newton, factorizations = report_.factorizations, rejected = report_.rejected;
  const auto after = std::exchange(after_, {});
  done.accepted = load_and_close(drawn, lambda);
  after_ = after;
  done.newton = report_.newton - newton;
  done.factorizations = report_.factorizations - factorizations;
  if (done.accepted) {
    Kokkos::deep_copy(q.values, drawn.values);
  } else {
    done.reason = "prescribed motions are not carried out under the load";
    if (max_norm(equations_.turns()) > 0)
      throw SolveError("no state of rest is found: prescribed angles beyond half a turn, which wind up beams, lead nowhere");
    petsc(VecCopy(states, rest_));
    petsc(VecSet(lambda, 0.0));
    escape_.reset();
    reached_ = 0;
    start_at(q);
  }
  report_.increments = 0;
  report_.rejected = rejected;
  tell(done);
  const std::string fault = done.accepted ? std::string() : system_.fault(q);
  if (!fault.empty())
    throw SolveError(fmt::format(
        "no state of rest is found: where prescribed motions and joints want the model, {}, and carried out under the "
        "load they lead nowhere",
        fault));
  return done.accepted;
}

}  // namespace sinew
