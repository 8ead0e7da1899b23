#include "prediction.hpp"

#include "linear/rank_tree.hpp"
#include "linear/tree_factors.hpp"
#include "turns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace sinew::perf {

namespace {

/// The three stages of SubstructureSolver on this rank.
struct Stages {
  explicit Stages(PetscMat A) {
    MPI_Comm comm = MPI_COMM_NULL;  // the matrix has one of PETSc's
    comm = comm_of(A);
    const auto unknowns = noted_unknowns(A);
    if (!unknowns) throw SolveError("the matrix has not noted its unknowns");
    const int size = comm_size(comm);
    if (size > 1) part.emplace(A, *unknowns);
    if (size == 1) own.emplace(A);
    if (!factors.analyse(rows(), *unknowns, part ? part->kept() : std::vector<PetscInt>()) || !factors.factorise(rows()))
      throw SolveError("the matrix is not solved by substructures");
    if (part) above.emplace(comm, part->shared());
    rest.resize(part ? part->kept().size() : 0);
  }
  SparseRows rows() const { return part ? part->rows() : static_cast<const SparseRows&>(*own); }

  std::optional<RankPart> part;
  std::optional<MatrixRows> own;
  TreeFactors factors;
  std::optional<RankTree> above;
  std::vector<double> rest;
};

/// The larger of all ranks, number by number. Collective.
LevelCost largest_of(const LevelCost& own, MPI_Comm comm) {
  double all[4] = {own.factorisation, own.solution, own.factor_bytes, own.solution_bytes};
  MPI_Allreduce(MPI_IN_PLACE, all, 4, MPI_DOUBLE, MPI_MAX, comm);
  return {all[0], all[1], all[2], all[3]};
}

/// How often a tree halves so many ranks.
int levels_of(int ranks) {
  int levels = 0;
  while (1 << levels < ranks) ++levels;
  if (1 << levels != ranks) throw InputError("predictions are for 1, 2, 4, 8, ... ranks");
  return levels;
}

}  // namespace

Prediction measure_prediction(const System& system, PetscMat A, int repeats) {
  const MPI_Comm comm = system.layout().comm;
  const int num_levels = levels_of(comm_size(comm));
  const Turns turns(comm, repeats);
  Prediction result;
  result.ranks = comm_size(comm);
  result.unknowns = static_cast<double>(system.global_dofs() + system.global_rows());
  PetscInt own_unknowns = 0;
  petsc(MatGetLocalSize(A, &own_unknowns, nullptr));
  result.largest_part = static_cast<double>(own_unknowns);
  MPI_Allreduce(MPI_IN_PLACE, &result.largest_part, 1, MPI_DOUBLE, MPI_MAX, comm);
  Stages stages(A);
  VecHandle b = make_kkt_vector(system.layout());
  petsc(VecSet(b, 1.0));
  const VecHandle x = duplicate(b);
  const VecRead from(b);
  VecWrite to(x);
  const SparseRows rows = stages.rows();
  LevelCost part;
  part.factorisation = turns.time([&] { stages.factors.factorise(rows); });
  part.solution = turns.time([&] {
    stages.factors.forward(OneSide<const PetscScalar>{from.data()}, stages.rest.data());
    stages.factors.backward(stages.rest.data(), OneSide<PetscScalar>{to.data()});
  });
  if (stages.part) part.factor_bytes = static_cast<double>(stages.part->num_fetched() * sizeof(PetscScalar));
  result.part = largest_of(part, comm);
  if (!stages.above) return result;
  std::vector<LevelCost> levels(static_cast<std::size_t>(num_levels));
  const FrontWatch factorisation = [&](std::size_t level, std::size_t bytes, const std::function<void()>& work) {
    levels[level].factorisation += turns.time(work);
    levels[level].factor_bytes += static_cast<double>(bytes);
  };
  const FrontWatch solution = [&](std::size_t level, std::size_t bytes, const std::function<void()>& work) {
    levels[level].solution += turns.time(work);
    levels[level].solution_bytes += static_cast<double>(bytes);
  };
  stages.factors.forward(OneSide<const PetscScalar>{from.data()}, stages.rest.data());
  if (!stages.above->factorise(stages.factors.complement(), {}, &factorisation).is_regular)
    throw SolveError("a front is singular");
  stages.above->solve(stages.rest, &solution);
  for (const LevelCost& level : levels) result.levels.push_back(largest_of(level, comm));
  return result;
}

