// What takes hold of points inside solids: forces, joints, springs, sensors, controls.
#include "tests/catch.hpp"
#include "tests/physics/curved_mesh.hpp"
#include "tests/physics/sensed_vectors.hpp"
#include "tests/physics/stationary.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("A force and a torque at any point of a solid come to its clamp", "[serial]") {
  for (const CellShape shape : {CellShape::hex8, CellShape::hex20, CellShape::hex27}) {
    CAPTURE(shape_info(shape).name);
    const FileMesh mesh = bent_box(shape, {4, 2, 2}, false, [](double u, double v, double w) {
      return std::array<double, 3>{u + 0.05 * std::sin(3 * v), 0.2 * v + 0.03 * u * w, 0.2 * w};
    });
    const std::string file = write_scratch("bent_bar.msh", gmsh_bytes(mesh, {false, false})).string();
    const Vec3<double> p{{0.83, 0.07, 0.11}}, F{{100, -200, 300}}, M{{20, 10, -50}};
    Stationary model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e12, poissons_ratio: 0.3}}}}
bodies: {{bar: {{type: solid, mesh: {}, material: m, points: {{p: [0.83, 0.07, 0.11]}}}}}}
joints: {{wall: {{type: clamp, connect: [ground, bar.u-]}}}}
forces:
  push: {{type: force, on: bar.p, vector: [100, -200, 300]}}
  twist: {{type: torque, on: bar.p, vector: [20, 10, -50]}}
sensors:
  wall: {{type: joint, of: wall}}
  mean: {{type: point, of: bar.u-}}
  push: {{type: force, of: push}}
analysis: {{type: static}}
)",
                                                file));
    model.find_rest();
    const auto v = model.values();
    CHECK(norm(vector_at(v, "wall.force") - F) < 1e-5 * norm(F));
    const Vec3<double> moment = M + cross(p - vector_at(v, "mean.position"), F);
    CHECK(norm(vector_at(v, "wall.moment") - moment) < 1e-5 * norm(moment));
    CHECK(norm(vector_at(v, "push.force") - F) < 1e-12 * norm(F));
  }
}

TEST_CASE("A force at a node of a mesh moves it as much as forces spread over the mesh do by reciprocity", "[serial]") {
  // Betti: the force at p does as much work on what a pressure moves as the pressure does on what the force moves
  const auto run = [](const std::string& load) {
    Stationary model(MPI_COMM_SELF, R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3, law: linear-elastic}}
bodies:
  bar: {type: solid, box: {size: [1, 0.2, 0.2], elements: [4, 2, 2], element: hex20}, material: m,
        points: {p: [0.5, 0.1, 0.07]}}
joints: {wall: {type: clamp, connect: [ground, bar.x-]}}
forces: {load: )" + load + R"(}
sensors:
  p: {type: point, of: bar.p, record: displacement}
  end: {type: point, of: bar.x+, record: displacement}
analysis: {type: static}
)");
    model.find_rest();
    return model.values();
  };
  const auto by_point = run("{type: force, on: bar.p, vector: [0.3, 0, 0.5]}");
  const auto by_end = run("{type: traction, on: bar.x+, vector: [0, 0, 5]}");
  const double there = 0.3 * by_end.at("p.displacement.x") + 0.5 * by_end.at("p.displacement.z");
  CHECK(5 * 0.04 * by_point.at("end.displacement.z") == Approx(there).epsilon(1e-9));
  CHECK(std::abs(there) > 1e-9);
}

TEST_CASE("The frame of a point turns as much as the material around it", "[serial]") {
  // a square bar under torsion: T L/(G J), J = 0.1406 a^4 (S. Timoshenko, J. Goodier, Theory of Elasticity, 1970, section 109)
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 2.6e6, poissons_ratio: 0.3}}
bodies:
  bar: {type: solid, box: {size: [1, 0.1, 0.1], elements: [10, 4, 4], element: hex20}, material: m,
        points: {near: [0.25, 0.05, 0.05], far: [0.75, 0.05, 0.05]}}
joints: {wall: {type: clamp, connect: [ground, bar.x-]}}
forces: {twist: {type: torque, on: bar.x+, vector: [0.01, 0, 0]}}
sensors:
  twist: {type: relative, between: [bar.near, bar.far], axis: [1, 0, 0], record: angle}
analysis: {type: static}
)");
  model.find_rest();
  const double G = 1e6, J = 0.1406 * 1e-4;
  CHECK(model.values().at("twist.angle") == Approx(0.01 * 0.5 / (G * J)).epsilon(5e-3));
}

