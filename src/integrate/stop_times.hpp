/// \file
/// Times at which a step must end: multiples of output intervals, breakpoints of the loads and drives, the end.
#pragma once

#include "system/archive.hpp"

#include <functional>
#include <vector>

namespace sinew {

class StopTimes {
 public:
  /// Breakpoints from a time on until another one, for steps of about `step`, rising.
  using Breakpoints = std::function<std::vector<Breakpoint>(double from, double to, double step)>;

  /// `intervals`: steps end at start + k interval. Breakpoints are asked for some steps ahead, so that the search sees what is
  /// short beside a step.
  StopTimes(double start, double end, std::vector<double> intervals, Breakpoints find = {});

  /// The first of them after t, for steps of about h. Times that lie together within rounding count once; a breakpoint then gives
  /// the time. Collective where the search is.
  double next(double t, double h);
  /// The breakpoint before which t lies at once, t the last time asked about or the answer; null where there is none.
  const Breakpoint* breakpoint_at(double t) const;
  /// Is nothing but rounding of a run's times between t and the next one? No step leads there, and nothing moves until then.
  bool is_at_once(double t, double next) const;
  /// What has been found ahead; intervals and the end are those of this run. Collective.
  void persist(Archive&);
  /// Is t the end, up to rounding? A breakpoint there gives the time as well.
  bool is_end(double t) const;

 private:
  void look_ahead(double t, double h);

  double start_, end_;
  std::vector<double> intervals_;
  Breakpoints find_;
  std::vector<Breakpoint> breakpoints_;  ///< from the last time asked about until `known_`
  double known_, step_ = 0;              ///< until when they have been looked for, and for which steps
};

}  // namespace sinew
