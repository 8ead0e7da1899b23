/// \file
/// What of a recorded quantity may be no motion but the creep of what dry friction holds.
#pragma once

#include "integrate/simulation.hpp"
#include "observe/sensor_series.hpp"

#include <functional>
#include <vector>

namespace sinew {

/// What sliding switches hold creeps within their width (docs/theory/events.md), and no longer than the run. By how much this may
/// change what is recorded: the difference of what sensors say with such velocities and such a way more. What moves no faster
/// than that at any time is held all along.
class CreepRecorder final : public Observer {
 public:
  /// `creep`: as Simulation::creep. All must outlive it.
  CreepRecorder(const DynamicSystem&, SensorSeries::Measure, double duration, std::function<PetscVec()> creep);
  void observe(const Snapshot&) override;
  /// Of what was recorded, on rank 0. `width`: SimulationOptions::sliding_width of the run.
  Creep creep(double width) const;

 private:
  std::vector<double> with_more(const Snapshot&, PetscVec velocity);

  const DynamicSystem& system_;
  SensorSeries::Measure measure_;
  double duration_;
  std::function<PetscVec()> creep_;
  Configuration moved_;
  VecHandle way_, velocity_;
  std::vector<double> largest_;  ///< creep so far, of each column; no list: nothing has slid
  std::vector<char> is_held_;    ///< all along
  bool is_ever_free_ = false;    ///< nothing slides
};

}  // namespace sinew
