#include "base/error.hpp"
#include "solve/acceleration_solver.hpp"
#include "tests/catch.hpp"
#include "tests/mpi/observe/text_model.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double g = 9.81;

void check_close(const Vec3<double>& found, const Vec3<double>& expected, double tolerance = 1e-12) {
  CAPTURE(found[0], found[1], found[2], expected[0], expected[1], expected[2]);
  CHECK(norm(found - expected) <= tolerance * (1 + norm(expected)));
}

/// A model of one rigid body at (1, 2, 3), turned by 90 degrees about x, and more sections.
std::string with_body(const std::string& rest) {
  return "sinew: 1\ngravity: [0, 0, -9.81]\nanalysis: {end_time: 1, step: 0.01}\nbodies:\n"
         "  body:\n    type: rigid\n    mass: 2\n    inertia: [0.1, 0.2, 0.25]\n    position: [1, 2, 3]\n"
         "    orientation: {axis: [1, 0, 0], angle: 90 deg}\n    velocity: [1, 0, 0]\n    angular_velocity_local: [0, 0, 5]\n"
         "    points: {p: [0.5, 0, 0]}\n" +
         rest;
}

/// Measures at the initial state with accelerations and multipliers from the equations of motion.
std::map<std::string, double> measure_at_start(const TextModel& built) {
  State state = initial_state(*built.system);
  const VecHandle a = built.system->make_dof_vector();
  AccelerationSolver(*built.system).solve(0, state.q, state.z, a, state.lambda);
  return measure(built.sensors(), state, a);
}

}  // namespace

TEST_CASE("a place on a spinning body moves as the body turns", "[serial]") {
  const TextModel built(MPI_COMM_WORLD,
                        with_body("sensors:\n  p: {type: point, of: body.p, record: [position, displacement, velocity, "
                                  "acceleration, orientation, angular_velocity, angular_acceleration]}\n"));
  const State state = initial_state(*built.system);
  const VecHandle a = built.system->make_dof_vector();
  {
    VecWrite x(a);
    x[2] = -g;  // of the centre, global
    x[5] = 7;   // about the body's z axis
  }
  const auto v = measure(built.sensors(), state, a);
  check_close(vector_of(v, "p.position"), {{1.5, 2, 3}});
  check_close(vector_of(v, "p.displacement"), {{0, 0, 0}});
  // The body's axes: x stays, y points along global z, z along global -y. Arm 0.5 along x, omega 5 about z: 2.5 along the body's
  // y.
  check_close(vector_of(v, "p.velocity"), {{1, 0, 2.5}});
  check_close(vector_of(v, "p.acceleration"), {{-0.5 * 25, 0, 3.5 - g}});
  check_close(vector_of(v, "p.angular_velocity"), {{0, -5, 0}});
  check_close(vector_of(v, "p.angular_acceleration"), {{0, -7, 0}});
  const double half = std::sqrt(0.5);
  CHECK(v.at("p.orientation.w") == Approx(half));
  check_close(vector_of(v, "p.orientation"), {{half, 0, 0}});
}

TEST_CASE("the orientation goes on through a full turn without a jump", "[serial]") {
  const TextModel built(MPI_COMM_WORLD, with_body("sensors:\n  p: {type: point, of: body, record: [orientation]}\n"));
  const Sensors sensors = built.sensors();
  State state = initial_state(*built.system);
  const VecHandle w = built.system->make_dof_vector();
  {
    VecWrite x(w);
    x[5] = 0.1;
  }
  std::map<std::string, double> last = measure(sensors, state, nullptr);
  bool was_negative = false;
  for (int n = 0; n < 100; ++n) {
    Configuration next = built.system->make_configuration();
    built.system->retract(state.q, w, next);
    state.q = next;
    const auto now = measure(sensors, state, nullptr);
    double change = 0;
    for (const auto& [name, value] : now) change = std::max(change, std::abs(value - last.at(name)));
    REQUIRE(change < 0.06);
    was_negative = was_negative || now.at("p.orientation.w") < 0;
    last = now;
  }
  CHECK(was_negative);
}

