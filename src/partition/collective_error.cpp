#include "partition/collective_error.hpp"

#include "partition/exchange.hpp"

#include <chrono>
#include <limits>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

namespace sinew {

void throw_if_any(MPI_Comm comm, const std::string& text) {
  const int size = comm_size(comm);
  const int length = static_cast<int>(text.size());
  std::vector<int> lengths(size), starts(size + 1, 0);
  MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, comm);
  for (int r = 0; r < size; ++r) starts[r + 1] = starts[r] + lengths[r];
  if (starts[size] == 0) return;
  std::string all(static_cast<std::size_t>(starts[size]), ' ');
  MPI_Allgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR, comm);
  std::string joined;
  std::set<std::string> seen;
  for (int r = 0; r < size; ++r) {
    std::istringstream lines(all.substr(starts[r], lengths[r]));
    for (std::string line; std::getline(lines, line);)
      if (seen.insert(line).second) joined += (joined.empty() ? "" : "\n") + line;
  }
  throw InputError(joined);
}

std::string first_text(MPI_Comm comm, std::int64_t& key, const std::string& text) {
  const std::int64_t own = text.empty() ? std::numeric_limits<std::int64_t>::max() : key;
  MPI_Allreduce(&own, &key, 1, MPI_INT64_T, MPI_MIN, comm);
  int root = !text.empty() && own == key ? comm_rank(comm) : comm_size(comm);
  MPI_Allreduce(MPI_IN_PLACE, &root, 1, MPI_INT, MPI_MIN, comm);
  if (root == comm_size(comm)) return "";
  return broadcast_text(comm, text, root);
}

void throw_first(MPI_Comm comm, std::int64_t key, const std::string& text) {
  const std::string first = first_text(comm, key, text);
  if (!first.empty()) throw InputError(first);
}

bool all_ranks_arrive(MPI_Comm comm) {
  static bool is_alone = false;
  if (is_alone) return false;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm, &request);
  for (int i = 0; i < 500; ++i) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  is_alone = true;
  return false;
}

}  // namespace sinew
