#include "partition/mesh_faces.hpp"

#include "model/cell_faces.hpp"
#include "partition/exchange.hpp"

#include <algorithm>
#include <map>

namespace sinew {

namespace {

using Corners = std::array<int, 4>;  ///< -1 for the fourth of a triangle

/// The corners of a face, going round from the smallest one.
Corners from_smallest(const std::vector<int>& corners) {
  const auto n = corners.size();
  const auto smallest = static_cast<std::size_t>(std::min_element(corners.begin(), corners.end()) - corners.begin());
  Corners out{-1, -1, -1, -1};
  for (std::size_t k = 0; k < n; ++k) out[k] = corners[(smallest + k) % n];
  return out;
}

/// The same face seen from the other side.
Corners turned(Corners c) {
  std::swap(c[1], c[c[3] < 0 ? 2 : 3]);
  return c;
}

/// One of the two ways round, the same for both.
Corners either_way(const Corners& c) { return std::min(c, turned(c)); }

/// What a rank knows of the faces whose smallest corner it holds: how often volume cells go round them in either way.
struct Sides {
  int as_listed = 0, turned = 0;
};

/// Which nodes near this rank belong to faces of the group.
std::vector<char> mark_near(MPI_Comm comm, const MeshSlice& slice, const std::vector<SolidFace>& faces) {
  const auto size = static_cast<std::size_t>(comm_size(comm));
  const std::int64_t first = slice.first_points[static_cast<std::size_t>(comm_rank(comm))];
  std::vector<std::vector<int>> outgoing(size);
  for (const SolidFace& face : faces)
    for (const int n : face.nodes) outgoing[static_cast<std::size_t>(slice.home(n))].push_back(n);
  std::vector<char> is_marked(slice.points.size(), 0);
  for (const auto& part : all_to_all(comm, outgoing))
    for (const int n : part) is_marked[static_cast<std::size_t>(n - first)] = 1;
  std::vector<std::int64_t> ids;
  for (const NearPoint& point : slice.near)
    if (point.number >= 0) ids.push_back(point.number);
  const std::vector<char> answers = ask(
      comm, ids, [&](std::int64_t n) { return slice.home(n); },
      [&](std::int64_t n) { return is_marked[static_cast<std::size_t>(n - first)]; });
  std::vector<char> marks(slice.near.size(), 0);
  std::size_t next = 0;
  for (std::size_t k = 0; k < slice.near.size(); ++k)
    if (slice.near[k].number >= 0) marks[k] = answers[next++];
  return marks;
}

/// The faces of this rank's volume cells all of whose corners are marked, going round outwards, by the ranks that hold their
/// smallest corners.
std::vector<std::vector<Corners>> cell_sides(MPI_Comm comm, const MeshSlice& slice, const std::vector<char>& marks) {
  std::vector<std::vector<Corners>> outgoing(static_cast<std::size_t>(comm_size(comm)));
  for (const CellSlice& cells : slice.volumes) {
    const auto n = static_cast<std::size_t>(cells.num_nodes());
    for (std::size_t c = 0; c < cells.size(); ++c)
      for (const CellFace& face : cell_faces(cells.shape)) {
        std::vector<int> corners;
        bool is_marked = true;
        for (int k = 0; k < shape_info(face.shape).num_corners; ++k) {
          const auto near =
              static_cast<std::size_t>(cells.nodes[c * n + static_cast<std::size_t>(face.nodes[static_cast<std::size_t>(k)])]);
          is_marked = is_marked && marks[near] != 0;
          corners.push_back(slice.near[near].number);
        }
        if (!is_marked) continue;
        const Corners found = from_smallest(corners);
        outgoing[static_cast<std::size_t>(slice.home(found[0]))].push_back(found);
      }
  }
  return outgoing;
}

}  // namespace

bool find_faces(MPI_Comm comm, const MeshSlice& slice, int group, std::vector<SolidFace>& faces) {
  faces.clear();
  std::vector<Corners> wanted;
  for (const CellSlice& cells : slice.faces) {
    const auto n = static_cast<std::size_t>(cells.num_nodes());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (!slice.is_in(cells, c, group)) continue;
      SolidFace face{cells.orders[c], cells.shape, 1, {}, slice.places(cells, c)};
      for (std::size_t a = 0; a < n; ++a)
        face.nodes.push_back(slice.near[static_cast<std::size_t>(cells.nodes[c * n + a])].number);
      const auto corners = static_cast<std::ptrdiff_t>(shape_info(cells.shape).num_corners);
      wanted.push_back(from_smallest({face.nodes.begin(), face.nodes.begin() + corners}));
      faces.push_back(std::move(face));
    }
  }
  std::map<Corners, Sides> sides;
  for (const auto& part : all_to_all(comm, cell_sides(comm, slice, mark_near(comm, slice, faces))))
    for (const Corners& c : part) ++(c == either_way(c) ? sides[c].as_listed : sides[either_way(c)].turned);
  std::vector<std::vector<Corners>> questions(static_cast<std::size_t>(comm_size(comm)));
  for (const Corners& c : wanted) questions[static_cast<std::size_t>(slice.home(c[0]))].push_back(c);
  const auto asked = all_to_all(comm, questions);
  std::vector<std::vector<int>> answers(asked.size());
  for (std::size_t r = 0; r < asked.size(); ++r)
    for (const Corners& c : asked[r]) {
      const Sides& found = sides[either_way(c)];
      const int same = c == either_way(c) ? found.as_listed : found.turned;
      answers[r].push_back(found.as_listed + found.turned != 1 ? 0 : same == 1 ? 1 : -1);
    }
  const auto told = all_to_all(comm, answers);
  std::vector<std::size_t> next(told.size(), 0);
  int is_outside = 1;
  for (std::size_t k = 0; k < faces.size(); ++k) {
    const auto home = static_cast<std::size_t>(slice.home(wanted[k][0]));
    faces[k].side = told[home][next[home]++];
    if (faces[k].side == 0) is_outside = 0;
  }
  MPI_Allreduce(MPI_IN_PLACE, &is_outside, 1, MPI_INT, MPI_MIN, comm);
  return is_outside == 1;
}

}  // namespace sinew
