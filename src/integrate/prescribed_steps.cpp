#include "integrate/prescribed_steps.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// What is shorter than this part of a step is joined with its neighbour.
constexpr double sliver = 1.0 / 3;

}  // namespace

double PrescribedSteps::next_time(double t, StopTimes& stops) {
  const double stop = stops.next(t, step());
  const auto least = [&] { return sliver * std::min(step(), stop - t); };
  while (time(next_) - t < least()) ++next_;
  const double end = time(next_), near = stops.is_end(stop) ? same_time * step() : least();
  return stop - end < near ? stop : end;
}

bool PrescribedSteps::ends_at(double t) const { return std::abs(t - time(next_)) <= same_time * step(); }

long PrescribedSteps::num_ended(double t) const { return time(next_) - t <= same_time * step() ? next_ + 1 : next_; }

bool PrescribedSteps::is_shorter_than(double span) const {
  return span > (1 + same_time) * std::max(step(), steps_.step(next_ + 1));
}

void PrescribedSteps::persist(Archive& archive) {
  archive.pass("next_step", next_);
  archive.pass("list_begins", begin_);
}

}  // namespace sinew
