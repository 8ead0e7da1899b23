#include "integrate/alpha_start.hpp"
#include "integrate/error_estimate.hpp"
#include "integrate/integrator.hpp"
#include "integrate/reaction_swing.hpp"
#include "integrate/resolution.hpp"
#include "integrate/step_solver.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sinew {

namespace {

/// Up to so many dofs one system for all unknowns of a step costs little, and where bodies spin fast it needs fewer iterations.
constexpr PetscInt small_system = 100;
/// So many steps in a row with more iterations than that are slow.
constexpr int slow_steps = 3, slow_iterations = 3;
/// A settled step leaves Cz h^3 a'' in the velocity, and linear extrapolation misses its acceleration by h^2 a'', which Newton's
/// method corrects by gamma h times that in the velocity: their ratio, |Cz| / gamma, with Cz = al^2/2 - 1/12 - ca
/// (docs/theory/error-control.md).
double velocity_error_share(const AlphaCoefficients& c) {
  const double ca = 0.5 * ((1 - c.af) - c.al * c.al - (1 - c.am) * (1 + 2 * c.al));
  return std::abs(c.al * c.al / 2 - 1.0 / 12 - ca) / c.gamma;
}

/// Generalized-alpha over one step after the other: start, variable-step updates, prediction, solution, new history.
class AlphaIntegrator final : public Integrator {
 public:
  AlphaIntegrator(const DynamicSystem& system, const AlphaOptions& options);
  void start(State&, double h) override;
  void pass_bend(State& s, const Breakpoint& bend, double h) override { start_.pass_bend(s, bend, h); }
  StepOutcome step(State&, double h) override;
  StepOutcome try_step(State&, double h);
  bool heeds_stiff_states(const State&) const;
  bool judge_errors(const ErrorTolerance& tolerance) override {
    solve_within(tolerance);
    is_judged_ = true;
    return true;
  }
  void solve_within(const ErrorTolerance& tolerance) override {
    equations_.expect_states(tolerance.state_sizes);
    estimate_.emplace(equations_, options_.method, tolerance);
  }
  /// 2 where first-order states have a rule of order 1.
  int error_order() const override { return states_.exist() && equations_.state_order() == 1 ? 2 : 3; }
  double largest_growth() const override { return std::min(Integrator::largest_growth(), c_.largest_growth()); }
  bool suits_changing_steps() const override { return options_.method != Method::index3; }
  std::vector<RunVerdict> verdicts() const override {
    return {{resolution_.verdict(), true},
            {solver_->drift().verdict()},
            {swing_.verdict()},
            {is_judged_ ? resolution_.small_states() : std::string()}};
  }
  VectorPool& dof_room() override { return equations_.dof_room(); }
  void output_acceleration(const State&, PetscVec a) const override;
  void persist(Archive&) override;
  void renew() override;

 private:
  void make_solver();
  void updated_acceleration(const State&, double h);
  void predict(const State&, double h);
  double what_may_add_up(double h) const;
  std::optional<double> gap_error_share(double h) const;
  NewtonReport attempt(const State&, double h, StepOutcome&);
  NewtonReport attempt_with_implicit_start(const State&, double h, StepOutcome&);
  NewtonReport attempt_first(const State&, double h, StepOutcome&);
  void consider_one_system(int iterations);
  bool strays(const State&);
  bool is_accurate(const State&, double h, StepOutcome&);
  double plain_error(const State&, double h);

