/// \file
/// Steps of a run with error control that stay short although no error asks for it.
#pragma once

#include <string>

namespace sinew {

struct StepOutcome;

/// Steps that equations without a solution keep short, by failed attempts at longer ones, while errors would let them grow: as
/// where constraints begin to contradict each other, which shows by rounding at first. The run would go on with such steps for
/// ever. Local; all ranks see the same.
class StuckSteps {
 public:
  /// An attempt from t with a step of h, and what has become of it. `change`: the model has changed at its end.
  void note(double t, double h, const StepOutcome& outcome, bool change);
  /// Why the rest of a run, of this length, would take for ever, in a sentence; empty: it would not, as far as is known.
  std::string verdict(double rest) const;

 private:
  /// From one time on: attempts that had no solution, and steps that were made between them.
  struct Window {
    double begin = 0, end = 0;
    long failed = 0, made = 0;
    double mean() const { return (end - begin) / static_cast<double>(made); }
  };

  Window before_, now_;  ///< one that was full, and the one after it
  std::string failure_, refused_;
};

}  // namespace sinew
