#include "solve/equilibrium.hpp"

#include "solve/consistent.hpp"
#include "solve/start_projector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {

namespace {

/// So often at most the state relaxes on the way on which gaps are closed.
constexpr int most_closing_rounds = 30;

}  // namespace

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

/// What it would do to the model to close the gaps at once, before any force has a say: from where it is drawn to q. Where
/// nothing can be wound up, prescribed angles have been carried out with all turns that springs count.
EquilibriumSolver::Closing EquilibriumSolver::closing_at_once(const Configuration& drawn, const Configuration& q) {
  Closing found;
  if (equations_.has_angles() && !system_.winds_up()) return found;
  const bool is_wound_up = is_wound(drawn);
  VecHandle w = system_.make_dof_vector(), none = system_.make_row_vector();
  system_.difference(drawn, q, w);
  const double size = equations_.size(w);
  found.goes_far = is_wound_up || size > small_move;
  found.moves_bodies = (is_wound_up || size > options_.tolerance) && StartProjector(system_).has_bodies();
  found.crumples = is_wound_up;
  if (is_wound_up || (!found.goes_far && !found.moves_bodies)) return found;
  system_.hold(0.0, 1.0);
  system_.force_magnitudes({0.0, &drawn, rest_, none}, w);
  found.crumples = max_norm(unbalanced_) > max_norm(w) || !system_.fault(q).empty() ||
                   (found.moves_bodies && !system_.branch_fault(q, q, 0.0).empty());
  return found;
}

/// Increments by which prescribed angles are carried out: rows do not tell a whole turn from none. 0: as few as converge.
int EquilibriumSolver::turning_steps() {
  VecHandle angles = duplicate(equations_.gaps());
  equations_.gap_angles(angles);
  return static_cast<int>(std::ceil(max_norm(angles) / (0.8 * longest_move)));
}

/// Loads and gaps in the same increments, from where the model is drawn: each begins with the answer of the body as a whole, [K
/// G^T; G 0] (w, lambda) = (r, -g), where the least change would move little but the nodes that the joints hold. Not where some
/// motion meets no resistance, for K has no answer there; nor where increments fail. `leaves`: a way out of an end that is not
/// stable is gone; else there is no answer.
bool EquilibriumSolver::load_while_closing(Configuration& q, PetscVec lambda, bool leaves) {
  start_at(q);
  if (is_loose(q, lambda)) return false;
  Way both{{0, 1}, {1, 0}, std::max(options_.steps, turning_steps())};
  target_ = both.from;
  if (advance(q, lambda, both)) return true;
  target_ = both.to;
  return escape_ && leaves && relax(q, lambda, 0).accepted;
}

/// The load first, on the model as it is drawn, with the gaps in its joints; then these are closed under the load.
bool EquilibriumSolver::load_and_close(Configuration& q, PetscVec lambda) {
  Way load{{0, 1}, {1, 1}, options_.steps};
  start_at(q);
  target_ = load.from;
  if (!advance(q, lambda, load)) {
    target_ = load.to;
    if (!relax(q, lambda, 0).accepted) return false;
  }
  const Kept loaded(*this, q, lambda);
  if (close_under_load(q, lambda, false)) return true;
  is_left_unstable_ = escape_.has_value();
  if (seeks_stable()) {
    loaded.restore(*this, q, lambda);
    if (close_under_load(q, lambda, true)) return true;
  }
  if (!is_left_unstable_) return false;
  loaded.restore(*this, q, lambda);
  return close_under_load(q, lambda, false) || (escape_ && relax(q, lambda, 0).accepted);
}

/// Closes the gaps under the whole load. Where increments end the state relaxes with the gaps that are left, and they go on from
/// there; an end that is not stable is none, and `escape_` leads out of it. `judges`: the states on the way have to be stable as
/// well. Increments are cut until they end just behind the place where they cease to be, and the model leaves it there: a strut
/// bows out then as it does when it is shortened slowly, and not in the short waves in which it may leave the straight state of
/// the end.
bool EquilibriumSolver::close_under_load(Configuration& q, PetscVec lambda, bool judges) {
  Way closing{{1, 1}, {1, 0}, std::max(options_.steps, turning_steps())};
  judges_way_ = judges;
  double stop = -1;
  bool is_closed = false, is_over = false;
  for (int round = 0; !is_closed && !is_over && round < most_closing_rounds; ++round) {
    if (advance(q, lambda, closing)) {
      is_closed = true;
      continue;
    }
    is_over = closing.part == stop;
    stop = closing.part;
    target_ = closing.at(closing.part);
    is_over = is_over || (escape_ && !judges && target_.gap == 0) || !relax(q, lambda, 0).accepted;
    is_closed = !is_over && target_.gap == 0;
  }
  return is_closed;
}

