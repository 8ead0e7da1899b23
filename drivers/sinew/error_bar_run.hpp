/// \file
/// Runs that are compared, so that every recorded quantity has an error bar.
#pragma once

#include "built_model.hpp"
#include "integrate/step_grid.hpp"
#include "observe/error_bars.hpp"
#include "observe/run_report.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace sinew {

/// Does the analysis ask for error bars?
bool wants_error_bars(const Analysis&);
/// Throws InputError where they cannot be had: nothing is recorded, or the order of the method changes from step to step.
void require_error_bars(const Analysis&, const Sensors&);

/// One run of several: the steps it took and all that was recorded.
struct ComparedRun {
  SensorSeries series;
  GridRecorder grid;
  std::unique_ptr<Integrator> integrator;
  State state;
};

/// What a run that is to be kept needs beside its series: files, progress. May be empty.
using MakeObservers = std::function<std::vector<Observer*>()>;

/// The same motion with different steps.
class ErrorBarRun {
 public:
  /// `begin`: the state before it is made consistent. All must outlive it.
  ErrorBarRun(BuiltModel&, const Sensors&, const State& begin, SimulationOptions, RunReport&, bool quiet);

  /// Runs with steps of a looser tolerance, those steps halved and quartered, until what the bars say of the last run is within
  /// the tolerance. Throws SolveError where it is not to be had. Collective.
  ComparedRun meet_tolerance(const MakeObservers&);
  /// A run as the analysis says, and one with every step halved. Collective.
  ComparedRun run_twice(const MakeObservers&);
  /// One run; `what` it is stands in the line that tells of it. Collective.
  ComparedRun run(SimulationOptions, const std::vector<Observer*>&, const std::string& what);
  /// What the comparison of runs with other steps has found; nothing without one.
  const std::optional<ErrorBars>& bars() const { return bars_; }
  /// Of all runs so far.
  long steps() const { return steps_; }
  int runs() const { return runs_; }

 private:
  ComparedRun run_parts(const ComparedRun&, int parts, const std::vector<Observer*>&);
  ErrorVerdict compare(const ComparedRun& judged, const ComparedRun& other, double length, const ComparedRun* coarsest = nullptr);
  void report(const ErrorVerdict&);

  BuiltModel& built_;
  const Sensors& sensors_;
  SimulationOptions options_;
  RunReport& report_;
  bool quiet_;
  MPI_Comm comm_;
  Configuration begin_q_;
  VecHandle begin_z_;
  double tolerance_;
  std::optional<ErrorBars> bars_;
  long steps_ = 0;  ///< of all runs
  int runs_ = 0;
};

}  // namespace sinew
