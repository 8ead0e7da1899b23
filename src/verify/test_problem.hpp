/// \file
/// A problem with a known answer: its system, where it starts, and the exact solution or reference values.
#pragma once

#include "verify/general_dae.hpp"
#include "verify/solution.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace sinew::verify {

/// One problem, ready to be integrated.
struct TestProblem {
  std::unique_ptr<GeneralDae> system;
  Solution start;                         ///< consistent y, z at t; `lambda` is the first guess of the multipliers
  std::function<Solution(double)> exact;  ///< empty where no formula is known
  std::vector<Solution> references;       ///< values at some times, in order; empty where `exact` is there
};

/// A problem struct of verify/problems: callbacks, `start()`, and `exact(t)` or `references()`.
template <DaeProblem P>
TestProblem make_test_problem(const P& problem) {
  TestProblem result{make_general_dae(problem), problem.start(), {}, {}};
  if constexpr (requires { problem.exact(0.0); })
    result.exact = [problem](double t) { return problem.exact(t); };
  else
    result.references = problem.references();
  return result;
}

/// The known solution at t. Throws InputError where there is none for this time.
Solution solution_at(const TestProblem&, double t);

}  // namespace sinew::verify
