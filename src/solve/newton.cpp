#include "solve/newton.hpp"

#include "base/reduction.hpp"
#include "base/timing.hpp"
#include "linear/direct_solver.hpp"
#include "linear/kkt_solver.hpp"
#include "solve/newton_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Rounding of a velocity itself: less is never asked for.
constexpr double least_limit = 4 * std::numeric_limits<double>::epsilon();
/// Corrections that shrink by less than this have met rounding, if they are of its size.
constexpr double stalled = 0.5;
/// Corrections by new tangents that did not shrink, one after the other, beside rounding.
constexpr int sure_stalls = 2;
/// So many of them away from rounding are a method that goes to and fro between states, as where friction of many touches turns.
/// Of 20,000 solutions of 200 models 57 had three of them and converged, 17 had five.
constexpr int hopeless_stalls = 5;
/// Those that follow may be larger by so much. As measured on 300 rods ten thousand kilometres from the origin: with 1 there are
/// 128 factorisations in 100 steps, with 2, 4 and 8 there are 122, and reactions differ by a millionth.
constexpr double amplified_margin = 4;
/// Less than this of the prediction's forces is not asked for: iterations for less meet rounding. As measured on a linkage of
/// four bars at a tolerance of 1e-12, 4000 steps: without it 170 iterations more, and places 4e-9 from those by new tangents in
/// place of 8e-10.
constexpr double least_force_share = 1e-4;
/// After so many solutions rounding is measured anew, where it is met again.
constexpr int remeasured = 64;
/// SNES asks for no tangent; they are made between its iterations.
constexpr PetscInt never = -1;

#if PETSC_VERSION_GE(3, 25, 0)
constexpr SNESConvergedReason not_a_number = SNES_DIVERGED_FUNCTION_NANORINF;
#else
constexpr SNESConvergedReason not_a_number = SNES_DIVERGED_FNORM_NAN;
#endif

/// Why PETSc's solver ended without a solution, in words and by PETSc's own name.
std::string words_for(SNESConvergedReason reason, int iterations) {
  std::string text = "Newton's method stops";
  if (reason == SNES_DIVERGED_MAX_IT) text = fmt::format("Newton's method has not converged after {} iterations", iterations);
  if (reason == SNES_DIVERGED_LINE_SEARCH) text = "Newton's method finds no correction that leaves less of the residual";
  if (reason == SNES_DIVERGED_LINEAR_SOLVE) text = "the linear equations of Newton's method are not solved";
  if (reason == SNES_DIVERGED_DTOL) text = "Newton's method leads away from a solution";
  if (reason == not_a_number) text = "Newton's method has come to where forces or constraints are no numbers";
  return fmt::format("{} (PETSc: {})", text, SNESConvergedReasons[reason]);
}

/// What is neither assembly nor factorisation inside SNES is solution: triangular solves and vectors.
PetscErrorCode timed_solve(SNES snes, PetscVec x) {
  const TimedPhase timed(Phase::solve);
  return SNESSolve(snes, nullptr, x);
}

}  // namespace

NewtonSolver::NewtonSolver(const std::string& prefix, MatHandle matrix, PetscVec x, NewtonProblem problem)
    : problem_(std::move(problem)), matrix_(std::move(matrix)) {
  refuse_other_judges(prefix);
  petsc(PetscOptionsGetInt(nullptr, prefix.c_str(), "-snes_max_it", &most_iterations_, nullptr));
  const MPI_Comm comm = comm_of(x);
  petsc(SNESCreate(comm, snes_.address()));
  petsc(SNESSetOptionsPrefix(snes_, prefix.c_str()));
  petsc(SNESSetFunction(snes_, nullptr, residual_callback, this));
  petsc(SNESSetJacobian(snes_, matrix_, matrix_, jacobian_callback, this));
  petsc(SNESSetConvergenceTest(snes_, convergence_callback, this, nullptr));
  petsc(SNESSetType(snes_, SNESNEWTONLS));
  petsc(SNESSetErrorIfNotConverged(snes_, PETSC_FALSE));
}

