#include "observe/run_record.hpp"

#include "observe/json_writer.hpp"
#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace sinew {

namespace {

/// Beyond what run.json holds at the start: a reason, warnings, figures of some hundred modes.
constexpr std::int64_t reserved = 1 << 17;

/// What stands between the quotes of a JSON string.
std::string inside_json(const std::string& text) {
  const std::string quoted = json_text(text);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

void RunRecord::open(const std::optional<std::filesystem::path>& directory) {
  is_open_ = true;
  if (!directory) return;
  file_ = *directory / "run.json";
  const RunText run = write_run_report(comm_, file_, report_);
  const int rank = comm_rank(comm_);
  if (rank == 0) reserve_.take(*directory, static_cast<std::int64_t>(run.text.size()) + reserved);
  words_ = std::make_unique<LastWords>(file_, run.text.substr(0, run.outcome_begin), run.text.substr(run.outcome_end), rank);
}

void RunRecord::observe(const Snapshot& snapshot) {
  if (words_) words_->progress(snapshot.state.t, snapshot.number);
}

/// Where the disk refuses even this, the file that is there takes the outcome.
void RunRecord::write() {
  reserve_.release();
  try {
    write_run_report(comm_, file_, report_);
  } catch (const EnvironmentError&) {
    if (comm_rank(comm_) == 0) words_->leave(report_.outcome.c_str(), inside_json(report_.reason).c_str());
    words_.reset();
    throw;
  }
  words_.reset();
}

void RunRecord::close(const std::string& outcome, const std::string& reason) {
  report_.outcome = outcome;
  report_.reason = reason;
  if (words_) write();
}

/// The rank that has failed while others wait for it elsewhere says so and ends them all.
void RunRecord::fail_alone(int code, const std::string& reason) {
  const std::string words = fmt::format("rank {}: {}", comm_rank(comm_), reason);
  reserve_.release();
  if (words_) words_->leave("failed", inside_json(words).c_str());
  std::fprintf(stderr, "error: %s\n", words.c_str());
  MPI_Abort(comm_, code);
}

void RunRecord::fail(int code, const std::string& reason) {
  report_.outcome = "failed";
  report_.reason = reason;
  if (!is_open_) return;
  if (!all_ranks_arrive(comm_)) fail_alone(code, reason);
  if (!words_) return;
  try {
    write();
  } catch (const EnvironmentError&) {  // what has failed first is what the user hears of
  }
}

}  // namespace sinew
