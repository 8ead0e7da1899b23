/// \file
/// SIGINT and SIGTERM as a request to stop between two steps.
#pragma once

#include <mpi.h>

namespace sinew {

/// While it lives, the first SIGINT or SIGTERM is noted; a second one ends the process as ever. One at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// The number of a signal that some rank has got, 0: none. Collective.
  int received(MPI_Comm comm) const;

 private:
  void (*old_interrupt_)(int);
  void (*old_terminate_)(int);
};

}  // namespace sinew