NewtonSolver::~NewtonSolver() = default;

void NewtonSolver::read_options() {
  if (options_are_read_) return;
  const char* prefix = nullptr;
  petsc(SNESGetOptionsPrefix(snes_, &prefix));
  sinew::read_options(prefix, [this] { return SNESSetFromOptions(snes_); });
  makes_tangents_ = !has_tangent_option(prefix);
  if (makes_tangents_) petsc(SNESSetLagJacobian(snes_, never));
  options_are_read_ = true;
}

KSP NewtonSolver::ksp() const {
  KSP ksp = nullptr;
  petsc(SNESGetKSP(snes_, &ksp));
  return ksp;
}

PetscErrorCode NewtonSolver::residual_callback(SNES snes, PetscVec x, PetscVec F, void* context) {
  auto* self = static_cast<NewtonSolver*>(context);
  return guarded([&] {
    self->problem_.residual(x, F);
    const std::string fault = self->look_around();
    if (fault.empty()) return PetscErrorCode(0);
    self->report_.reason = fault;
    return SNESSetFunctionDomainError(snes);
  });
}

/// What is wrong with the x of the last residual, if anything; measures the way there, where ranks do so for themselves.
std::string NewtonSolver::look_around() {
  if (!problem_.has_fault) return problem_.fault ? problem_.fault() : std::string();
  Reduction all(comm_of(snes_.get()));
  all.largest(problem_.has_fault() ? 1 : 0);
  const Remainder left = problem_.remainder();
  all.largest(left.correction);
  all.largest(left.forces);
  all.largest(left.gaps);
  if (is_under_way_) {
    PetscVec update = nullptr;
    petsc(SNESGetSolutionUpdate(snes_, &update));
    const Correction of_rank = problem_.measure(update);
    all.largest(of_rank.motion);
    all.largest(of_rank.states);
  }
  all.share();
  found_ = {is_under_way_ ? Correction{all[4], all[5]} : Correction{}, {all[1], all[2], all[3]}};
  return all[0] > 0 ? problem_.fault() : std::string();
}

Correction NewtonSolver::correction() const {
  if (problem_.has_fault) return found_.correction;
  PetscVec update = nullptr;
  petsc(SNESGetSolutionUpdate(snes_, &update));
  return problem_.measure(update);
}

Remainder NewtonSolver::remainder() const {
  if (problem_.has_fault) return found_.left;
  return problem_.remainder ? problem_.remainder() : Remainder{};
}

/// Is no more left than enough? Else there is one more iteration, by a new tangent where the old one is slow. What that does not
/// lessen is rounding.
bool NewtonSolver::is_little(Watched& left, double enough, double unit) {
  enough = std::max(enough, left.noise * unit);
  if (left.now <= enough) return true;
  const double rate = left.before > 0 ? left.now / left.before : 1.0;
  if (tangent_is_fresh_ && rate > stalled) {
    left.noise = amplified_margin * left.now / unit;
    return true;
  }
  refresh_next_ |= !tangent_is_fresh_ && (rate > stalled || std::log(enough / left.now) / std::log(rate) > tangent_patience);
  return false;
}

/// Are multipliers and what constraints hold as good as the motion, of which a correction is within the limit? Along what they
/// hold forces may be out of balance and move nothing. An old tangent has the gradients of another configuration, by which a
/// correction of multipliers misses, and predictions that go on with what is left there make more of it step by step. So of what
/// the prediction had out of balance no more than a share may be left; where a tolerance alone is asked for (steps by their error
/// do), no larger one than the tolerance is of what the prediction had wrong of the motion. Integrators that hold positions alone
/// make more of gaps, which are a share of the first correction at most.
bool NewtonSolver::leaves_little(double allowed) {
  const bool is_asked = settings_.share == 0 && report_.first_correction > 0;
  const double part =
      std::min(settings_.force_share, is_asked ? std::max(least_force_share, allowed / report_.first_correction) : 1.0);
  const bool are_balanced = is_little(forces_, std::max(remaining_part * allowed, part * first_forces_), units().forces);
  const bool are_closed = !settings_.gap_share || is_little(gaps_, *settings_.gap_share * report_.first_correction, units().gaps);
  return are_balanced && are_closed;
}

