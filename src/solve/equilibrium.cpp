#include "solve/equilibrium.hpp"

#include "base/stop_signal.hpp"
#include "linear/direct_solver.hpp"
#include "solve/pass_through.hpp"
#include "solve/rest_advice.hpp"
#include "system/doubled_cables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sinew {

namespace {

/// Newton's method has come to the place of rest itself, and not only so near to it that forces balance beside the largest at
/// work, where a correction is less than the first part of the move that it belongs to, or no longer falls. Where rounding hides
/// the stiffness of some motions a move counts only with the second: what rounding drives does not settle.
constexpr double settled = 1e-6, settled_enough = 1e-3;
/// Of so many motions that meet no resistance, as far as the assembled stiffness tells, it is worth while to try whether that is
/// rounding of stiffer parts. More of them are those of chains.
constexpr std::int64_t few = 200;
/// A correction of Newton's method beyond this, in the same units as moves, will not come back to an increment that is taken.
/// States have no part in it, nor in moves: no size says what is far for them, and where they are linear they come back.
constexpr double hopeless_move = 20;
/// Newton's method is asked again at most so often.
constexpr int most_rounds = 5;
/// And not if the last time has left more than this part of the residual.
constexpr double worthwhile = 0.5;
/// Increments are not cut below this part of the way: before anything has been reached, and afterwards.
constexpr double smallest_first_step = 1.0 / 64, smallest_step = 1.0 / 4096;
/// A move differs from the first, linear answer to its load by less than this part where what moves is in proportion to the load;
/// increments then aim at this part of the longest move.
constexpr double proportional = 0.1, aimed_part = 0.9;

bool is_whole_truth(const RestTarget& target) { return target.load_factor == 1 && target.gap == 0; }

}  // namespace

EquilibriumSolver::EquilibriumSolver(System& system, const Numbering& numbering, EquilibriumOptions options)
    : system_(system),
      numbering_(numbering),
      options_(options),
      unbalanced_(system.make_dof_vector()),
      rest_(system.make_dof_vector()),
      equations_(system, unbalanced_, rest_),
      moved_(system.make_dof_vector()),
      x_(make_kkt_vector(system.layout())),
      matrix_(system.make_tangent_matrix()) {
  Configuration q;
  system.given_values(q, rest_);
  system.clear_all_but_states(rest_);
}

/// A solver of its own after every failure: what has met a singular matrix may refuse all later ones.
void EquilibriumSolver::renew_newton() {
  NewtonProblem problem;
  problem.residual = [this](PetscVec x, PetscVec F) { equations_.residual(x, F); };
  problem.assemble = [this](PetscMat A) {
    heed_signals(system_.layout().comm);
    equations_.assemble_for_correction(A);
  };
  problem.measure = [this](PetscVec update) {
    const double moved = equations_.size_of_increment(update);
    longest_correction_ = std::max(longest_correction_, moved);
    return Correction{moved > hopeless_move ? std::numeric_limits<double>::infinity() : equations_.size_of_correction(update)};
  };
  problem.fault = [this] {
    std::string fault = system_.fault(equations_.q1());
    if (!fault.empty()) fault_ = fault;
    return fault;
  };
  newton_.reset();
  newton_ = std::make_unique<NewtonSolver>("sinew_static_", system_.make_tangent_matrix(), x_, std::move(problem));
  configure_direct_solver(newton_->ksp(), system_.is_compact());
  newton_->read_options();
}

/// Newton's method from w = 0 and the given multipliers towards the target; a state of rest has to stand the test of its true
/// residuals.
EquilibriumSolver::Move EquilibriumSolver::move(const Configuration& q, PetscVec lambda, double inverse_tau, bool line_search) {
  equations_.begin(q, target_, inverse_tau);
  petsc(VecSet(equations_.increment(), 0.0));
  join_kkt(equations_.increment(), lambda, x_);
  NewtonSettings settings;
  settings.tolerance = inverse_tau > 0 ? std::max(options_.tolerance, relaxed_tolerance_) : options_.tolerance;
  settings.max_iterations = options_.max_newton;
  settings.refresh = TangentRefresh::every_iteration;
  settings.line_search = line_search;
  longest_correction_ = 0;
  if (!newton_) renew_newton();
  newton_->invalidate();
  Move result;
  result.newton = newton_->solve(x_, settings);
  if (inverse_tau == 0) balance(result, settings);
  // an angle that is still to be carried out stands where it should not, as a joint that is still open does
  if (result.newton.converged && !(target_.gap > 0 && equations_.has_angles())) {
    result.newton.reason = system_.branch_fault(q, equations_.q1(), 0.0);
    result.newton.converged = result.newton.reason.empty();
  }
  if (result.newton.converged && doubles_cables(q)) {
    result.newton.reason = "the line of a cable goes back on itself inside an element";
    result.newton.converged = false;
  }
  if (result.newton.converged && passes_through(system_, q, equations_.q1(), rest_)) {
    result.newton.reason = "bodies go through each other";
    result.newton.converged = false;
  }
  if (!result.newton.converged) newton_.reset();
  if (!result.newton.converged && longest_correction_ > hopeless_move)
    result.newton.reason = fmt::format("a correction by Newton's method is {:.2g} times the model's extent", longest_correction_);
  result.size = equations_.size_of_increment(x_);
  report_.newton += result.newton.iterations;
  report_.factorizations += result.newton.factorizations;
  return result;
}

