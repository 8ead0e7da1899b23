/// \file
/// The steps that a run has taken, so that another can take them again, each of them in parts.
#pragma once

#include "integrate/simulation.hpp"

namespace sinew {

/// Notes where the accepted steps of a run end. One that an event has ended is joined with what follows: the event belongs to that
/// run alone.
class GridRecorder final : public Observer {
 public:
  void observe(const Snapshot&) override;
  /// Every step in so many equal parts.
  StepGrid divided(int parts) const;

 private:
  std::vector<double> times_;
};

}  // namespace sinew
