/// \file
/// When something is written: the start, then every so many steps or seconds, and the end.
#pragma once

#include "integrate/simulation.hpp"
#include "model/analysis.hpp"

#include <mpi.h>

#include <chrono>

namespace sinew {

/// Intervals of one step are due at every step, pieces of prescribed ones included; those of more at the first one that is shown
/// whose number is a multiple or lies behind one (prescribed steps count once, whatever pieces they were taken in). Intervals in
/// simulated seconds are due at the first step that ends at or after their time (1e-9 of the interval before counts as at).
class Schedule {
 public:
  /// `fallback` seconds of simulated time where the model file has no interval.
  Schedule(Interval interval, double start_time, double fallback);

  /// Is a write due after this step? True at the start and at the end. Wall clock intervals follow rank 0: collective.
  bool is_due(const Snapshot& snapshot, MPI_Comm comm);
  /// What was due until then is not due any more.
  void begin_behind(const Snapshot&);
  /// Taken back: what is written goes on, and the state that the run begins with stands there already.
  void persist(const Archive&);

 private:
  bool is_clock_due(MPI_Comm comm);

  Interval interval_;
  double start_time_;
  double next_ = 0;          ///< number of the next interval's end
  long last_step_ = 0;       ///< that has been asked about
  bool is_resumed_ = false;  ///< what is written goes on
  std::chrono::steady_clock::time_point last_write_;
};

}  // namespace sinew
