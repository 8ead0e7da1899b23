#include "base/reduction.hpp"
#include "base/stop_signal.hpp"
#include "solve/acceleration_solver.hpp"
#include "solve/balance.hpp"
#include "solve/equilibrium.hpp"
#include "solve/inertia.hpp"
#include "solve/slow_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// What a step of the relaxation aims at, in parts of the model's extent or in radians.
constexpr double aimed_move = 0.2;
/// Steps of the relaxation; what still moves then is held by nothing, unless a stiffness resists every motion (a load that hangs
/// on a winch on a soft spring goes down by a hundred turns of it): then so many times as many, which has an end too.
constexpr int max_steps = 300, most_times = 5;
/// Steps grow at most so much from one to the next; after one that had to be shortened, so much.
constexpr double most_growth = 30, careful_growth = 4;
/// What moves less is looked at again once it moves less by this factor.
constexpr double worthwhile = 0.5;
/// A step of the relaxation is a means to an end: so much of it may be left, in the units of moves. In stiff members that may be
/// a strain which outweighs all loads and drives the model back to where it came from: steps then have to be so short that it is
/// seen, by more than so many cuts. From there on less is left, and of small steps a part, so that it shows when they come to
/// rest.
constexpr double relaxed = 1e-3, careful = 1e-6, careful_part = 1e-3;
constexpr int most_cuts = 2;  // so many take back most_growth
/// So many steps may fail with that: places on a line of elements are found to no more than its kinks let them be.
constexpr int most_failures = 30;
/// By this factor steps and pushes are shortened; steps no further than to this part of the first.
constexpr double cut = 1.0 / 8, shortest_tau = 1e-12;
/// How far an unstable state is pushed along its direction: first, and at least where elements do not bear that.
constexpr double first_push = 0.0125, smallest_push = 1e-6;
/// What is left of the forces where nothing has moved yet, in parts of what rest allows: no more than their rounding.
constexpr double unmoved = 1e-7;
/// Of so many of the slowest motions rounding may hide that they grow: a shaft that buckles has two.
constexpr int most_hidden = 4;
/// A state may be left so many times for one that is not stable either.
constexpr int most_escapes = 30;
/// So often elements may choose their partners anew under the whole load.
constexpr int most_renewals = 20;

/// Does a stiffness resist all motions that the constraints allow?
bool is_held(const System& system, const LinearisedSystem& linear) {
  return linear.is_symmetric && num_neutral(system, linear) == 0 && is_stable(system, linear);
}

}  // namespace

/// The tau with which the accelerations at rest make a step of the length aimed at; lambda gets their multipliers. 0: nothing
/// accelerates but for round-off.
double EquilibriumSolver::first_tau(const Configuration& q, PetscVec lambda) {
  equations_.begin(q, target_, 0);
  VecHandle a = system_.make_dof_vector();
  AccelerationSolver(system_).solve(0.0, q, rest_, a, lambda);
  const double size = equations_.size(a);
  return size > 0 && imbalance(q, lambda).of_force > unmoved ? aimed_move / size : 0;
}

/// Does M / tau + K leave no direction that the constraints allow in which a step would lead uphill to a saddle?
bool EquilibriumSolver::is_convex(const Configuration& q, PetscVec lambda, double inverse_tau) {
  if (is_so_on_any(system_.layout().comm, !system_.layout().states.empty())) return true;
  equations_.begin(q, target_, inverse_tau);
  VecHandle none = system_.make_dof_vector(), F = make_kkt_vector(system_.layout());
  join_kkt(none, lambda, x_);
  equations_.residual(x_, F);
  equations_.assemble(matrix_);
  heed_signals(system_.layout().comm);
  const std::optional<PetscInt> negative = negative_eigenvalues(matrix_);
  return !negative || *negative <= system_.global_rows();
}

