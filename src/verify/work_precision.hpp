/// \file
/// What each integrator of the program pays for an accuracy, on one problem.
#pragma once

#include "integrate/integrator.hpp"
#include "observe/error_bars.hpp"
#include "verify/test_problem.hpp"

#include <functional>
#include <iosfwd>
#include <limits>
#include <string>
#include <vector>

namespace sinew::verify {

/// What is compared at one time.
struct WorkSample {
  double t = 0;
  Configuration q;
  VecHandle z, a, lambda;
  /// What is recorded there (WorkProblem::measure), on rank 0. Some of it the run alone knows, not the state: how often something
  /// has turned, what energy has gone in and out.
  std::vector<double> row;
};

/// A problem that all integrators are given, from t = 0.
struct WorkProblem {
  std::string name;
  const DynamicSystem* system = nullptr;
  Analysis analysis;                      ///< its integrator and steps mean nothing here
  std::function<void(State&)> set_start;  ///< q, z and a first guess of the multipliers
  /// fills in all of a sample at its time, NaN where accelerations are not known; empty: a fine run takes its place
  std::function<void(WorkSample&)> solution;
  double length = 0;           ///< by which errors of points that start in one place are measured, m
  bool weighs_by_size = true;  ///< the system knows the sizes that errors are relative to; false: tolerances are absolute as well
  std::vector<std::string> columns;  ///< of what has error bars, on rank 0; nothing has where `measure` is empty
  SensorSeries::Measure measure;
  SensorSeries::Terms terms;  ///< may be empty
};

/// A problem with known answer; it must outlive the result.
WorkProblem work_problem(const std::string& name, const TestProblem&, double end_time);

enum class WorkSteps {
  controlled,  ///< by estimated errors, where an integrator has an estimate; equal ones otherwise
  equal        ///< as many as soi2 needs with error control
};

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// One run. Errors are 2-norms, the largest of ten equally spaced times.
struct WorkPoint {
  double tolerance = 0;
  long steps = 0, rejected = 0, newton = 0, factorizations = 0;
  double seconds = 0;  ///< of the processor, on the slowest rank
  double position_error = 0;
  double multiplier_error = 0;  ///< NaN where there are no multipliers
  double velocity_error = 0;
  double acceleration_error = 0;  ///< NaN where the right ones are not known
  double level =
      not_known;  ///< of steps by estimated errors: the error of positions in the tolerance's own norm, over the tolerance
  double constant_steps = not_known;  ///< so many equal steps would have the same error of positions
};

/// One integrator over the tolerances.
struct WorkCurve {
  std::string integrator;
  bool is_controlled = true;
  std::vector<WorkPoint> points;
  std::vector<std::string> failures;  ///< one for each run that came to no end

  /// The largest level over the smallest: 1 where errors are in proportion to the tolerance; NaN where there are none to compare.
  double spread() const;
};

/// `step: {global: tolerance}` with soi2: what error bars promise, and what is true. Shares of the sizes of what is recorded.
struct GlobalPoint {
  double tolerance = 0;
  double bar = 0, error = 0;  ///< the largest of each
  double below = 0;           ///< part of all values that lie below their bars
  int runs = 0;
  long steps = 0;  ///< of all runs
  double seconds = 0;
  std::string failure;  ///< why there is no result; empty where there is
};

struct WorkDiagram {
  std::string problem;
  std::string reference;       ///< where the right values come from
  WorkPoint uncertainty;       ///< errors that the reference itself may have; 0 for a closed solution
  double multiplier_size = 0;  ///< largest 2-norm of the reference's multipliers
  std::vector<WorkCurve> curves;
  std::vector<GlobalPoint> global;
};

/// Told what is about to be run.
using WorkTeller = std::function<void(const std::string&)>;

/// What is measured.
struct WorkPlan {
  std::vector<double> tolerances;
  std::vector<double> global;  ///< tolerances of error bars
  WorkSteps steps = WorkSteps::controlled;
};

/// Runs all integrators with all tolerances, local ones per unit step. Throws InputError for tolerances
/// that are none, SolveError where there is no reference. Collective.
WorkDiagram measure_work(const WorkProblem&, const WorkPlan&, const WorkTeller& tell = {});

void print_diagram(std::ostream&, const WorkDiagram&);
/// One line a run, with a header.
void write_csv(std::ostream&, const WorkDiagram&);
void write_json(std::ostream&, const WorkDiagram&);

}  // namespace sinew::verify
