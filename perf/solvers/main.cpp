// bench_solvers: what a refactorisation and a solution with a model's matrix cost by each of the exact solvers, in CPU time of
// the slowest rank.
//
//   [mpirun -n 2] bench_solvers MODEL [--set constants.N=10000]... [--step 0.01] [--matrix tangent|projection] [--repeats 10]
//                 [--solvers substructures batched klu mumps]
//                 [--predict [--reference constants.N=5000]... [--ranks 1024] [--output FILE]]
//
// --predict says what substructures would take on as many cores as there are ranks, however few cores there are here: the ranks'
// own work is measured one rank after the other, messages are taken from a model. Efficiencies are those against one rank with
// the same model, or with that of --reference. --ranks: the model and its ranks grow on to so many.

#include "command_model.hpp"
#include "linear/kkt_solver.hpp"
#include "prediction.hpp"
#include "session.hpp"
#include "turns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

namespace sinew::perf {
namespace {

struct Request {
  std::string model, matrix = "tangent", output;
  std::vector<std::string> overrides, solvers{"substructures", "klu", "mumps"}, reference;
  double step = 0.01;
  int repeats = 10, ranks = 0;
  bool predicts = false;
  MessageModel messages;
};

/// CPU seconds that a job takes on the slowest rank. Collective.
template <class Job>
double slowest(MPI_Comm comm, const Job& job) {
  MPI_Barrier(comm);
  const double start = cpu_seconds();
  job();
  double seconds = cpu_seconds() - start;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

/// The matrix of a generalized-alpha step (rho 0.8) at the model's start, without multipliers, or that of its projection.
MatHandle matrix_of(const System& system, const Request& request) {
  constexpr double beta = 25.0 / 81, gamma = 11.0 / 18;
  Configuration q = system.make_configuration();
  const VecHandle z = system.make_dof_vector(), w = system.make_dof_vector(), lambda = system.make_row_vector();
  system.initial_state(q, z);
  Stage stage;
  stage.q = &q;
  stage.z = z;
  stage.lambda = lambda;
  if (request.matrix == "projection") {
    MatHandle A = system.make_projection_matrix();
    system.assemble_projection(stage, A);
    return A;
  }
  TangentShift shift;
  shift.q = beta * request.step * request.step;
  shift.v = gamma * request.step;
  shift.a = 1;
  MatHandle A = system.make_tangent_matrix();
  system.assemble_tangent(stage, shift, w, A);
  return A;
}

std::unique_ptr<KktSolver> make_solver(const std::string& name, int ranks) {
  if (name == "klu") return make_klu_solver(ranks);
  if (name == "mumps") return make_mumps_solver();
  return make_substructure_solver(name == "batched" ? Substructures::batched : Substructures::sparse);
}

void measure(const System& system, const std::string& name, PetscMat A, int repeats) {
  const MPI_Comm comm = system.layout().comm;
  const int rank = comm_rank(comm);
  VecHandle b = make_kkt_vector(system.layout());
  const VecHandle x = duplicate(b);
  {
    PetscInt first = 0, end = 0;
    petsc(VecGetOwnershipRange(b, &first, &end));
    VecWrite values(b);
    for (PetscInt i = first; i < end; ++i) values[i - first] = std::sin(1.0 + static_cast<double>(i));
  }
  const auto solver = make_solver(name, comm_size(comm));
  if (!solver) return;
  bool works = true;
  const double first = slowest(comm, [&] { works = solver->factorise(A); });
  double again = std::numeric_limits<double>::infinity(), checked = again, solution = again;
  for (int i = 0; i < repeats && works; ++i) {
    again = std::min(again, slowest(comm, [&] { works = solver->factorise(A) && works; }));
    checked = std::min(checked, slowest(comm, [&] { works = solver->solve(b, x) && works; }));
    solution = std::min(solution, slowest(comm, [&] { works = solver->solve(b, x) && works; }));
  }
  if (rank != 0) return;
  if (!works) return fmt::print("{:13} fails\n", name), void();
  fmt::print("{:13} {:10.2f} {:10.2f} {:10.2f} {:10.2f}  {}\n", name, 1e3 * first, 1e3 * again, 1e3 * checked, 1e3 * solution,
             solver->describe());
}

/// Measures one rank with the reference while the others sleep, then all with the model. Collective.
int predict(const Request& request) {
  Prediction one_rank;
  const bool is_first = comm_rank(PETSC_COMM_WORLD) == 0;
  if (is_first) {
    const auto built =
        build_for_command(PETSC_COMM_SELF, request.model, request.reference.empty() ? request.overrides : request.reference);
    one_rank = measure_prediction(*built->system, matrix_of(*built->system, request), request.repeats);
  }
  Turns(PETSC_COMM_WORLD, 1).wait_for_all();
  const auto built = build_for_command(PETSC_COMM_WORLD, request.model, request.overrides);
  Prediction result = measure_prediction(*built->system, matrix_of(*built->system, request), request.repeats);
  if (request.ranks > 0) result = result.extended_to(request.ranks);
  if (!is_first) return 0;
  fmt::print("{} of {} {}: {:.0f} unknowns\n{}", request.matrix, request.model, fmt::join(request.overrides, " "),
             result.unknowns, to_text(result, request.messages, one_rank));
  if (!request.output.empty()) std::ofstream(request.output) << to_json(result, request.messages, one_rank) << '\n';
  return 0;
}

int run(const Request& request) {
  if (request.predicts) return predict(request);
  const auto built = build_for_command(PETSC_COMM_WORLD, request.model, request.overrides);
  const System& system = *built->system;
  const MatHandle A = matrix_of(system, request);
  if (comm_rank(PETSC_COMM_WORLD) == 0) {
    fmt::print("{} of {} {}: {} unknowns, {} ranks; CPU ms of the slowest rank, the smallest of {}\n", request.matrix,
               request.model, fmt::join(request.overrides, " "), system.global_dofs() + system.global_rows(),
               comm_size(PETSC_COMM_WORLD), request.repeats);
    fmt::print("{:13} {:>10} {:>10} {:>10} {:>10}\n", "", "first", "refactor", "checked", "solution");
  }
  for (const std::string& name : request.solvers) measure(system, name, A, request.repeats);
  return 0;
}

}  // namespace
}  // namespace sinew::perf

int main(int argc, char** argv) {
  sinew::SplitArguments words = sinew::split_arguments(argc, argv);
  sinew::perf::Request request;
  CLI::App app{"What the exact solvers cost with a model's matrix"};
  app.add_option("model", request.model)->required();
  app.add_option("--set", request.overrides, "KEY=VALUE of the model");
  app.add_option("--step", request.step, "s")->check(CLI::PositiveNumber);
  app.add_option("--matrix", request.matrix)->check(CLI::IsMember({"tangent", "projection"}));
  app.add_option("--repeats", request.repeats)->check(CLI::PositiveNumber);
  app.add_option("--solvers", request.solvers)->check(CLI::IsMember({"substructures", "batched", "klu", "mumps"}));
  CLI::Option* const predict = app.add_flag("--predict", request.predicts, "on as many cores as there are ranks");
  app.add_option("--reference", request.reference, "KEY=VALUE of the model for one rank")->needs(predict);
  app.add_option("--ranks", request.ranks, "to which model and ranks grow")->needs(predict)->check(CLI::PositiveNumber);
  app.add_option("--latency", request.messages.latency, "of a message, s")->check(CLI::PositiveNumber);
  app.add_option("--bandwidth", request.messages.bandwidth, "of messages, bytes/s")->check(CLI::PositiveNumber);
  app.add_option("--output", request.output, "a file for the prediction, JSON")->needs(predict);
  std::reverse(words.own.begin(), words.own.end());  // CLI11 takes the last word first
  try {
    app.parse(words.own);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  return sinew::run_session(words.petsc, [&] { return sinew::perf::run(request); });
}
