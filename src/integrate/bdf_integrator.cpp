#include "integrate/bdf_integrator.hpp"

#include "integrate/bdf_coefficients.hpp"
#include "integrate/bdf_errors.hpp"
#include "integrate/bdf_newton.hpp"
#include "integrate/bdf_order.hpp"
#include "integrate/extrapolated_euler.hpp"
#include "integrate/multistep_history.hpp"
#include "integrate/resolution.hpp"
#include "integrate/step_solver.hpp"
#include "solve/acceleration_solver.hpp"
#include "solve/consistent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

namespace {

/// A tangent made for another b is of use while b differs by less than this.
constexpr double tangent_range = 0.25;
/// Rotation vectors of a chart lose turns from here on.
constexpr double half_turn = std::numbers::pi;

class Bdf final : public BdfIntegrator {
 public:
  Bdf(const DynamicSystem& system, const BdfOptions& options);
  void start(State&, double h) override;
  void begin_from(const std::vector<const State*>& past) override;
  StepOutcome step(State&, double h) override;
  bool judge_errors(const ErrorTolerance&) override;
  int error_order() const override { return order_.next() + 1; }
  bool keeps_steps() const override { return true; }
  std::vector<RunVerdict> verdicts() const override {
    return {{resolution_.verdict(), true},
            {terms_.verdict()},
            {solver_->drift().verdict()},
            {errors_.are_judged() ? resolution_.small_states() : std::string()}};
  }
  void persist(Archive&) override;
  void renew() override;
  VectorPool& dof_room() override { return equations_.dof_room(); }
  void output_acceleration(const State& s, PetscVec a) const override { petsc(VecCopy(s.a, a)); }

 private:
  void make_solver();
  bool can_follow(const State&, double h, StepOutcome&);
  bool has_turned_too_far(double turn, StepOutcome&) const;
  template <class Errors>
  double observe(const State& before, double h, PetscVec w, const StepResult&, PetscVec strayed, const Errors&);
  void settle(State&);
  void restart(const State&);
  int order_of_step() const;
  bool needs_start() const;
  bool is_refused(StepOutcome&) const;
  bool watches_terms() const { return order_.is_free() || options_.order > highest_stable_order; }
  StepOutcome start_step(State&, double h);
  NewtonReport euler_step(const State&, double h, const NewtonSettings&, StepOutcome&);
  StepOutcome formula_step(State&, double h);
  void predict(const State&, double h, int order);
  NewtonSettings settings_of_formula(double b, double h, int order) const;
  NewtonReport solve(const State& from, const MultistepBase&, const NewtonSettings&, StepOutcome&);
  void hold(const State& before, PetscVec z) const;
  void remember(const State&, double h, PetscVec lambda_before);
  double plain_error(const State& before, double h, int order);
  BdfErrors::Step solved(const State& before, double h, int order) const;
  double choose_order(const BdfErrors::Step&);

