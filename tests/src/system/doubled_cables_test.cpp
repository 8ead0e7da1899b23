// Elements of cables whose line goes back on itself.
#include "system/doubled_cables.hpp"

#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"

using namespace sinew;
using namespace sinew::test;

TEST_CASE("an element is doubled where its slopes point opposite ways and none of them is short", "[serial]") {
  const Vec3<double> x{{1, 0, 0}}, y{{0, 1, 0}};
  CHECK_FALSE(is_doubled(x, x, 0.2 * x, 0.2));
  // stretched, pressed to 0.9, bent by a right angle and by half a circle (chord 2 L/pi)
  CHECK_FALSE(is_doubled(1.5 * x, 1.5 * x, 0.3 * x, 0.2));
  CHECK_FALSE(is_doubled(0.9 * x, 0.9 * x, 0.18 * x, 0.2));
  CHECK_FALSE(is_doubled(x, y, 0.18 * (0.70710678 * (x + y)), 0.2));
  CHECK_FALSE(is_doubled(x, -1.0 * x, (0.4 / 3.14159265) * y, 0.2));
  // there and back: a third of the length is lost, and no stretch is seen, at either end or at both
  CHECK(is_doubled(x, -1.0 * x, (0.4 / 3) * x, 0.2));
  CHECK(is_doubled(-1.0 * x, x, (0.4 / 3) * x, 0.2));
  CHECK(is_doubled(-1.0 * x, -1.0 * x, (0.2 / 3) * x, 0.2));
  // slack, in a heap
  CHECK_FALSE(is_doubled(0.2 * x, -0.2 * x, 0.02 * x, 0.2));
}

TEST_CASE("a cable that lies back on itself is named with what to do", "[serial]") {
  const TextModel built(MPI_COMM_WORLD, R"(sinew: 1
sections: {s: {stiffness: [1e4, 0, 0, 0, 1e-3, 1e-3], inertia: [0.2, 0.2, 0.2, 0, 0, 0]}}
bodies:
  "rope{i}": {repeat: {i: 0..2}, type: cable, line: {from: [0, i, 0], to: [0.6, i, 0], elements: 3}, section: s}
analysis: {end_time: 1, step: 0.01}
)");
  System& system = *built.system;
  VecHandle w = system.make_dof_vector();
  Configuration q = system.make_configuration(), moved = system.make_configuration();
  system.initial_state(q, w);
  CHECK(system.folded(q).empty());
  CHECK(doubled_cables(system, q).cables == 9);

  // the last slope of the second rope turns round, and its end comes back by a third of the element
  const LocalModel& local = system.local();
  petsc(VecSet(w, 0.0));
  {
    VecWrite write(w);
    for (int n = 0; n < local.num_owned_nodes; ++n) {
      const NodeHome home = built.numbering->locate(local.node_id[static_cast<std::size_t>(n)]);
      if (home.instance != 1) continue;
      if (home.local == 6) write[local.dof[static_cast<std::size_t>(n)]] = -0.2 / 3;
      if (home.local == 7) write[local.dof[static_cast<std::size_t>(n)]] = -2;
    }
  }
  system.retract(q, w, moved);
  const DoubledCables found = doubled_cables(system, moved);
  CHECK(found.count == 1);
  CHECK(found.first == "rope1");
  const std::string said = system.folded(moved);
  INFO(said);
  CHECK(said.find("the line of 'rope1' goes back on itself inside an element") != std::string::npos);
  CHECK(said.find("take more elements") != std::string::npos);
}
