/// \file
/// Signals as a request to stop between two steps, or inside work that has none.
#pragma once

#include <mpi.h>

#include <array>
#include <csignal>

namespace sinew {

/// While it lives, the first SIGINT, SIGQUIT, SIGTERM, SIGHUP (a terminal that closes; not where `nohup` has it ignored),
/// SIGUSR1, SIGUSR2 (which batch systems send before their limit of time, and `mpirun` hands on to all ranks) or SIGXCPU (a
/// limit of time) is noted, and the last words of the run are left, should there be no time for more; a second one ends the
/// process as ever. One at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// The number of a signal that some rank has got, 0: none. Collective.
  int received(MPI_Comm comm) const;

  static constexpr std::array<int, 7> caught = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU};

 private:
  std::array<struct sigaction, caught.size()> former_{};
};

/// How a stop leaves work that has no time steps to stop between: increments, relaxation, searches for eigenvalues.
struct Stopped {
  int signal = 0;
};

/// Throws Stopped where some rank has got a signal while a StopSignals lives (where none lives, signals do what they do without
/// us): for long work without steps in time, between those parts of it that cannot be left (a factorisation, a solution). No step
/// in time may call it, which would be left half done. Collective.
void heed_signals(MPI_Comm comm);

}  // namespace sinew