double Prediction::factorisation(const MessageModel& messages) const {
  double sum = part.factorisation + (levels.empty() ? 0.0 : messages.seconds(part.factor_bytes));
  for (const LevelCost& level : levels) sum += level.factorisation + messages.seconds(level.factor_bytes);
  return sum;
}

double Prediction::solution(const MessageModel& messages) const {
  double sum = part.solution;
  for (const LevelCost& level : levels) sum += level.solution + messages.seconds(level.solution_bytes);
  return sum;
}

Prediction Prediction::extended_to(int more_ranks) const {
  Prediction larger = *this;
  larger.ranks = more_ranks;
  larger.unknowns *= static_cast<double>(more_ranks) / ranks;
  LevelCost dearest;
  for (const LevelCost& level : levels) {
    dearest.factorisation = std::max(dearest.factorisation, level.factorisation);
    dearest.solution = std::max(dearest.solution, level.solution);
    dearest.factor_bytes = std::max(dearest.factor_bytes, level.factor_bytes);
    dearest.solution_bytes = std::max(dearest.solution_bytes, level.solution_bytes);
  }
  larger.levels.resize(static_cast<std::size_t>(levels_of(more_ranks)), dearest);
  return larger;
}

namespace {

/// One rank's own time for this many unknowns, over the time that all ranks take together.
double efficiency(const Prediction& p, const MessageModel& messages, const Prediction& one_rank) {
  return one_rank.seconds(messages) * (p.unknowns / one_rank.unknowns) / (p.ranks * p.seconds(messages));
}

}  // namespace

std::string to_text(const Prediction& p, const MessageModel& messages, const Prediction& one_rank) {
  std::string text =
      fmt::format("CPU ms of the slowest rank, measured in turn{:>15}{:>12}{:>12}\n", "factorisation", "solution", "message KB");
  const auto line = [&](const std::string& name, const LevelCost& cost) {
    text += fmt::format("  {:38}{:15.4f}{:12.4f}{:12.3f}\n", name, 1e3 * cost.factorisation, 1e3 * cost.solution,
                        1e-3 * cost.factor_bytes);
  };
  line(fmt::format("one rank, {:.0f} unknowns", one_rank.unknowns), one_rank.part);
  line(fmt::format("part of a rank, at most {:.0f} unknowns", p.largest_part), p.part);
  for (std::size_t l = 0; l < p.levels.size(); ++l) line(fmt::format("front above {} ranks", 1 << (l + 1)), p.levels[l]);
  text += fmt::format(
      "predicted on {} ranks, messages of {:g} us + bytes / {:g} GB/s: factorisation {:.4f} ms, solution {:.4f} ms, ", p.ranks,
      1e6 * messages.latency, 1e-9 * messages.bandwidth, 1e3 * p.factorisation(messages), 1e3 * p.solution(messages));
  return text + fmt::format("efficiency {:.3f}\n", efficiency(p, messages, one_rank));
}

std::string to_json(const Prediction& p, const MessageModel& messages, const Prediction& one_rank) {
  const auto object = [](const LevelCost& c) {
    return fmt::format(R"({{"factorisation": {:.9g}, "solution": {:.9g}, "factor_bytes": {:.0f}, "solution_bytes": {:.0f}}})",
                       c.factorisation, c.solution, c.factor_bytes, c.solution_bytes);
  };
  std::vector<std::string> levels;
  for (const LevelCost& level : p.levels) levels.push_back(object(level));
  return fmt::format(R"({{"ranks": {}, "unknowns": {:.0f}, "largest_part": {:.0f}, "one_rank_unknowns": {:.0f}, )"
                     R"("one_rank": {}, "part": {}, "levels": [{}], )"
                     R"("latency": {:g}, "bandwidth": {:g}, "factorisation": {:.9g}, "solution": {:.9g}, "efficiency": {:.6g}}})",
                     p.ranks, p.unknowns, p.largest_part, one_rank.unknowns, object(one_rank.part), object(p.part),
                     fmt::join(levels, ", "), messages.latency, messages.bandwidth, p.factorisation(messages),
                     p.solution(messages), efficiency(p, messages, one_rank));
}

}  // namespace sinew::perf
