/// \file
/// Where the time goes: wall clock of the parts of a run, also as PETSc log stages and events (`-log_view`).
#pragma once

#include <mpi.h>

#include <array>
#include <string>

namespace sinew {

/// Parts of a run. Parts may lie in one another; the time of the inner one is not counted in the outer one.
enum class Phase : int { other, setup, assembly, factorization, solve, output };
inline constexpr int num_phases = 6;

/// `assembly` and its like, as it stands in tables and in run.json.
const char* name_of(Phase phase);

/// Counts the time of a scope as that of a part of the run, and logs it with PETSc where PETSc runs. About 0.1 us; one thread.
/// Phases other than `assembly`, `factorization` and `solve` are also PETSc stages, so that -log_view shows set-up, steps and
/// output apart.
class TimedPhase {
 public:
  explicit TimedPhase(Phase phase);
  ~TimedPhase();
  TimedPhase(const TimedPhase&) = delete;
  TimedPhase& operator=(const TimedPhase&) = delete;

 private:
  Phase outer_;
  Phase phase_;
};

/// Seconds of this rank by phase since the program started; `other` is what no scope claimed.
std::array<double, num_phases> phase_seconds();

/// Seconds by phase over the ranks.
struct PhaseTimes {
  std::array<double, num_phases> mean{};
  std::array<double, num_phases> largest{};
  double total = 0;  ///< wall clock, largest of any rank
};
/// Reduces over the ranks what phase_seconds says beyond an earlier answer of it. Collective.
PhaseTimes gather_phase_times(MPI_Comm comm, const std::array<double, num_phases>& since = {});
/// The closing table of a run: a line for each part with seconds, share and imbalance, then the total.
std::string to_text(const PhaseTimes& times);

}  // namespace sinew
