// What joint sensors record where joints are redundant.
#include "solve/smallest_reactions.hpp"

#include "solve/acceleration_solver.hpp"
#include "solve/consistent.hpp"
#include "solve/redundancy.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"

using namespace sinew;

namespace {

/// A pendulum of 1 kg and 1 m on a hinge, and on a rod along it, `offset` out of line.
std::string doubly_held(const std::string& offset) {
  return "sinew: 1\n"
         "gravity: [0, 0, -9.81]\n"
         "bodies:\n"
         "  rod: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.3, 0, -0.4],\n"
         "    orientation: {axis: [0, 1, 0], angle: \"atan2(0.4, 0.3)\"},\n"
         "    points: {top: [-0.5, 0, 0], tip: [0.5, 0, 0]}, angular_velocity: [0, 2, 0], velocity: [-0.8, 0, -0.6]}\n"
         "joints:\n"
         "  hinge: {type: revolute, connect: [ground, rod.top], axis: [0, 1, 0]}\n"
         "  brace: {type: distance, connect: [[" +
         offset +
         ", 0, 0], rod.tip]}\n"
         "sensors:\n"
         "  hinge: {type: joint, of: hinge, record: [force, moment]}\n"
         "  brace: {type: joint, of: brace, record: [force]}\n"
         "analysis: {end_time: 1, step: 0.01}\n";
}

/// A door on two hinges one above the other.
constexpr const char* door = R"(sinew: 1
gravity: [0, 0, -10]
bodies:
  door: {type: rigid, mass: 20, inertia: [7, 8, 1], position: [0.5, 0, 0], points: {low: [-0.5, 0, -0.8], high: [-0.5, 0, 0.8]}}
joints:
  low: {type: revolute, connect: [ground, door.low], axis: [0, 0, 1]}
  high: {type: revolute, connect: [ground, door.high], axis: [0, 0, 1]}
sensors:
  low: {type: joint, of: low, record: [force, moment]}
  high: {type: joint, of: high, record: [force, moment]}
analysis: {end_time: 1, step: 0.01}
)";

/// What the joint sensors record at the start, multipliers far from the smallest ones notwithstanding: `far` of every kind is
/// added that does nothing.
std::map<std::string, double> reactions_at_start(const test::TextModel& built, double far) {
  System& system = *built.system;
  settle_redundancy(system, 0.0, true);
  State state = test::initial_state(system);
  project_onto_constraints(system, 0.0, state.q, state.z);
  AccelerationSolver(system).solve(0.0, state.q, state.z, state.a, state.lambda);
  SmallestReactions reactions(system);
  const VecHandle any = test::wavy_rows(system, far);
  const VecHandle smallest = reactions.of({0.0, &state.q, state.z, any});
  petsc(VecAXPY(state.lambda, 1.0, any));
  petsc(VecAXPY(state.lambda, -1.0, smallest));  // what is left of `any` is along null(G^T)
  Sensors sensors = built.sensors();
  sensors.choose_reactions(smallest_reactions(system));
  return test::measure(sensors, state, nullptr);
}

}  // namespace

TEST_CASE("a pendulum on a hinge and a rod along it has half of its pull on each", "[mpi]") {
  // m (g cos + w^2 l) along the rod from the hinge, its direction (0.6, 0, -0.8); m g sin / 4 across it from the hinge alone: a =
  // 3 g sin / (4 l).
  const test::TextModel built(MPI_COMM_WORLD, doubly_held("0"));
  for (const double far : {0.0, 1e6}) {
    const auto v = reactions_at_start(built, far);
    if (v.empty()) continue;                           // not rank 0
    const double a = 9.81 * 0.6 * 0.5 / (0.1 + 0.25);  // angular acceleration
    const double along = (9.81 * 0.8 + 4 * 0.5) / 2, across = 9.81 * 0.6 - 0.5 * a;
    CHECK(v.at("brace.force.x") == Approx(along * 0.6).margin(1e-6 + 1e-9 * far));
    CHECK(v.at("brace.force.z") == Approx(-along * 0.8).margin(1e-6 + 1e-9 * far));
    CHECK(std::hypot(v.at("hinge.force.x"), v.at("hinge.force.z")) ==
          Approx(std::hypot(along, across)).margin(1e-6 + 1e-9 * far));
    CHECK(std::abs(v.at("hinge.moment.x")) < 1e-6 + 1e-9 * far);
  }
}

