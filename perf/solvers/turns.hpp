/// \file
/// Measuring the work of many ranks on few cores: one at a time, while the others sleep.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace sinew::perf {

/// CPU seconds of this thread.
inline double cpu_seconds() {
  std::timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Ranks take turns. Those that wait do so asleep, so that they take neither time nor cache from the one whose turn it is.
class Turns {
 public:
  Turns(MPI_Comm comm, int repeats) : repeats_(repeats) {
    MPI_Comm_dup(comm, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  ~Turns() { MPI_Comm_free(&comm_); }
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  /// Until all ranks are here. Collective.
  void wait_for_all() const {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm_, &request);
    for (int is_done = 0;;) {
      MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
      if (is_done) return;
      sleep();
    }
  }

  /// The CPU seconds that a job takes on this rank, the smallest of several times, the first left out: caches are warm. What is
  /// over soon is done so often that reading the clock, a system call of about half a microsecond, does not count. Collective.
  template <class Job>
  double time(const Job& job) const {
    constexpr double long_enough = 1e-4;
    wait_for_all();
    wait_for_turn();
    job();
    double best = seconds_of(job, 1);
    const int times = best < long_enough ? static_cast<int>(std::ceil(long_enough / best)) : 1;
    for (int i = 0; i < repeats_; ++i) best = std::min(best, seconds_of(job, times));
    if (rank_ + 1 < size_) MPI_Send(nullptr, 0, MPI_INT, rank_ + 1, 0, comm_);
    return best;
  }

 private:
  /// Of one of so many in a row.
  template <class Job>
  static double seconds_of(const Job& job, int times) {
    const double start = cpu_seconds();
    for (int i = 0; i < times; ++i) job();
    return (cpu_seconds() - start) / times;
  }
  /// Long enough for 256 others to look whether it is their turn meanwhile, and so long that they seldom disturb who works.
  static void sleep() {
    const std::timespec pause{0, 5000000};
    nanosleep(&pause, nullptr);
  }
  void wait_for_turn() const {
    if (rank_ == 0) return;
    for (int is_here = 0; !is_here; sleep()) MPI_Iprobe(rank_ - 1, 0, comm_, &is_here, MPI_STATUS_IGNORE);
    MPI_Recv(nullptr, 0, MPI_INT, rank_ - 1, 0, comm_, MPI_STATUS_IGNORE);
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int repeats_, rank_ = 0, size_ = 1;
};

}  // namespace sinew::perf
