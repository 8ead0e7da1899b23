#include "integrate/step_grid.hpp"

namespace sinew {

void GridRecorder::observe(const Snapshot& snapshot) {
  if (times_.empty() || snapshot.state.t > times_.back()) times_.push_back(snapshot.state.t);
}

StepGrid GridRecorder::divided(int parts) const {
  StepGrid grid;
  for (std::size_t k = 1; k < times_.size(); ++k) {
    const double begin = times_[k - 1], step = (times_[k] - begin) / parts;
    for (int part = 1; part < parts; ++part) grid.times.push_back(begin + part * step);
    grid.times.push_back(times_[k]);
  }
  return grid;
}

}  // namespace sinew
