// What sensors tell along the axes of a place: against their values in the global frame, and in laws that act by them.
#include "tests/catch.hpp"
#include "tests/physics/sensed_vectors.hpp"
#include "tests/physics/stationary.hpp"

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

void check_alike(const Vec3<double>& a, const Vec3<double>& b, double size) {
  for (int i = 0; i < 3; ++i) CHECK(a[i] == Approx(b[i]).margin(1e-12 * size));
}

/// A hub that tumbles with a blade, and a block beside it, whose stress is told along the hub's axes as well.
std::string tumbling(const std::string& jet) {
  return R"yaml(sinew: 1
gravity: [0, 0, -9.81]
materials: {soft: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
sections: {bar: {shape: rectangle, width: 0.05, height: 0.1}}
bodies:
  hub: {type: rigid, mass: 4, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0], angular_velocity: [0.3, 2, 5],
        orientation: {sequence: zyx, angles: [30 deg, 20 deg, 10 deg]}, points: {tip: [0.5, 0.1, 0.2]}}
  blade: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 2}, section: bar, material: soft}
  block: {type: solid, box: {size: [1, 0.1, 0.1], elements: [2, 1, 1]}, material: soft, position: [0, 3, 0],
          points: {gauge: [0.5, 0.05, 0.05]}}
joints:
  ball: {type: spherical, connect: [ground, hub]}
  root: {type: fixed, connect: [hub, blade.start]}
  wall: {type: fixed, connect: [ground, "block.x-"]}
forces:
  jet: {type: actuator, on: hub.tip, direction_local: [0, 1, 0], force: ")yaml" +
         jet + R"yaml("}
sensors:
  gyro: {type: point, of: hub.tip, frame: hub, record: [position, velocity, acceleration.y, angular_velocity, orientation]}
  tip: {type: point, of: hub.tip, record: [position, velocity, acceleration, angular_velocity, orientation]}
  hub: {type: point, of: hub, record: [position, orientation]}
  root: {type: joint, of: root, frame: hub, record: [force.z, moment, work]}
  bearing: {type: joint, of: root}
  cut: {type: section, of: blade, at: 0.3, frame: hub, record: [force, moment, tension]}
  section: {type: section, of: blade, at: 0.3, record: [force, moment, tension]}
  stress: {type: point, of: block.gauge, frame: hub, record: [position, stress]}
  gauge: {type: point, of: block.gauge, record: [position, stress]}
  all: {type: system, frame: hub.tip, record: [center_of_mass, momentum.x]}
  whole: {type: system, record: [center_of_mass, momentum]}
analysis: {end_time: 0.1, step: 5e-4, newton: {tolerance: 1e-11}}
)yaml";
}

}  // namespace

TEST_CASE("Along the axes of a place sensors tell their global vectors turned, and places from there", "[mpi]") {
  const Trajectory run = run_model(PETSC_COMM_WORLD, tumbling("0"));
  for (const Values& row : run.values) {
    if (row.empty()) continue;  // told on rank 0
    const Mat3<double> R = axes_at(row, "hub");
    const Vec3<double> hub = vector_at(row, "hub.position");
    const auto along = [&](const Vec3<double>& v) { return transpose_times(R, v); };
    check_alike(vector_at(row, "gyro.position"), {{0.5, 0.1, 0.2}}, 1);
    check_alike(vector_at(row, "gyro.velocity"), along(vector_at(row, "tip.velocity")), 10);
    check_alike(vector_at(row, "gyro.angular_velocity"), along(vector_at(row, "tip.angular_velocity")), 10);
    CHECK(row.at("gyro.acceleration.y") == Approx(along(vector_at(row, "tip.acceleration"))[1]).margin(1e-9));
    CHECK(row.at("gyro.orientation.w") == Approx(1.0));
    CHECK(row.at("root.force.z") == Approx(along(vector_at(row, "bearing.force"))[2]).margin(1e-9));
    check_alike(vector_at(row, "root.moment"), along(vector_at(row, "bearing.moment")), 1e3);
    check_alike(vector_at(row, "cut.force"), along(vector_at(row, "section.force")), 1e3);
    check_alike(vector_at(row, "cut.moment"), along(vector_at(row, "section.moment")), 1e3);
    CHECK(row.at("cut.tension") == row.at("section.tension"));
    check_alike(vector_at(row, "stress.position"), along(vector_at(row, "gauge.position") - hub), 10);
    const Vec3<double> origin = vector_at(row, "tip.position");
    check_alike(vector_at(row, "all.center_of_mass"), along(vector_at(row, "whole.center_of_mass") - origin), 10);
    CHECK(row.at("all.momentum.x") == Approx(along(vector_at(row, "whole.momentum"))[0]).margin(1e-10));
    Mat3<double> T;
    constexpr const char* names[3][3] = {{"xx", "xy", "xz"}, {"xy", "yy", "yz"}, {"xz", "yz", "zz"}};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) T(i, k) = row.at(std::string("gauge.stress.") + names[i][k]);
    const Mat3<double> turned = transpose(R) * T * R;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) CHECK(row.at(std::string("stress.stress.") + names[i][k]) == Approx(turned(i, k)).margin(1e-8));
  }
}

