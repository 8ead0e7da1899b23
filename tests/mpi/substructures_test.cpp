#include "linear/kkt_solver.hpp"
#include "linear/tree_factors.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/chains_and_nets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

using namespace sinew;
using test::cable_net, test::chain_of, test::Tangent, test::TextModel;

namespace {

/// A wheel whose hub is tied to all spokes.
const char* const wheel = R"yaml(sinew: 1
constants: {N: 12}
materials: {rope: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0}}
sections: {rope: {shape: circle, diameter: 0.03}}
bodies:
  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  "spoke{i}": {repeat: {i: 1..N}, type: cable, line: {from: [0, 0, 0], to: [i, 3, 0], elements: 4}, section: rope, material: rope}
joints:
  "end{i}": {repeat: {i: 1..N}, type: spherical, connect: [hub, "spoke{i}.start"]}
analysis: {end_time: 1, step: 0.01}
)yaml";

/// max |x - known| of what a solver finds for the right-hand side of a known vector, alone and beside another. Collective.
double error(KktSolver& solver, const Tangent& tangent) {
  VecHandle known = make_kkt_vector(tangent.system.layout());
  const VecHandle b = duplicate(known), x = duplicate(known);
  {
    PetscInt first = 0, end = 0;
    petsc(VecGetOwnershipRange(known, &first, &end));
    VecWrite values(known);
    for (PetscInt i = first; i < end; ++i) values[i - first] = std::sin(1.0 + i);
  }
  petsc(MatMult(tangent.matrix, known, b));
  REQUIRE(solver.solve(b, x));
  const VecHandle other = duplicate(known), of_other = duplicate(known);
  REQUIRE(solver.solve_pair(known, of_other, b, other));
  petsc(VecAXPY(other, -1.0, known));
  petsc(VecAXPY(x, -1.0, known));
  return std::max(max_norm(x), max_norm(other));
}

/// Entries of the factors, in one leaf, of a tangent on one rank.
double entries_of_factors(const std::string& text, const TangentShift& shift) {
  const TextModel built(MPI_COMM_SELF, text);
  const Tangent tangent(built, shift);
  if (!make_substructure_solver()) return 0;
  TreeFactors factors(std::numeric_limits<PetscInt>::max());
  const MatrixRows A(tangent.matrix);
  REQUIRE(factors.analyse(A, *noted_unknowns(tangent.matrix)));
  REQUIRE(factors.factorise(A));
  const std::string words = factors.describe();
  REQUIRE(words.find("one leaf, ") != std::string::npos);
  return std::stod(words.substr(words.find("one leaf, ") + 10));
}

/// A frame of two rows of steel beams and posts between them, all of square tubes of this width.
std::string frame_of(int bays, double width) {
  return "sinew: 1\nconstants: {N: " + std::to_string(bays) + ", w: " + std::to_string(width) + R"yaml(}
materials: {m: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}
sections: {s: {shape: box, width: w, height: w, thickness: w/12}}
bodies:
  "low{i}": {repeat: {i: 1..N}, type: beam, section: s, material: m,
            line: {from: [i-1, 0, 0], to: [i, 0, 0], elements: 2, order: 1}}
  "up{i}": {repeat: {i: 1..N}, type: beam, section: s, material: m,
            line: {from: [i-1, 0, 1], to: [i, 0, 1], elements: 2, order: 1}}
  "post{i}": {repeat: {i: 0..N}, type: beam, section: s, material: m,
            line: {from: [i, 0, 0], to: [i, 0, 1], elements: 2, order: 1}}
joints:
  foot: {type: fixed, connect: [ground, post0.start]}
  "a{i}": {repeat: {i: 1..N}, type: fixed, connect: ["post{i-1}.start", "low{i}.start"]}
  "b{i}": {repeat: {i: 1..N}, type: fixed, connect: ["post{i}.start", "low{i}.end"]}
  "c{i}": {repeat: {i: 1..N}, type: fixed, connect: ["post{i-1}.end", "up{i}.start"]}
  "d{i}": {repeat: {i: 1..N}, type: fixed, connect: ["post{i}.end", "up{i}.end"]}
analysis: {end_time: 1, step: 0.01}
)yaml";
}

}  // namespace