TEST_CASE("A stiff solid hung at a point inside swings and turns as a rigid body does", "[serial]") {
  const std::string text = R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {m: {density: 1000, youngs_modulus: 2e10, poissons_ratio: 0.3}}
bodies:
  plate: {type: solid, box: {size: [0.6, 0.1, 0.3], elements: [3, 1, 2], element: hex20}, material: m, position: [0, 0, 0],
          points: {pin: [0.13, 0.04, 0.21], probe: [0.41, 0.07, 0.11]}}
  twin: {type: rigid, shape: {box: [0.6, 0.1, 0.3]}, density: 1000, position: [0.3, 0.05, 0.15],
         points: {pin: [-0.17, -0.01, 0.06], probe: [0.11, 0.02, -0.04]}}
joints:
  pin: {type: spherical, connect: [ground, plate.pin]}
  twin: {type: spherical, connect: [ground, twin.pin]}
forces:
  spring: {type: spring-damper, connect: [[0.5, 0.5, 0.5], plate.probe], stiffness: 500, damping: 20}
  twin: {type: spring-damper, connect: [[0.5, 0.5, 0.5], twin.probe], stiffness: 500, damping: 20}
sensors:
  a: {type: point, of: plate.probe, record: [position, velocity]}
  b: {type: point, of: twin.probe, record: [position, velocity]}
  turn: {type: point, of: plate.probe, record: [orientation, angular_velocity]}
  also: {type: point, of: twin, record: [orientation, angular_velocity]}
  gap: {type: relative, between: [plate.probe, twin.probe], record: distance}
  pin: {type: joint, of: pin, record: force}
  hook: {type: joint, of: twin, record: force}
  e: {type: energy, record: [total, dissipated, work]}
analysis: {end_time: 0.6, step: 4e-3}
)";
  const Trajectory run = run_model(MPI_COMM_SELF, text);
  for (std::size_t n = 0; n < run.values.size(); n += 30) {
    const Values& v = run.values[n];
    CAPTURE(n);
    CHECK(norm(vector_at(v, "a.position") - vector_at(v, "b.position")) < 1e-4);
    CHECK(norm(vector_at(v, "a.velocity") - vector_at(v, "b.velocity")) < 2e-3);
    CHECK(norm(vector_at(v, "turn.angular_velocity") - vector_at(v, "also.angular_velocity")) < 1e-2);
    for (const char* part : {"w", "x", "y", "z"})
      CHECK(v.at(std::string("turn.orientation.") + part) == Approx(v.at(std::string("also.orientation.") + part)).margin(1e-3));
    CHECK(v.at("gap.distance") == Approx(norm(vector_at(v, "a.position") - vector_at(v, "b.position"))).margin(1e-9));
    // an elastic body without stress, as it is at the start, hangs on nothing yet
    if (n > 0) CHECK(norm(vector_at(v, "pin.force") - vector_at(v, "hook.force")) < 0.02 * norm(vector_at(v, "hook.force")));
    const Values& start = run.values.front();
    CHECK(v.at("e.total") + v.at("e.dissipated") == Approx(start.at("e.total")).margin(0.05));
  }
  CHECK(norm(vector_at(run.values.back(), "turn.angular_velocity")) > 1);
}

TEST_CASE("Controls read points inside solids, and joints of expressions hold them", "[serial]") {
  const std::string text = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e8, poissons_ratio: 0.3}}
bodies:
  a: {type: solid, box: {size: [0.2, 0.2, 0.2], elements: [2, 2, 2]}, material: m, points: {p: [0.07, 0.13, 0.11]},
      velocity: [1, 0, 0]}
  b: {type: solid, box: {size: [0.2, 0.2, 0.2], elements: [2, 2, 2]}, material: m, points: {p: [0.07, 0.13, 0.11]},
      velocity: [1, 0, 0], position: [0, 1, 0]}
joints:
  plane: {type: coordinate, zero: "sensor.b.position.z - 0.11"}
  floor: {type: point-on-plane, connect: [ground, a.p], normal: [0, 0, 1]}
forces:
  spring: {type: spring-damper, connect: [[-1, 0.13, 0.11], a.p], stiffness: 2000, damping: 10, length: 1.07}
  servo: {type: actuator, on: b.p, direction: [1, 0, 0], force: "-2000*(sensor.b.position.x - 0.07) - 10*sensor.b.velocity.x"}
sensors:
  a: {type: point, of: a.p, record: [position, velocity]}
  b: {type: point, of: b.p, record: [position, velocity]}
analysis: {end_time: 0.05, step: 1e-3}
)";
  const Trajectory run = run_model(MPI_COMM_SELF, text);
  const Values &v = run.values.back(), &start = run.values.front();
  CHECK(v.at("b.position.z") == Approx(0.11).margin(1e-9));
  CHECK(v.at("a.position.z") == Approx(0.11).margin(1e-9));
  CHECK(v.at("a.position.x") == Approx(v.at("b.position.x")).margin(1e-4));
  CHECK(v.at("a.velocity.x") == Approx(v.at("b.velocity.x")).margin(1e-2));
  CHECK(v.at("a.position.x") - start.at("a.position.x") < 0.045);
}