TEST_CASE("two hinges of a door share its weight, and hold it with the least forces and moments", "[mpi]") {
  // With L the extent, each hinge has the horizontal force F outwards or inwards and the moment C: 1.6 F + 2 C = 100 at least F^2
  // + C^2 / L^2, so C = 2 F L^2 / 1.6.
  const test::TextModel built(MPI_COMM_WORLD, door);
  const double L = built.system->extent();
  const auto v = reactions_at_start(built, 1e3);
  if (v.empty()) return;
  const double F = 100 / (1.6 + 4 * L * L / 1.6), C = 2 * F * L * L / 1.6;
  for (const char* hinge : {"low", "high"}) {
    CHECK(v.at(std::string(hinge) + ".force.z") == Approx(-100).epsilon(1e-7));
    CHECK(std::abs(v.at(std::string(hinge) + ".force.x")) == Approx(F).epsilon(1e-6));
    CHECK(std::abs(v.at(std::string(hinge) + ".moment.y")) == Approx(C).epsilon(1e-6));
    CHECK(std::abs(v.at(std::string(hinge) + ".force.y")) < 1e-5);
  }
}

TEST_CASE("the smallest reactions are at right angles to all that does nothing", "[mpi]") {
  for (const std::string& text : {doubly_held("0"), std::string(door)}) {
    const test::TextModel built(MPI_COMM_WORLD, text);
    System& system = *built.system;
    settle_redundancy(system, 0.0, true);
    const State state = test::initial_state(system);
    SmallestReactions reactions(system);
    const Stage stage{0.0, &state.q, state.z, nullptr};
    const VecHandle any = test::wavy_rows(system, 1.0), size = system.make_row_vector(), idle = duplicate(any);
    const VecHandle smallest = reactions.of({0.0, &state.q, state.z, any});
    petsc(VecWAXPY(idle, -1.0, smallest, any));
    const VecHandle forces = system.make_dof_vector();
    system.force_change(stage, idle, forces);
    CHECK(max_norm(forces) < 1e-9);
    CHECK(max_norm(idle) > 0.01);
    system.reaction_sizes(stage, size);
    petsc(VecPointwiseMult(size, size, size));
    petsc(VecPointwiseMult(size, size, smallest));
    double product = 0;
    petsc(VecDot(size, idle, &product));
    CHECK(std::abs(product) < 1e-6);
  }
}

TEST_CASE("hinges out of line by a millionth hold together with the reactions of hinges in line, and say so", "[mpi]") {
  const test::TextModel exact(MPI_COMM_WORLD, door);
  const auto expected = reactions_at_start(exact, 0);
  std::string text = door;
  text.replace(text.find("high: [-0.5, 0, 0.8]"), 20, "high: [-0.499999, 0, 0.8]");
  const test::TextModel built(MPI_COMM_WORLD, text);
  const auto v = reactions_at_start(built, 0);
  for (const auto& [name, value] : expected) CHECK(v.at(name) == Approx(value).margin(1e-3));
  const Redundancy found = settle_redundancy(*built.system, 0.0, true);
  CHECK(found.rows == 5);
  CHECK(found.misfit > 1e-7);
  CHECK(found.misfit < 1e-5);
  CHECK(misfit_warning(built.model, found).find("the joints 'low', 'high' do not fit each other exactly: they miss by about") !=
        std::string::npos);
  CHECK(misfit_warning(exact.model, settle_redundancy(*exact.system, 0.0, true)).empty());
}
