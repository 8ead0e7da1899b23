#include "base/timing.hpp"

#include "base/petsc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace sinew {

namespace {

using Clock = std::chrono::steady_clock;

/// The running count: which phase is on top, since when, and what PETSc calls them.
struct Account {
  std::array<double, num_phases> seconds{};
  Phase current = Phase::other;
  Clock::time_point since = Clock::now();
  std::array<PetscLogEvent, num_phases> events{};
  std::array<PetscLogStage, num_phases> stages{};
  bool is_registered = false;

  /// Books the time since the last change.
  void close() {
    const Clock::time_point now = Clock::now();
    seconds[static_cast<std::size_t>(current)] += std::chrono::duration<double>(now - since).count();
    since = now;
  }
};

Account& account() {
  static Account instance;
  return instance;
}

bool is_stage(Phase phase) { return phase == Phase::setup || phase == Phase::output; }

bool petsc_runs() {
  PetscBool started = PETSC_FALSE, ended = PETSC_FALSE;
  PetscInitialized(&started);
  PetscFinalized(&ended);
  return started == PETSC_TRUE && ended == PETSC_FALSE;
}

/// What PETSc calls the phases is forgotten when it ends; it may be started again.
PetscErrorCode forget_registration() {
  account().is_registered = false;
  return 0;
}

/// Makes the phases known to PETSc, once it runs.
void register_phases(Account& a) {
  if (a.is_registered || !petsc_runs()) return;
  PetscClassId id = 0;
  petsc(PetscClassIdRegister("Sinew", &id));
  for (int p = 1; p < num_phases; ++p) {
    const std::string name = std::string("Sinew ") + name_of(static_cast<Phase>(p));
    petsc(PetscLogEventRegister(name.c_str(), id, &a.events[p]));
    if (is_stage(static_cast<Phase>(p))) petsc(PetscLogStageRegister(name.c_str(), &a.stages[p]));
  }
  petsc(PetscRegisterFinalize(&forget_registration));
  a.is_registered = true;
}

}  // namespace

const char* name_of(Phase phase) {
  constexpr const char* names[num_phases] = {"other", "setup", "assembly", "factorization", "solve", "output"};
  return names[static_cast<int>(phase)];
}

TimedPhase::TimedPhase(Phase phase) : outer_(account().current), phase_(phase) {
  Account& a = account();
  a.close();
  a.current = phase_;
  if (phase_ == Phase::other) return;
  register_phases(a);
  if (!a.is_registered) return;
  const auto p = static_cast<std::size_t>(phase_);
  if (is_stage(phase_)) PetscLogStagePush(a.stages[p]);
  PetscLogEventBegin(a.events[p], nullptr, nullptr, nullptr, nullptr);
}

TimedPhase::~TimedPhase() {
  Account& a = account();
  if (phase_ != Phase::other && a.is_registered && petsc_runs()) {
    const auto p = static_cast<std::size_t>(phase_);
    PetscLogEventEnd(a.events[p], nullptr, nullptr, nullptr, nullptr);
    if (is_stage(phase_)) PetscLogStagePop();
  }
  a.close();
  a.current = outer_;
}

std::array<double, num_phases> phase_seconds() {
  account().close();
  return account().seconds;
}

PhaseTimes gather_phase_times(MPI_Comm comm, const std::array<double, num_phases>& since) {
  PhaseTimes times;
  auto mine = phase_seconds();
  for (std::size_t p = 0; p < mine.size(); ++p) mine[p] -= since[p];
  int size = 1;
  MPI_Comm_size(comm, &size);
  MPI_Allreduce(mine.data(), times.mean.data(), num_phases, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Allreduce(mine.data(), times.largest.data(), num_phases, MPI_DOUBLE, MPI_MAX, comm);
  double total = 0;
  for (const double s : mine) total += s;
  MPI_Allreduce(&total, &times.total, 1, MPI_DOUBLE, MPI_MAX, comm);
  for (double& s : times.mean) s /= size;
  return times;
}

std::string to_text(const PhaseTimes& times) {
  double sum = 0;
  for (const double s : times.mean) sum += s;
  std::string text = fmt::format("{:<16}{:>10}{:>9}{:>22}\n", "where time went", "seconds", "share", "slowest rank / mean");
  const auto line = [&](const char* name, double mean, double largest) {
    text += fmt::format("{:<16}{:>10.3f}{:>8.1f}%", name, mean, sum > 0 ? 100 * mean / sum : 0.0);
    text += mean > 0 ? fmt::format("{:>22.2f}\n", largest / mean) : std::string("\n");
  };
  for (int p = 1; p < num_phases; ++p)
    if (times.mean[p] > 0) line(name_of(static_cast<Phase>(p)), times.mean[p], times.largest[p]);
  line(name_of(Phase::other), times.mean[0], times.largest[0]);
  text += fmt::format("{:<16}{:>10.3f}\n", "total", times.total);
  return text;
}

}  // namespace sinew