/// Pushes a state of rest along a way out of it, to the side on which the forces do more work; `to`, which may be q, is where
/// that leads, and stays as it is where no push leads away: what is left of forces in a motion without resistance may be rounding
/// that drives it, and holds it again where anybody could see it. Of pushes that elements do not bear nothing is known. Where the
/// elements' own stiffness has told of the way out, it is one whatever pushes show (stiff members may resist any that is large
/// enough to show anything, which goes straight where they would turn): then the largest leads there that elements bear.
EquilibriumSolver::Pushed EquilibriumSolver::push(const Configuration& q, PetscVec lambda, const Escape& escape,
                                                  Configuration& to) {
  system_.hold(0.0, target_.load_factor);
  VecHandle w = duplicate(escape.shape), f = system_.make_dof_vector();
  Configuration sides[2] = {system_.make_configuration(), system_.make_configuration()}, largest = system_.make_configuration();
  const double size = equations_.size(escape.shape), noise = rounding_of_work(system_, q, rest_, lambda, escape.shape) / size;
  bool is_hindered = false, is_borne = false;
  for (double push = first_push; push >= smallest_push; push *= cut) {
    double work[2];
    bool is_open[2];
    for (const int side : {0, 1}) {
      petsc(VecAXPBY(w, (side == 0 ? push : -push) / size, 0.0, escape.shape));
      system_.retract(q, w, sides[side]);
      system_.forces({0.0, &sides[side], rest_, lambda}, f);
      petsc(VecDot(f, w, &work[side]));
      is_open[side] = system_.fault(sides[side]).empty();
      is_hindered = is_hindered || !is_open[side];
    }
    const int better = is_open[0] != is_open[1] ? (is_open[1] ? 1 : 0) : work[1] > work[0] * (1 + 1e-6) ? 1 : 0;
    // forces that are left where it rests do as much work on the one side as they take on the other
    const double both = is_open[0] && is_open[1] ? (work[0] + work[1]) / 2 : work[better];
    if (!is_open[better]) continue;
    if (both > noise * push) {
      Kokkos::deep_copy(to.values, sides[better].values);
      return Pushed::away;
    }
    if (!is_borne) Kokkos::deep_copy(largest.values, sides[better].values);
    is_borne = true;
  }
  if (escape.is_sure && is_borne) {
    Kokkos::deep_copy(to.values, largest.values);
    return Pushed::away;
  }
  return is_hindered ? Pushed::hindered : Pushed::nowhere;
}

/// Those of which rounding may hide whether anything resists them; none where they do not converge, and nothing is known of them.
std::vector<Mode> EquilibriumSolver::slowest_motions(const LinearisedSystem& linear) {
  try {
    return find_modes(system_, linear, most_hidden);
  } catch (const SolveError&) {
    return {};
  }
}

/// A way out as the elements' own stiffness has it, which is known far below what rounding leaves of the assembled one: none
/// where nothing is left of it; and the slowest motions where that leaves them open altogether.
std::optional<Escape> EquilibriumSolver::sharpened(const Stage& state, const LinearisedSystem& linear,
                                                   std::optional<Escape> escape) {
  std::vector<Mode> modes;
  if (escape) {
    modes.emplace_back();
    modes[0].real = escape->rate;
    modes[0].shape = std::move(escape->shape);
  } else if (is_neutral(system_, linear)) {
    modes = slowest_motions(linear);
    if (modes.empty()) return std::nullopt;
  }
  const bool is_sure = sharpen_slow_modes(system_, state, linear, modes);
  if (!escape && !is_sure) return std::nullopt;
  const auto fastest = std::ranges::max_element(modes, {}, &Mode::real);
  if (fastest == modes.end() || !(fastest->real > 0)) return std::nullopt;
  return Escape{fastest->real, std::move(fastest->shape), is_sure};
}

/// Do elements resist the slowest motions, though the assembled stiffness does not tell?
bool EquilibriumSolver::is_resisted(const Stage& state, const LinearisedSystem& linear) {
  std::vector<Mode> modes = slowest_motions(linear);
  return !modes.empty() && sharpen_slow_modes(system_, state, linear, modes) &&
         std::ranges::none_of(modes, [](const Mode& mode) { return mode.omega() == 0; });
}