  const DynamicSystem& system_;
  AlphaOptions options_;
  AlphaCoefficients c_;
  StageEquations equations_;
  const FirstOrderStates& states_;  ///< their accelerations belong to t_n: no start value, no update
  std::unique_ptr<StepSolver> solver_;
  bool is_small_ = false;
  bool is_one_system_ = false;  ///< has become so, where steps were slow block by block
  int slow_steps_ = 0;          ///< of late, in a row
  AlphaStart start_;
  std::optional<ErrorEstimate> estimate_;  ///< only where the errors are known that are allowed
  bool is_judged_ = false;
  double usual_change_ = 0;  ///< of velocities beside what accelerations say, in steps of late, over the largest
  Resolution resolution_;
  ReactionSwing swing_;
  StepResult result_;
  VecHandle aA_, MaA_;
};

AlphaIntegrator::AlphaIntegrator(const DynamicSystem& system, const AlphaOptions& options)
    : system_(system),
      options_(options),
      c_(options.coefficients.value_or(alpha_coefficients(options.rho_inf))),
      equations_(system, c_, options.states),
      states_(equations_.states()),
      start_(equations_, options.start),
      resolution_(system, states_, equations_.scales().inverse_sizes(), equations_.state_error_share()),
      swing_(system, c_, options.method),
      aA_(system.make_dof_vector()),
      MaA_(system.make_dof_vector()) {
  if (options.start == StartMethod::perturbed && options.method != Method::index3)
    throw InputError("start: perturbed belongs to position constraints only (gen-alpha); take another start");
  if (options.method == Method::index3 && system.reads_multipliers() && keeps_swings(c_))
    throw InputError(
        "friction in joints follows their reactions, which swing from step to step for ever where constraints hold at position "
        "level and nothing damps them: take `integrator: soi2`, `gen-alpha` with `rho_inf` below 1 (0.8, say), `newmark` with "
        "gamma above 1/2, or `constraints: velocity`");
  PetscInt dofs = 0;
  petsc(VecGetSize(aA_, &dofs));
  is_small_ = dofs <= small_system;
  make_solver();
  for (VecHandle* v : {&result_.a1, &result_.z1, &result_.Ma1, &result_.f1}) *v = system.make_dof_vector();
  result_.lambda1 = system.make_row_vector();
}

/// The one before is gone first: their matrices are large.
void AlphaIntegrator::make_solver() {
  const bool general = !system_.is_mechanical() || options_.kkt == KktForm::monolithic;
  const bool is_free = is_small_ && options_.kkt == KktForm::automatic;
  solver_.reset();
  if (options_.method == Method::stabilised)
    solver_ = general || is_free ? make_monolithic_stabilised_solver(equations_) : make_stabilised_solver(equations_);
  else if (is_one_system_ || (options_.method == Method::soi2 && (general || (system_.reads_multipliers() && is_free))))
    solver_ = make_monolithic_solver(equations_);
  else
    solver_ = make_block_solver(equations_, options_.method);
}

void AlphaIntegrator::renew() {
  const ConstraintDrift::Record drift = solver_->drift().record();
  system_.forget_analyses();
  make_solver();
  solver_->drift().go_on_from(drift);
  start_.forget_factors();
  if (estimate_) estimate_->renew();
}

void AlphaIntegrator::persist(Archive& archive) {
  const Archive::Part part(archive, "integrator");
  const bool was_one_system = is_one_system_;
  archive.pass("is_one_system", is_one_system_);
  archive.pass("slow_steps", slow_steps_);
  archive.pass("usual_change", usual_change_);
  if (is_one_system_ != was_one_system) make_solver();
  equations_.persist(archive);
  if (estimate_) estimate_->persist(archive);
  resolution_.persist(archive);
  swing_.persist(archive);
  ConstraintDrift::Record drift = solver_->drift().record();
  drift.persist(archive);
  solver_->drift().go_on_from(drift);
}

void AlphaIntegrator::start(State& s, double h) {
  start_.begin(s, h);
  resolution_.restart();
}

/// aA = a + w (a - a_old), MaA likewise, w = al (h/hp - 1), as far as the options ask for it.
void AlphaIntegrator::updated_acceleration(const State& s, double h) {
  const double w = c_.al * (h / s.h_old - 1);
  const StepUpdates mode = options_.updates;
  const auto update = [w](PetscVec now, PetscVec old, bool on, PetscVec out) {
    if (on)
      combine(1 + w, now, -w, old, out);
    else
      petsc(VecCopy(now, out));
  };
  update(s.a, s.a_used, mode == StepUpdates::both || mode == StepUpdates::a || mode == StepUpdates::recompute, aA_);
  equations_.old_rates(s, h, aA_);
  if (mode == StepUpdates::recompute) {
    start_.mass_at_alpha(s, h, aA_, MaA_);
  } else {
    update(s.Ma, s.Ma_used, mode == StepUpdates::both || mode == StepUpdates::Ma, MaA_);
  }
}

/// Linear extrapolation of acceleration and multipliers.
void AlphaIntegrator::predict(const State& s, double h) {
  if (s.h_old == 0) {
    petsc(VecCopy(aA_, result_.a1));
    petsc(VecCopy(s.lambda, result_.lambda1));
    return;
  }
  const double ra = ((1 + c_.al) * h - c_.al * s.h_old) / s.h_old, rl = h / s.h_old;
  combine(1 + ra, s.a, -ra, s.a_used, result_.a1);
  states_.copy(s.a, result_.a1);
  combine(1 + rl, s.lambda, -rl, s.lambda_old, result_.lambda1);
}

/// Where nothing damps, u that Newton's method leaves in a velocity is 2 u/h in the accelerations and multipliers of all later
/// steps, with changing signs: the steps share what one alone may leave.
double AlphaIntegrator::what_may_add_up(double h) const {
  return equations_.scales().has_rows() && keeps_swings(c_) && options_.duration > 0 ? std::min(1.0, h / options_.duration) : 1.0;
}

/// A gap that Newton's method leaves is the velocity of its step wrong by gamma h d, with d what closes it, and the acceleration
/// by d; but those of later steps by up to `swing_gain` d, where constraints hold at position level alone. So gaps may be less by
/// that than what else is left. Otherwise swings would feed themselves: the prediction misses four times a swing, and Newton's
/// method leaves a share of what it misses, so that with a gain times share above 1/4 each step makes more of it.
std::optional<double> AlphaIntegrator::gap_error_share(double h) const {
  if (options_.method != Method::index3 || !equations_.scales().has_rows()) return {};
  return velocity_error_share(c_) / c_.swing_gain(options_.duration > 0 ? options_.duration / h : HUGE_VAL);
}

NewtonReport AlphaIntegrator::attempt(const State& s, double h, StepOutcome& outcome) {
  NewtonSettings newton = newton_settings(options_.newton, velocity_error_share(c_) * what_may_add_up(h), gap_error_share(h));
  if (estimate_) {  // it knows what errors are allowed
    newton.tolerance = std::min(newton.tolerance, estimate_->newton_tolerance());
    newton.share = 0;
  }
  const auto prepare = [&] {
    equations_.begin(s, h, aA_, MaA_);
    predict(s, h);
  };
  return constraints_give() ? solve_giving_way(system_, *solver_, newton, prepare, result_, outcome)
                            : solve_carefully(system_, *solver_, newton, prepare, result_, outcome);
}

/// M aA = (1 - al) f0 + al f1 with f1 by the momentum equation of the step, m M a1 + am M aA = th f1 + af f0, and f0 = M a0:
///
///   aA = (1 - al) a0 + (al/th) (m a1 + am aA - af a0)
///
/// by repeated steps. Each shrinks what is left by |al/th| |am - m (1 - gamma)/gamma| in the directions of the constraints (at
/// most 1/3, for rho_inf = 0), by less elsewhere, stiff modes included. Where M changes along the step this differs from the
/// first equation by O(h^2).
NewtonReport AlphaIntegrator::attempt_with_implicit_start(const State& s, double h, StepOutcome& outcome) {
  constexpr int max_rounds = 60;  // 3^-60 is what rounding leaves of 1e12 times the model's size
  const double p = c_.al / c_.th();
  NewtonReport report;
  VecHandle next = duplicate(aA_);
  for (int round = 0; round < max_rounds; ++round) {
    report = attempt(s, h, outcome);
    if (!report.converged) return report;
    petsc(VecCopy(s.a, next));
    petsc(VecScale(next, 1 - c_.al - p * c_.af));
    petsc(VecAXPBYPCZ(next, p * c_.m(), p * c_.am, 1.0, result_.a1, aA_));
    petsc(VecAXPY(next, -1.0, aA_));
    states_.set(next, 0.0);
    const double change = std::max(equations_.displacement_measure(next), equations_.velocity_measure(next));
    if (equations_.of_all(change) <= options_.newton.tolerance) return report;
    petsc(VecAXPY(aA_, 1.0, next));
    start_.mass_at_alpha(s, h, aA_, MaA_);
  }
  report.converged = false;
  report.reason = "the first acceleration of start: implicit does not settle";
  return report;
}

/// What holds a switch that slides changes by a rate of its own; over h/1000 along the flow the little by which places miss it,
/// over its width, would be the rate, which then does not hold over the step. The step itself knows, where its repetitions
/// settle.
NewtonReport AlphaIntegrator::attempt_first(const State& s, double h, StepOutcome& outcome) {
  if (options_.start == StartMethod::implicit) return attempt_with_implicit_start(s, h, outcome);
  if (!start_.has_lost_jerk() || !equations_.holds_fast()) return attempt(s, h, outcome);
  VecHandle without = duplicate(aA_);
  const auto begin_with = [&](PetscVec a) {
    petsc(VecCopy(a, aA_));
    equations_.old_rates(s, h, aA_);
    start_.mass_at_alpha(s, h, aA_, MaA_);
  };
  petsc(VecCopy(aA_, without));
  begin_with(s.a);
  const NewtonReport report = attempt_with_implicit_start(s, h, outcome);
  if (report.converged) return report;
  begin_with(without);
  return attempt(s, h, outcome);
}

/// Gyroscopic forces of bodies that turn far within a step couple the two systems of the block form: small models then go on with
/// one system.
void AlphaIntegrator::consider_one_system(int iterations) {
  if (options_.kkt != KktForm::automatic || !is_small_ || !solver_->is_coupled()) return;
  slow_steps_ = iterations > slow_iterations ? slow_steps_ + 1 : 0;
  if (is_one_system_ || slow_steps_ < slow_steps) return;
  is_one_system_ = true;
  make_solver();
}

/// Does the step change velocities by a tenth of the largest one or more beside what the accelerations said, and by ten times as
/// much as any step of late? A solution of Newton's method near a singular position may lie on another branch. As measured on a
/// parallelogram that is driven, at 10 ms: 2 where it takes the wrong branch in its flat place, 8e-4 at most in the steps
/// before, and .04 in the step behind a flat place that is passed as it should be, which is forgotten by a fifth a step. Where
/// steps do not resolve vibrations (chains, nets, cables, a block) all of them change by .02 to 1.1, each much as the last.
bool AlphaIntegrator::strays(const State& s) {
  constexpr double much = 0.1, more = 10, forgotten = 0.8;
  if (!system_.has_redundancy()) return false;
  const VectorPool::Loan change = equations_.dof_room().borrow();
  petsc(VecWAXPY(change, -1.0, s.a, result_.a1));
  const double now = equations_.of_all(equations_.velocity_measure(change));
  if (s.h_old > 0 && usual_change_ > 0 && now > much && now > more * usual_change_ && ending() == Ending::unknown) return true;
  usual_change_ = std::max(now, forgotten * usual_change_);
  return false;
}

/// Judges the step that was just solved. True where errors are not judged.
bool AlphaIntegrator::is_accurate(const State& s, double h, StepOutcome& outcome) {
  if (!is_judged_) return true;
  outcome.error = estimate_->judge(s, h, aA_, result_.a1, *solver_);
  if (outcome.error <= 1 || constraints_give()) return true;
  outcome.accepted = false;
  outcome.reason = estimate_->describe(outcome.error);
  return false;
}

/// The estimate as it stands in docs/theory/error-control.md, without anything that needs a solution or a longer history.
double AlphaIntegrator::plain_error(const State& s, double h) {
  if (!system_.is_mechanical()) return 0;
  const bool turns = system_.has_rotations();
  const VectorPool::Loan turned = equations_.dof_room().borrow();
  if (turns) system_.commutator(s.z, result_.a1, turned);
  if (turns) petsc(VecScale(turned, h * h * h / 12));
  const double hp = s.h_old, spread = h * (1 + c_.al) + hp * (1 - c_.al);  // from a_old to a1
  const double scale = hp > 0 ? 2 * c_.velocity_error() * h * h * h / spread : 0.0;
  const double rise = hp > 0 ? scale / (h * (1 + c_.al) - hp * c_.al) : 0.0, fall = hp > 0 ? scale / hp : 0.0;
  const double cq = c_.position_error() * h * h, start = h * h * (0.5 - c_.beta), end = h * h * c_.beta;
  const VecRead z0(s.z), aA(aA_), a1(result_.a1), a(s.a), older(s.a_used), w(equations_.chart()), strayed(turned);
  const auto errors = [&](PetscInt i) {
    const double moved = h * z0[i] + start * aA[i] + end * a1[i] - w[i];
    return DofErrors{cq * (a1[i] - aA[i]) + (turns ? strayed[i] : 0.0) + moved, rise * (a1[i] - a[i]) - fall * (a[i] - older[i])};
  };
  const PetscVec turned_or_none = turns ? turned.get() : nullptr;
  const SolvedStep step{
      s,    h,           equations_.chart(), result_.z1,   result_.f1,     result_.a1,
      MaA_, result_.Ma1, h * (1 - c_.gamma), h * c_.gamma, turned_or_none, equations_.stage(result_.z1, result_.lambda1)};
  return resolution_.observe(step, errors);
}

/// Is it a first step that begins with the forces of states at their mean? Error-controlled ones are short where these jump.
bool AlphaIntegrator::heeds_stiff_states(const State& s) const {
  return s.h_old == 0 && states_.exist() && !is_judged_ && options_.start != StartMethod::perturbed;
}

/// A first step behind stiff states gives the state other forces and accelerations to start with: not for good where it fails.
StepOutcome AlphaIntegrator::step(State& s, double h) {
  if (!heeds_stiff_states(s)) return try_step(s, h);
  State before = make_state(system_);
  copy_state(s, before);
  StepOutcome outcome = try_step(s, h);
  if (!outcome.accepted) copy_state(before, s);
  return outcome;
}

StepOutcome AlphaIntegrator::try_step(State& s, double h) {
  StepOutcome outcome;
  if (s.h_old == 0) {
    start_.find_first(s, h, estimate_ ? &*estimate_ : nullptr, aA_, MaA_);
    if (!is_small_) start_.forget_factors();  // they are as large as those of the step that follows
  } else {
    updated_acceleration(s, h);
  }
  if (estimate_) {
    equations_.begin(s, h, aA_, MaA_);
    estimate_->begin(s, h);
  }
  NewtonReport report = s.h_old == 0 ? attempt_first(s, h, outcome) : attempt(s, h, outcome);
  if (heeds_stiff_states(s) && report.converged && start_.has_stiff_states()) {
    const VecHandle end = duplicate(result_.z1);
    petsc(VecCopy(result_.z1, end));
    start_.find_first_behind_states(s, h, end, aA_, MaA_);
    report = attempt_first(s, h, outcome);
  }
  outcome.accepted = report.converged;
  outcome.reason = report.reason;
  outcome.residual = report.correction;
  if (!report.converged || !is_accurate(s, h, outcome)) return outcome;
  if (strays(s)) {
    outcome.accepted = false;
    outcome.strays = true;
    outcome.reason = "velocities change as in no step before";
    return outcome;
  }
  outcome.accepted = may_pass(s, equations_.stage(result_.z1, result_.lambda1));
  if (!outcome.accepted) return outcome;
  const double error = plain_error(s, h);
  if (!is_judged_) outcome.error = error;
  swing_.observe(s, h, result_.lambda1);
  take_over(equations_, result_, aA_, MaA_, h, s);
  consider_one_system(report.iterations);
  if (estimate_) estimate_->accept();
  return outcome;
}

void AlphaIntegrator::output_acceleration(const State& s, PetscVec a) const {
  petsc(VecCopy(s.a, a));
  if (s.h_old > 0) petsc(VecAXPBYPCZ(a, -c_.al, c_.al, 1.0, s.a, s.a_used));
  states_.copy(s.a, a);
}

}  // namespace

std::unique_ptr<Integrator> make_alpha_integrator(const DynamicSystem& system, const AlphaOptions& options) {
  return std::make_unique<AlphaIntegrator>(system, options);
}

}  // namespace sinew
