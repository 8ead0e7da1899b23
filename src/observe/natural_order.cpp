#include "observe/natural_order.hpp"

#include <algorithm>
#include <numeric>

namespace sinew {

NaturalOrder::NaturalOrder(MPI_Comm comm, std::int64_t total, const std::vector<std::int64_t>& mine)
    : comm_(comm), total_(total) {
  const Homes homes(comm, total);
  first_ = homes.first(comm_rank(comm));
  std::vector<std::vector<std::int64_t>> numbers(static_cast<std::size_t>(comm_size(comm)));
  std::vector<std::vector<std::size_t>> items(numbers.size());
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const auto home = static_cast<std::size_t>(homes.home(mine[i]));
    numbers[home].push_back(mine[i]);
    items[home].push_back(i);
  }
  for (const auto& part : items) {
    send_count_.push_back(static_cast<int>(part.size()));
    send_item_.insert(send_item_.end(), part.begin(), part.end());
  }
  for (const auto& part : all_to_all(comm, numbers)) {
    receive_count_.push_back(static_cast<int>(part.size()));
    for (const std::int64_t number : part) place_.push_back(static_cast<std::size_t>(number - first_));
  }
}

std::vector<std::int64_t> number_cells(MPI_Comm comm, std::int64_t num_points, const std::vector<std::int64_t>& cells,
                                       int width) {
  const Homes homes(comm, num_points);
  const auto w = static_cast<std::size_t>(width);
  const std::size_t count = cells.size() / w;
  std::vector<std::vector<std::int64_t>> outgoing(static_cast<std::size_t>(comm_size(comm)));
  std::vector<std::size_t> home_of(count);
  for (std::size_t c = 0; c < count; ++c) {
    home_of[c] = static_cast<std::size_t>(homes.home(cells[c * w]));
    outgoing[home_of[c]].insert(outgoing[home_of[c]].end(), cells.data() + c * w, cells.data() + (c + 1) * w);
  }
  const auto incoming = all_to_all(comm, outgoing);
  struct Place {
    std::size_t rank, index;
  };
  std::vector<Place> order;
  for (std::size_t r = 0; r < incoming.size(); ++r)
    for (std::size_t i = 0; i < incoming[r].size() / w; ++i) order.push_back({r, i});
  const auto points = [&](const Place& p) { return incoming[p.rank].data() + p.index * w; };
  std::sort(order.begin(), order.end(), [&](const Place& a, const Place& b) {
    return std::lexicographical_compare(points(a), points(a) + w, points(b), points(b) + w);
  });
  std::int64_t mine = static_cast<std::int64_t>(order.size()), end = 0;
  MPI_Scan(&mine, &end, 1, MPI_INT64_T, MPI_SUM, comm);
  std::vector<std::vector<std::int64_t>> answers(incoming.size());
  for (std::size_t r = 0; r < incoming.size(); ++r) answers[r].resize(incoming[r].size() / w);
  for (std::size_t i = 0; i < order.size(); ++i)
    answers[order[i].rank][order[i].index] = end - mine + static_cast<std::int64_t>(i);
  const auto told = all_to_all(comm, answers);
  std::vector<std::size_t> next(told.size(), 0);
  std::vector<std::int64_t> numbers(count);
  for (std::size_t c = 0; c < count; ++c) numbers[c] = told[home_of[c]][next[home_of[c]]++];
  return numbers;
}

}  // namespace sinew