/// The direction in which a state of rest is left after the smallest push.
std::optional<Escape> EquilibriumSolver::way_out(const Configuration& q, PetscVec lambda) {
  system_.hold(0.0, target_.load_factor);
  LinearisedSystem linear = linearise(system_, q, lambda, rest_);
  linear.is_damped = false;  // what damps decides how fast a state is left, not whether
  std::optional<Escape> escape = find_escape(system_, linear);
  report_.is_judged = linear.is_symmetric || escape.has_value();
  escape = sharpened({0.0, &q, rest_, lambda}, linear, std::move(escape));
  if (!escape || escape->is_sure) return escape;
  Configuration to = system_.make_configuration();
  if (push(q, lambda, *escape, to) == Pushed::nowhere) escape.reset();
  return escape;
}

/// Out of a state that is at rest but not stable. Returns a tau with which the step that follows is convex; 0 where no push leads
/// away.
double EquilibriumSolver::leave(Configuration& q, PetscVec lambda) {
  const Escape escape = std::move(*escape_);
  escape_.reset();
  ++report_.escapes;
  return push(q, lambda, escape, q) == Pushed::away ? 0.5 / (escape.rate * escape.rate) : 0.0;
}

/// Is the state at rest as it lies, under the multipliers that balance it best? Where these balance its forces lambda gets them,
/// though joints may be open by a little yet: those of the step that led here hold what is left of its impulse, and may look like
/// a resistance to what moves freely. What is left of the forces, in parts of what rest allows; nothing: it is not at rest.
std::optional<double> EquilibriumSolver::rests(const Configuration& q, PetscVec lambda) {
  VecHandle a = system_.make_dof_vector(), balancing = system_.make_row_vector();
  equations_.begin(q, target_, 0);
  try {
    AccelerationSolver(system_).solve(0.0, q, rest_, a, balancing);
  } catch (const SolveError&) {
    return {};
  }
  const Imbalance left = imbalance(q, balancing);
  if (!(left.of_force <= 1)) return {};
  petsc(VecCopy(balancing, lambda));
  return left.is_rest() ? std::optional(left.of_force) : std::nullopt;
}

/// Do the forces do more work along the last step than their rounding does? If not, what nothing resists only drifts.
bool EquilibriumSolver::is_driven(const Configuration& q, PetscVec lambda) {
  const VecHandle f = system_.make_dof_vector();
  double work = 0;
  system_.forces({0.0, &q, rest_, lambda}, f);
  petsc(VecDot(f, moved_, &work));
  return std::abs(work) > sampled_rounding_of_work(system_, q, rest_, lambda, moved_);
}

/// After a small step: is Newton's method led to a state of rest nearby, or is this one? Takes it over if so. A state that is not
/// stable is left behind in `escape_`.
bool EquilibriumSolver::settle(Configuration& q, PetscVec lambda, double step_size) {
  // Asked first of all: forces that the step has left in the joints are no resistance to any motion.
  const std::optional<double> left = rests(q, lambda);
  system_.hold(0.0, target_.load_factor);
  // Where motions meet no resistance Newton's method has no answer but round-off's, and the steps alone lead to rest.
  const bool is_free = is_neutral(system_, linearise(system_, q, lambda, rest_));
  bool is_unique = false;
  if (!is_free && is_convex(q, lambda, 0)) {
    const Move rest = move(q, lambda, 0, false);
    is_unique = rest.newton.converged && rest.size < 2 * small_move;
    if (is_unique) accept(q, lambda);
  }
  const bool is_driven_on = is_free && step_size > 0 && is_driven(q, lambda);  // however small the step was
  const bool is_drifting = is_free && left && step_size > 0 && !is_driven_on;
  const bool is_rest = is_unique || is_drifting || (left && *left <= unmoved) ||
                       (!is_driven_on && step_size <= options_.tolerance && (left || imbalance(q, lambda).is_rest()));
  if (!is_rest) return false;
  std::optional<Escape> out = way_out(q, lambda);
  if (!out) report_.is_unique = is_unique;
  if (seeks_stable()) escape_ = std::move(out);
  return !escape_;
}

