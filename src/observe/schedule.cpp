#include "observe/schedule.hpp"

#include <cmath>
#include <utility>

namespace sinew {

Schedule::Schedule(Interval interval, double start_time, double fallback)
    : interval_(interval), start_time_(start_time), last_write_(std::chrono::steady_clock::now()) {
  if (interval_.unit == Interval::Unit::unset) {
    interval_.unit = Interval::Unit::simulated;
    interval_.value = fallback;
  }
}

/// Rank 0's clock decides for all.
bool Schedule::is_clock_due(MPI_Comm comm) {
  const auto now = std::chrono::steady_clock::now();
  int is_due = std::chrono::duration<double>(now - last_write_).count() >= interval_.value ? 1 : 0;
  MPI_Bcast(&is_due, 1, MPI_INT, 0, comm);
  if (is_due != 0) last_write_ = now;
  return is_due != 0;
}

void Schedule::begin_behind(const Snapshot& snapshot) {
  last_step_ = snapshot.counted_steps();
  if (interval_.value > 0) next_ = std::floor((snapshot.state.t - start_time_) / interval_.value + 1e-9) + 1;
}

void Schedule::persist(const Archive& archive) { is_resumed_ = is_resumed_ || archive.is_reading(); }

bool Schedule::is_due(const Snapshot& snapshot, MPI_Comm comm) {
  if (snapshot.is_first && is_resumed_) {
    begin_behind(snapshot);  // the interval may be another one than before
    return false;
  }
  bool is_due = snapshot.number == 0 || snapshot.is_first || snapshot.is_last;
  switch (interval_.unit) {
    case Interval::Unit::steps: {
      const long every = std::max(1L, std::lround(interval_.value));
      const long now = snapshot.counted_steps(), last = std::exchange(last_step_, now);
      return is_due || every == 1 || now / every > last / every;
    }
    case Interval::Unit::wall_clock: return is_clock_due(comm) || is_due;
    case Interval::Unit::simulated:
    case Interval::Unit::unset: break;
  }
  if (interval_.value <= 0) return true;
  const double passed = (snapshot.state.t - start_time_) / interval_.value;
  if (passed >= next_ - 1e-9) {
    is_due = true;
    next_ = std::floor(passed + 1e-9) + 1;
  }
  return is_due;
}

}  // namespace sinew