/// Has the move laid more elements of cables back on themselves than there were? Such states are at rest by the mesh alone, and
/// a long step jumps into them over what the cable would have to bend for it.
bool EquilibriumSolver::doubles_cables(const Configuration& before) {
  if (!has_cables_ || bears_doubling_) return false;
  const DoubledCables now = doubled_cables(system_, equations_.q1());
  has_cables_ = now.cables > 0;
  const bool does = now.count > 0 && now.count > doubled_cables(system_, before).count;
  met_doubling_ = met_doubling_ || does;
  return does;
}

/// Asks Newton's method again until the residuals are those of a state of rest; where they are not, the move has not converged.
/// The method believes in quadratic convergence, in which soft and stiff directions together disappoint it, and takes the short
/// steps of a line search for small corrections.
void EquilibriumSolver::balance(Move& result, const NewtonSettings& settings) {
  NewtonReport& newton = result.newton;
  double last = std::numeric_limits<double>::infinity(), last_correction = last;
  for (int round = 0; newton.converged; ++round) {
    PetscMat tangent = nullptr;
    petsc(KSPGetOperators(newton_->ksp(), &tangent, nullptr));
    const Imbalance left = equations_.imbalance(x_, tangent, options_.tolerance);
    const double moved = equations_.size_of_increment(x_);
    result.is_settled = newton.correction <= settled_enough * moved;
    const bool is_last = newton.correction <= settled * moved || newton.correction > worthwhile * last_correction;
    if (left.is_rest() && newton.correction <= options_.tolerance && is_last) return;
    last_correction = newton.correction;
    if (round == most_rounds || (!left.is_rest() && left.excess > worthwhile * last)) {
      if (left.is_rest()) return;
      newton.converged = false;
      newton.reason = left.text;
      return;
    }
    last = left.excess;
    NewtonReport again = newton_->solve(x_, settings);
    again.iterations += newton.iterations;
    again.linear += newton.linear;
    again.factorizations += newton.factorizations;
    newton = again;
  }
}

/// Takes over what the last move came to.
void EquilibriumSolver::accept(Configuration& q, PetscVec lambda) {
  split_kkt(x_, equations_.increment(), lambda);
  Configuration moved = system_.make_configuration();
  system_.retract(q, equations_.increment(), moved);
  Kokkos::deep_copy(q.values, moved.values);
  petsc(VecCopy(equations_.increment(), moved_));
  const VecRead change(moved_);
  VecWrite rest(rest_);
  for (const PetscInt s : system_.layout().states) rest[s] += change[s];
  system_.accept({0.0, &q, rest_, nullptr});
  if (!system_.renew_partners({0.0, &q, rest_, nullptr})) return;
  newton_.reset();
  matrix_ = system_.make_tangent_matrix();
  has_new_partners_ = true;
}

void EquilibriumSolver::tell(const LoadIncrement& done) {
  ++(done.accepted ? report_.increments : report_.rejected);
  if (done.accepted || escape_) reached_ = std::max(reached_, done.load_factor);
  if (after_) after_(done);
}

