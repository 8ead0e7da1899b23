#include "linear/kkt_solver.hpp"
#include "system/dynamic_system.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"

#include <cmath>
#include <iterator>
#include <string>
#include <vector>

using namespace sinew;

namespace {

/// A net of cables, and a wheel whose hub is tied to all spokes.
const char* const nets[] = {
    R"yaml(sinew: 1
constants: {n: 5}
materials: {rope: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0}}
sections: {rope: {shape: circle, diameter: 0.03}}
bodies:
  "x{j}": {repeat: {j: 0..n}, type: cable, line: {from: [0, j, 0], to: [n, j, 0], elements: 2*n}, section: rope, material: rope}
  "y{i}": {repeat: {i: 0..n}, type: cable, line: {from: [i, 0, 0], to: [i, n, 0], elements: 2*n}, section: rope, material: rope}
joints:
  "c{10*i+j}": {repeat: {i: 0..n, j: 0..n}, type: spherical, connect: ["x{j}.node[{2*i}]", "y{i}.node[{2*j}]"]}
analysis: {end_time: 1, step: 0.01}
)yaml",
    R"yaml(sinew: 1
constants: {N: 12}
materials: {rope: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0}}
sections: {rope: {shape: circle, diameter: 0.03}}
bodies:
  hub: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  "spoke{i}": {repeat: {i: 1..N}, type: cable, line: {from: [0, 0, 0], to: [i, 3, 0], elements: 4}, section: rope, material: rope}
joints:
  "end{i}": {repeat: {i: 1..N}, type: spherical, connect: [hub, "spoke{i}.start"]}
analysis: {end_time: 1, step: 0.01}
)yaml"};

/// A chain of as many links as wanted, the joints of a type.
std::string chain_of(int links, const std::string& joint, const std::string& more = "") {
  return "sinew: 1\nconstants: {N: " + std::to_string(links) + R"yaml(}
bodies:
  "link{i}":
    repeat: {i: 1..N}
    type: rigid
    mass: 1
    inertia: [0.1, 0.2, 0.3]
    position: [i-0.5, 0, 0]
    points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}
joints:
  hook: {type: revolute, connect: [ground, link1.a], axis: [0, 0, 1]}
  "pin{i}": {repeat: {i: 2..N}, type: )yaml" +
         joint + R"yaml(, connect: ["link{i-1}.b", "link{i}.a"])yaml" + more +
         "}\nanalysis: {end_time: 1, step: 0.01}\n";
}

TangentShift shift_of_a_step() {
  TangentShift shift;
  shift.q = 1e-4;
  shift.v = 1e-2;
  shift.a = 1;
  return shift;
}

struct Tangent {
  explicit Tangent(const test::TextModel& built, const TangentShift& shift = shift_of_a_step())
      : system(*built.system), matrix(system.make_tangent_matrix()) {
    Configuration q = system.make_configuration();
    const VecHandle z = system.make_dof_vector(), w = system.make_dof_vector(), lambda = system.make_row_vector();
    system.initial_state(q, z);
    Stage stage;
    stage.q = &q;
    stage.z = z;
    stage.lambda = lambda;
    system.assemble_tangent(stage, shift, w, matrix);
  }
  const System& system;
  MatHandle matrix;
};

/// max |x - known| of what a solver finds for the right-hand side of a known vector. Collective.
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
  petsc(VecAXPY(x, -1.0, known));
  return max_norm(x);
}

}  // namespace

TEST_CASE("chains, nets and hubs are solved by substructures on any number of ranks, and again", "[mpi]") {
  std::vector<std::string> models(std::begin(nets), std::end(nets));
  models.push_back(chain_of(60, "revolute", ", axis: [0, 1, 0]"));
  for (const std::string& text : models) {
    const test::TextModel built(MPI_COMM_WORLD, text);
    const Tangent tangent(built);
    const auto solver = make_substructure_solver();
    if (!solver) return;
    for (int i = 0; i < 2; ++i) {
      REQUIRE(solver->factorise(tangent.matrix));
      CHECK(error(*solver, tangent) < 1e-9);
      petsc(MatScale(tangent.matrix, 2.0));
    }
  }
}

TEST_CASE("joints whose derivatives are not symmetric are solved by substructures on a body a rank", "[mpi]") {
  for (const char* axis : {"universal:, axis: [0, 1, 0], axis2: [0, 0, 1]", "planar:, normal: [0, 0, 1]"}) {
    const std::string words = axis;
    const std::size_t colon = words.find(':');
    const test::TextModel built(MPI_COMM_WORLD, chain_of(4, words.substr(0, colon), words.substr(colon + 1)));
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
    const test::TextModel built(comm, text);
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
  for (int k = 0; k < 2; ++k) {
    const test::TextModel built(MPI_COMM_SELF, chain_of(100 << k, "spherical"));
    const Tangent tangent(built, rest);
    const auto solver = make_substructure_solver();
    if (!solver) return;
    REQUIRE(solver->factorise(tangent.matrix));
    const std::string words = solver->describe();
    REQUIRE(words.find("one leaf, ") != std::string::npos);
    entries[k] = std::stod(words.substr(words.find("one leaf, ") + 10));
  }
  CHECK(entries[1] < 2.2 * entries[0]);
}