bool NewtonSolver::wants_new_tangent() const {
  if (!tangent_is_usable_ || refresh_next_) return true;
  if (settings_.refresh == TangentRefresh::every_iteration) return true;
  return settings_.refresh == TangentRefresh::once && report_.iterations == 0;
}

PetscErrorCode NewtonSolver::jacobian_callback(SNES, PetscVec, PetscMat, PetscMat, void* context) {
  auto* self = static_cast<NewtonSolver*>(context);
  return guarded([self] {
    self->see_to_tangent();
    return PetscErrorCode(0);
  });
}

/// For the next iteration: a new tangent where one is wanted.
void NewtonSolver::see_to_tangent() {
  tangent_is_fresh_ = wants_new_tangent();
  if (iterates_) set_linear_tolerance(ksp(), linear_tolerance());
  if (!tangent_is_fresh_) return;
  problem_.assemble(matrix_);
  tangent_is_usable_ = true;
  refresh_next_ = false;
  petsc(KSPSetOperators(ksp(), matrix_, matrix_));
  if (!factorise(ksp())) report_.reason = "the tangent matrix is singular";
  ++report_.factorizations;
}

double NewtonSolver::linear_tolerance() const {
  return forcing_.next(report_.iterations, {settings_.tolerance, settings_.share, settings_.continues, report_.limit});
}

/// What may be left in the end, where rounding does not ask for more.
double NewtonSolver::allowed() const {
  const double share = settings_.share > 0 ? settings_.share * report_.first_correction : settings_.tolerance;
  return std::max(least_limit, std::min(settings_.tolerance, share));
}

/// Counts corrections that did not shrink, one after the other. Those of new tangents count, and the first of a solution that
/// continues another one, which had converged. Rounding comes in steps of its own size: a correction that is smaller than the
/// last by chance, and not than the least, has not shrunk.
void NewtonSolver::count_stalls(int iteration, double correction) {
  const bool counts = iteration > 1 ? tangent_is_fresh_ : settings_.continues;
  if (iteration == 1 && !settings_.continues) least_correction_ = correction;
  stalls_ = counts && correction > stalled * least_correction_ ? stalls_ + 1 : 0;
  least_correction_ = std::min(least_correction_, correction);
}

/// Are first-order states within what may be left of them? A correction that a new tangent does not lessen may be what rounding
/// asks for.
bool NewtonSolver::states_are_met(double correction) {
  if (correction <= state_limit()) return true;
  if (!tangent_is_fresh_ || correction <= stalled * previous_states_ || !problem_.state_rounding) return false;
  const double rounding = problem_.state_rounding();
  if (correction > rounding) return false;
  state_noise_ = std::min(rounding, amplified_margin * correction);
  return true;
}

/// Rounding of positions asks for corrections of what constraints hold, which may be far larger than what may be left of the
/// rest, where steps are short or the model lies far from the origin. An old tangent leaves a part of every one of them in the
/// rest; the residual shows it, in which such gaps do not count. A new tangent leaves none.
bool NewtonSolver::hides_more(double left) const {
  return !tangent_is_fresh_ && std::isfinite(left) && left > remaining_part * report_.limit;
}