/// Downhill under the target: M w = tau f, until Newton's method finds the place of rest nearby.
LoadIncrement EquilibriumSolver::relax(Configuration& q, PetscVec lambda, double from) {
  LoadIncrement done;
  done.load_factor = target_.load_factor;
  done.step = target_.load_factor - from;
  done.is_relaxation = true;
  is_stuck_ = false;
  const int newton = report_.newton, factorizations = report_.factorizations;
  const std::optional<double> left = escape_ ? std::nullopt : rests(q, lambda);
  if (left && *left <= unmoved) done.accepted = settle(q, lambda, 0);
  if (done.accepted) return done;
  double start = escape_ ? leave(q, lambda) : first_tau(q, lambda), last_try = std::numeric_limits<double>::infinity();
  if (!(start > 0)) start = 1;
  double tau = start;
  bool is_careful = system_.has_kinks();  // what touches is stiff
  int failures = 0, most_steps = max_steps;
  relaxed_tolerance_ = is_careful ? careful : relaxed;
  for (int n = 0; n < most_steps && !done.accepted && !is_stuck_; ++n) {
    if (n == max_steps - 1 && is_held(system_, linearise(system_, q, lambda, rest_))) most_steps = most_times * max_steps;
    ++report_.relaxation_steps;
    double growth = most_growth;
    int cuts = 0;
    for (; tau > shortest_tau * start && !is_convex(q, lambda, 1 / tau); tau *= cut) ++cuts;
    if (cuts > 0) growth = careful_growth;
    is_careful = failures < most_failures && (is_careful || (n > 0 && cuts > most_cuts));
    const Move step = move(q, lambda, 1 / tau, false);
    if (!step.newton.converged && is_careful && ++failures == most_failures) relaxed_tolerance_ = relaxed;
    if (!step.newton.converged || step.size > longest_move) {
      tau *= cut;
      done.reason = step.newton.reason;
      is_stuck_ = tau < shortest_tau * start;
      continue;
    }
    accept(q, lambda);
    if (is_careful) relaxed_tolerance_ = std::min(careful, careful_part * step.size);
    done.correction = step.newton.correction;
    if (step.size < small_move && step.size <= worthwhile * last_try) {
      last_try = step.size;
      done.accepted = settle(q, lambda, step.size);
      if (escape_ && report_.escapes < most_escapes) {
        tau = leave(q, lambda);
        last_try = std::numeric_limits<double>::infinity();
        is_stuck_ = !(tau > 0);
        continue;
      }
    }
    tau *= std::clamp(aimed_move / std::max(step.size, 1e-30), 0.5, growth);
  }
  done.newton = report_.newton - newton;
  done.factorizations = report_.factorizations - factorizations;
  return done;
}

/// A row of the curve that was asked for is a state that the model stays in, like its end: one that is not stable is left there.
/// Where that leads nowhere the row is of the state itself, and the way goes on from it.
void EquilibriumSolver::tell_stable(Configuration& q, PetscVec lambda, LoadIncrement done) {
  escape_ = way_out(q, lambda);
  if (!escape_) return tell(done);
  const Kept unstable(*this, q, lambda);
  const RestTarget target = target_;
  LoadIncrement left = done;
  left.accepted = false;
  left.reason = "the state is not stable";
  tell(left);
  try {
    left = relax(q, lambda, target.load_factor);
  } catch (const SolveError&) {
    left.accepted = false;
  }
  escape_.reset();
  if (left.accepted) return tell(left);
  unstable.restore(*this, q, lambda);
  target_ = target;
  ++report_.unstable_rows;
  tell(done);
}

/// Elements that have found other partners in the last state are not in balance with them yet.
void EquilibriumSolver::settle_partners(Configuration& q, PetscVec lambda) {
  for (int round = 0; has_new_partners_ && round < most_renewals; ++round) {
    has_new_partners_ = false;
    tell(increment(q, lambda, {1, 0}, 0));
  }
}

}  // namespace sinew