TEST_CASE("a place inside a cable's element follows its curve", "[serial]") {
  const TextModel built(MPI_COMM_WORLD, R"(sinew: 1
materials: {rope: {density: 1000, youngs_modulus: 1e8, poissons_ratio: 0.3}}
sections: {line: {area: 1e-4, iy: 1e-9, iz: 1e-9, j: 2e-9}}
bodies:
  rope: {type: cable, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 3}, section: line, material: rope,
         angular_velocity: [0, 0, 4], points: {at: {at: 0.4}}}
sensors:
  at: {type: point, of: rope.at, record: [position, velocity, acceleration, displacement]}
  whole: {type: system, record: [mass, center_of_mass, momentum, angular_momentum]}
analysis: {end_time: 1, step: 0.01}
)");
  State state = initial_state(*built.system);
  const Sensors sensors = built.sensors();
  auto v = measure(sensors, state, state.z);  // any field of vectors serves as acceleration
  check_close(vector_of(v, "at.position"), {{0.8, 0, 0}});
  check_close(vector_of(v, "at.velocity"), {{0, 3.2, 0}});
  check_close(vector_of(v, "at.acceleration"), {{0, 3.2, 0}});
  const double mass = 1000 * 1e-4 * 2;
  CHECK(v.at("whole.mass") == Approx(mass));
  check_close(vector_of(v, "whole.center_of_mass"), {{1, 0, 0}});
  check_close(vector_of(v, "whole.momentum"), {{0, 4 * mass, 0}});
  check_close(vector_of(v, "whole.angular_momentum"), {{0, 0, 4 * mass * 4 / 3}});
  // A cubic is represented exactly: y = x^3 in the nodes' positions and slopes.
  const LocalModel& local = built.system->local();
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    const double x = 2.0 / 3 * static_cast<double>(local.node_id[n] / 2);
    state.q.values(local.config_offset[n] + 1) = local.node_id[n] % 2 == 0 ? x * x * x : 3 * x * x;
  }
  v = measure(sensors, state, state.z);
  check_close(vector_of(v, "at.position"), {{0.8, 0.8 * 0.8 * 0.8, 0}});
  check_close(vector_of(v, "at.displacement"), {{0, 0.8 * 0.8 * 0.8, 0}});
}

