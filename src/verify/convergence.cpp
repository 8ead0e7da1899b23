#include "verify/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace sinew::verify {

namespace {

std::vector<double> values(PetscVec v) {
  PetscInt n = 0;
  petsc(VecGetLocalSize(v, &n));
  const VecRead x(v);
  return {x.data(), x.data() + n};
}

void set_values(PetscVec v, const std::vector<double>& x) {
  VecWrite to(v);
  std::copy(x.begin(), x.end(), to.data());
}

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// alpha = alpha_m - alpha_f: accelerations belong to t + alpha h.
double alpha_of(const StudyPlan& plan) {
  return plan.bdf ? 0 : plan.options.coefficients.value_or(alpha_coefficients(plan.options.rho_inf)).al;
}

std::unique_ptr<Integrator> make_integrator(const TestProblem& problem, const StudyPlan& plan) {
  if (plan.bdf) return make_bdf_integrator(*problem.system, *plan.bdf);
  return make_alpha_integrator(*problem.system, plan.options);
}

using Errors = std::vector<std::pair<std::string, double>>;

/// Errors of the present state, by the names of Study.
Errors errors_of(const TestProblem& problem, double alpha, const Integration& run) {
  const State& state = run.state;
  const Solution known = solution_at(problem, state.t);
  Errors result;
  result.emplace_back("y", distance(problem.system->values(state.q), known.y));
  const std::size_t n = known.y.size();
  const std::vector<double> rates = values(state.z), a = values(state.a), output = values(run.acceleration);
  result.emplace_back("z", distance(std::span(rates).first(n), known.z));
  if (problem.exact)
    result.emplace_back("a", distance(std::span(a).first(n), problem.exact(state.t + alpha * run.last_step).a));
  else
    result.emplace_back("a", distance(std::span(output).first(n), known.a));
  const std::vector<double> multipliers = values(state.lambda);
  const auto m = static_cast<std::size_t>(problem.system->sizes().position_rows), all = multipliers.size();
  const std::span<const double> computed(multipliers), right(known.lambda);
  if (m > 0) result.emplace_back("lambda", distance(computed.first(m), right.first(m)));
  if (!known.s.empty()) result.emplace_back("s", distance(std::span(rates).subspan(n), known.s));
  if (all > m) result.emplace_back("psi", distance(computed.subspan(m), right.subspan(m)));
  return result;
}

void keep_larger(Errors& largest, const Errors& more) {
  if (largest.empty()) largest = more;
  for (std::size_t i = 0; i < more.size(); ++i)
    if (more[i].second > largest[i].second || std::isnan(more[i].second)) largest[i].second = more[i].second;
}

Demand demand_for(const StudyPlan& plan, const std::string& quantity) {
  for (const Demand& d : plan.demands)
    if (d.quantity == quantity) return d;
  return {quantity, Demand::Kind::none, 0, 0};
}

}  // namespace

std::vector<Demand> demand_order(const std::vector<std::string>& quantities, double low, double high) {
  std::vector<Demand> result;
  for (const std::string& q : quantities) result.push_back({q, Demand::Kind::order, low, high});
  return result;
}

AlphaOptions study_options(double rho_inf, StartMethod start, StepUpdates updates) {
  AlphaOptions options;
  options.rho_inf = rho_inf;
  options.start = start;
  options.updates = updates;
  options.kkt = KktForm::monolithic;
  options.newton.tolerance = 1e-11;
  options.newton.is_automatic = false;
  options.newton.jacobian = NewtonJacobian::full;
  return options;
}

State start_state(const TestProblem& problem) {
  State state = make_state(*problem.system);
  state.t = problem.start.t;
  state.q = problem.system->configuration(problem.start.y);
  std::vector<double> rates = problem.start.z;
  rates.insert(rates.end(), problem.start.s.begin(), problem.start.s.end());
  set_values(state.z, rates);
  set_values(state.lambda, problem.start.lambda);
  return state;
}

BdfOptions bdf_study_options(int order) {
  BdfOptions options;
  options.order = order;
  options.kkt = KktForm::monolithic;
  options.newton.tolerance = 1e-13;
  options.newton.is_automatic = false;
  options.newton.jacobian = NewtonJacobian::full;
  return options;
}

Integration integrate(const TestProblem& problem, const AlphaOptions& options, const std::vector<double>& steps, int count,
                      const StepWatcher& watch) {
  return integrate(problem, *make_alpha_integrator(*problem.system, options), steps, count, watch);
}

Integration integrate(const TestProblem& problem, Integrator& integrator, const std::vector<double>& steps, int count,
                      const StepWatcher& watch) {
  Integration run;
  run.state = start_state(problem);
  run.acceleration = problem.system->make_dof_vector();
  integrator.start(run.state, steps.front());
  for (int i = 0; i < count; ++i)
    for (const double h : steps) {
      const StepOutcome outcome = integrator.step(run.state, h);
      if (!outcome.accepted)
        throw SolveError(fmt::format("the step of {:g} from t = {:g} failed: {}", h, run.state.t, outcome.reason));
      integrator.output_acceleration(run.state, run.acceleration);
      run.last_step = h;
      run.newton += outcome.newton;
      ++run.steps;
      if (watch) watch(run);
    }
  return run;
}

Study run_study(const TestProblem& problem, const StudyPlan& plan) {
  Study study;
  study.name = plan.name;
  study.where = fmt::format("{} t = {:g}", plan.errors_at == ErrorsAt::end ? "errors at" : "largest errors up to", plan.end_time);
  for (const int count : plan.counts) {
    const double h = (plan.end_time - problem.start.t) / count;
    std::vector<double> steps = plan.pattern;
    for (double& step : steps) step *= h;
    const double alpha = alpha_of(plan);
    Errors errors;
    StepWatcher watch;
    if (plan.errors_at == ErrorsAt::all_steps)
      watch = [&](const Integration& now) { keep_larger(errors, errors_of(problem, alpha, now)); };
    const Integration run = integrate(problem, *make_integrator(problem, plan), steps, count, watch);
    if (plan.errors_at == ErrorsAt::end) errors = errors_of(problem, alpha, run);
    study.steps.push_back(h);
    study.newton.push_back(static_cast<double>(run.newton) / run.steps);
    study.series.resize(errors.size());
    for (std::size_t i = 0; i < errors.size(); ++i) {
      study.series[i].quantity = errors[i].first;
      study.series[i].errors.push_back(errors[i].second);
      study.series[i].demand = demand_for(plan, errors[i].first);
    }
  }
  judge(study);
  return study;
}

}  // namespace sinew::verify
