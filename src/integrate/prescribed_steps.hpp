/// \file
/// A list of steps that are prescribed, and where a run is in it.
#pragma once

#include "integrate/stop_times.hpp"
#include "model/analysis.hpp"
#include "system/archive.hpp"

namespace sinew {

class PrescribedSteps {
 public:
  /// Rounding of times, relative to a step.
  static constexpr double same_time = 1e-6;

  /// The first one begins at this time.
  PrescribedSteps(StepSequence steps, double begin) : steps_(std::move(steps)), begin_(begin) {}

  /// The next time at which a step ends, after t: the end of the next prescribed step or of a later one, which is the next then,
  /// or a time that must be met. A prescribed time that lies closer to one of those than a third of the step, or of what lies
  /// between two of them, is left out, so that no sliver remains.
  double next_time(double t, StopTimes&);
  /// Size of the next one.
  double step() const { return steps_.step(next_); }
  /// Does the next one end at t, but for rounding?
  bool ends_at(double t) const;
  /// How many have ended at t, the time that the run has come to.
  long num_ended(double t) const;
  /// Is it more than the next step, and than the one behind it?
  bool is_shorter_than(double span) const;
  void persist(Archive&);

 private:
  double time(long n) const { return begin_ + steps_.sum(n + 1); }

  StepSequence steps_;
  double begin_ = 0;
  long next_ = 0;
};

}  // namespace sinew
