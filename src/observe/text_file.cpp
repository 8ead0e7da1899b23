#include "observe/text_file.hpp"

#include "partition/exchange.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace sinew {

void throw_from_first_rank(MPI_Comm comm, const std::string& text) {
  int length = static_cast<int>(text.size());
  if (comm_size(comm) > 1) MPI_Bcast(&length, 1, MPI_INT, 0, comm);
  if (length == 0) return;
  std::string message = text;
  message.resize(static_cast<std::size_t>(length));
  MPI_Bcast(message.data(), length, MPI_CHAR, 0, comm);
  throw EnvironmentError(message);
}

TextFile::TextFile(MPI_Comm comm, std::filesystem::path path)
    : comm_(comm), is_writer_(comm_rank(comm) == 0), path_(std::move(path)) {
  std::string fault;
  if (is_writer_) {
    file_.reset(std::fopen(path_.c_str(), "w"));
    if (!file_) fault = fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno));
  }
  throw_from_first_rank(comm_, fault);
}

void TextFile::write(const std::string& text) {
  std::string fault;
  if (is_writer_) {
    errno = 0;
    const bool is_written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size() && std::fflush(file_.get()) == 0;
    if (!is_written) fault = fmt::format("writing {} failed: {}", path_.string(), std::strerror(errno));
  }
  throw_from_first_rank(comm_, fault);
}

}  // namespace sinew
