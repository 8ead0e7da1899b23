#include "observe/text_file.hpp"

#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sinew {

void throw_from_first_rank(MPI_Comm comm, const std::string& text) {
  if (const std::string message = broadcast_text(comm, text, 0); !message.empty()) throw EnvironmentError(message);
}

namespace {

/// All of a text from that place on; false, with errno set, where the disk does not take all of it.
bool put(int file, const std::string& text, long place) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t part =
        pwrite(file, text.data() + done, text.size() - done, static_cast<off_t>(place) + static_cast<off_t>(done));
    if (part < 0 && errno == EINTR) continue;
    if (part <= 0) return false;
    done += static_cast<std::size_t>(part);
  }
  return true;
}

}  // namespace

TextFile::TextFile(MPI_Comm comm, std::filesystem::path path, Existing existing)
    : comm_(comm), is_writer_(comm_rank(comm) == 0), path_(std::move(path)) {
  std::string fault;
  if (is_writer_) {
    is_new_ = !std::filesystem::exists(path_);
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (existing == Existing::replaced ? O_TRUNC : 0), 0666);
    if (file_ < 0) fault = fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno));
  }
  throw_from_first_rank(comm_, fault);
}

TextFile::~TextFile() {
  if (file_ >= 0) close(file_);
}

/// Takes back what was written in part; the last lines have room where they stood.
void TextFile::restore() {
  if (put(file_, last_lines_, end_)) (void)!ftruncate(file_, static_cast<off_t>(end_) + static_cast<off_t>(last_lines_.size()));
}

/// A sum of the last characters before `end_` (FNV-1a): rows of another motion differ there from those of this one.
std::uint32_t TextFile::sum_of_end() const {
  constexpr long most = 4096;
  std::string text(static_cast<std::size_t>(std::min(most, end_)), ' ');
  const ssize_t count = pread(file_, text.data(), text.size(), static_cast<off_t>(end_) - static_cast<off_t>(text.size()));
  std::uint32_t sum = 2166136261u;
  for (ssize_t i = 0; i < count; ++i) sum = (sum ^ static_cast<unsigned char>(text[static_cast<std::size_t>(i)])) * 16777619u;
  return sum;
}

void TextFile::persist(Archive& archive) {
  archive.pass("bytes", end_);
  std::uint32_t sum = is_writer_ && !archive.is_reading() ? sum_of_end() : 0;
  archive.pass("end", sum);
  if (!archive.is_reading()) return;
  std::string wrong;
  if (is_writer_) {
    const off_t size = lseek(file_, 0, SEEK_END);
    goes_back_ = true;
    if (size < static_cast<off_t>(end_)) {
      wrong = fmt::format(
          "{} is shorter ({} bytes) than when the checkpoint was written ({}): let the run go on in a directory of "
          "its own, with -o",
          path_.string(), size, end_);
      if (is_new_) unlink(path_.c_str());
    } else if (sum_of_end() != sum) {
      wrong = fmt::format(
          "{} is not as it was when the checkpoint was written: another motion has gone on in this directory since, from an "
          "earlier checkpoint or anew (take a checkpoint of that one, or let this one go on in a directory of its own, with -o)",
          path_.string());
    }
  }
  throw_if_any(comm_, wrong);
}

void TextFile::write(const std::string& text, const std::string& last_lines) {
  std::string fault;
  if (is_writer_) {
    const bool is_cut = !std::exchange(goes_back_, false) || ftruncate(file_, static_cast<off_t>(end_)) == 0;
    if (is_cut && put(file_, text + last_lines, end_)) {
      end_ += static_cast<long>(text.size());
      last_lines_ = last_lines;
    } else {
      fault = fmt::format("writing {} failed: {}", path_.string(), std::strerror(errno));
      restore();
    }
  }
  throw_from_first_rank(comm_, fault);
}

}  // namespace sinew
