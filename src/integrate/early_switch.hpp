/// \file
/// Steps of a run that takes those of another, where it meets a switch of the state before that one did.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace sinew {

/// The steps of another run, or parts of them.
struct StepGrid {
  std::vector<double> times;     ///< at which steps end, rising
  std::vector<double> switches;  ///< behind which the other run took up new steps, at times of its own; rising
};

/// Two runs meet the same switch at times that differ by their errors. Behind a switch the steps of the grid begin at that of the
/// other run. A run that meets it earlier would come there in one step, which is no shorter the shorter those of the grid are:
/// what it errs by does not fall with them, and no difference of runs shows it. Until the other run's time it therefore takes
/// the steps that the grid has behind that, each of them as much earlier as the switch is.
class EarlySwitch {
 public:
  /// In a run on this grid, which must outlive it, a switch changes at t. It is that of the other run which lies nearest, if that
  /// is no further than the step is long which it has ended.
  void note(const StepGrid&, double t);
  /// Where the next step from t ends, on the way to a time that is to be met.
  double step_end(double t, double target);

 private:
  const StepGrid* grid_ = nullptr;
  double until_ = -std::numeric_limits<double>::infinity();  ///< the other run's time
  double lead_ = 0;                                          ///< so much earlier
  std::size_t next_ = 0;                                     ///< of the grid's times
};

}  // namespace sinew