/// Has a correction of the motion that no longer shrinks come down to rounding? `left`: Remainder::correction behind it.
bool NewtonSolver::is_rounding(double correction, double left) {
  if (hides_more(left)) return false;
  // A second correction that rounding of positions could ask for: what the first has left of the rest is less.
  if (problem_.position_rounding && correction <= problem_.position_rounding()) return true;
  if (!problem_.rounding || !(correction > stalled * previous_correction_)) return false;
  const Rounding least = problem_.rounding();
  noise_ = least.forces / units().forces;
  // A new tangent that gains nothing, and another one that gains nothing again, have met rounding, too, where it is amplified.
  if (stalls_ >= sure_stalls && correction <= least.forces + problem_.most_amplified * least.positions)
    amplified_ = std::max(amplified_, std::min(problem_.most_amplified, amplified_margin * correction / least.positions));
  return correction <= least.forces + amplified_ * least.positions;
}

/// What is left of a correction, as a part of it. The ratio of corrections tells, error <= rate / (1 - rate) times the last one.
/// An old tangent may have been lucky in one direction, so the worse of two ratios counts, and a single one is not believed below
/// a floor.
double NewtonSolver::part_left(int iteration, double correction, double previous_rate) const {
  // So does what a linear solver by iterations leaves: the residual that it looks at says less of long waves than of short ones.
  if (!tangent_is_fresh_ || iterates_) return std::max(report_.rate, iteration > 2 ? previous_rate : lucky_rate);
  // Quadratic convergence: |F''| was at most ratio / (last correction), the distance that the tangent of that iteration had. If
  // it was lucky, earlier steps know better.
  const double floor = std::min(lucky_rate * lucky_rate, quadratic_.left_of(correction));
  return std::max(report_.rate * report_.rate, iteration > 2 ? 0.0 : floor);
}

SNESConvergedReason NewtonSolver::judge(int iteration, double residual_norm) {
  if (!std::isfinite(residual_norm)) return not_a_number;
  report_.iterations = iteration;
  is_under_way_ = true;
  const Remainder remainder = this->remainder();
  const double left = remainder.correction;
  forces_.see(remainder.forces);
  gaps_.see(remainder.gaps);
  if (iteration == 0) {
    if (!settings_.continues) first_forces_ = remainder.forces;
    return SNES_CONVERGED_ITERATING;
  }
  const Correction update = this->correction();
  const double correction = update.size();
  if (!std::isfinite(correction)) return not_a_number;
  forcing_.note(correction);
  const double previous_rate = report_.rate;
  if (iteration > 1) report_.rate = previous_correction_ > 0 ? correction / previous_correction_ : 0;
  if (last_was_fresh_ && iteration > 1 && !settings_.continues) quadratic_.measure(previous_correction_, correction);
  last_was_fresh_ = tangent_is_fresh_;
  report_.correction = correction;
  if (iteration == 1) report_.first_correction = correction;
  const double allowed = report_.limit = limit();
  report_.allowed = this->allowed();
  const KeptTangent::Iteration at{iteration, correction, left, allowed, report_.rate, tangent_is_fresh_};

  const auto once_little_is_left = [&] {
    previous_correction_ = correction;
    previous_states_ = update.states;
    forcing_.expect(std::min(left, correction));
    return leaves_little(allowed) ? SNES_CONVERGED_SNORM_RELATIVE : SNES_CONVERGED_ITERATING;
  };
  const auto has_met_rounding = [&] {
    const bool is_met = (update.motion <= allowed || is_rounding(update.motion, left)) && states_are_met(update.states);
    return report_.met_rounding = is_met;
  };
  if (update.motion <= allowed && update.states <= state_limit()) {
    report_.met_rounding = update.states > report_.allowed;
    return once_little_is_left();
  }
  count_stalls(iteration, correction);
  // Where solutions alternate with something else, what is asked for anew each time ends in rounding as corrections do.
  if (settings_.continues && iteration == 1 && has_met_rounding()) return once_little_is_left();
  if (left <= remaining_part * allowed) return once_little_is_left();
  if (iteration > 1 && has_met_rounding()) return once_little_is_left();
  report_.gave_up = settings_.gives_up && stalls_ >= hopeless_stalls;
  if (report_.gave_up) return SNES_DIVERGED_MAX_IT;
  previous_correction_ = correction;
  previous_states_ = update.states;
  forcing_.expect(std::min(left, correction));
  if (iteration == 1) {
    refresh_next_ = kept_.wants_refresh(at);
    return SNES_CONVERGED_ITERATING;
  }
  const double rate = part_left(iteration, correction, previous_rate);
  const double most = 0.3 * (1 - rate) / rate;
  if (rate < 0.3 && update.motion <= most * allowed && update.states <= most * state_limit()) return once_little_is_left();
  refresh_next_ = kept_.wants_refresh(at);
  return SNES_CONVERGED_ITERATING;
}

