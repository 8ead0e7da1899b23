/// \file
/// Messages between ranks during set-up: many small records to many owners, and a distributed look-up table.
#pragma once

#include "base/error.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
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

/// The text of one rank on all ranks. Collective.
inline std::string broadcast_text(MPI_Comm comm, std::string text, int root) {
  if (comm_size(comm) == 1) return text;
  auto length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, root, comm);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, root, comm);
  return text;
}

/// A rank and how many items go to it or come from it.
struct Parcel {
  int rank = -1;
  std::int64_t count = 0;
};

/// Who sends how much to this rank, by rank, if every rank says to whom it sends. Neither messages nor work are in proportion to
/// the number of ranks, but where PETSc prefers one small reduction over all (up to 1024 ranks; `-build_twosided` chooses).
/// Collective.
std::vector<Parcel> announce(MPI_Comm comm, const std::vector<Parcel>& outgoing);

/// A T as it travels; to be freed.
template <class T>
MPI_Datatype bytes_of() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

/// Sends outgoing[r] to rank r; returns what came, incoming[r] from rank r. Only ranks that have something for one another
/// exchange messages. T is trivially copyable. Collective.
template <class T>
std::vector<std::vector<T>> all_to_all(MPI_Comm comm, const std::vector<std::vector<T>>& outgoing) {
  static_assert(std::is_trivially_copyable_v<T>);
  constexpr int tag = 17;  // messages of one exchange cannot overtake those of the one before
  const int rank = comm_rank(comm);
  std::vector<Parcel> parcels;
  for (std::size_t r = 0; r < outgoing.size(); ++r)
    if (!outgoing[r].empty() && static_cast<int>(r) != rank)
      parcels.push_back({static_cast<int>(r), static_cast<std::int64_t>(outgoing[r].size())});
  MPI_Datatype type = bytes_of<T>();
  std::vector<MPI_Request> requests;
  std::vector<std::vector<T>> incoming(outgoing.size());
  for (const Parcel& p : announce(comm, parcels)) {
    auto& part = incoming[static_cast<std::size_t>(p.rank)];
    part.resize(static_cast<std::size_t>(p.count));
    MPI_Irecv(part.data(), static_cast<int>(p.count), type, p.rank, tag, comm, &requests.emplace_back());
  }
  for (const Parcel& p : parcels)
    MPI_Isend(outgoing[static_cast<std::size_t>(p.rank)].data(), static_cast<int>(p.count), type, p.rank, tag, comm,
              &requests.emplace_back());
  incoming[static_cast<std::size_t>(rank)] = outgoing[static_cast<std::size_t>(rank)];
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  MPI_Type_free(&type);
  return incoming;
}

/// The items of all ranks, in the order of ranks: for short lists that everybody is to know. T is trivially copyable. Collective.
template <class T>
std::vector<T> gather_from_all(MPI_Comm comm, const std::vector<T>& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto own = static_cast<std::int64_t>(mine.size());
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(comm_size(comm)));
  MPI_Allgather(&own, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, comm);
  const std::int64_t total = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  if (total > std::numeric_limits<int>::max()) throw EnvironmentError("a list is too long for every rank to have it all");
  const std::vector<int> counts(sizes.begin(), sizes.end());
  std::vector<int> starts(counts.size(), 0);
  std::partial_sum(counts.begin(), counts.end() - 1, starts.begin() + 1);
  std::vector<T> all(static_cast<std::size_t>(total));
  MPI_Datatype type = bytes_of<T>();
  MPI_Allgatherv(mine.data(), counts[static_cast<std::size_t>(comm_rank(comm))], type, all.data(), counts.data(), starts.data(),
                 type, comm);
  MPI_Type_free(&type);
  return all;
}

/// Asks the rank home(id) for find(id), for every id; the answers in the order of the ids. Collective.
template <class Home, class Find>
auto ask(MPI_Comm comm, const std::vector<std::int64_t>& ids, Home home, Find find) {
  using T = std::decay_t<decltype(find(std::int64_t{}))>;
  std::vector<std::vector<std::int64_t>> questions(static_cast<std::size_t>(comm_size(comm)));
  for (const std::int64_t id : ids) questions[static_cast<std::size_t>(home(id))].push_back(id);
  const auto asked = all_to_all(comm, questions);
  std::vector<std::vector<T>> answers(asked.size());
  for (std::size_t r = 0; r < asked.size(); ++r) {
    answers[r].reserve(asked[r].size());
    for (const std::int64_t id : asked[r]) answers[r].push_back(find(id));
  }
  const auto told = all_to_all(comm, answers);
  std::vector<std::size_t> next(told.size(), 0);
  std::vector<T> values;
  values.reserve(ids.size());
  for (const std::int64_t id : ids) {
    const auto r = static_cast<std::size_t>(home(id));
    values.push_back(told[r][next[r]++]);
  }
  return values;
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
    return ask(
        comm_, ids, [&](std::int64_t id) { return homes_.home(id); },
        [&](std::int64_t id) { return table_[static_cast<std::size_t>(id - first())]; });
  }

 private:
  MPI_Comm comm_;
  Homes homes_;
  int rank_;
  std::vector<T> table_;
};

}  // namespace sinew
