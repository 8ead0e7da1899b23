#include "observe/progress_line.hpp"

#include "partition/exchange.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sinew {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// `2.4 ms`, `1.3 s`.
std::string duration_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return fmt::format("{:.3g} s", seconds);
}

}  // namespace

std::string clock_text(double seconds) {
  if (!(seconds < 1e9)) return "?";
  const long s = std::lround(std::max(0.0, seconds));
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

ProgressLine::ProgressLine(MPI_Comm comm, double start_time, double end_time, bool is_quiet)
    : start_time_(start_time),
      end_time_(end_time),
      is_silent_(is_quiet || comm_rank(comm) != 0),
      is_terminal_(isatty(STDERR_FILENO) != 0),
      begin_(Clock::now()),
      last_(begin_) {}

ProgressLine::~ProgressLine() { finish(); }

std::string ProgressLine::text(double time, long step) const {
  const double span = end_time_ - start_time_, fraction = span > 0 ? (time - start_time_) / span : 1;
  const double passed = seconds_since(begin_);
  std::string line = fmt::format("t = {:.6g} of {:.6g} s  {:3.0f} %  step {}", time, end_time_, 100 * fraction, step);
  const long steps = step - first_step_;
  if (steps > 0) line += fmt::format("  {} a step", duration_text(passed / static_cast<double>(steps)));
  if (fraction >= 1)
    line += fmt::format("  in {}", clock_text(passed));
  else if (fraction > 0)
    line += fmt::format("  {} to go", clock_text(passed * (1 - fraction) / fraction));
  return line;
}

void ProgressLine::observe(const Snapshot& snapshot) {
  if (is_silent_) return;
  const double span = end_time_ - start_time_, fraction = span > 0 ? (snapshot.state.t - start_time_) / span : 1;
  const bool is_first = snapshot.number == 0 || snapshot.is_first;
  if (is_first) {
    begin_ = last_ = Clock::now();
    first_step_ = snapshot.number;
    if (!is_terminal_) return;
  }
  if (is_terminal_) {
    if (!is_first && !snapshot.is_last && seconds_since(last_) < 0.2) return;
    const std::string line = text(snapshot.state.t, snapshot.number);
    std::fprintf(stderr, "\r%-*s", static_cast<int>(last_width_), line.c_str());
    last_width_ = line.size();
    is_open_ = true;
  } else {
    if (!snapshot.is_last && (fraction < next_fraction_ || seconds_since(last_) < 2)) return;
    next_fraction_ = (std::floor(10 * fraction + 1e-9) + 1) / 10;
    std::fprintf(stderr, "%s\n", text(snapshot.state.t, snapshot.number).c_str());
  }
  std::fflush(stderr);
  last_ = Clock::now();
}

void ProgressLine::finish() {
  if (is_open_) std::fputc('\n', stderr);
  is_open_ = false;
}

}  // namespace sinew