TEST_CASE("chains, nets and hubs are solved by substructures on any number of ranks, and again", "[mpi]") {
  const Substructures kind = GENERATE(Substructures::sparse, Substructures::batched);
  for (const std::string& text : {cable_net(5), std::string(wheel), chain_of(60, "revolute", ", axis: [0, 1, 0]")}) {
    const TextModel built(MPI_COMM_WORLD, text);
    const Tangent tangent(built);
    const auto solver = make_substructure_solver(kind);
    if (!solver) return;
    for (int i = 0; i < 2; ++i) {
      REQUIRE(solver->factorise(tangent.matrix));
      CHECK(error(*solver, tangent) < 1e-9);
      petsc(MatScale(tangent.matrix, 2.0));
    }
  }
}

TEST_CASE("what is no number on one rank, in one of parts that are not coupled, is a solution on none", "[mpi]") {
  const TextModel built(MPI_COMM_WORLD,
                        "sinew: 1\nbodies: {\"b{i}\": {repeat: {i: 1..8}, type: rigid, mass: 1, inertia: [1, 1, 1], "
                        "position: [i, 0, 0]}}\nanalysis: {end_time: 1, step: 0.01}\n");
  const Tangent tangent(built, {0, 0, 1});
  const auto solver = make_substructure_solver();
  if (!solver) return;
  REQUIRE(solver->factorise(tangent.matrix));
  VecHandle b = make_kkt_vector(tangent.system.layout());
  const VecHandle x = duplicate(b);
  petsc(VecSet(b, 1.0));
  PetscInt first = 0;
  petsc(VecGetOwnershipRange(b, &first, nullptr));
  {
    VecWrite values(b);
    if (first == 0) values[0] = std::nan("");
  }
  CHECK(std::isnan(max_norm(b)));
  CHECK_FALSE(solver->solve(b, x));
}

TEST_CASE("joints whose derivatives are not symmetric are solved by substructures on a body a rank", "[mpi]") {
  for (const char* axis : {"universal:, axis: [0, 1, 0], axis2: [0, 0, 1]", "planar:, normal: [0, 0, 1]"}) {
    const std::string words = axis;
    const std::size_t colon = words.find(':');
    const TextModel built(MPI_COMM_WORLD, chain_of(4, words.substr(0, colon), words.substr(colon + 1)));
    const Tangent tangent(built);
    const auto solver = make_substructure_solver();
    if (!solver) return;
    INFO(words);
    REQUIRE(solver->factorise(tangent.matrix));
    CHECK(error(*solver, tangent) < 1e-9);
  }
}

TEST_CASE("a matrix has the same entries on any number of ranks", "[mpi]") {
  const std::string text = chain_of(3, "planar", ", normal: [0, 0, 1]");
  const auto entries = [&text](MPI_Comm comm) {
    const TextModel built(comm, text);
    MatInfo info;
    petsc(MatGetInfo(built.system->make_tangent_matrix(), MAT_GLOBAL_SUM, &info));
    return info.nz_used;
  };
  CHECK(entries(MPI_COMM_WORLD) == entries(MPI_COMM_SELF));
}

TEST_CASE("factors of a chain grow with its length, also at rest, where rods have no stiffness of their own", "[mpi]") {
  TangentShift rest;
  rest.q = 1;
  rest.a = 1e-9;
  double entries[2] = {0, 0};
  for (int k = 0; k < 2; ++k) entries[k] = entries_of_factors(chain_of(100 << k, "spherical"), rest);
  CHECK(entries[1] <= 2.2 * entries[0]);
}

TEST_CASE("factors of the accelerations of a frame have few entries, however thin its beams are", "[mpi]") {
  TangentShift accelerations;
  accelerations.a = 1;
  CHECK(entries_of_factors(frame_of(20, 0.05), accelerations) <= 1.2 * entries_of_factors(frame_of(20, 0.5), accelerations));
}
