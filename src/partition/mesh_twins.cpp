#include "partition/mesh_twins.hpp"

#include "partition/exchange.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace sinew {

namespace {

/// How a cell travels: shape, order, list of groups, then its nodes, ascending. Every number of a mesh fits 32 bits (MeshSlice).
using CellWords = std::vector<int>;
constexpr std::size_t head = 3;

/// What a rank learns of one of its cells: a list of groups that it stands for as well, or, with -1, that another stands for it.
struct Verdict {
  int shape = 0;
  int order = 0;
  int group_list = -1;
};

/// A cell among those that have come to this rank.
struct Arrival {
  const int* words = nullptr;
  int rank = -1;

  int num_nodes() const { return shape_info(static_cast<CellShape>(words[0])).num_nodes; }
  const int* nodes() const { return words + head; }
  /// Below zero, zero or above as the shape and nodes come before, are those, or come behind.
  int compare(const Arrival& o) const {
    if (words[0] != o.words[0]) return words[0] < o.words[0] ? -1 : 1;
    for (int i = 0; i < num_nodes(); ++i)
      if (nodes()[i] != o.nodes()[i]) return nodes()[i] < o.nodes()[i] ? -1 : 1;
    return 0;
  }
  bool operator<(const Arrival& o) const {
    const int order = compare(o);
    return order != 0 ? order < 0 : words[1] < o.words[1];
  }
};

/// Every cell goes to the rank that holds its smallest node.
void send_cells(const MeshSlice& slice, const CellSlice& cells, std::vector<CellWords>& outgoing) {
  const auto n = static_cast<std::size_t>(cells.num_nodes());
  std::vector<int> nodes(n);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    for (std::size_t a = 0; a < n; ++a) nodes[a] = slice.near[static_cast<std::size_t>(cells.nodes[c * n + a])].number;
    std::sort(nodes.begin(), nodes.end());
    CellWords& words = outgoing[static_cast<std::size_t>(slice.home(nodes[0]))];
    words.insert(words.end(), {static_cast<int>(cells.shape), static_cast<int>(cells.orders[c]), cells.group_list[c]});
    words.insert(words.end(), nodes.begin(), nodes.end());
  }
}

std::vector<Arrival> arrivals(const std::vector<CellWords>& incoming) {
  std::vector<Arrival> all;
  for (std::size_t r = 0; r < incoming.size(); ++r)
    for (std::size_t at = 0; at < incoming[r].size();) {
      all.push_back({incoming[r].data() + at, static_cast<int>(r)});
      at += head + static_cast<std::size_t>(all.back().num_nodes());
    }
  std::sort(all.begin(), all.end());
  return all;
}

/// What each rank is to know of its cells that have twins.
std::vector<std::vector<Verdict>> verdicts_on(const std::vector<Arrival>& cells, std::size_t num_ranks) {
  std::vector<std::vector<Verdict>> verdicts(num_ranks);
  for (std::size_t first = 0, i = 1; i < cells.size(); ++i) {
    if (cells[i].compare(cells[first]) != 0) {
      first = i;
      continue;
    }
    verdicts[static_cast<std::size_t>(cells[first].rank)].push_back(
        {cells[first].words[0], cells[first].words[1], cells[i].words[2]});
    verdicts[static_cast<std::size_t>(cells[i].rank)].push_back({cells[i].words[0], cells[i].words[1], -1});
  }
  return verdicts;
}

/// The list of the groups of both lists.
int joined_list(MeshSlice& slice, int a, int b) {
  std::vector<int> both = slice.group_lists[static_cast<std::size_t>(a)];
  const std::vector<int>& more = slice.group_lists[static_cast<std::size_t>(b)];
  both.insert(both.end(), more.begin(), more.end());
  std::sort(both.begin(), both.end());
  both.erase(std::unique(both.begin(), both.end()), both.end());
  slice.group_lists.push_back(std::move(both));
  return static_cast<int>(slice.group_lists.size()) - 1;
}

/// Obeys what is said of the cells of one shape.
void obey(MeshSlice& slice, CellSlice& cells, const std::vector<Verdict>& verdicts) {
  std::vector<char> keep(cells.size(), 1);
  std::map<std::pair<int, int>, int> joined;  // lists that were joined already
  for (const Verdict& v : verdicts) {
    if (v.shape != static_cast<int>(cells.shape)) continue;
    const auto c =
        static_cast<std::size_t>(std::lower_bound(cells.orders.begin(), cells.orders.end(), v.order) - cells.orders.begin());
    if (v.group_list < 0) {
      keep[c] = 0;
      continue;
    }
    const auto [list, is_new] = joined.try_emplace({cells.group_list[c], v.group_list}, -1);
    if (is_new) list->second = joined_list(slice, cells.group_list[c], v.group_list);
    cells.group_list[c] = list->second;
  }
  cells.keep_only(keep);
}

}  // namespace

void merge_twins(MPI_Comm comm, MeshSlice& slice) {
  const auto size = static_cast<std::size_t>(comm_size(comm));
  std::vector<std::vector<Verdict>> verdicts;
  {
    std::vector<CellWords> outgoing(size);
    for (const auto* blocks : {&slice.faces, &slice.volumes})
      for (const CellSlice& cells : *blocks) send_cells(slice, cells, outgoing);
    const std::vector<CellWords> incoming = all_to_all(comm, outgoing);
    verdicts = verdicts_on(arrivals(incoming), size);
  }
  std::vector<Verdict> told;
  for (const auto& part : all_to_all(comm, verdicts)) told.insert(told.end(), part.begin(), part.end());
  std::sort(told.begin(), told.end(), [](const Verdict& a, const Verdict& b) {
    return std::tie(a.shape, a.order, a.group_list) < std::tie(b.shape, b.order, b.group_list);
  });
  for (auto* blocks : {&slice.faces, &slice.volumes})
    for (CellSlice& cells : *blocks) obey(slice, cells, told);
}

void number_volumes(MPI_Comm comm, MeshSlice& slice) {
  slice.num_cells = 0;
  for (CellSlice& cells : slice.volumes) {
    // One more than the largest order of all, and how many cells there are: as many if none was taken away.
    std::int64_t end = cells.orders.empty() ? 0 : cells.orders.back() + 1;
    auto count = static_cast<std::int64_t>(cells.size());
    MPI_Allreduce(MPI_IN_PLACE, &end, 1, MPI_INT64_T, MPI_MAX, comm);
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_SUM, comm);
    cells.numbers = cells.orders;
    if (count < end) {
      Directory<std::int64_t> place(comm, end);
      std::vector<Directory<std::int64_t>::Entry> marks;
      for (const std::int64_t order : cells.orders) marks.push_back({order, 1});
      place.publish(marks);
      const std::int64_t own = std::accumulate(place.local().begin(), place.local().end(), std::int64_t{0});
      std::int64_t next = 0;
      MPI_Scan(&own, &next, 1, MPI_INT64_T, MPI_SUM, comm);
      next -= own;
      for (std::int64_t& entry : place.local()) entry = entry == 0 ? -1 : next++;
      cells.numbers = place.look_up(cells.orders);
    }
    for (std::int64_t& number : cells.numbers) number += slice.num_cells;
    slice.num_cells += count;
  }
}

}  // namespace sinew
