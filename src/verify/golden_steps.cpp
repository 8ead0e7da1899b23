#include "verify/golden_steps.hpp"

#include "verify/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::verify {

namespace {

/// max |a - b|; infinite for a NaN and for different lengths.
double largest_difference(const double* a, std::size_t count, const std::vector<double>& b) {
  if (count != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double d = std::abs(a[i] - b[i]);
    if (!(d <= largest)) largest = std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
  }
  return largest;
}

double largest_difference(PetscVec a, const std::vector<double>& b) {
  PetscInt n = 0;
  petsc(VecGetLocalSize(a, &n));
  const VecRead x(a);
  return largest_difference(x.data(), static_cast<std::size_t>(n), b);
}

}  // namespace

GoldenDifference compare(const TestProblem& problem, const GoldenRun& run) {
  AlphaOptions options = study_options(run.rho_inf, run.start, run.updates);
  GoldenDifference worst;
  const auto watch = [&](const Integration& now) {
    const auto golden =
        std::find_if(run.states.begin(), run.states.end(), [&](const GoldenState& s) { return s.number == now.steps; });
    if (golden == run.states.end()) return;
    const std::vector<double> y = problem.system->values(now.state.q);
    worst.motion = std::max({worst.motion, largest_difference(y.data(), y.size(), golden->y),
                             largest_difference(now.state.z, golden->z), std::abs(now.state.t - golden->t)});
    worst.rest = std::max({worst.rest, largest_difference(now.state.a, golden->a), largest_difference(now.state.Ma, golden->Ma),
                           largest_difference(now.state.lambda, golden->lambda)});
    ++worst.states;
  };
  const int count = run.states.back().number / static_cast<int>(run.steps.size());
  integrate(problem, options, run.steps, count, watch);
  if (worst.states < static_cast<int>(run.states.size()))  // what was not met is no match
    worst.motion = worst.rest = std::numeric_limits<double>::infinity();
  return worst;
}

std::vector<Check> golden_checks(const TestProblem& problem, const std::string& name) {
  std::vector<Check> checks;
  for (const GoldenRun& run : golden_runs()) {
    if (run.problem != name) continue;
    const GoldenDifference d = compare(problem, run);
    checks.push_back({"single steps, y z: " + run.name, d.motion, 1e-11});
    checks.push_back({"single steps, a M a multipliers: " + run.name, d.rest, 1e-9});
  }
  return checks;
}

}  // namespace sinew::verify
