#include "partition/graph.hpp"

#include "base/petsc.hpp"
#include "partition/coordinate_bisection.hpp"

#include <dlfcn.h>
#include <petscmat.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

namespace sinew {

namespace {

struct Edge {
  std::int64_t from, to;
  bool operator<(const Edge& o) const { return from != o.from ? from < o.from : to < o.to; }
  bool operator==(const Edge& o) const { return from == o.from && to == o.to; }
};

/// Both directions of every edge at the home of its start, sorted, each once.
std::vector<Edge> edges_at_home(MPI_Comm comm, const Homes& homes, std::vector<std::pair<std::int64_t, std::int64_t>> edges) {
  // Elements of a solid share most of their edges: each travels once.
  for (auto& [a, b] : edges)
    if (a > b) std::swap(a, b);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<std::vector<Edge>> parts(static_cast<std::size_t>(comm_size(comm)));
  for (const auto& [a, b] : edges) {
    parts[static_cast<std::size_t>(homes.home(a))].push_back({a, b});
    parts[static_cast<std::size_t>(homes.home(b))].push_back({b, a});
  }
  edges = {};
  parts = all_to_all(comm, parts);
  std::vector<Edge> local;
  for (auto& part : parts) {
    local.insert(local.end(), part.begin(), part.end());
    part = {};
  }
  std::sort(local.begin(), local.end());
  local.erase(std::unique(local.begin(), local.end()), local.end());
  return local;
}

/// Without this PT-Scotch's partitions differ from call to call (its random numbers run on) and from run to run (its threads).
void make_scotch_repeatable() {
  setenv("SCOTCH_PTHREAD_NUMBER", "1", 0);
  // Scotch comes with PETSc, whose users need neither its headers nor its library by name.
  if (void* reset = dlsym(RTLD_DEFAULT, "SCOTCH_randomReset")) reinterpret_cast<void (*)()>(reset)();
}

template <class T>
T* petsc_copy(const std::vector<T>& values) {
  T* copy = nullptr;
  petsc(PetscMalloc1(values.size() + 1, &copy));
  std::copy(values.begin(), values.end(), copy);
  return copy;
}

/// An edge that is not to be cut weighs more than all that can meet in one node of a net.
constexpr PetscInt bond_weight = 1000;
/// A part may have so many times its share of dofs: PT-Scotch keeps to 1.01, a bisection does not part nodes at one place.
constexpr double largest_share = 1.05;

/// The graph at home: rows of edges, as PETSc wants them.
struct Rows {
  std::vector<PetscInt> starts, ends, weights;
};

/// Which values of a table by natural numbers the ends of edges have. Collective.
template <class T>
std::vector<T> at_ends(MPI_Comm comm, const Homes& homes, const std::vector<T>& values, const std::vector<Edge>& edges) {
  Directory<T> table(comm, homes.total());
  table.local() = values;
  std::vector<std::int64_t> ids;
  for (const Edge& e : edges) ids.push_back(e.to);
  return table.look_up(ids);
}

Rows rows_of(MPI_Comm comm, const Homes& homes, const std::vector<Edge>& edges, const GraphNodes& nodes) {
  const std::int64_t first = homes.first(comm_rank(comm));
  const std::vector<char> is_slope = at_ends(comm, homes, nodes.is_slope, edges);
  Rows rows;
  rows.starts.assign(nodes.weight.size() + 1, 0);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const Edge& e = edges[k];
    const auto from = static_cast<std::size_t>(e.from - first);
    ++rows.starts[from + 1];
    rows.ends.push_back(static_cast<PetscInt>(e.to));
    const bool is_bond = (nodes.is_slope[from] && e.to == e.from - 1) || (is_slope[k] && e.to == e.from + 1);
    rows.weights.push_back(is_bond ? bond_weight : 1);
  }
  for (std::size_t i = 0; i < nodes.weight.size(); ++i) rows.starts[i + 1] += rows.starts[i];
  return rows;
}

/// By PETSc's MatPartitioning. Collective.
std::vector<int> partition_edges(MPI_Comm comm, const Homes& homes, const Rows& rows, const GraphNodes& nodes) {
  make_scotch_repeatable();
  const auto n = static_cast<PetscInt>(nodes.weight.size());
  MatHandle graph;
  petsc(MatCreateMPIAdj(comm, n, static_cast<PetscInt>(homes.total()), petsc_copy(rows.starts), petsc_copy(rows.ends),
                        petsc_copy(rows.weights), graph.address()));
  MatPartitioning partitioning = nullptr;
  petsc(MatPartitioningCreate(comm, &partitioning));
  petsc(MatPartitioningSetAdjacency(partitioning, graph));
  petsc(MatPartitioningSetUseEdgeWeights(partitioning, PETSC_TRUE));
  petsc(
      MatPartitioningSetVertexWeights(partitioning, petsc_copy(std::vector<PetscInt>(nodes.weight.begin(), nodes.weight.end()))));
#ifdef PETSC_HAVE_PTSCOTCH
  petsc(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH));
#endif
  read_options("mat_partitioning_", [&] { return MatPartitioningSetFromOptions(partitioning); });
  IsHandle parts;
  petsc(MatPartitioningApply(partitioning, parts.address()));
  petsc(MatPartitioningDestroy(&partitioning));
  const PetscInt* owner = nullptr;
  petsc(ISGetIndices(parts, &owner));
  std::vector<int> result(owner, owner + n);
  petsc(ISRestoreIndices(parts, &owner));
  return result;
}

/// Edges between parts, or infinity where a part has far more dofs than others. Collective.
double cut_of(MPI_Comm comm, const Homes& homes, const std::vector<Edge>& edges, const Rows& rows, const GraphNodes& nodes,
              const std::vector<int>& owner) {
  const std::vector<int> of_ends = at_ends(comm, homes, owner, edges);
  const std::int64_t first = homes.first(comm_rank(comm));
  double cut = 0;
  for (std::size_t k = 0; k < edges.size(); ++k)
    if (of_ends[k] != owner[static_cast<std::size_t>(edges[k].from - first)]) cut += static_cast<double>(rows.weights[k]);
  std::vector<double> sums(static_cast<std::size_t>(comm_size(comm)) + 1, 0.0);
  for (std::size_t i = 0; i < owner.size(); ++i) sums[static_cast<std::size_t>(owner[i])] += nodes.weight[i];
  sums.back() = cut;
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, comm);
  const double mean = std::accumulate(sums.begin(), sums.end() - 1, 0.0) / comm_size(comm);
  const bool is_even = *std::max_element(sums.begin(), sums.end() - 1) <= largest_share * mean;
  return is_even ? sums.back() : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<int> partition_graph(MPI_Comm comm, const Homes& homes, std::vector<std::pair<std::int64_t, std::int64_t>> edges,
                                 const GraphNodes& nodes) {
  if (comm_size(comm) == 1) return std::vector<int>(nodes.weight.size(), 0);
  const std::vector<Edge> local = edges_at_home(comm, homes, std::move(edges));
  const Rows rows = rows_of(comm, homes, local, nodes);
  const std::vector<int> by_edges = partition_edges(comm, homes, rows, nodes);
  const std::vector<int> by_places = bisect_coordinates(comm, nodes.place, nodes.weight);
  const double cut = cut_of(comm, homes, local, rows, nodes, by_places);
  return cut < cut_of(comm, homes, local, rows, nodes, by_edges) ? by_places : by_edges;
}

}  // namespace sinew
