/// \file
/// What all ranks have, on every rank.
#pragma once

#include <mpi.h>

#include <type_traits>
#include <vector>

namespace sinew {

/// The ranks' items, rank after rank. Collective.
template <class T>
std::vector<T> gather_to_all(MPI_Comm comm, const std::vector<T>& own) {
  static_assert(std::is_trivially_copyable_v<T>);
  int size = 1;
  MPI_Comm_size(comm, &size);
  if (size == 1) return own;
  const int mine = static_cast<int>(own.size());
  std::vector<int> counts(static_cast<std::size_t>(size)), starts(static_cast<std::size_t>(size) + 1, 0);
  MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  for (std::size_t r = 0; r < counts.size(); ++r) starts[r + 1] = starts[r] + counts[r];
  std::vector<T> all(static_cast<std::size_t>(starts.back()));
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Allgatherv(own.data(), mine, type, all.data(), counts.data(), starts.data(), type, comm);
  MPI_Type_free(&type);
  return all;
}

}  // namespace sinew