  const DynamicSystem& system_;
  BdfOptions options_;
  StageEquations equations_;
  std::unique_ptr<StepSolver> solver_;
  std::unique_ptr<AccelerationSolver> acceleration_;
  MultistepHistory history_;
  HistoryTerms terms_;
  int usable_ = 1;  ///< points of the history: those less than half a turn away
  Resolution resolution_;
  BdfOrder order_;
  BdfErrors errors_;
  double tangent_b_ = 0;  ///< b of the last solve
  StepResult result_;
  ExtrapolatedEuler start_;
  Configuration predicted_;
  VecHandle base_w_, base_z_, predicted_w_, predicted_z_, predicted_a_, predicted_lambda_, rows_, sum_z_, momentum_;
};

Bdf::Bdf(const DynamicSystem& system, const BdfOptions& options)
    : system_(system),
      options_(options),
      equations_(system, newmark_coefficients(1, 1)),
      history_(system, highest_fixed_order + 2),
      resolution_(system, equations_.states(), equations_.scales().inverse_sizes(), 1),
      order_(options.order),
      errors_(system, equations_, history_),
      start_(system, equations_),
      predicted_(system.make_configuration()) {
  if (options.order < 0 || options.order > highest_fixed_order)
    throw InputError(fmt::format("the order of BDF lies between 1 and {}, not at {}", highest_fixed_order, options.order));
  make_solver();
  for (VecHandle* v : {&result_.a1, &result_.z1, &result_.Ma1, &result_.f1, &base_w_, &base_z_, &predicted_w_, &predicted_z_,
                       &predicted_a_, &sum_z_, &momentum_})
    *v = system.make_dof_vector();
  for (VecHandle* v : {&result_.lambda1, &predicted_lambda_, &rows_}) *v = system.make_row_vector();
}

/// The one before is gone first: their matrices are large.
void Bdf::make_solver() {
  const bool general = !system_.is_mechanical() || options_.kkt == KktForm::monolithic;
  solver_.reset();
  solver_ = general ? make_monolithic_solver(equations_) : make_block_solver(equations_, Method::soi2);
}

void Bdf::renew() {
  const ConstraintDrift::Record drift = solver_->drift().record();
  system_.forget_analyses();
  make_solver();
  solver_->drift().go_on_from(drift);
  acceleration_.reset();
  tangent_b_ = 0;
}

void Bdf::persist(Archive& archive) {
  const Archive::Part part(archive, "integrator");
  order_.persist(archive);
  archive.pass("usable", usable_);
  history_.persist(archive);
  terms_.persist(archive);
  equations_.persist(archive);
  errors_.persist(archive);
  resolution_.persist(archive);
  ConstraintDrift::Record drift = solver_->drift().record();
  drift.persist(archive);
  solver_->drift().go_on_from(drift);
}

/// Accelerations and multipliers of a state's q and z.
void Bdf::settle(State& s) {
  if (!acceleration_) acceleration_ = std::make_unique<AccelerationSolver>(system_);
  acceleration_->solve(s.t, s.q, s.z, s.a, s.lambda);
  const Stage stage{s.t, &s.q, s.z, s.lambda};
  system_.forces(stage, s.f);
  system_.mass_times(stage, s.a, s.Ma);
}

void Bdf::start(State& s, double) {
  settle(s);
  s.h_old = 0;
  restart(s);
}

void Bdf::restart(const State& s) {
  resolution_.restart();
  terms_.restart();
  petsc(VecSet(rows_, 0.0));
  history_.restart(s, options_.multipliers == MultiplierHistory::values ? s.lambda.get() : rows_.get());
  order_.restart();
}

void Bdf::begin_from(const std::vector<const State*>& past) {
  restart(*past.front());
  for (std::size_t j = 1; j < past.size(); ++j) remember(*past[j], past[j]->t - past[j - 1]->t, past[j - 1]->lambda);
}

bool Bdf::judge_errors(const ErrorTolerance& tolerance) {
  equations_.expect_states(tolerance.state_sizes);
  options_.newton.is_automatic = true;  // a tolerance that the user gives is a bound beside what errors allow
  errors_.judge_by(tolerance);
  terms_.judge();
  order_.judge();
  return true;
}

/// Where errors are judged the order grows with the history, which must reach one point further back than the formula.
int Bdf::order_of_step() const {
  return errors_.are_judged() ? std::min(order_.next(), std::max(1, usable_ - 1)) : order_.next();
}

/// Is the history too short for the formula, where errors are judged for that of order 2, from which the order grows? Steps of
/// order 1 would have to be far shorter, per unit step by the tolerance itself, and set stiff vibrations going.
bool Bdf::needs_start() const {
  if (!errors_.are_judged()) return history_.size() < order_.next();
  return order_.next() > 1 && history_.size() <= highest_stable_order;
}

bool Bdf::is_refused(StepOutcome& outcome) const {
  if (outcome.error <= 1 || constraints_give()) return false;
  outcome.reason = fmt::format("the local error is {:.3g} times the tolerance", outcome.error);
  return true;
}

bool Bdf::has_turned_too_far(double turn, StepOutcome& outcome) const {
  if (turn < half_turn) return false;
  outcome.reason = fmt::format("a body turns by {:.3g} rad, more than half a turn, over the points that BDF of order {} needs",
                               turn, std::max(order_.next(), 1));
  return true;
}

/// May the step be tried? Points that have turned too far since the past are forgotten, and a step over which the formula would
/// not see how often something turns is refused: shorter ones will do.
bool Bdf::can_follow(const State& s, double h, StepOutcome& outcome) {
  if (!system_.has_rotations()) {
    usable_ = history_.size();
    return true;
  }
  const double turn = h * history_.angular_speed();
  while (order_.is_free() && order_.next() > 2 && (order_.next() - 1) * turn >= half_turn) order_.lower();
  if (has_turned_too_far((errors_.are_judged() ? 1 : std::max(1, order_.next() - 1)) * turn, outcome)) return false;
  usable_ = history_.points_within(half_turn);
  if (!errors_.are_judged() && usable_ < std::min(order_.next(), history_.size())) {
    restart(s);
    usable_ = 1;
  }
  return true;
}

/// Takes note of the step to z1 and f1 of the result. Collective.
template <class Errors>
double Bdf::observe(const State& before, double h, PetscVec w, const StepResult& result, PetscVec strayed, const Errors& errors) {
  if (!system_.is_mechanical()) return 0;
  petsc(VecWAXPY(sum_z_, -1.0, before.z, result.z1));
  system_.mass_times({before.t, &before.q, nullptr, nullptr}, sum_z_, momentum_);
  return resolution_.observe({before, h, w, result.z1, result.f1, result.a1, momentum_, momentum_, 1.0, 0.0, strayed,
                              equations_.stage(result.z1, result.lambda1)},
                             errors);
}

/// What sampled controls remember does not change in a step: sums of the past would leave rounding in it, step by step, and
/// counters would no longer be whole numbers.
void Bdf::hold(const State& before, PetscVec z) const {
  const VecRead held(before.z);
  VecWrite out(z);
  for (const PetscInt i : system_.layout().held) out[i] = held[i];
}

StepOutcome Bdf::step(State& s, double h) {
  if (s.h_old == 0 || !history_.ends_at(s.t, h)) restart(s);
  StepOutcome outcome;
  if (!can_follow(s, h, outcome)) return outcome;
  return needs_start() ? start_step(s, h) : formula_step(s, h);
}

NewtonSettings Bdf::settings_of_formula(double b, double h, int order) const {
  return formula_settings(options_.newton, b, usable_ > order ? history_.distances(h, order + 1).back() : (order + 1) * h);
}

/// One step solved from the prediction in predicted_a_, predicted_lambda_.
NewtonReport Bdf::solve(const State& from, const MultistepBase& base, const NewtonSettings& newton, StepOutcome& outcome) {
  if (std::abs(base.b - tangent_b_) > tangent_range * tangent_b_) solver_->invalidate();
  tangent_b_ = base.b;
  const auto prepare = [&] {
    equations_.begin(from, base);
    petsc(VecCopy(predicted_a_, result_.a1));
    petsc(VecCopy(predicted_lambda_, result_.lambda1));
  };
  const NewtonReport report = constraints_give() ? solve_giving_way(system_, *solver_, newton, prepare, result_, outcome)
                                                 : solve_carefully(system_, *solver_, newton, prepare, result_, outcome);
  outcome.reason = report.reason;
  outcome.residual = report.correction;
  return report;
}

/// The integral of the multipliers goes on by the trapezoidal rule where no formula has given it.
void Bdf::remember(const State& s, double h, PetscVec lambda_before) {
  if (options_.multipliers == MultiplierHistory::values) return history_.push(s, h, s.lambda);
  petsc(VecCopy(history_.newest_rows(), rows_));
  petsc(VecAXPBYPCZ(rows_, h / 2, h / 2, 1.0, lambda_before, s.lambda));
  history_.push(s, h, rows_);
}

/// One step of implicit Euler.
NewtonReport Bdf::euler_step(const State& from, double h, const NewtonSettings& newton, StepOutcome& outcome) {
  petsc(VecSet(base_w_, 0.0));
  petsc(VecCopy(from.z, predicted_w_));
  petsc(VecScale(predicted_w_, h));
  system_.retract(from.q, predicted_w_, predicted_);
  petsc(VecCopy(from.z, base_z_));
  petsc(VecCopy(from.a, predicted_a_));
  petsc(VecCopy(from.lambda, predicted_lambda_));
  return solve(from, {h, h, base_w_, base_z_, &predicted_}, newton, outcome);
}

/// A step without history. Where errors are judged its order is one above that of the formula which follows, so that what the one
/// below has wrong, which it is judged by, falls as that of the formula does.
StepOutcome Bdf::start_step(State& s, double h) {
  StepOutcome outcome;
  const int order = errors_.are_judged() ? highest_stable_order + 1 : order_.next();
  NewtonSettings newton = start_settings(options_.newton, order, 0);
  const auto euler = [&](const State& from, double part) { return euler_step(from, part, newton, outcome); };
  const auto see_first = [&](const NewtonReport& first) {
    newton = start_settings(options_.newton, order, first.first_correction);
  };
  if (!start_.step(s, h, order, euler, result_, see_first).converged) return outcome;
  if (has_turned_too_far(largest_turn(system_, start_.way()), outcome)) return outcome;
  if (errors_.are_judged()) outcome.error = errors_.of_start(s, h, start_, *solver_);
  if (is_refused(outcome)) return outcome;
  State& end = start_.end();
  hold(s, end.z);
  // every part ends on the constraints, sums of them do so up to the error that the extrapolation leaves
  if (system_.is_mechanical()) draw_onto_constraints(system_, end.t, end.q, end.z);
  settle(end);
  for (const auto& [from, to] : {std::pair<PetscVec, PetscVec>{end.z, result_.z1}, {end.f, result_.f1}, {end.a, result_.a1}})
    petsc(VecCopy(from, to));
  if (!may_pass(s, {end.t, &end.q, end.z, end.lambda})) return outcome;
  system_.difference(s.q, end.q, predicted_w_);
  const double plain = observe(s, h, predicted_w_, result_, nullptr, [](PetscInt) { return DofErrors{}; });
  if (!errors_.are_judged()) outcome.error = plain;
  petsc(VecCopy(s.lambda, end.lambda_old));
  copy_state(end, s);
  s.h_old = h;
  petsc(VecCopy(s.a, s.a_used));
  petsc(VecCopy(s.Ma, s.Ma_used));
  remember(s, h, s.lambda_old);
  outcome.accepted = true;
  return outcome;
}

/// Positions, velocities and multipliers at t1 from the polynomial through the past; without a past from z0 and a0.
void Bdf::predict(const State& s, double h, int order) {
  const int points = std::min(usable_, order + 1);
  if (points == 1) {
    petsc(VecAXPBY(predicted_w_, h, 0.0, s.z));
    equations_.states().set(predicted_w_, 0.0);  // have no places
    petsc(VecWAXPY(predicted_z_, h, s.a, s.z));
    petsc(VecCopy(s.lambda, predicted_lambda_));
    return;
  }
  const std::vector<double> distances = history_.distances(h, points), weights = extrapolation_weights(distances);
  history_.combine_positions(weights, predicted_w_);
  history_.combine_velocities(weights, predicted_z_);
  const bool integrals = options_.multipliers == MultiplierHistory::integrals;
  history_.combine_rows(integrals ? extrapolated_rate_weights(distances) : weights, predicted_lambda_);
}

StepOutcome Bdf::formula_step(State& s, double h) {
  const int order = order_of_step();
  StepOutcome outcome;
  const BdfFormula formula = bdf_formula(history_.distances(h, order));
  history_.combine_positions(formula.past, base_w_);
  history_.combine_velocities(formula.past, base_z_);
  predict(s, h, order);
  system_.retract(s.q, predicted_w_, predicted_);
  petsc(VecWAXPY(predicted_a_, -1.0, base_z_, predicted_z_));
  petsc(VecScale(predicted_a_, 1 / formula.b));
  const MultistepBase base{h, formula.b, base_w_, base_z_, &predicted_};
  if (!solve(s, base, settings_of_formula(formula.b, h, order), outcome).converged) return outcome;
  hold(s, result_.z1);
  if (has_turned_too_far(h * largest_turn(system_, result_.z1), outcome)) return outcome;
  const bool is_judged = errors_.are_judged(), watches = watches_terms();
  if (is_judged || watches) errors_.find_terms(solved(s, h, order), watches ? HistoryTerms::highest : order + 1);
  if (is_judged) outcome.error = choose_order(solved(s, h, order));
  if (is_refused(outcome)) return outcome;
  if (!may_pass(s, equations_.stage(result_.z1, result_.lambda1))) return outcome;
  if (options_.multipliers == MultiplierHistory::integrals) {
    history_.combine_rows(formula.past, rows_);
    petsc(VecAXPY(rows_, formula.b, result_.lambda1));
  }
  if (watches) terms_.add(errors_.terms(), order, s.t + h);
  if (watches && order_.is_free() && !is_judged) choose_order(solved(s, h, order));
  const double plain = plain_error(s, h, order);
  if (!is_judged) outcome.error = plain;
  take_over(equations_, result_, result_.a1, result_.Ma1, h, s);
  history_.push(s, h, options_.multipliers == MultiplierHistory::integrals ? rows_.get() : s.lambda.get());
  acceleration_.reset();  // its matrix is as large as the tangent and serves the start only
  outcome.accepted = true;
  return outcome;
}

/// The error of a step by the polynomial that it was predicted with: what is known where none is judged.
double Bdf::plain_error(const State& s, double h, int order) {
  const double factor = errors_.factor(solved(s, h, order), order);
  const VectorPool::Loan wrong = equations_.dof_room().borrow();
  petsc(VecWAXPY(wrong, -1.0, predicted_w_, equations_.chart()));
  petsc(VecScale(wrong, factor));
  const VecRead w(wrong), z1(result_.z1), expected_z(predicted_z_);
  return observe(s, h, equations_.chart(), result_, system_.has_rotations() ? wrong.get() : nullptr, [&](PetscInt i) {
    return DofErrors{w[i], factor * (z1[i] - expected_z[i])};
  });
}

BdfErrors::Step Bdf::solved(const State& before, double h, int order) const {
  return {before, h, order, usable_, predicted_w_, predicted_z_, result_.z1, solver_.get()};
}

/// For the next step; returns the error that the step control is to use.
double Bdf::choose_order(const BdfErrors::Step& step) {
  const auto error_of = [&](int k) { return errors_.of_order(step, k); };
  return order_.choose({step.order, usable_, error_of(step.order), error_of}, terms_);
}

}  // namespace

std::unique_ptr<BdfIntegrator> make_bdf_integrator(const DynamicSystem& system, const BdfOptions& options) {
  return std::make_unique<Bdf>(system, options);
}

}  // namespace sinew
