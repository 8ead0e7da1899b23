#include "partition/mesh_sides.hpp"

#include "partition/exchange.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace sinew {

namespace {

/// An edge as one element passes it: by the numbers of its points, the smaller first, and whether it is passed that way.
struct Passage {
  int low = 0, high = 0, is_rising = 0;
  Point3 middle{};
};

/// The edges of this rank's elements, each to where its lower point lives.
std::vector<std::vector<Passage>> passages(MPI_Comm comm, const MeshSlice& slice) {
  std::vector<std::vector<Passage>> outgoing(static_cast<std::size_t>(comm_size(comm)));
  for (const CellSlice& cells : slice.volumes) {
    const auto width = static_cast<std::size_t>(cells.num_nodes());
    for (std::size_t c = 0; c < cells.size(); ++c)
      for (std::size_t k = 0; k < width; ++k) {
        const auto point = [&](std::size_t node) -> const NearPoint& {
          return slice.near[static_cast<std::size_t>(cells.nodes[c * width + node])];
        };
        const NearPoint &from = point(k), &to = point((k + 1) % width);
        Passage passage{std::min(from.number, to.number), std::max(from.number, to.number), from.number < to.number, {}};
        for (std::size_t i = 0; i < 3; ++i) passage.middle[i] = 0.5 * (from.x[i] + to.x[i]);
        outgoing[static_cast<std::size_t>(slice.home(passage.low))].push_back(passage);
      }
  }
  return outgoing;
}

}  // namespace

OddEdges find_odd_edges(MPI_Comm comm, const MeshSlice& slice) {
  struct Passed {
    int times = 0, rising = 0;
    Point3 middle{};
  };
  std::map<std::pair<int, int>, Passed> edges;
  for (const auto& part : all_to_all(comm, passages(comm, slice)))
    for (const Passage& passage : part) {
      Passed& edge = edges[{passage.low, passage.high}];
      ++edge.times;
      edge.rising += passage.is_rising;
      edge.middle = passage.middle;
    }
  OddEdges odd;
  int first = std::numeric_limits<int>::max();  // of the points of such an edge: the same whatever the ranks
  for (const auto& [points, edge] : edges)
    if (edge.times == 2 && edge.rising != 1) {
      ++odd.count;
      if (first < std::numeric_limits<int>::max()) continue;
      first = points.first;
      odd.one = edge.middle;
    }
  struct {
    int value, rank;
  } lowest{first, comm_rank(comm)};
  MPI_Allreduce(MPI_IN_PLACE, &odd.count, 1, MPI_INT64_T, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_2INT, MPI_MINLOC, comm);
  MPI_Bcast(odd.one.data(), 3, MPI_DOUBLE, lowest.rank, comm);
  return odd;
}

}  // namespace sinew
