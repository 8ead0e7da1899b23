/// \file
/// The steps that a run has taken, so that another can take them again, each of them in parts.
#pragma once

#include "integrate/simulation.hpp"

namespace sinew {

/// Notes where the accepted steps of a run end, and which of them a switch has ended: when it changes belongs to that run alone.
class GridRecorder final : public Observer {
 public:
  void observe(const Snapshot&) override;
  void pass_switch(double time) override { ends_.push_back({time, true}); }
  /// Every step in so many equal parts. Where a switch has ended one, the last part before and the first part behind are one
  /// step, which the switch ends where it changes in the run that takes it: so what is left of that step is divided, too, and no
  /// sliver remains between the times of the two runs. The time of the change is one of the grid's switches.
  StepGrid divided(int parts) const;

 private:
  struct End {
    double time = 0;
    bool is_at_switch = false;
  };
  std::vector<End> ends_;  ///< the first is where the run begins
};

}  // namespace sinew
