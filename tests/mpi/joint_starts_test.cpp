// Joints that say where they start, on several ranks.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <cmath>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("a chain that is drawn straight starts as an arc, and as fast, on any number of ranks", "[mpi]") {
  const Trajectory run = run_model(MPI_COMM_WORLD, R"yaml(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
sections: {s: {shape: circle, diameter: 0.1}}
bodies:
  link{i}: {repeat: {i: 0..11}, type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [i + 0.5, 0, 0],
            points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}
  blade: {type: beam, line: {from: [12, 0, 0], to: [13, 0, 0], elements: 4}, section: s, material: m}
joints:
  first: {type: revolute, connect: [ground, link0.a], axis: [0, 0, 1], start: {angle: 0.2, rate: 0.5}}
  hinge{i}: {repeat: {i: 1..11}, type: revolute, connect: ["link{i-1}.b", "link{i}.a"], axis: [0, 0, 1],
             start: {angle: 0.1 + 0.01*i, rate: 0}}
  blade: {type: fixed, connect: [link11.b, blade.start]}
sensors:
  tip: {type: point, of: blade.end, record: [position, velocity]}
  last: {type: relative, of: hinge11}
  energy: {type: energy, record: [strain]}
analysis: {end_time: 1e-3, step: 1e-4}
)yaml");
  double angle = 0.2, x = 0, y = 0;
  for (int i = 0; i < 12; ++i) {
    angle += i > 0 ? 0.1 + 0.01 * i : 0;
    x += (i == 11 ? 2 : 1) * std::cos(angle);  // the blade goes on straight
    y += (i == 11 ? 2 : 1) * std::sin(angle);
  }
  if (run.values.front().empty()) return;  // of other ranks
  const Values& start = run.values.front();
  CHECK(start.at("tip.position.x") == Approx(x).epsilon(1e-9));
  CHECK(start.at("tip.position.y") == Approx(y).epsilon(1e-9));
  CHECK(start.at("tip.velocity.x") == Approx(-0.5 * y).epsilon(1e-9));
  CHECK(start.at("tip.velocity.y") == Approx(0.5 * x).epsilon(1e-9));
  CHECK(start.at("last.angle") == Approx(0.21).epsilon(1e-9));
  CHECK(start.at("energy.strain") < 1e-12);
}
