/// \file
/// What a process leaves in a file when it is ended from outside, crashes, or fails while other ranks wait.
#pragma once

#include <filesystem>
#include <string>

namespace sinew {

/// A text whose middle is known only at the end: how the run ended, why, and how far it came. While it lives, a signal that ends
/// or stops this process puts it in place of `file`, in one go: nothing else of the program need work for that (no memory is
/// asked for, no other rank is waited for). One at a time.
class LastWords {
 public:
  /// The text around the members `outcome`, `reason` and `summary` of a JSON object, which stand between `head` (without a comma
  /// at its end) and `tail`. The first rank speaks for signals that stop a run, every rank for its own crash.
  LastWords(const std::filesystem::path& file, std::string head, std::string tail, int rank);
  ~LastWords();
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

  /// How far the run is.
  void progress(double time, long steps);
  /// Replaces the file, as a rank does that fails alone. `reason` is the inside of a JSON string. False where the disk refuses
  /// it.
  bool leave(const char* outcome, const char* reason);

  /// For handlers of signals that stop a run: leaves the words of the one that lives, if any, unless another rank has spoken.
  static void stopped_by(int signal);

 private:
  static void crashed_by(int signal);
  bool is_still_mine() const;
  void catch_crashes();
  void release_crashes();

  std::string file_, part_, head_, tail_;
  int rank_;
  volatile double time_ = 0;
  volatile long steps_ = 0;
  unsigned long long inode_ = 0;  ///< of the file as this rank has left it
};

}  // namespace sinew