TEST_CASE("a surface of a solid moves with the mean of its nodes", "[serial]") {
  const TextModel built(MPI_COMM_WORLD, R"(sinew: 1
materials: {rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies:
  box: {type: solid, box: {size: [2, 1, 0.5], elements: [2, 1, 1], order: 1}, material: rubber, position: [1, 0, 0],
        velocity: [0, 0, 2], angular_velocity: [0, 3, 0]}
sensors:
  end: {type: point, of: "box.x+", record: [position, velocity, angular_velocity]}
  whole: {type: system, record: [mass, center_of_mass, momentum, angular_momentum]}
analysis: {end_time: 1, step: 0.01}
)");
  const State state = initial_state(*built.system);
  const auto v = measure(built.sensors(), state, nullptr);
  check_close(vector_of(v, "end.position"), {{3, 0.5, 0.25}});
  // v = v0 + omega x (x - x0), x - x0 = (2, 0.5, 0.25)
  check_close(vector_of(v, "end.velocity"), {{0.75, 0, 2 - 6}});
  check_close(vector_of(v, "end.angular_velocity"), {{0, 3, 0}});
  CHECK(v.at("whole.mass") == Approx(1000));
  check_close(vector_of(v, "whole.center_of_mass"), {{2, 0.5, 0.25}});
  const Vec3<double> v_centre{{0.75, 0, -1}}, spin{{0, 1000.0 / 12 * (4 + 0.25) * 3, 0}};
  check_close(vector_of(v, "whole.momentum"), 1000.0 * v_centre);
  check_close(vector_of(v, "whole.angular_momentum"), cross(Vec3<double>{{2, 0.5, 0.25}}, 1000.0 * v_centre) + spin);
}

TEST_CASE("momentum and energy of a rigid body are those of the textbook", "[serial]") {
  const TextModel built(
      MPI_COMM_WORLD, with_body("  bob: {type: point-mass, mass: 3, position: [0, 0, 1], velocity: [0, 2, 0]}\n"
                                "sensors:\n  energy: {type: energy, record: [kinetic, strain, potential, total]}\n"
                                "  all: {type: system}\n  one: {type: system, of: [body], record: [mass, angular_momentum]}\n"));
  const auto v = measure(built.sensors(), initial_state(*built.system), nullptr);
  const double kinetic = 0.5 * 2 * 1 + 0.5 * 0.25 * 25 + 0.5 * 3 * 4, potential = g * (2 * 3 + 3 * 1);
  CHECK(v.at("energy.kinetic") == Approx(kinetic));
  CHECK(v.at("energy.strain") == 0.0);
  CHECK(v.at("energy.potential") == Approx(potential));
  CHECK(v.at("energy.total") == Approx(kinetic + potential));
  const Vec3<double> of_body = cross(Vec3<double>{{1, 2, 3}}, Vec3<double>{{2, 0, 0}}) + Vec3<double>{{0, -0.25 * 5, 0}};
  CHECK(v.at("all.mass") == Approx(5));
  check_close(vector_of(v, "all.center_of_mass"), {{0.4, 0.8, 1.8}});
  check_close(vector_of(v, "all.momentum"), {{2, 6, 0}});
  check_close(vector_of(v, "all.angular_momentum"), of_body + Vec3<double>{{-6, 0, 0}});
  CHECK(v.at("one.mass") == Approx(2));
  check_close(vector_of(v, "one.angular_momentum"), of_body);
}

TEST_CASE("a joint sensor tells force and moment on the joint's first place", "[serial]") {
  const std::string beam =
      "sinew: 1\ngravity: [0, 0, -9.81]\nanalysis: {end_time: 1, step: 0.01}\nbodies:\n"
      "  beam: {type: rigid, mass: 2, inertia: [0.01, 0.24, 0.24], position: [0.6, 0, 0], points: {root: [-0.6, 0, 0]}}\n"
      "sensors: {r: {type: joint, of: r}}\n";
  SECTION("a cantilever on the ground") {
    const auto v =
        measure_at_start(TextModel(MPI_COMM_WORLD, beam + "joints: {r: {type: fixed, connect: [ground, beam.root]}}\n"));
    check_close(vector_of(v, "r.force"), {{0, 0, -2 * g}}, 1e-10);
    check_close(vector_of(v, "r.moment"), {{0, 0.6 * 2 * g, 0}}, 1e-10);
  }
  SECTION("the same, with the beam first") {
    const auto v =
        measure_at_start(TextModel(MPI_COMM_WORLD, beam + "joints: {r: {type: fixed, connect: [beam.root, ground]}}\n"));
    check_close(vector_of(v, "r.force"), {{0, 0, 2 * g}}, 1e-10);
    check_close(vector_of(v, "r.moment"), {{0, -0.6 * 2 * g, 0}}, 1e-10);
  }
  SECTION("a rod that is let go falls about its end: a quarter of the weight is left") {
    const auto v = measure_at_start(
        TextModel(MPI_COMM_WORLD, beam + "joints: {r: {type: revolute, connect: [ground, beam.root], axis: [0, 1, 0]}}\n"));
    check_close(vector_of(v, "r.force"), {{0, 0, -2 * g / 4}}, 1e-10);
    check_close(vector_of(v, "r.moment"), {{0, 0, 0}}, 1e-10);
  }
}

TEST_CASE("the reaction of a clamped surface balances weight and momentum", "[serial]") {
  const TextModel built(MPI_COMM_WORLD, R"(sinew: 1
gravity: [3, 0, -9.81]
materials: {rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies:
  box: {type: solid, box: {size: [2, 1, 0.5], elements: [3, 2, 1], order: 1}, material: rubber, position: [1, 0, 0]}
joints: {wall: {type: clamp, connect: ["box.x-", ground]}}
sensors:
  wall: {type: joint, of: wall}
  whole: {type: system, record: [momentum, angular_momentum]}
analysis: {end_time: 1, step: 0.01}
)");
  State state = initial_state(*built.system);
  const VecHandle a = built.system->make_dof_vector();
  AccelerationSolver(*built.system).solve(0, state.q, state.z, a, state.lambda);
  const Sensors sensors = built.sensors();
  const auto reaction = measure(sensors, state, a);
  petsc(VecCopy(a, state.z));  // momentum of the accelerations: its rate of change
  const auto rate = measure(sensors, state, a);
  const Vec3<double> weight{{3000, 0, -9810}}, centre{{2, 0.5, 0.25}}, wall{{1, 0.5, 0.25}};
  const Vec3<double> force = vector_of(rate, "whole.momentum") - weight;
  check_close(vector_of(reaction, "wall.force"), force, 1e-10);
  check_close(vector_of(reaction, "wall.moment"),
              vector_of(rate, "whole.angular_momentum") - cross(centre, weight) - cross(wall, force), 1e-10);
}

TEST_CASE("constraint sensors tell the largest residual", "[serial]") {
  const TextModel built(MPI_COMM_WORLD, with_body("joints: {pin: {type: spherical, connect: [[1.5, 2, 2.9], body.p]}}\n"
                                                  "sensors: {drift: {type: constraint}}\n"));
  const auto v = measure(built.sensors(), initial_state(*built.system), nullptr);
  CHECK(v.at("drift.position") == Approx(0.1));
  CHECK(v.at("drift.velocity") == Approx(2.5));
}

TEST_CASE("the header names every instance, quantity and component", "[serial]") {
  const TextModel built(
      MPI_COMM_WORLD,
      with_body("sensors:\n  \"s{i}\": {repeat: {i: 3..4}, type: point, of: body, record: [orientation, position]}\n"
                "  e: {type: energy, record: [total]}\n"));
  const std::vector<std::string> expected{"s3.orientation.w", "s3.orientation.x", "s3.orientation.y", "s3.orientation.z",
                                          "s3.position.x",    "s3.position.y",    "s3.position.z",    "s4.orientation.w",
                                          "s4.orientation.x", "s4.orientation.y", "s4.orientation.z", "s4.position.x",
                                          "s4.position.y",    "s4.position.z",    "e.total"};
  CHECK(built.sensors().header() == expected);
}

TEST_CASE("an energy sensor records kinetic, strain, potential and total unless told otherwise", "[serial]") {
  const TextModel built(MPI_COMM_WORLD, with_body("sensors:\n  balance: {type: energy}\n"));
  CHECK(built.sensors().header() ==
        std::vector<std::string>{"balance.kinetic", "balance.strain", "balance.potential", "balance.total"});
}

TEST_CASE("nothing is dissipated and no work is done before the first step", "[serial]") {
  const TextModel built(MPI_COMM_WORLD, with_body("sensors:\n  balance: {type: energy, record: [kinetic, dissipated, work]}\n"));
  const auto values = measure(built.sensors(), initial_state(*built.system), nullptr);
  CHECK(values.at("balance.dissipated") == 0);
  CHECK(values.at("balance.work") == 0);
}
