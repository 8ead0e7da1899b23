#include "partition/graph.hpp"

#include "base/petsc.hpp"

#include <dlfcn.h>
#include <petscmat.h>

#include <algorithm>
#include <cstdlib>
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

}  // namespace

std::vector<int> partition_graph(MPI_Comm comm, const Homes& homes, std::vector<std::pair<std::int64_t, std::int64_t>> edges,
                                 const std::vector<int>& weight) {
  const auto n = static_cast<PetscInt>(weight.size());
  if (comm_size(comm) == 1) return std::vector<int>(weight.size(), 0);
  make_scotch_repeatable();
  std::vector<Edge> local = edges_at_home(comm, homes, std::move(edges));
  const std::int64_t first = homes.first(comm_rank(comm));
  std::vector<PetscInt> start(weight.size() + 1, 0), neighbours;
  for (const Edge& e : local) {
    ++start[static_cast<std::size_t>(e.from - first) + 1];
    neighbours.push_back(static_cast<PetscInt>(e.to));
  }
  local = {};
  for (std::size_t i = 0; i < weight.size(); ++i) start[i + 1] += start[i];
  MatHandle graph;
  petsc(MatCreateMPIAdj(comm, n, static_cast<PetscInt>(homes.total()), petsc_copy(start), petsc_copy(neighbours), nullptr,
                        graph.address()));
  MatPartitioning partitioning = nullptr;
  petsc(MatPartitioningCreate(comm, &partitioning));
  petsc(MatPartitioningSetAdjacency(partitioning, graph));
  petsc(MatPartitioningSetVertexWeights(partitioning, petsc_copy(std::vector<PetscInt>(weight.begin(), weight.end()))));
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

}  // namespace sinew
