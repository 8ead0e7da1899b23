/// \file
/// Runs that are compared, so that every recorded quantity has an error bar.
#pragma once

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
/// What the whole run may be wrong by, which has error bars of its own; 0: it has no such bound.
double global_tolerance(const Analysis&);
/// Throws InputError where they cannot be had: nothing is recorded, or the order of the method changes from step to step.
void require_error_bars(const Analysis&, const Sensors&);

class ToleranceAttempts;

/// One run of several: the steps it took and all that was recorded.
struct ComparedRun {
  SensorSeries series;
  GridRecorder grid;
  std::unique_ptr<Integrator> integrator;
  State state;
  double sliding_width = 1;  ///< as in SimulationOptions
  bool is_over = false;      ///< as in SimulationSummary; of a run with parts of another's steps whether that one was
};

/// What a run that is to be kept needs beside its series: files, progress. May be empty.
using MakeObservers = std::function<std::vector<Observer*>()>;

/// A motion that can be run again and again: a model's, or one given by equations.
struct RecordedMotion {
  const DynamicSystem* system = nullptr;
  Analysis analysis;
  std::function<void(State&)> begin;  ///< sets the state before it is made consistent; of what went before all is forgotten
  std::vector<std::string> columns;   ///< names of what is recorded, on rank 0
  std::set<std::string> numbers;      ///< sensors of these whose columns are no components of vectors, as in ErrorRule
  SensorSeries::Measure measure;
  SensorSeries::Terms terms;                           ///< may be empty
  Interval recorded;                                   ///< how often a row of it is kept: errors are judged there
  std::function<void(const std::string&)> tell, warn;  ///< lines for the user; may be empty
};

/// The same motion with different steps. What sliding switches creep within their width falls like the errors of the steps: runs
/// whose steps are half as long slide within 2^-p of the width, p the order, the one that is judged within that of a single run.
class ErrorBarRun {
 public:
  /// What the motion refers to, and the report, must outlive it.
  ErrorBarRun(RecordedMotion, SimulationOptions, RunReport&);

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
  std::optional<ComparedRun> first_run(ToleranceAttempts&);
  ComparedRun run_parts(const ComparedRun&, int parts, const std::vector<Observer*>&);
  ErrorVerdict compare(const ComparedRun& judged, const ComparedRun& other, double length, const ComparedRun* coarsest = nullptr);
  void report(const ErrorVerdict&);
  void tell(const std::string& line) const;

  RecordedMotion motion_;
  SimulationOptions options_;
  RunReport& report_;
  MPI_Comm comm_;
  double tolerance_;
  std::optional<ErrorBars> bars_;
  long steps_ = 0;  ///< of all runs
  int runs_ = 0;
};

}  // namespace sinew