PetscErrorCode NewtonSolver::convergence_callback(SNES snes, PetscInt iteration, PetscReal, PetscReal, PetscReal residual_norm,
                                                  SNESConvergedReason* reason, void* context) {
  auto* self = static_cast<NewtonSolver*>(context);
  return guarded([&] {
    *reason = self->judge(static_cast<int>(iteration), residual_norm);
    PetscInt limit = 0;
    petsc(SNESGetTolerances(snes, nullptr, nullptr, nullptr, &limit, nullptr));
    if (*reason == SNES_CONVERGED_ITERATING && iteration >= limit) *reason = SNES_DIVERGED_MAX_IT;
    if (*reason == SNES_CONVERGED_ITERATING && self->makes_tangents_) self->see_to_tangent();
    return PetscErrorCode(0);
  });
}

NewtonReport NewtonSolver::solve(PetscVec x, const NewtonSettings& settings) {
  settings_ = settings;
  kept_.begin(tangent_is_usable_, settings.continues);
  previous_correction_ = settings.continues ? report_.first_correction : 0;
  report_ = NewtonReport{};
  is_under_way_ = false;
  if (++solves_ % remeasured == 0) {
    noise_ = state_noise_ = forces_.noise = gaps_.noise = 0;
    amplified_ = 1;
  }
  if (!settings.continues) stalls_ = 0;
  quadratic_.grow_older();
  refresh_next_ = false;
  iterates_ = has_iterations(ksp());
  forcing_.begin();
  SNESLineSearch search = nullptr;
  petsc(SNESGetLineSearch(snes_, &search));
  petsc(SNESLineSearchSetType(search, settings.line_search ? SNESLINESEARCHBT : SNESLINESEARCHBASIC));
  read_options();
  const PetscInt most = most_iterations_ > 0 ? most_iterations_ : settings.max_iterations;
  petsc(SNESSetTolerances(snes_, 0.0, 0.0, 0.0, most, PETSC_DEFAULT));
  const std::vector<VectorPool::Loan> loans = lend_vectors();
  const PetscErrorCode code = quietly([&] { return timed_solve(snes_, x); });
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  if (code == 0) petsc(SNESGetConvergedReason(snes_, &reason));
  PetscInt linear = 0;
  petsc(SNESGetLinearSolveIterations(snes_, &linear));
  report_.linear = static_cast<int>(linear);
  forcing_.end(settings.continues);
  report_.converged = code == 0 && reason > 0;
  if (settings.refresh == TangentRefresh::automatic && !settings.continues)
    kept_.learn({report_.converged, report_.iterations, report_.factorizations});
  if (!report_.converged) {
    tangent_is_usable_ = false;
    if (report_.gave_up) report_.reason = "Newton's method goes to and fro and comes no nearer to a solution";
    if (report_.reason.empty())
      report_.reason = code != 0 ? fmt::format("the linear solver failed (PETSc error {})", static_cast<int>(code))
                                 : words_for(reason, report_.iterations);
  }
  return report_;
}

}  // namespace sinew
