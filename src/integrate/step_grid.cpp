#include "integrate/step_grid.hpp"

namespace sinew {

void GridRecorder::observe(const Snapshot& snapshot) {
  if (snapshot.is_again) return;  // no step leads there
  const double t = snapshot.state.t;
  if (ends_.empty() || t > ends_.back().time) ends_.push_back({t, snapshot.is_at_switch});
}

StepGrid GridRecorder::divided(int parts) const {
  StepGrid grid;
  for (std::size_t k = 1; k < ends_.size(); ++k) {
    const auto& [end, is_at_switch] = ends_[k];
    const double begin = ends_[k - 1].time, step = (end - begin) / parts;
    for (int part = 1; part < parts; ++part) grid.times.push_back(begin + part * step);
    const bool is_own = is_at_switch && k + 1 < ends_.size();
    (is_own ? grid.switches : grid.times).push_back(end);
  }
  return grid;
}

}  // namespace sinew