EquilibriumSolver::Kept::Kept(const EquilibriumSolver& solver, const Configuration& at, PetscVec with)
    : q(solver.system_.make_configuration()), states(duplicate(solver.rest_)), lambda(duplicate(with)) {
  Kokkos::deep_copy(q.values, at.values);
  petsc(VecCopy(solver.rest_, states));
  petsc(VecCopy(with, lambda));
}

void EquilibriumSolver::Kept::restore(EquilibriumSolver& solver, Configuration& at, PetscVec with) const {
  Kokkos::deep_copy(at.values, q.values);
  petsc(VecCopy(states, solver.rest_));
  petsc(VecCopy(lambda, with));
  solver.escape_.reset();
  solver.newton_.reset();
  solver.system_.accept({0.0, &at, solver.rest_, nullptr});
}

/// One way on which prescribed motions are carried out, from where the model is drawn. Unless its increments are to be seen one
/// row tells of them all.
bool EquilibriumSolver::carry_by(const std::function<bool()>& way, Configuration& q, PetscVec lambda, bool is_seen) {
  const Kept projected(*this, q, lambda);
  LoadIncrement done;
  done.load_factor = done.step = 1;
  done.is_relaxation = true;
  const int newton = report_.newton, factorizations = report_.factorizations, rejected = report_.rejected;
  auto after = is_seen ? std::function<void(const LoadIncrement&)>() : std::exchange(after_, {});
  Kokkos::deep_copy(q.values, system_.make_configuration().values);
  petsc(VecSet(lambda, 0.0));
  tell_start();
  try {
    done.accepted = way();
  } catch (const SolveError&) {
    done.accepted = false;  // others may lead on
  }
  judges_way_ = false;
  if (!is_seen) after_ = std::move(after);
  if (done.accepted && is_seen) return true;
  done.newton = report_.newton - newton;
  done.factorizations = report_.factorizations - factorizations;
  if (!done.accepted) {
    done.reason = "prescribed motions are not carried out under the load";
    projected.restore(*this, q, lambda);
    reached_ = 0;
  }
  report_.increments = 0;
  report_.rejected = rejected;
  tell(done);
  return done.accepted;
}

/// Prescribed motions like loads, where these would strain the model if they were carried out at once (a cable whose ends are
/// brought together), and where their increments are asked for. False, and nothing is changed, where there are none such or that
/// leads nowhere.
bool EquilibriumSolver::carry(Configuration& q, PetscVec lambda) {
  const Configuration drawn = system_.make_configuration();
  const Closing at_once = closing_at_once(drawn, q);
  if (!at_once.moves_bodies) require_branch(system_, q);
  VecHandle velocity = system_.make_row_vector();
  system_.hold(0.0, 0.0);
  system_.constraints({0.0, &drawn, rest_, nullptr}, equations_.gaps(), velocity);
  petsc(VecAXPY(equations_.gaps(), 1.0, equations_.turns()));
  const auto together = [&] { return load_while_closing(q, lambda, !at_once.crumples); };
  const auto load_first = [&] { return load_and_close(q, lambda); };
  const bool is_seen = options_.steps > 0;
  if (at_once.moves_bodies && (!at_once.goes_far || is_seen) && carry_by(together, q, lambda, is_seen)) return true;
  is_left_unstable_ = false;
  if (at_once.crumples && carry_by(load_first, q, lambda, false)) return true;
  if (max_norm(equations_.turns()) > 0)
    throw SolveError("no state of rest is found: prescribed angles beyond half a turn, which wind up beams, lead nowhere");
  start_at(q);
  if (!at_once.crumples) return false;
  std::string fault = system_.fault(q);
  if (fault.empty()) fault = system_.branch_fault(q, q, 0.0);
  if (fault.empty()) return false;
  throw SolveError(fmt::format(
      "no state of rest is found: where prescribed motions and joints want the model, {}, and carried out under the load they "
      "lead {}",
      fault, is_left_unstable_ ? "to a state alone that is not stable (`unstable: keep` takes it)" : "nowhere"));
}

/// What the increments start from: the forces that are out of balance without loads.
void EquilibriumSolver::start_at(const Configuration& q) {
  system_.hold(0.0, 0.0);
  VecHandle none = system_.make_row_vector();
  system_.forces({0.0, &q, rest_, none}, unbalanced_);
}

void EquilibriumSolver::tell_start() {
  if (!at_start_) return;
  system_.hold(0.0, 0.0);
  std::exchange(at_start_, {})();
}

/// A path needs a load factor that changes something.
void EquilibriumSolver::require_load(const Configuration& q) {
  VecHandle none = system_.make_row_vector(), loaded = system_.make_dof_vector();
  system_.hold(0.0, 1.0);
  system_.forces({0.0, &q, rest_, none}, loaded);
  start_at(q);
  petsc(VecAXPY(loaded, -1.0, unbalanced_));
  if (max_norm(loaded) > 0) return;
  throw SolveError(
      "`path: arc-length` follows the load, and nothing loads this model (the way of prescribed motions alone is seen with "
      "`steps: 20` and no path)");
}

}  // namespace sinew
