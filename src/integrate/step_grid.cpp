#include "integrate/step_grid.hpp"

namespace sinew {

void GridRecorder::observe(const Snapshot& snapshot) {
  const double t = snapshot.state.t;
  if (times_.empty()) {
    times_.push_back(t);
  } else if (t > times_.back()) {
    ++steps_;
    if (snapshot.is_at_switch) return;
    times_.push_back(t);
    counts_.push_back(steps_);
    steps_ = 0;
  }
}

StepGrid GridRecorder::divided(int parts) const {
  StepGrid grid;
  for (std::size_t k = 1; k < times_.size(); ++k) {
    const int count = parts * counts_[k - 1];
    const double begin = times_[k - 1], step = (times_[k] - begin) / count;
    for (int part = 1; part < count; ++part) grid.times.push_back(begin + part * step);
    grid.times.push_back(times_[k]);
  }
  return grid;
}

}  // namespace sinew
