/// \file
/// Times at which a step must end: multiples of output intervals, breakpoints of the loads and drives, the end.
#pragma once

#include "system/dynamic_system.hpp"

#include <functional>
#include <vector>

namespace sinew {

class StopTimes {
 public:
  /// Breakpoints between two times, rising.
  using Breakpoints = std::function<std::vector<Breakpoint>(double from, double to)>;

  /// `intervals`: steps end at start + k interval. Breakpoints are asked for some steps ahead, so that the search sees
  /// what is short beside a step. Collective where they are.
  StopTimes(double start, double end, std::vector<double> intervals, Breakpoints find = {});

  /// The first of them after t, for steps of about h. Times that lie together within rounding count once; a breakpoint then gives
  /// the time. Collective where the search is.
  double next(double t, double h);
  /// The breakpoint before which t lies at once; null where there is none.
  const Breakpoint* breakpoint_at(double t) const;

 private:
  void look_ahead(double t, double h);

  double start_, end_;
  std::vector<double> intervals_;
  Breakpoints find_;
  std::vector<Breakpoint> breakpoints_;  ///< of the last steps, and those to come until `known_`
  double known_;
};

}  // namespace sinew
