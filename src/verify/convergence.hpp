/// \file
/// Integrates a problem with known answer over several step sizes and measures the errors.
#pragma once

#include "integrate/bdf_integrator.hpp"
#include "verify/report.hpp"
#include "verify/test_problem.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sinew::verify {

/// Where errors are taken: at the end, or the largest of all steps, which needs an exact solution and does not mistake a zero
/// of the error for a high order.
enum class ErrorsAt { end, all_steps };

/// One study: how to integrate and what to demand.
struct StudyPlan {
  std::string name;
  double end_time = 1;
  std::vector<int> counts;            ///< numbers of (macro) steps from start to end, from coarse to fine
  std::vector<double> pattern = {1};  ///< parts of a macro step taken in turn; {1/3, 2/3}: alternating steps
  AlphaOptions options;
  std::vector<Demand> demands;
  ErrorsAt errors_at = ErrorsAt::end;
  std::optional<BdfOptions> bdf{};  ///< BDF instead of generalized-alpha
};

/// Steps h/3, 2h/3 in turn.
inline const std::vector<double> alternating{1.0 / 3, 2.0 / 3};

/// Order demands with the same limits for several quantities.
std::vector<Demand> demand_order(const std::vector<std::string>& quantities, double low = 1.9, double high = 2.1);

/// Full Newton with a tolerance that leaves no trace in the tables, monolithic form.
AlphaOptions study_options(double rho_inf, StartMethod, StepUpdates = StepUpdates::both);

/// A state at the problem's start, with the first guess of the multipliers.
State start_state(const TestProblem&);

/// What an integration ended with.
struct Integration {
  State state;
  VecHandle acceleration;  ///< at the time of the state, from Integrator::output_acceleration
  double last_step = 0;
  int steps = 0;
  int newton = 0;  ///< iterations in all
};

/// Full Newton with a tolerance that leaves no trace in the tables, fixed order.
BdfOptions bdf_study_options(int order);

/// Called after every step.
using StepWatcher = std::function<void(const Integration&)>;
/// Takes the given steps in turn, `count` times all of them, from the problem's start. Throws SolveError when a step fails.
Integration integrate(const TestProblem&, Integrator&, const std::vector<double>& steps, int count, const StepWatcher& = {});
Integration integrate(const TestProblem&, const AlphaOptions&, const std::vector<double>& steps, int count,
                      const StepWatcher& = {});

/// 2-norms of the errors: y, z, a, lambda (rows g), s (first-order states), psi (rows k), where there are such. With an exact
/// solution `a` is compared at t + alpha h, where it belongs (alpha = 0 for Newmark's method and BDF), otherwise the output
/// acceleration is compared at t.
Study run_study(const TestProblem&, const StudyPlan&);

}  // namespace sinew::verify
