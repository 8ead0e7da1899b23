#include "partition/group_turns.hpp"

#include "model/cell_place.hpp"
#include "model/mesh_measure.hpp"
#include "partition/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace sinew {

namespace {

/// What an element at the node `of` of a group gives a node of its own.
struct TurnTerm {
  int node = -1, of = -1;
  std::int64_t cell = 0;
  Vec3<double> moment;
};

/// A number of every point near this rank, from the ranks that hold them: `held` by place among a rank's points. Collective.
std::vector<double> near_values(MPI_Comm comm, const MeshSlice& slice, const std::vector<double>& held) {
  const std::int64_t first = slice.first_points[static_cast<std::size_t>(comm_rank(comm))];
  std::vector<std::int64_t> ids;
  for (const NearPoint& point : slice.near)
    if (point.number >= 0) ids.push_back(point.number);
  const std::vector<double> answers = ask(
      comm, ids, [&](std::int64_t n) { return slice.home(n); },
      [&](std::int64_t n) { return held[static_cast<std::size_t>(n - first)]; });
  std::vector<double> values(slice.near.size(), 0.0);
  std::size_t next = 0;
  for (std::size_t k = 0; k < slice.near.size(); ++k)
    if (slice.near[k].number >= 0) values[k] = answers[next++];
  return values;
}

/// Calls visit(cells, cell, node of the cell, index into MeshSlice::near) for the nodes of this rank's cells with a weight.
template <class Visit>
void for_weighted(const MeshSlice& slice, const std::vector<double>& weights, const Visit& visit) {
  for (const CellSlice& cells : slice.volumes) {
    const auto n = static_cast<std::size_t>(cells.num_nodes());
    for (std::size_t k = 0; k < cells.nodes.size(); ++k) {
      const auto near = static_cast<std::size_t>(cells.nodes[k]);
      if (weights[near] != 0) visit(cells, k / n, static_cast<int>(k % n), near);
    }
  }
}

/// Every weight over the number of cells that have the node, of the points near this rank. Collective.
std::vector<double> shares_of_cells(MPI_Comm comm, const MeshSlice& slice, const SurfaceSlice& group) {
  const std::int64_t first = slice.first_points[static_cast<std::size_t>(comm_rank(comm))];
  std::vector<double> held(slice.points.size(), 0.0), counts(slice.points.size(), 0.0);
  for (const SurfaceNode& node : group.nodes) held[static_cast<std::size_t>(node.node - first)] = node.weight;
  std::vector<std::vector<int>> met(static_cast<std::size_t>(comm_size(comm)));
  for_weighted(slice, near_values(comm, slice, held), [&](const CellSlice&, std::size_t, int, std::size_t near) {
    const int node = slice.near[near].number;
    met[static_cast<std::size_t>(slice.home(node))].push_back(node);
  });
  for (const auto& part : all_to_all(comm, met))
    for (const int node : part) counts[static_cast<std::size_t>(node - first)] += 1;
  for (std::size_t i = 0; i < held.size(); ++i)
    if (counts[i] > 0) held[i] /= counts[i];
  return near_values(comm, slice, held);
}

}  // namespace

CellTurn turn_at(CellShape shape, const std::vector<Point3>& x, int a) {
  constexpr double square_of_cube = 1.0 / 12;  // of the radius of gyration about an axis, over that of its edge
  const std::vector<double> integrals = shape_integrals(x, shape);
  const double volume = std::accumulate(integrals.begin(), integrals.end(), 0.0);
  std::vector<Vec3<double>> places;
  for (const Point3& p : x) places.push_back(vec3_at(p.data()));
  CellTurn turn{square_of_cube * std::cbrt(volume * volume), {}};
  turn.moments = weights_in_cell(shape, places, reference_nodes(shape)[static_cast<std::size_t>(a)]).gradients;
  for (Vec3<double>& moment : turn.moments) moment = turn.square * moment;
  return turn;
}

void add_turn(double square, SurfaceGroup& group) {
  group.gyration_radius = std::sqrt(group.gyration_radius * group.gyration_radius + 3 * square);
}

void add_turns(MPI_Comm comm, const MeshSlice& slice, SurfaceSlice& group) {
  const std::vector<double> shares = shares_of_cells(comm, slice, group);
  std::vector<std::vector<TurnTerm>> outgoing(static_cast<std::size_t>(comm_size(comm)));
  double square = 0;
  for_weighted(slice, shares, [&](const CellSlice& cells, std::size_t c, int a, std::size_t near) {
    const CellTurn turn = turn_at(cells.shape, slice.places(cells, c), a);
    square += shares[near] / group.known.area * turn.square;
    for (std::size_t b = 0; b < turn.moments.size(); ++b) {
      const int node = slice.near[static_cast<std::size_t>(cells.nodes[c * turn.moments.size() + b])].number;
      outgoing[static_cast<std::size_t>(slice.home(node))].push_back(
          {node, slice.near[near].number, cells.numbers[c], shares[near] * turn.moments[b]});
    }
  });
  MPI_Allreduce(MPI_IN_PLACE, &square, 1, MPI_DOUBLE, MPI_SUM, comm);
  add_turn(square, group.known);
  std::vector<TurnTerm> terms;
  for (const auto& part : all_to_all(comm, outgoing)) terms.insert(terms.end(), part.begin(), part.end());
  // In the order of the file, so that the sums are the same on any number of ranks.
  std::sort(terms.begin(), terms.end(),
            [](const TurnTerm& a, const TurnTerm& b) { return std::tie(a.node, a.of, a.cell) < std::tie(b.node, b.of, b.cell); });
  auto own = group.nodes.begin();
  for (const TurnTerm& term : terms) {
    while (own != group.nodes.end() && own->node < term.node) ++own;
    if (own != group.nodes.end() && own->node == term.node) {
      own->moment += term.moment;
      continue;
    }
    if (group.beside.empty() || group.beside.back().node != term.node) group.beside.push_back({term.node, 0, {}});
    group.beside.back().moment += term.moment;
  }
  const auto count = static_cast<std::int64_t>(group.beside.size());
  MPI_Scan(&count, &group.first_beside, 1, MPI_INT64_T, MPI_SUM, comm);
  group.first_beside -= count;
}

}  // namespace sinew
