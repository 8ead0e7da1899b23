#include "observe/directory_lock.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>

namespace sinew {

namespace {

/// `host process`, as the lock file has it.
struct Owner {
  std::string host;
  long process = 0;

  bool operator==(const Owner&) const = default;
};

Owner this_process() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return {host.data(), static_cast<long>(getpid())};
}

Owner read_owner(int file) {
  std::array<char, 512> text{};
  if (pread(file, text.data(), text.size() - 1, 0) <= 0) return {};
  Owner owner;
  std::istringstream(text.data()) >> owner.host >> owner.process;
  return owner;
}

void write_owner(int file) {
  const Owner owner = this_process();
  const std::string text = fmt::format("{} {}\n", owner.host, owner.process);
  if (ftruncate(file, 0) == 0) (void)!pwrite(file, text.data(), text.size(), 0);
}

std::string describe(const Owner& owner) {
  return owner.process == 0 ? "another process" : fmt::format("process {} on {}", owner.process, owner.host);
}

/// Whether the owner that a file names still runs, as far as this host can tell: of another one it cannot.
bool may_live(const Owner& owner) {
  if (owner.process <= 0) return false;
  return owner.host != this_process().host || kill(static_cast<pid_t>(owner.process), 0) == 0 || errno == EPERM;
}

enum class Attempt { taken, held, unknown };

Attempt attempt(int file, int kind) {
  if (flock(file, kind | LOCK_NB) == 0) return Attempt::taken;
  return errno == EWOULDBLOCK ? Attempt::held : Attempt::unknown;
}

/// Who holds the open file; empty: nobody, and then this process does (LOCK_EX: alone) where the file system knows locks.
std::string hold(int file, int kind) {
  const Owner owner = read_owner(file);
  switch (attempt(file, kind)) {
    case Attempt::taken: return {};
    case Attempt::held: return describe(owner);
    case Attempt::unknown: break;
  }
  return may_live(owner) && owner != this_process() ? describe(owner) : std::string();
}

/// Is the open file still the one of that name?
bool is_at(int file, const std::filesystem::path& path) {
  struct stat open_one {
  }, named{};
  return fstat(file, &open_one) == 0 && stat(path.c_str(), &named) == 0 && open_one.st_ino == named.st_ino &&
         open_one.st_dev == named.st_dev;
}

}  // namespace

DirectoryLock::~DirectoryLock() {
  if (file_ < 0) return;
  if (is_at(file_, path_)) unlink(path_.c_str());
  close(file_);
}

std::string DirectoryLock::take(const std::filesystem::path& directory) {
  path_ = directory / file_name;
  constexpr int most_attempts = 10;  // the owner of the file that was opened may remove it before it is locked
  for (int i = 0; i < most_attempts; ++i) {
    const int file = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) throw EnvironmentError(fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
    const std::string other = hold(file, LOCK_EX);
    if (other.empty() && is_at(file, path_)) {
      file_ = file;
      write_owner(file_);
      return {};
    }
    close(file);
    if (!other.empty()) return other;
  }
  return "another process";
}

std::string DirectoryLock::holder(const std::filesystem::path& directory) {
  const int file = open((directory / file_name).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const std::string other = read_owner(file) == this_process() ? std::string() : hold(file, LOCK_SH);
  close(file);
  return other;
}

}  // namespace sinew
