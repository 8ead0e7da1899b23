#include "partition/first_rank_readers.hpp"

#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"

#include <cstdint>

namespace sinew {

FileReaders readers_on_first_rank(MPI_Comm comm) {
  FileReaders readers;
  readers.surface = [comm](const std::optional<std::filesystem::path>& path, double scale) {
    MeshSurface read;
    throw_together(comm, [&] {
      if (comm_rank(comm) == 0) read = read_mesh_surface(path, scale);
    });
    MPI_Bcast(&read.moments, static_cast<int>(sizeof read.moments), MPI_BYTE, 0, comm);
    return read;
  };
  readers.text = [comm](const std::optional<std::filesystem::path>& path) {
    return text_from_first_rank(comm, [&] { return read_text_file(path); });
  };
  return readers;
}

std::string text_from_first_rank(MPI_Comm comm, const std::function<std::string()>& read) {
  std::string text;
  throw_together(comm, [&] {
    if (comm_rank(comm) == 0) text = read();
  });
  auto length = static_cast<std::int64_t>(text.size());
  MPI_Bcast(&length, 1, MPI_INT64_T, 0, comm);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, comm);
  return text;
}

}  // namespace sinew
