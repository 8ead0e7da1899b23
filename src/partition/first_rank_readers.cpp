#include "partition/first_rank_readers.hpp"

#include "input/mesh_lines.hpp"
#include "partition/collective_error.hpp"
#include "partition/exchange.hpp"

#include <array>
#include <cstdint>

namespace sinew {

namespace {

/// Hands a line of rank 0 to the others, which add it to theirs. Collective.
void share_line(MPI_Comm comm, MeshLines& lines, int number) {
  const bool has_it = comm_rank(comm) == 0;
  std::array<int, 3> sizes{};
  std::vector<Vec3<double>> places;
  std::vector<int> corners;
  if (has_it) {
    const LinePath& line = *lines.at(number);
    places = line.places();
    corners = line.corners();
    sizes = {static_cast<int>(places.size()), static_cast<int>(corners.size()), line.is_closed() ? 1 : 0};
  }
  MPI_Bcast(sizes.data(), 3, MPI_INT, 0, comm);
  places.resize(static_cast<std::size_t>(sizes[0]));
  corners.resize(static_cast<std::size_t>(sizes[1]));
  static_assert(sizeof(Vec3<double>) == 3 * sizeof(double));
  MPI_Datatype place = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(3, MPI_DOUBLE, &place);
  MPI_Type_commit(&place);
  MPI_Bcast(places.data(), sizes[0], place, 0, comm);
  MPI_Type_free(&place);
  MPI_Bcast(corners.data(), sizes[1], MPI_INT, 0, comm);
  if (!has_it) lines.add({std::move(places), std::move(corners), sizes[2] == 1 ? LineEnds::closed : LineEnds::open});
}

}  // namespace

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
  readers.line = [comm, lines = std::make_shared<MeshLines>()](const std::optional<std::filesystem::path>& path,
                                                               const std::string& group,
                                                               LineEnds ends) -> std::shared_ptr<const LinePath> {
    const int known = lines->size();
    int number = -1;
    throw_together(comm, [&] {
      if (comm_rank(comm) == 0) number = lines->find(path, group, ends);
    });
    MPI_Bcast(&number, 1, MPI_INT, 0, comm);
    if (number == known) share_line(comm, *lines, number);
    return number < 0 ? nullptr : lines->at(number);
  };
  return readers;
}

std::string text_from_first_rank(MPI_Comm comm, const std::function<std::string()>& read) {
  std::string text;
  throw_together(comm, [&] {
    if (comm_rank(comm) == 0) text = read();
  });
  return broadcast_text(comm, std::move(text), 0);
}

}  // namespace sinew
