#include "verify/test_problem.hpp"

#include <cmath>
#include <string>

namespace sinew::verify {

Solution solution_at(const TestProblem& problem, double t) {
  if (problem.exact) return problem.exact(t);
  for (const Solution& s : problem.references)
    if (std::abs(s.t - t) <= 1e-9 * (1 + std::abs(t))) return s;
  throw InputError("no reference values at t = " + std::to_string(t));
}

}  // namespace sinew::verify
