#include "observe/creep_recorder.hpp"

#include "base/timing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

CreepRecorder::CreepRecorder(const DynamicSystem& system, SensorSeries::Measure measure, double duration,
                             std::function<PetscVec()> creep)
    : system_(system),
      measure_(std::move(measure)),
      duration_(duration),
      creep_(std::move(creep)),
      moved_(system.make_configuration()),
      way_(system.make_dof_vector()),
      velocity_(system.make_dof_vector()) {}

/// What sensors say with so much more velocity, and moved by what that covers in the run.
std::vector<double> CreepRecorder::with_more(const Snapshot& snapshot, PetscVec velocity) {
  const State& s = snapshot.state;
  petsc(VecCopy(velocity, way_));
  petsc(VecScale(way_, duration_));
  system_.retract(s.q, way_, moved_);
  petsc(VecWAXPY(velocity_, 1.0, velocity, s.z));
  return measure_({s.t, &moved_, velocity_, s.lambda}, snapshot.acceleration);
}

void CreepRecorder::observe(const Snapshot& snapshot) {
  const State& s = snapshot.state;
  PetscVec creep = creep_();
  is_ever_free_ = is_ever_free_ || creep == nullptr;
  if (creep == nullptr) return;
  const TimedPhase timer(Phase::output);
  const std::vector<double> here = measure_({s.t, &s.q, s.z, s.lambda}, snapshot.acceleration);
  const std::vector<double> crept = with_more(snapshot, creep), moved = with_more(snapshot, s.z);
  largest_.resize(here.size(), 0.0);
  is_held_.resize(here.size(), 1);
  for (std::size_t c = 0; c < here.size(); ++c) {
    const double most = std::abs(crept[c] - here[c]);
    largest_[c] = std::max(largest_[c], most);
    if (std::abs(moved[c] - here[c]) > most) is_held_[c] = 0;
  }
}

/// A width is 2 sqrt(epsilon) of what counts of an argument, and so is the creep.
Creep CreepRecorder::creep(double width) const {
  const double part = 2 * width * std::sqrt(std::numeric_limits<double>::epsilon());
  Creep found{largest_, {}};
  for (std::size_t c = 0; c < largest_.size(); ++c)
    found.held_sizes.push_back(is_ever_free_ || is_held_[c] == 0 ? Creep::not_held : largest_[c] / part);
  return found;
}

}  // namespace sinew
