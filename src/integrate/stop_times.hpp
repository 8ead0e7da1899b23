/// \file
/// Times at which a step must end: multiples of output intervals, breakpoints of the loads and drives, the end.
#pragma once

#include "system/dynamic_system.hpp"

#include <vector>

namespace sinew {

class StopTimes {
 public:
  /// `intervals`: steps end at start + k interval. Breakpoints must rise.
  StopTimes(double start, double end, std::vector<double> intervals, std::vector<Breakpoint> breakpoints);

  /// The first of them after t. Times that lie together within rounding count once; a breakpoint then gives the time.
  double next(double t) const;
  /// The breakpoint before which t lies at once; null where there is none.
  const Breakpoint* breakpoint_at(double t) const;

 private:
  double start_, end_;
  std::vector<double> intervals_;
  std::vector<Breakpoint> breakpoints_;
};

}  // namespace sinew
