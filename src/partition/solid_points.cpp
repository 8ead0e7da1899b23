#include "partition/solid_points.hpp"

#include "base/error.hpp"
#include "model/cell_place.hpp"
#include "model/inner_points.hpp"
#include "partition/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

constexpr int most_nodes = 27;

/// A point in a cell of this rank, as ranks tell it one another.
struct FoundPoint {
  int count = 0;
  int nodes[most_nodes] = {};
  double weights[most_nodes] = {};
  double gradients[most_nodes][3] = {};
};

FoundPoint found_in(const SolidCell& cell, const std::vector<Vec3<double>>& x, const Point3& xi) {
  const CellWeights weights = weights_in_cell(cell.shape, x, xi);
  FoundPoint found;
  found.count = static_cast<int>(cell.nodes.size());
  for (std::size_t a = 0; a < cell.nodes.size(); ++a) {
    found.nodes[a] = cell.nodes[a];
    found.weights[a] = weights.values[a];
    std::copy_n(weights.gradients[a].data, 3, found.gradients[a]);
  }
  return found;
}

/// The best of the cells that this rank holds, or of its part of those that all have.
CellCandidate search(MPI_Comm comm, const SolidSource& source, const Vec3<double>& X, FoundPoint& found) {
  CellCandidate best;
  const Span cells = source.cells();
  const std::int64_t size = source.is_whole() ? comm_size(comm) : 1, rank = source.is_whole() ? comm_rank(comm) : 0;
  std::vector<Vec3<double>> x;
  for (std::int64_t c = cells.count * rank / size; c < cells.count * (rank + 1) / size; ++c) {
    const SolidCell cell = source.cell(cells.first + c);
    x.clear();
    for (const Point3& p : cell.x) x.push_back({{p[0], p[1], p[2]}});
    const CellPlace place = locate_in_cell(cell.shape, x, X);
    CellCandidate here;
    here.excess = place.is_inside() ? 0.0 : place.excess;
    std::copy(cell.nodes.begin(), cell.nodes.end(), here.nodes);
    std::sort(here.nodes, here.nodes + cell.nodes.size());
    if (!(here < best)) continue;
    best = here;
    found = found_in(cell, x, place.xi);
  }
  return best;
}

}  // namespace

bool CellCandidate::operator<(const CellCandidate& other) const {
  if (excess != other.excess) return excess < other.excess;
  return std::lexicographical_compare(nodes, nodes + most_nodes, other.nodes, other.nodes + most_nodes);
}

int rank_of_first(MPI_Comm comm, const CellCandidate& mine) {
  const std::vector<CellCandidate> all = gather_from_all(comm, std::vector<CellCandidate>{mine});
  const auto first = std::min_element(all.begin(), all.end());
  return first->excess > 0 ? -1 : static_cast<int>(first - all.begin());
}

void locate_points(MPI_Comm comm, const Model& model, int body, const SolidSource& source, SolidMesh& mesh) {
  const BodyItem& item = model.bodies[static_cast<std::size_t>(body)];
  for (const int number : points_with_frames(model, body)) {
    const NamedPoint& named = item.points[static_cast<std::size_t>(number)];
    AttachedPoint point{number, evaluate(std::get<VectorExpression>(named.place), item.repeat.indices(0)), {}, {}, {}};
    FoundPoint found;
    const int rank = rank_of_first(comm, search(comm, source, point.place, found));
    if (rank < 0)
      throw InputError(fmt::format("{}: error: the point '{}' lies outside of the solid '{}', where nothing can take hold of it",
                                   model.source.locate(named.mark), named.name.text(), item.name.text()));
    MPI_Bcast(&found, sizeof found, MPI_BYTE, rank, comm);
    for (int a = 0; a < found.count; ++a) {
      point.nodes.push_back(found.nodes[a]);
      point.weights.push_back(found.weights[a]);
      const double* g = found.gradients[a];
      point.gradients.push_back({{g[0], g[1], g[2]}});
    }
    mesh.points.push_back(std::move(point));
  }
}

void locate_nodes(MPI_Comm comm, const Model& model, int body, const SolidSource& source, SolidMesh& mesh) {
  const Span held = source.points();
  const std::vector<int> numbers = nodes_in_use(model, body);
  std::vector<Point3> places(numbers.size(), Point3{});
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const int number = numbers[k];
    const BodyItem& item = model.bodies[static_cast<std::size_t>(body)];
    if (number >= mesh.num_points)
      throw InputError(fmt::format("{}: error: '{}' has no node {}; its nodes are 0 to {}", model.source.locate(item.mark),
                                   item.name.text(), number, mesh.num_points - 1));
    if (number >= held.first && number < held.first + held.count && (!source.is_whole() || comm_rank(comm) == 0))
      places[k] = source.point(number);
  }
  MPI_Allreduce(MPI_IN_PLACE, places.data(), 3 * static_cast<int>(places.size()), MPI_DOUBLE, MPI_SUM, comm);
  for (std::size_t k = 0; k < numbers.size(); ++k) mesh.nodes[numbers[k]] = places[k];
}

}  // namespace sinew