/// One increment towards a target: Newton's method, and once more with a line search. `may_be_cut`: where all of the way is
/// judged, a state that is not stable is not taken.
LoadIncrement EquilibriumSolver::increment(Configuration& q, PetscVec lambda, const RestTarget& to, double change,
                                           bool may_be_cut) {
  const bool closes =
      to.gap != target_.gap;  // a line search has nothing to go by where a gap is to be closed: it weighs lengths against forces
  LoadIncrement done;
  done.load_factor = to.load_factor;
  done.step = change;
  target_ = to;
  for (const bool line_search : {false, true}) {
    const Move result = move(q, lambda, 0, line_search);
    done.newton += result.newton.iterations;
    done.linear += result.newton.linear;
    done.factorizations += result.newton.factorizations;
    done.correction = result.newton.correction;
    done.reason = result.newton.reason;
    done.accepted = result.newton.converged && result.size <= longest_move && (result.is_settled || !takes_settled_);
    if (result.newton.converged && !done.accepted) done.reason = "it moves the model too far for one increment";
    if (result.newton.converged || longest_correction_ > hopeless_move || closes || takes_settled_) break;
  }
  if (!done.accepted) return done;
  if (judges_way_) escape_ = way_out(equations_.q1(), equations_.multipliers());
  if (!escape_ || !may_be_cut) accept(q, lambda);
  if (!judges_way_ && seeks_stable() && is_whole_truth(to)) escape_ = way_out(q, lambda);
  if (escape_) {
    if (judges_way_ && may_be_cut) escape_.reset();
    done.accepted = false;
    done.reason = "the state is not stable";
  }
  return done;
}

RestTarget EquilibriumSolver::Way::at(double p) const {
  if (p >= 1) return to;
  return {from.load_factor + p * (to.load_factor - from.load_factor), from.gap + p * (to.gap - from.gap)};
}

/// Along a way in increments; false where they become too small, or at the end of it where the state is not stable. What moves
/// far and in proportion to its load (a wheel on a soft spring turns by a hundred radians) does not want for stiffness:
/// increments are then as long as moves may be, and as many as that takes.
bool EquilibriumSolver::advance(Configuration& q, PetscVec lambda, Way& way) {
  const double whole = way.steps > 0 ? 1.0 / way.steps : 1.0;
  double step = whole;
  bool is_proportional = false;
  const auto reach = [](double moved) { return aimed_part * longest_move / moved; };
  for (int n = 1 + static_cast<int>(std::lround(way.part / whole)); way.part < 1;) {
    const double end = way.steps > 0 ? std::min(1.0, n * whole) : 1.0;
    const double to = end - way.part - step < 1e-9 * step ? end : way.part + step;
    const RestTarget target = way.at(to);
    const double change = target.load_factor - way.at(way.part).load_factor;
    const LoadIncrement done = increment(q, lambda, target, change, judges_way_ && step / 4 >= smallest_step * whole);
    if (done.accepted || escape_) {
      way.part = to;
      if (to == end) ++n;
      step *= is_proportional ? std::min(2.0, reach(equations_.size(moved_))) : 2.0;
      if (way.steps > 0) step = std::min(step, whole);
    } else {
      const double moved = equations_.size_of_increment(x_);
      const bool is_far = done.correction <= options_.tolerance && moved > longest_move;
      if (is_far && way.part == 0 && step / 4 < smallest_first_step * whole)
        is_proportional = std::abs(longest_correction_ - moved) <= proportional * moved;
      step *= is_proportional && is_far ? std::min(0.5, reach(moved)) : 0.25;
    }
    if (done.accepted && to < 1 && judges_rows())
      tell_stable(q, lambda, done);
    else
      tell(done);
    const bool is_hopeless = way.part == 0 && target.gap == way.from.gap && !is_proportional;
    if (escape_ || step < (is_hopeless ? smallest_first_step : smallest_step) * whole) return false;
  }
  return true;
}

/// The true residuals of a state under the target.
Imbalance EquilibriumSolver::imbalance(const Configuration& q, PetscVec lambda) {
  equations_.begin(q, target_, 0);
  VecHandle none = system_.make_dof_vector(), F = make_kkt_vector(system_.layout());
  join_kkt(none, lambda, x_);
  equations_.residual(x_, F);
  equations_.assemble(matrix_);
  return equations_.imbalance(x_, matrix_, options_.tolerance);
}

/// What ended a search in vain, how far it came and what is out of balance there.
std::string EquilibriumSolver::failure(const Configuration& q, PetscVec lambda) {
  target_ = {};
  const Imbalance left = imbalance(q, lambda);
  std::string text = report_.escapes > 0 ? "no stable state of rest is found: " : "no state of rest is found: ";
  if (is_stuck_) {
    text += "the way downhill ends where nothing moves on";
  } else {
    text += what_keeps_moving(system_, numbering_, moved_);
  }
  text += fmt::format("{} increments came to the load factor {:.6g}", is_stuck_ ? ";" : "", reached_);
  if (reached_ == 0 && !is_stuck_ && !is_loose(q, lambda))
    text += " (if springs hold it far away, `steps: 1000` and more lead there)";
  if (!left.text.empty()) text += ", and under the whole load " + left.text;
  if (!fault_.empty()) text += "; on the way " + fault_;
  if (report_.escapes > 0) text += "; states of rest that were met are not stable (`unstable: keep` takes one)";
  if (const std::string no_value = system_.not_finite(0.0); !no_value.empty()) text += "; " + no_value;
  return text;
}

