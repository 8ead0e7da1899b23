#include "base/stop_signal.hpp"

#include <csignal>

namespace sinew {

namespace {

volatile std::sig_atomic_t noted = 0;

void note(int signal) {
  noted = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

StopSignals::StopSignals() {
  noted = 0;
  old_interrupt_ = std::signal(SIGINT, note);
  old_terminate_ = std::signal(SIGTERM, note);
}

StopSignals::~StopSignals() {
  std::signal(SIGINT, old_interrupt_);
  std::signal(SIGTERM, old_terminate_);
}

int StopSignals::received(MPI_Comm comm) const {
  int signal = noted;
  MPI_Allreduce(MPI_IN_PLACE, &signal, 1, MPI_INT, MPI_MAX, comm);
  return signal;
}

}  // namespace sinew
