/// \file
/// The steps that a run has taken, so that another can take them again, each of them in parts.
#pragma once

#include "integrate/simulation.hpp"

namespace sinew {

/// Notes where the accepted steps of a run end. What a switch has ended is joined with the steps that follow: when it changes
/// belongs to that run alone.
class GridRecorder final : public Observer {
 public:
  void observe(const Snapshot&) override;
  /// Every step in so many equal parts.
  StepGrid divided(int parts) const;

 private:
  std::vector<double> times_;
  std::vector<int> counts_;  ///< steps between two times
  int steps_ = 0;            ///< since the last time
};

}  // namespace sinew