TEST_CASE("Laws by what a sensor tells along the axes of a body act as those that turn it themselves", "[serial]") {
  // columns 2 of R, written out by the quaternion
  const std::string y =
      "(2*(sensor.hub.orientation.x*sensor.hub.orientation.y - sensor.hub.orientation.w*sensor.hub.orientation.z))";
  const std::string yy = "(1 - 2*(sensor.hub.orientation.x^2 + sensor.hub.orientation.z^2))";
  const std::string yz =
      "(2*(sensor.hub.orientation.y*sensor.hub.orientation.z + sensor.hub.orientation.w*sensor.hub.orientation.x))";
  const std::string by_hand = y + "*sensor.tip.velocity.x + " + yy + "*sensor.tip.velocity.y + " + yz + "*sensor.tip.velocity.z";
  const Trajectory framed = run_model(MPI_COMM_SELF, tumbling("-30*sensor.gyro.velocity.y + 100*sensor.gyro.position.x")),
                   turned = run_model(MPI_COMM_SELF, tumbling("-30*(" + by_hand + ") + 50"));
  REQUIRE(framed.values.size() == turned.values.size());
  for (const char* column : {"tip.position.x", "tip.position.y", "tip.position.z", "tip.velocity.x"})
    CHECK(framed.values.back().at(column) == Approx(turned.values.back().at(column)).epsilon(1e-8));
  CHECK(framed.summary.newton == turned.summary.newton);
}

TEST_CASE("A section tells its force and moment in its own axes", "[serial]") {
  // a cantilever along y, its section's axis 2 along z: what pulls and bends it stands in closed form
  Stationary model(MPI_COMM_SELF, R"yaml(sinew: 1
sections: {bar: {stiffness: [1e9, 1e9, 1e9, 1e9, 1e9, 1e9], inertia: [1, 1, 1, 1e-3, 1e-3, 1e-3]}}
bodies: {beam: {type: beam, line: {from: [0, 0, 0], to: [0, 2, 0], elements: 4, order: 2}, up: [0, 0, 1], section: bar}}
joints: {wall: {type: fixed, connect: [ground, beam.start]}}
forces:
  tip: {type: force, on: beam.end, vector: [3, 50, 7]}
  twist: {type: torque, on: beam.end, vector: [0, 11, 0]}
sensors:
  middle: {type: section, of: beam, at: 0.5, record: [force_local, moment_local, force]}
  plain: {type: section, of: beam, at: 0.5}
analysis: {type: static, newton: {tolerance: 1e-12}}
)yaml");
  model.find_rest();
  const Values v = model.values();
  check_alike(vector_at(v, "middle.force"), {{3, 50, 7}}, 1e9);
  CHECK(v.at("middle.force_local.x") == Approx(50).epsilon(1e-6));
  CHECK(v.at("middle.force_local.y") == Approx(7).epsilon(1e-6));  // axis 2 is z
  CHECK(v.at("middle.force_local.z") == Approx(3).epsilon(1e-6));  // axis 3 = y x z = x
  CHECK(v.at("middle.moment_local.x") == Approx(11).epsilon(1e-6));
  CHECK(v.at("middle.moment_local.y") == Approx(-3).epsilon(1e-5));  // (r x F) . z = -F_x
  CHECK(v.at("middle.moment_local.z") == Approx(7).epsilon(1e-5));   // (r x F) . x = F_z
  CHECK(v.count("plain.force_local.x") == 0);                        // only where it is asked for
}
