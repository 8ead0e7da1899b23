#include "base/last_words.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

namespace sinew {

namespace {

// Everything here runs in handlers of signals too: only system calls, and memory that is there already.

std::atomic<LastWords*> living = nullptr;

constexpr int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int num_crashes = sizeof crashes / sizeof crashes[0];
struct sigaction former[num_crashes];

bool put(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = write(file, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

/// A number as text.
template <class Number>
class Digits {
 public:
  explicit Digits(Number value) { end_ = std::to_chars(text_, text_ + sizeof text_, value).ptr; }
  operator std::string_view() const { return {text_, static_cast<std::size_t>(end_ - text_)}; }

 private:
  char text_[40];
  char* end_;
};

struct Words {
  std::string_view head, outcome, reason, tail;
  double time;
  long steps;
};

bool put_words(int file, const Words& w) {
  const Digits<double> time(w.time);
  const Digits<long> steps(w.steps);
  const std::string_view parts[] = {w.head,    ",\n  \"outcome\": \"",
                                    w.outcome, "\",\n  \"reason\": \"",
                                    w.reason,  "\",\n  \"summary\": {\n    \"end_time\": ",
                                    time,      ",\n    \"steps\": ",
                                    steps,     "\n  }",
                                    w.tail};
  for (const std::string_view part : parts)
    if (!put(file, part)) return false;
  return true;
}

}  // namespace

LastWords::LastWords(const std::filesystem::path& file, std::string head, std::string tail, int rank)
    : file_(file.string()),
      part_(file_ + ".last" + std::to_string(rank)),
      head_(std::move(head)),
      tail_(std::move(tail)),
      rank_(rank) {
  struct stat found {};
  if (stat(file_.c_str(), &found) == 0) inode_ = found.st_ino;
  living = this;
  catch_crashes();
}

LastWords::~LastWords() {
  release_crashes();
  living = nullptr;
}

void LastWords::progress(double time, long steps) {
  time_ = time;
  steps_ = steps;
}

/// A rank that failed before may have replaced the file: its reason is the better one.
bool LastWords::is_still_mine() const {
  struct stat found {};
  return stat(file_.c_str(), &found) == 0 && found.st_ino == inode_;
}

bool LastWords::leave(const char* outcome, const char* reason) {
  const Words words{head_, outcome, reason, tail_, time_, steps_};
  int file = open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file >= 0) {
    struct stat found {};
    const bool is_whole = put_words(file, words) && fstat(file, &found) == 0;
    close(file);
    if (is_whole && rename(part_.c_str(), file_.c_str()) == 0) {
      inode_ = found.st_ino;
      return true;
    }
    unlink(part_.c_str());
  }
  // No room for a second file: the old one's room is as large.
  file = open(file_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_whole = put_words(file, words) && ftruncate(file, lseek(file, 0, SEEK_CUR)) == 0;
  close(file);
  return is_whole;
}

void LastWords::stopped_by(int signal) {
  LastWords* words = living;
  if (words == nullptr || words->rank_ != 0 || !words->is_still_mine()) return;
  char reason[40] = "signal ";
  *std::to_chars(reason + 7, reason + sizeof reason - 1, signal).ptr = '\0';
  words->leave("stopped", reason);
}

void LastWords::crashed_by(int signal) {
  LastWords* words = living;
  if (words != nullptr) {
    constexpr std::string_view start = "the program crashed: signal ", on = " on rank ";
    char reason[96] = {};
    std::memcpy(reason, start.data(), start.size());
    char* end = std::to_chars(reason + start.size(), reason + start.size() + 12, signal).ptr;
    std::memcpy(end, on.data(), on.size());
    std::to_chars(end + on.size(), reason + sizeof reason - 1, words->rank_);
    words->leave("failed", reason);
  }
  for (int i = 0; i < num_crashes; ++i)
    if (crashes[i] == signal) sigaction(signal, &former[i], nullptr);
  raise(signal);
}

void LastWords::catch_crashes() {
  struct sigaction action {};
  action.sa_handler = crashed_by;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < num_crashes; ++i) sigaction(crashes[i], &action, &former[i]);
}

void LastWords::release_crashes() {
  for (int i = 0; i < num_crashes; ++i) sigaction(crashes[i], &former[i], nullptr);
}

}  // namespace sinew
