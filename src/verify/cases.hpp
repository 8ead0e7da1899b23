/// \file
/// The list of what `sinew verify` knows.
#pragma once

#include "verify/report.hpp"
#include "verify/test_problem.hpp"

#include <functional>
#include <string>
#include <vector>

namespace sinew::verify {

/// One problem of the literature with a known answer. `run` fills in the studies and checks of a report.
struct Case {
  std::string name;     ///< as on the command line
  std::string summary;  ///< one line
  std::function<void(Report&)> run;
  /// for work-precision diagrams; empty where the case shares the problem of another one
  std::function<TestProblem()> problem{};
  double end_time = 1;  ///< of the problem, for the same purpose
};

/// Cases given by equations (GeneralDae).
const std::vector<Case>& dae_cases();

/// All cases, in the order in which they are run. Rooms of cases (by equations, by model files) are joined here.
const std::vector<Case>& cases();

/// The case of this name. Throws InputError that lists the cases when there is none.
const Case& find_case(const std::string& name);

/// Runs a case; what goes wrong stands in the report's `failure`.
Report run_case(const Case&);

}  // namespace sinew::verify
