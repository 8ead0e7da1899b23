#include "partition/mesh_flaws.hpp"

#include "model/cell_faces.hpp"
#include "partition/exchange.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

namespace sinew {

namespace {

/// No number of a point.
constexpr int no_point = std::numeric_limits<int>::max();

/// Adds up what the ranks have found. `first`: of each, the lowest point of its flaws, or no_point; that of the lowest is told,
/// whatever the ranks. Collective.
MeshFlaws share(MPI_Comm comm, MeshFlaws flaws, int first) {
  struct {
    int value, rank;
  } lowest{first, comm_rank(comm)};
  MPI_Allreduce(MPI_IN_PLACE, &flaws.count, 1, MPI_INT64_T, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_2INT, MPI_MINLOC, comm);
  MPI_Bcast(flaws.one.data(), 3, MPI_DOUBLE, lowest.rank, comm);
  return flaws;
}

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

/// Numbers of a face's corners, rising; of a triangle the last is no_point.
using Corners = std::array<int, 4>;

struct Face {
  Corners corners{};
  Point3 middle{};
};

/// Whether elements of several kinds (tetrahedra, prisms, hexahedra) are there to be joined. Collective.
bool mixes_kinds(MPI_Comm comm, const MeshSlice& slice) {
  std::array<int, 9> is_there{};  // by corners
  for (const CellSlice& cells : slice.volumes)
    if (cells.size() > 0) is_there[static_cast<std::size_t>(shape_info(cells.shape).num_corners)] = 1;
  MPI_Allreduce(MPI_IN_PLACE, is_there.data(), static_cast<int>(is_there.size()), MPI_INT, MPI_MAX, comm);
  return std::count(is_there.begin(), is_there.end(), 1) > 1;
}

/// The faces of this rank's elements, each to where its lowest corner lives.
std::vector<std::vector<Face>> all_faces(MPI_Comm comm, const MeshSlice& slice) {
  std::vector<std::vector<Face>> outgoing(static_cast<std::size_t>(comm_size(comm)));
  for (const CellSlice& cells : slice.volumes)
    for (std::size_t c = 0; c < cells.size(); ++c)
      for (const CellFace& side : cell_faces(cells.shape)) {
        Face face{{no_point, no_point, no_point, no_point}, {}};
        const auto count = static_cast<std::size_t>(shape_info(side.shape).num_corners);
        for (std::size_t k = 0; k < count; ++k) {
          const std::size_t node = c * static_cast<std::size_t>(cells.num_nodes()) + static_cast<std::size_t>(side.nodes[k]);
          const NearPoint& corner = slice.near[static_cast<std::size_t>(cells.nodes[node])];
          face.corners[k] = corner.number;
          for (std::size_t i = 0; i < 3; ++i) face.middle[i] += corner.x[i] / static_cast<double>(count);
        }
        std::sort(face.corners.begin(), face.corners.end());
        outgoing[static_cast<std::size_t>(slice.home(face.corners[0]))].push_back(face);
      }
  return outgoing;
}

/// What is left of faces once all are taken away that two elements share, in the order of their corners.
std::vector<Face> unshared(std::vector<Face> faces) {
  const auto comes_before = [](const Face& a, const Face& b) { return a.corners < b.corners; };
  std::sort(faces.begin(), faces.end(), comes_before);
  std::vector<Face> left;
  for (const Face& face : faces)
    if (!left.empty() && left.back().corners == face.corners)
      left.pop_back();
    else
      left.push_back(face);
  return left;
}

}  // namespace

MeshFlaws find_odd_edges(MPI_Comm comm, const MeshSlice& slice) {
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
  MeshFlaws odd;
  int first = no_point;
  for (const auto& [points, edge] : edges)
    if (edge.times == 2 && edge.rising != 1) {
      ++odd.count;
      if (first < no_point) continue;
      first = points.first;
      odd.one = edge.middle;
    }
  return share(comm, odd, first);
}

MeshFlaws find_glued_faces(MPI_Comm comm, const MeshSlice& slice) {
  if (slice.dimension != 3 || !mixes_kinds(comm, slice)) return {};
  std::vector<Face> all;
  for (const auto& part : all_to_all(comm, all_faces(comm, slice))) all.insert(all.end(), part.begin(), part.end());
  const std::vector<Face> outer = unshared(std::move(all));
  const auto is_outer = [&](const Corners& corners) {
    const auto at = std::lower_bound(outer.begin(), outer.end(), corners,
                                     [](const Face& face, const Corners& sought) { return face.corners < sought; });
    return at != outer.end() && at->corners == corners;
  };
  MeshFlaws glued;
  int first = no_point;
  for (const auto& [q, middle] : outer) {
    // Of the two triangles on it one has the lowest corner, whichever diagonal parts them.
    if (q[3] == no_point || !(is_outer({q[0], q[1], q[2], no_point}) || is_outer({q[0], q[1], q[3], no_point}) ||
                              is_outer({q[0], q[2], q[3], no_point})))
      continue;
    if (++glued.count > 1) continue;
    first = q[0];
    glued.one = middle;
  }
  return share(comm, glued, first);
}

}  // namespace sinew
