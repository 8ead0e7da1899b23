/// \file
/// The line that tells how far a run is.
#pragma once

#include "integrate/simulation.hpp"

#include <mpi.h>

#include <chrono>
#include <string>

namespace sinew {

/// `t = 0.412 of 1 s   41 %   step 412   2.4 ms a step   0:03 to go`, on rank 0's standard error: rewritten five times a second
/// on a terminal, a line every tenth of the run (and not more often than every two seconds) elsewhere.
class ProgressLine final : public Observer {
 public:
  ProgressLine(MPI_Comm comm, double start_time, double end_time, bool is_quiet);
  ~ProgressLine() override;
  void observe(const Snapshot& snapshot) override;
  /// Ends the line, so that other output may follow.
  void finish();

 private:
  std::string text(double time, long step) const;

  double start_time_, end_time_;
  bool is_silent_;  ///< another rank, or --quiet
  bool is_terminal_;
  bool is_open_ = false;  ///< the cursor stands behind a line that is not ended
  double next_fraction_ = 0.1;
  long first_step_ = 0;  ///< accepted before this process began
  std::size_t last_width_ = 0;
  std::chrono::steady_clock::time_point begin_, last_;
};

/// `0:03`, `12:40`, `3:05:00`.
std::string clock_text(double seconds);

}  // namespace sinew
