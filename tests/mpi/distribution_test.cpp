#include "partition/exchange.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"

#include <algorithm>

using namespace sinew;

namespace {

/// A disc that turns about the ground, with as many rods on it.
std::string disc(int rods, const std::string& place) {
  return "sinew: 1\nconstants: {N: " + std::to_string(rods) + R"yaml(}
bodies:
  disc: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  "rod{i}": {repeat: {i: 1..N}, type: rigid, mass: 1, inertia: [1, 1, 1], position: [i, 0, 0], points: {a: [-i, 0, 0]}}
joints:
  bearing: {type: revolute, connect: [ground, disc], axis: [0, 0, 1]}
  "pin{i}": {repeat: {i: 1..N}, type: spherical, connect: )yaml" +
         place + R"yaml(}
forces:
  "wind{i}": {repeat: {i: 1..N}, type: spring-damper, connect: [disc, "rod{i}"], stiffness: 1, length: 1}
analysis: {end_time: 1, step: 0.01}
)yaml";
}

}  // namespace

TEST_CASE("the rows of a hub's joints do not gather on the rank of the hub, whichever place comes first", "[mpi]") {
  constexpr int rods = 600;
  for (const char* place : {"[disc, \"rod{i}.a\"]", "[\"rod{i}.a\", disc]"}) {
    const test::TextModel built(MPI_COMM_WORLD, disc(rods, place));
    const LocalModel& local = built.system->local();
    int elements = 0;
    for (const LocalFamily& family : local.families) elements += family.data.size;
    // rows, elements
    int mine[2] = {local.num_owned_rows, elements}, most[2], all[2];
    MPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, local.comm);
    MPI_Allreduce(mine, all, 2, MPI_INT, MPI_SUM, local.comm);
    CHECK(all[0] == 3 * rods + 5);
    for (int k = 0; k < 2; ++k) CHECK(most[k] * comm_size(local.comm) < 1.2 * all[k]);
  }
}

TEST_CASE("bodies whose controls read each other's states are divided as a chain is", "[mpi]") {
  constexpr int count = 200;
  const std::string text = "sinew: 1\nconstants: {N: " + std::to_string(count) + R"yaml(}
bodies:
  "b{i}": {repeat: {i: 1..N}, type: point-mass, mass: 1, position: ["mod(37*i, N)", 0, 0]}
controls:
  h1: {state: {p: 0}, derivative: {p: "-p"}}
  "h{i}": {repeat: {i: 2..N}, state: {p: 0}, derivative: {p: "control.h{i-1}.p - p"}}
forces:
  "a{i}": {repeat: {i: 2..N}, type: actuator, on: "b{i}", direction: [0, 0, 1], force: "control.h{i}.p"}
analysis: {end_time: 1, step: 0.01}
)yaml";
  const test::TextModel built(MPI_COMM_WORLD, text);
  const LocalModel& local = built.system->local();
  // what is read here and lives elsewhere: a cut or two of the chain
  CHECK(local.ghost_dofs.size() <= 8);
  CHECK(local.num_owned_dofs < 1.2 * 4 * count / comm_size(local.comm));
}
