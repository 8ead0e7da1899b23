#include "linear/solid_price.hpp"

#include "base/index.hpp"
#include "base/reduction.hpp"
#include "linear/border_contact.hpp"
#include "linear/leaf_order.hpp"
#include "linear/matrix_rows.hpp"
#include "linear/solid_split.hpp"
#include "partition/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sinew {

namespace {

/// Operations of the factorisation, with this order, for every entry of the matrix, from which iterations are faster. Measured on
/// one core, whole runs: hexahedra 200 x 6 x 6 (2,000 to 3,000) take 2.2 times as long by iterations, 40 x 10 x 10 (10,000) .6
/// times, 64 x 16 x 16 (60,000) .25 times.
constexpr double dear = 8000;

/// The same for every column of the border that one body has: a solution with the preconditioner and its share of what becomes of
/// it. Measured on one core by whole runs, box of 40 x 10 x 10 hexahedra with 1, 10, 50 bodies on spherical joints (18, 99, 459
/// columns): iterations take 3.4, 6.0, 9.1 s where factors take 4.9, 4.8, 5.4 s at 35e9 operations a second.
constexpr double dear_by_column = 38;

/// Masses alone are solved for in some ten iterations, and what a solution costs by factors is not to factorise, which is done
/// now and then, but the four solutions of GMRES: no matter what the mesh, both take about the same as long as the border is not
/// worth more than `spare` operations for every entry. A preconditioner of masses serves for long, a column therefore costs less.
/// Unit costs (2.5 ns an entry, 35e9 operations a second, a preconditioner for 20 steps), set so that they agree with these runs
/// and tried on no others: masses of boxes of 16 x 5 x 5, 40 x 10 x 10 and 64 x 16 x 16 with 50 bodies (306 columns) take .07 s
/// more, .5 s less by iterations of 0.4, 5 s; with 200 (1206 columns) 1.7 s more of 1, 1.3 s more of 7, .3 s less of 26.
constexpr double spare = 2600, masses_by_column = 4.4, masses_factorised = 0.1;

enum class Choice { automatic, iterations, factors };

Choice chosen_by_option() {
  const char* const names[] = {"automatic", "iterations", "factors", "Choice", "", nullptr};
  return enum_option<Choice>("-sinew_solids", names);
}

#ifdef SINEW_HAVE_KLU

struct Price {
  double operations = 0, entries = 0;
};

/// With the bodies that this rank's border touches, on whatever rank their nodes are. Collective.
std::vector<BorderContact> contacts_of_border(PetscMat A, const SolidSplit& split, MPI_Comm comm) {
  PetscInt first = 0, end = 0;
  const PetscInt* ranges = nullptr;
  petsc(MatGetOwnershipRange(A, &first, &end));
  petsc(MatGetOwnershipRanges(A, &ranges));
  std::vector<char> is_bulk(at(end - first), 0), is_border(at(end - first), 0);
  for (const PetscInt i : split.bulk) is_bulk[at(i)] = 1;
  for (const PetscInt i : split.border) is_border[at(i)] = 1;
  std::vector<BorderContact> seen;  // of other ranks' unknowns only they know which are border
  for (std::size_t k = 0; k < split.bulk.size(); ++k)
    for_entries(A, first + split.bulk[k], [&](PetscInt column, PetscScalar) {
      if (column < first || column >= end || !is_bulk[at(column - first)]) seen.push_back({column, split.body[k / 3]});
    });
  const auto unknowns = noted_unknowns(A);
  for (const std::size_t k : split.carried) {  // what carries a dof touches the body by it
    const std::int64_t body = unknowns->solid[at(unknowns->block_of_dof[at(split.pins[k])])];
    for_entries(A, first + split.pin_rows[k], [&](PetscInt column, PetscScalar) { seen.push_back({column, body}); });
  }
  sort_out(seen);
  const int size = comm_size(comm);
  std::vector<std::vector<BorderContact>> outgoing(static_cast<std::size_t>(size));
  for (const BorderContact& contact : seen)
    outgoing[at(static_cast<PetscInt>(std::upper_bound(ranges, ranges + size + 1, contact.unknown) - ranges - 1))].push_back(
        contact);
  std::vector<BorderContact> own;
  for (const std::vector<BorderContact>& incoming : all_to_all(comm, outgoing))
    for (const BorderContact& contact : incoming)
      if (is_border[at(contact.unknown - first)]) own.push_back(contact);
  sort_out(own);
  return own;
}

/// Every rank counts of its own border, and adds up the counts of bodies that are at home there. Collective.
BorderColumns count_columns(PetscMat A, const SolidSplit& split, MPI_Comm comm) {
  struct Count {
    std::int64_t body;
    double columns;
  };
  std::map<std::int64_t, double> own, whole;
  for (const BorderContact& contact : contacts_of_border(A, split, comm)) own[contact.body] += 1;
  std::vector<std::vector<Count>> outgoing(static_cast<std::size_t>(comm_size(comm)));
  for (const auto& [body, columns] : own) outgoing[static_cast<std::size_t>(body) % outgoing.size()].push_back({body, columns});
  for (const std::vector<Count>& incoming : all_to_all(comm, outgoing))
    for (const Count& count : incoming) whole[count.body] += count.columns;
  BorderColumns of_home;
  for (const auto& [body, columns] : whole) {
    of_home.most = std::max(of_home.most, columns);
    of_home.cubes += columns * columns * columns;
  }
  Reduction all(comm);
  const std::size_t most = all.largest(of_home.most), cubes = all.sum(of_home.cubes);
  all.share();
  return {all[most], all[cubes]};
}

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

#ifdef SINEW_HAVE_KLU

BorderColumns border_columns(PetscMat A) {
  const MPI_Comm comm = comm_of(A);
  return count_columns(A, split_by_solids(A, *noted_unknowns(A)), comm);
}

#endif

std::string price_text(PetscMat A, SolidsAs solids) {
  const auto unknowns = noted_unknowns(A);
  const std::optional<SolidPrice>& price = solids == SolidsAs::masses ? unknowns->price_of_masses : unknowns->price;
  if (!price) return "solids, -sinew_solids";
  return fmt::format("solids: factors would take {:.2g} operations for {:.2g} entries, the border has {:.0f} columns: {}",
                     price->operations, price->entries, price->columns,
                     price->iterations_pay ? "iterations are expected to be faster" : "factors are expected to be faster");
}

bool iterations_pay(PetscMat A, SolidsAs solids) {
#ifdef SINEW_HAVE_KLU
  const Choice choice = chosen_by_option();
  if (choice != Choice::automatic) return choice == Choice::iterations;
  const auto unknowns = noted_unknowns(A);
  const bool are_masses = solids == SolidsAs::masses;
  std::optional<SolidPrice>& known = are_masses ? unknowns->price_of_masses : unknowns->price;
  if (known) return known->iterations_pay;
  const MPI_Comm comm = comm_of(A);
  const SolidSplit split = split_by_solids(A, *unknowns);
  const Price own = price_of(A, split);
  Reduction all(comm);
  const std::size_t operations = all.largest(own.operations), entries = all.largest(own.entries);
  all.share();
  const BorderColumns columns = count_columns(A, split, comm);
  const double dense = 2.0 / 3 * columns.cubes;  // S, factorised by every rank
  const bool pay = are_masses ? masses_by_column * columns.most * all[entries] + dense <
                                    spare * all[entries] + masses_factorised * all[operations]
                              : (dear + dear_by_column * columns.most) * all[entries] + dense < all[operations];
  known = SolidPrice{pay, all[operations], all[entries], columns.most};
  return pay;
#else
  (void)A;
  (void)solids;
  return false;
#endif
}

}  // namespace sinew
