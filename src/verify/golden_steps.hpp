/// \file
/// States of single steps, to compare with digit by digit: a wrong coefficient that leaves the order alone shows here.
#pragma once

#include "integrate/integrator.hpp"
#include "verify/report.hpp"
#include "verify/test_problem.hpp"

#include <string>
#include <vector>

namespace sinew::verify {

/// The state after step `number`: a belongs to t + alpha h, Ma is M1 a of the step's equations, lambda is (lam, psi).
struct GoldenState {
  int number = 0;
  double t = 0;
  std::vector<double> y, z, a, Ma, lambda;
};

/// One integration: the problem by the name of its case, and the steps taken in turn.
struct GoldenRun {
  std::string problem;
  std::string name;
  double rho_inf = 0;
  StartMethod start = StartMethod::a0;
  StepUpdates updates = StepUpdates::both;
  std::vector<double> steps;
  std::vector<GoldenState> states;  ///< the first four and the last
};

/// All integrations there are.
const std::vector<GoldenRun>& golden_runs();

/// Largest differences over the states of one run.
struct GoldenDifference {
  double motion = 0;  ///< in y and z
  double rest = 0;    ///< in a, Ma and the multipliers
  int states = 0;     ///< states compared
};

/// Integrates `problem` as in the run and compares.
GoldenDifference compare(const TestProblem& problem, const GoldenRun& run);

/// The checks of all runs of a problem: 1e-11 for y and z, 1e-9 for a, M a and the multipliers.
std::vector<Check> golden_checks(const TestProblem& problem, const std::string& name);

}  // namespace sinew::verify
