/// \file
/// What observers and writers of checkpoints see of a run in time.
#pragma once

#include "integrate/integrator.hpp"
#include "system/archive.hpp"

#include <functional>

namespace sinew {

/// One row of steps.csv: an attempt at a step.
struct StepRecord {
  long number = 0;  ///< counts accepted steps from 1
  double time = 0;  ///< at the end of the step (that was tried)
  double step = 0;
  StepOutcome outcome;
  double seconds = 0;  ///< wall clock of the attempt
};

/// What observers see after the start and after every accepted step.
struct Snapshot {
  const State& state;
  PetscVec acceleration;  ///< at t_n; null for checkpoints
  long number = 0;        ///< accepted steps so far, 0: the start
  bool is_last = false;
  bool is_at_switch = false;    ///< the step ended where a switch of the state changes, at a time of this run alone
  bool is_first = false;        ///< where this run began: the start, or the checkpoint that it goes on from
  bool is_before_jump = false;  ///< the last instant before something jumps that acts at times known beforehand
  long prescribed = -1;         ///< prescribed steps that have ended, whatever pieces they were taken in; -1: as `number`
  bool is_again = false;        ///< the last one was of the same time, before what has jumped there and ends the run

  /// What intervals in steps count.
  long counted_steps() const { return prescribed < 0 ? number : prescribed; }
};

/// Collective calls, on all ranks in the same order.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void observe(const Snapshot&) = 0;
  virtual void record(const StepRecord&) {}
  /// A switch of the state changes within a prescribed step, at a time at which nothing is observed.
  virtual void pass_switch(double /*time*/) {}
  /// How far what has been written goes; taken back: what was written behind that is gone, and the next step follows. Collective.
  virtual void persist(Archive&) {}
};

/// Says when a run is to write down what it needs to go on, and does it. Collective calls, on all ranks in the same order.
class CheckpointWriter {
 public:
  virtual ~CheckpointWriter() = default;
  /// The run begins here, where none is needed.
  virtual void begin_behind(const Snapshot&) = 0;
  /// Is it time for one behind this step?
  virtual bool is_due(const Snapshot&) = 0;
  /// Do steps and times of the model say when, and no clock: are those of a run that is repeated the same?
  virtual bool is_repeatable() const = 0;
  /// Writes what `persist` passes. Throws EnvironmentError.
  virtual void write(const Snapshot&, const std::function<void(Archive&)>& persist) = 0;
};

}  // namespace sinew
