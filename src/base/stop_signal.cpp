#include "base/stop_signal.hpp"

#include "base/last_words.hpp"

namespace sinew {

namespace {

volatile std::sig_atomic_t noted = 0;
bool is_caught = false;

int noted_on_any(MPI_Comm comm) {
  int signal = noted;
  MPI_Allreduce(MPI_IN_PLACE, &signal, 1, MPI_INT, MPI_MAX, comm);
  return signal;
}

void note(int signal) {
  noted = signal;
  std::signal(signal, SIG_DFL);
  LastWords::stopped_by(signal);
}

}  // namespace

StopSignals::StopSignals() {
  noted = 0;
  is_caught = true;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : caught) sigaddset(&action.sa_mask, signal);
  for (std::size_t i = 0; i < caught.size(); ++i) {
    sigaction(caught[i], nullptr, &former_[i]);
    const bool is_nohup = caught[i] == SIGHUP && former_[i].sa_handler == SIG_IGN;
    if (!is_nohup) sigaction(caught[i], &action, nullptr);
  }
}

StopSignals::~StopSignals() {
  is_caught = false;
  for (std::size_t i = 0; i < caught.size(); ++i) sigaction(caught[i], &former_[i], nullptr);
}

int StopSignals::received(MPI_Comm comm) const { return noted_on_any(comm); }

void heed_signals(MPI_Comm comm) {
  if (!is_caught) return;
  if (const int signal = noted_on_any(comm); signal != 0) throw Stopped{signal};
}

}  // namespace sinew
