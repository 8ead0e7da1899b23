/// \file
/// Messages between ranks during set-up: many small records to many owners, and a distributed look-up table.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

namespace sinew {

inline int comm_rank(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
inline int comm_size(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

/// Sends outgoing[r] to rank r; returns what came, incoming[r] from rank r. T is trivially copyable. Collective.
template <class T>
std::vector<std::vector<T>> all_to_all(MPI_Comm comm, const std::vector<std::vector<T>>& outgoing) {
  static_assert(std::is_trivially_copyable_v<T>);
  const int size = comm_size(comm);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  std::vector<int> send_count(size), receive_count(size), send_start(size + 1), receive_start(size + 1);
  for (int r = 0; r < size; ++r) send_count[r] = static_cast<int>(outgoing[r].size());
  MPI_Alltoall(send_count.data(), 1, MPI_INT, receive_count.data(), 1, MPI_INT, comm);
  for (int r = 0; r < size; ++r) {
    send_start[r + 1] = send_start[r] + send_count[r];
    receive_start[r + 1] = receive_start[r] + receive_count[r];
  }
  std::vector<T> send, receive(receive_start[size]);
  send.reserve(send_start[size]);
  for (const auto& part : outgoing) send.insert(send.end(), part.begin(), part.end());
  MPI_Alltoallv(send.data(), send_count.data(), send_start.data(), type, receive.data(), receive_count.data(),
                receive_start.data(), type, comm);
  MPI_Type_free(&type);
  std::vector<std::vector<T>> incoming(size);
  for (int r = 0; r < size; ++r) incoming[r].assign(receive.begin() + receive_start[r], receive.begin() + receive_start[r + 1]);
  return incoming;
}

/// Natural numbers 0..total-1 spread evenly over the ranks: every number has a home that knows about it.
class Homes {
 public:
  Homes(MPI_Comm comm, std::int64_t total) : size_(comm_size(comm)), total_(total) {}
  std::int64_t first(int rank) const { return total_ / size_ * rank + std::min<std::int64_t>(rank, total_ % size_); }
  std::int64_t last(int rank) const { return first(rank + 1); }
  int home(std::int64_t id) const {
    const std::int64_t wide = total_ / size_ + 1, split = wide * (total_ % size_);
    if (id < split) return static_cast<int>(id / wide);
    return static_cast<int>(total_ % size_ + (id - split) / std::max<std::int64_t>(1, total_ / size_));
  }
  std::int64_t total() const { return total_; }

 private:
  int size_;
  std::int64_t total_;
};

/// A table indexed by natural numbers, each entry kept at its home.
template <class T>
class Directory {
 public:
  Directory(MPI_Comm comm, std::int64_t total) : comm_(comm), homes_(comm, total), rank_(comm_rank(comm)) {
    table_.resize(static_cast<std::size_t>(homes_.last(rank_) - homes_.first(rank_)));
  }

  /// Entries of this rank's share, from first() on.
  std::vector<T>& local() { return table_; }
  std::int64_t first() const { return homes_.first(rank_); }
  const Homes& homes() const { return homes_; }

  struct Entry {
    std::int64_t id;
    T value;
  };

  /// Stores entries at their homes. Collective.
  void publish(const std::vector<Entry>& entries) {
    std::vector<std::vector<Entry>> outgoing(comm_size(comm_));
    for (const Entry& e : entries) outgoing[homes_.home(e.id)].push_back(e);
    for (const auto& part : all_to_all(comm_, outgoing))
      for (const Entry& e : part) table_[static_cast<std::size_t>(e.id - first())] = e.value;
  }

  /// The entries of `ids`, in their order. Collective.
  std::vector<T> look_up(const std::vector<std::int64_t>& ids) const {
    std::vector<std::vector<std::int64_t>> questions(comm_size(comm_));
    for (std::int64_t id : ids) questions[homes_.home(id)].push_back(id);
    const auto asked = all_to_all(comm_, questions);
    std::vector<std::vector<T>> answers(asked.size());
    for (std::size_t r = 0; r < asked.size(); ++r)
      for (std::int64_t id : asked[r]) answers[r].push_back(table_[static_cast<std::size_t>(id - first())]);
    const auto told = all_to_all(comm_, answers);
    std::vector<std::size_t> next(told.size(), 0);
    std::vector<T> values;
    values.reserve(ids.size());
    for (std::int64_t id : ids) {
      const int r = homes_.home(id);
      values.push_back(told[r][next[r]++]);
    }
    return values;
  }

 private:
  MPI_Comm comm_;
  Homes homes_;
  int rank_;
  std::vector<T> table_;
};

}  // namespace sinew
