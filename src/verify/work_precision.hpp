/// \file
/// What each integrator of the program pays for an accuracy, on one problem.
#pragma once

#include "integrate/integrator.hpp"
#include "verify/test_problem.hpp"

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace sinew::verify {

/// A problem that all integrators are given, from t = 0.
struct WorkProblem {
  std::string name;
  const DynamicSystem* system = nullptr;
  Analysis analysis;                                               ///< its integrator and steps mean nothing here
  std::function<void(State&)> set_start;                           ///< q, z and a first guess of the multipliers
  std::function<void(double, Configuration&, PetscVec)> solution;  ///< q and multipliers at t; empty: a fine run takes its place
  bool weighs_by_size = true;  ///< the system knows the sizes that errors are relative to; false: tolerances are absolute as well
};

/// A problem with known answer; it must outlive the result.
WorkProblem work_problem(const std::string& name, const TestProblem&, double end_time);

enum class WorkSteps {
  controlled,  ///< by estimated errors, where an integrator has an estimate; equal ones otherwise
  equal        ///< as many as soi2 needs with error control
};

/// One run. Errors are 2-norms, the largest of ten equally spaced times.
struct WorkPoint {
  double tolerance = 0;
  long steps = 0, rejected = 0, newton = 0, factorizations = 0;
  double seconds = 0;
  double position_error = 0;
  double multiplier_error = 0;  ///< NaN where there are no multipliers
};

/// One integrator over the tolerances.
struct WorkCurve {
  std::string integrator;
  bool is_controlled = true;
  std::vector<WorkPoint> points;
  std::vector<std::string> failures;  ///< one for each run that came to no end
};

struct WorkDiagram {
  std::string problem;
  std::string reference;       ///< where the right values come from
  WorkPoint uncertainty;       ///< errors that the reference itself may have; 0 for a closed solution
  double multiplier_size = 0;  ///< largest 2-norm of the reference's multipliers
  std::vector<WorkCurve> curves;
};

/// Told what is about to be run.
using WorkTeller = std::function<void(const std::string&)>;

/// Runs all integrators with all tolerances. Throws InputError for tolerances that are none, SolveError where there is no
/// reference. Collective.
WorkDiagram measure_work(const WorkProblem&, const std::vector<double>& tolerances, WorkSteps = WorkSteps::controlled,
                         const WorkTeller& tell = {});

void print_diagram(std::ostream&, const WorkDiagram&);
/// One line a run, with a header.
void write_csv(std::ostream&, const WorkDiagram&);
void write_json(std::ostream&, const WorkDiagram&);

}  // namespace sinew::verify