void EquilibriumSolver::conclude(const Configuration& q, PetscVec lambda) {
  target_ = {};
  system_.hold(0.0, 1.0);
  const Imbalance left = imbalance(q, lambda);
  report_.residual = left.force;
  report_.force = left.at_work;
  if (!left.is_rest()) throw SolveError("no state of rest is found: " + left.text);
  if (const std::string fault = system_.fault(q); !fault.empty()) throw SolveError("no state of rest is found: " + fault);
  if (!seeks_stable()) report_.is_stable = !way_out(q, lambda);
}

/// Has the model motions that nothing resists before a load is on, as a chain of rigid bodies or a free beam has? Increments
/// begin there with a singular matrix: its pivots may be sought in vain at a price that grows with the cube of the model, and
/// what they come to moves along such motions by chance.
bool EquilibriumSolver::is_loose(const Configuration& q, PetscVec lambda) {
  return is_neutral(system_, linearise(system_, q, lambda, rest_));
}

/// `advance` from where the model stands before any load is on; false too where it has such motions.
bool EquilibriumSolver::set_out(Configuration& q, PetscVec lambda, Way& way) {
  const LinearisedSystem linear = linearise(system_, q, lambda, rest_);
  const std::int64_t loose = num_neutral(system_, linear);
  if (loose == 0) return advance(q, lambda, way);
  return loose <= few && is_resisted({0.0, &q, rest_, lambda}, linear) && advance_loose(q, lambda, way);
}

/// `advance` of a model some motions of which meet no resistance as far as the assembled stiffness tells, but do by the elements'
/// own (of a foil, a thin wire): Newton's method finds the place, where it settles.
bool EquilibriumSolver::advance_loose(Configuration& q, PetscVec lambda, Way& way) {
  const double part = way.steps > 0 ? 1.0 / way.steps : 1.0;
  const RestTarget target = way.at(part);
  takes_settled_ = true;
  const LoadIncrement done = increment(q, lambda, target, target.load_factor - way.from.load_factor);
  takes_settled_ = false;
  if (!done.accepted && !escape_) return false;
  way.part = part;
  if (done.accepted && part < 1 && judges_rows())
    tell_stable(q, lambda, done);
  else
    tell(done);
  return !escape_ && (part == 1 || advance(q, lambda, way));
}

/// From the beginning to a state of rest. Throws SolveError where none is found.
void EquilibriumSolver::search(Configuration& q, PetscVec lambda) {
  reached_ = 0;
  fault_.clear();
  escape_.reset();
  petsc(VecSet(lambda, 0.0));
  start_at(q);
  Way load{{0, 0}, {1, 0}, options_.steps};
  target_ = load.from;
  if (options_.follows_path) {
    require_load(q);
    tell_start();
    follow(q, lambda);
  } else if (!carry(q, lambda)) {
    tell_start();
    if (!set_out(q, lambda, load)) {
      target_ = load.to;
      const LoadIncrement done = relax(q, lambda, load.at(load.part).load_factor);
      tell(done);
      if (!done.accepted) throw SolveError(failure(q, lambda));
    }
  }
  settle_partners(q, lambda);
}

EquilibriumReport EquilibriumSolver::solve(Configuration& q, PetscVec lambda,
                                           const std::function<void(const LoadIncrement&)>& after,
                                           std::function<void()> at_start) {
  report_ = {};
  after_ = after;
  at_start_ = std::move(at_start);
  met_doubling_ = bears_doubling_ = false;
  Configuration start = system_.make_configuration();
  VecHandle states = duplicate(rest_);
  Kokkos::deep_copy(start.values, q.values);
  petsc(VecCopy(rest_, states));
  try {
    search(q, lambda);
  } catch (const SolveError&) {
    if (!met_doubling_) throw;
    // Where nothing else leads on, a cable may pass through what its mesh alone allows; what is left of it is said at the end.
    bears_doubling_ = true;
    newton_.reset();
    Kokkos::deep_copy(q.values, start.values);
    petsc(VecCopy(states, rest_));
    system_.accept({0.0, &q, rest_, nullptr});
    search(q, lambda);
  }
  conclude(q, lambda);
  return report_;
}

}  // namespace sinew
