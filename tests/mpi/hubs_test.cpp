// Bodies that many others are jointed to, in models that ranks share.

#include "linear/kkt_solver.hpp"
#include "linear/rank_part.hpp"
#include "linear/rank_tree.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/beside_one_rank.hpp"
#include "tests/mpi/chains_and_nets.hpp"

#include <cmath>
#include <string>

using namespace sinew;
using test::Tangent, test::TextModel;

namespace {

/// Rods on a wheel. `ends`: what becomes of their free ends.
std::string wheel_of(int rods, const std::string& joint, const std::string& ends) {
  return "sinew: 1\nconstants: {N: " + std::to_string(rods) + R"yaml(}
gravity: [0, 0, -9.81]
bodies:
  crown: {type: rigid, mass: 5, inertia: [1, 1, 2], position: [0, 0, 0]}
  "rod{i}":
    repeat: {i: 1..N}
    type: rigid
    mass: 1
    inertia: [0.1, 0.2, 0.3]
    position: [2*cos(2*pi*i/N), 2*sin(2*pi*i/N), 0]
    points: {a: [-cos(2*pi*i/N), -sin(2*pi*i/N), 0], b: [cos(2*pi*i/N), sin(2*pi*i/N), 0]}
joints:
  "pin{i}": {repeat: {i: 1..N}, connect: [crown, "rod{i}.a"], )yaml" +
         joint + "}\n" + ends + R"yaml(
sensors:
  crown: {type: point, of: crown, record: [position, velocity, acceleration]}
  tip: {type: point, of: rod2.b, record: [position, velocity, acceleration]}
  pin: {type: joint, of: "pin{N}", record: [force]}
analysis: {end_time: 0.05, step: 5e-3, newton: {tolerance: 1e-12}}
)yaml";
}

const std::string ball = "type: spherical", hinge = "type: revolute, axis: [-sin(2*pi*i/N), cos(2*pi*i/N), 0]";
const std::string free_ends,
    held_ends = R"yaml(  "end{i}": {repeat: {i: 1..N}, type: spherical, connect: [ground, "rod{i}.b"]})yaml";
/// The crown moves while these hold: it turns their rods about their outer ends, which may move along it.
const std::string sliding_ends = R"yaml(  "end{i}":
    repeat: {i: 1..N}
    type: point-on-plane
    connect: [ground, "rod{i}.b"]
    normal: [-sin(2*pi*i/N), cos(2*pi*i/N), 0])yaml";

std::size_t largest_front(const Tangent& tangent) {
  const MPI_Comm comm = comm_of(tangent.matrix.get());
  const RankPart part(tangent.matrix, *noted_unknowns(tangent.matrix));
  return RankTree(comm, part.shared()).largest_front();
}

/// max |x - known| of what is found for the right-hand side of a known vector. Collective.
double error(KktSolver& solver, const Tangent& tangent) {
  VecHandle known = make_kkt_vector(tangent.system.layout());
  const VecHandle b = duplicate(known), x = duplicate(known);
  {
    VecWrite values(known);
    PetscInt first = 0, end = 0;
    petsc(VecGetOwnershipRange(known, &first, &end));
    for (PetscInt i = first; i < end; ++i) values[i - first] = std::sin(1.0 + i);
  }
  petsc(MatMult(tangent.matrix, known, b));
  REQUIRE(solver.solve(b, x));
  petsc(VecAXPY(x, -1.0, known));
  return max_norm(x);
}

}  // namespace

TEST_CASE("fronts above the ranks do not grow with the joints of a hub", "[mpi]") {
  if (!make_substructure_solver() || comm_size(MPI_COMM_WORLD) == 1) return;
  for (const std::string& joint : {ball, hinge})
    for (const int rods : {40, 160}) {
      const TextModel built(MPI_COMM_WORLD, wheel_of(rods, joint, free_ends));
      CHECK(largest_front(Tangent(built)) <= 12);  // the crown, and a rod that is cut off
    }
}

TEST_CASE("of rods that a hub and the ground hold once too often one row goes above the ranks, not all", "[mpi]") {
  if (!make_substructure_solver() || comm_size(MPI_COMM_WORLD) == 1) return;
  const int rods = 40;
  const TextModel held(MPI_COMM_WORLD, wheel_of(rods, ball, held_ends));  // along a rod both of its ends hold it
  CHECK(largest_front(Tangent(held)) <= rods + 12);
  const TextModel sliding(MPI_COMM_WORLD, wheel_of(rods, ball, sliding_ends));
  const Tangent tangent(sliding);
  CHECK(largest_front(tangent) <= 12);
  const auto solver = make_substructure_solver();
  REQUIRE(solver->factorise(tangent.matrix));
  CHECK(error(*solver, tangent) < 1e-9);
}

TEST_CASE("what hangs on a hub moves alike on any number of ranks", "[mpi]") {
  test::check_beside_one_rank(wheel_of(30, ball, free_ends));
  test::check_beside_one_rank(wheel_of(30, hinge, free_ends));
}

TEST_CASE("two discs of one shaft on two ranks leave a part of two unknowns", "[mpi]") {
  test::check_beside_one_rank(R"yaml(sinew: 1
bodies: {tr: {type: shaft, inertia: [0.1, 0.2], stiffness: [30], speed: 20}}
forces: {at: {type: shaft-torque, on: tr.start, value: 0}, end: {type: shaft-torque, on: tr.end, value: "sin(9*t)"}}
sensors: {at: {type: force, of: at}, end: {type: force, of: end}}
analysis: {end_time: 0.1, step: 1e-2, newton: {tolerance: 1e-12}}
)yaml");
}
