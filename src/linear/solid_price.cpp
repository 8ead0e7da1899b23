#include "linear/solid_price.hpp"

#include "linear/leaf_order.hpp"
#include "linear/matrix_rows.hpp"
#include "linear/solid_split.hpp"

#include <algorithm>
#include <utility>

namespace sinew {

namespace {

/// Operations of the factorisation, with this order, for every entry of the matrix, from which iterations are faster. Measured on
/// one core, whole runs: hexahedra 200 x 6 x 6 (2,000 to 3,000) take 2.2 times as long by iterations, 40 x 10 x 10 (10,000) .6
/// times, 64 x 16 x 16 (60,000) .25 times.
constexpr double dear = 8000;

enum class Choice { automatic, iterations, factors };

Choice chosen_by_option() {
  const char* const names[] = {"automatic", "iterations", "factors", "Choice", "", nullptr};
  PetscEnum choice = PetscEnum(0);
  read_options("sinew_", [&] { return PetscOptionsGetEnum(nullptr, nullptr, "-sinew_solids", names, &choice, nullptr); });
  return static_cast<Choice>(static_cast<int>(choice));
}

#ifdef SINEW_HAVE_KLU

struct Price {
  double operations = 0, entries = 0;
};

/// Of this rank's own nodes: the graph of nodes is ordered, and every entry of its factors stands for as many operations as its
/// blocks have; a mass matrix does not couple the directions.
Price price_of(PetscMat A, const SolidSplit& split) {
  PetscInt first = 0, end = 0;
  petsc(MatGetOwnershipRange(A, &first, &end));
  std::vector<int> node(static_cast<std::size_t>(end - first), -1);
  for (std::size_t k = 0; k < split.bulk.size(); ++k) node[static_cast<std::size_t>(split.bulk[k])] = static_cast<int>(k / 3);
  LeafMatrix graph;
  graph.num_interior = static_cast<int>(split.bulk.size() / 3);
  graph.is_dof.assign(static_cast<std::size_t>(graph.num_interior), 1);
  graph.starts.push_back(0);
  Price price;
  for (std::size_t k = 0; k < split.bulk.size(); k += 3) {
    const auto begin = static_cast<std::ptrdiff_t>(graph.rows.size());
    for_entries(A, first + split.bulk[k], [&](PetscInt column, PetscScalar) {
      price.entries += 3;
      if (column < first || column >= end) return;
      const int other = node[static_cast<std::size_t>(column - first)];
      if (other >= 0) graph.rows.push_back(other);
    });
    std::sort(graph.rows.begin() + begin, graph.rows.end());
    graph.rows.erase(std::unique(graph.rows.begin() + begin, graph.rows.end()), graph.rows.end());
    graph.starts.push_back(static_cast<int>(graph.rows.size()));
  }
  const double width = graph.rows.empty() ? 1 : price.entries / (3 * static_cast<double>(graph.rows.size()));
  price.operations = 3 * width * width * order_leaf(std::move(graph), [](int) { return 1.0; }).operations;
  return price;
}

#endif

}  // namespace

bool iterations_pay(PetscMat A, SolidsAs solids) {
#ifdef SINEW_HAVE_KLU
  const Choice choice = chosen_by_option();
  if (choice != Choice::automatic) return choice == Choice::iterations;
  if (solids == SolidsAs::masses) return true;
  const auto unknowns = noted_unknowns(A);
  if (unknowns->prefers_iterations) return *unknowns->prefers_iterations;
  MPI_Comm comm = MPI_COMM_NULL;
  petsc(PetscObjectGetComm(reinterpret_cast<PetscObject>(A), &comm));
  const Price own = price_of(A, split_by_solids(A, *unknowns));
  double most[2] = {own.operations, own.entries};
  MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, comm);
  unknowns->prefers_iterations = most[0] > dear * most[1];
  return *unknowns->prefers_iterations;
#else
  (void)A;
  (void)solids;
  return false;
#endif
}

}  // namespace sinew
