// Ropes that a drum winds up and pays out, against closed forms.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

TEST_CASE("A load on a drum that lets it go falls as its inertia and the drum's say, and energy is kept", "[mpi]") {
  constexpr double m = 20, J = 0.6, r = 0.1, g = 9.81, EA = 1e7;
  const Trajectory run = run_model(PETSC_COMM_WORLD, fmt::format(R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  drum: {{type: shaft, inertia: {}, angle: 2}}
  boom: {{type: rigid, mass: 100, inertia: [9, 9, 9], position: [0, 0, 4], points: {{sheave: [1, 0, 0]}}}}
  load: {{type: point-mass, mass: {}, position: [1, 0, 1]}}
joints:
  mast: {{type: fixed, connect: [ground, boom]}}
forces:
  hoist: {{type: winch, connect: [drum, [0, 0, 0], boom.sheave, load], radius: {}, stiffness: {}, length: {:.17g}}}
sensors:
  hoist: {{type: force, of: hoist}}
  drum: {{type: point, of: drum}}
  load: {{type: point, of: load, record: [position, velocity, acceleration]}}
  energy: {{type: energy}}
analysis: {{end_time: 0.5, step: 1e-4}}
)yaml",
                                                                 J, m, r, EA, std::hypot(1, 4) + 3));
  const double fall = m * g / (m + J / (r * r)), tension = m * (g - fall);
  if (run.values.front().empty()) return;  // told on rank 0
  const double energy = run.values.front().at("energy.total");
  double mean = 0;
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double t = run.time[n];
    const Values& row = run.values[n];
    CHECK(row.at("load.position.z") == Approx(1 - fall * t * t / 2).margin(2e-4));
    CHECK(row.at("drum.angle") - 2 == Approx(fall * t * t / 2 / r).margin(2e-3));
    CHECK(row.at("hoist.rope") == Approx(std::hypot(1, 4) + 3 + r * (row.at("drum.angle") - 2)));
    CHECK(row.at("energy.total") == Approx(energy).margin(1e-3));
    mean += row.at("hoist.force") / static_cast<double>(run.time.size());
  }
  CHECK(mean == Approx(tension).epsilon(0.02));  // it swings about that
}

TEST_CASE("A drum that a motion turns lowers its load, and the rope that is out becomes softer", "[mpi]") {
  constexpr double m = 50, g = 9.81, EA = 1e4, r = -0.2, turn = -5;  // winds up as it turns forward
  const Trajectory run = run_model(PETSC_COMM_WORLD, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  drum: {type: shaft, inertia: 0.1}
  load: {type: point-mass, mass: 50, position: [0, 0, -2]}
joints:
  drive: {type: motion, on: drum, angle: "-5*(t < 20 ? t/20 - sin(2*pi*t/20)/(2*pi) : 1)"}
forces:
  hoist: {type: winch, connect: [drum, ground, load], radius: -0.2, stiffness: 1e4, damping: 3e3, length: 2}
sensors:
  hoist: {type: force, of: hoist, record: [force, length, rope]}
  drive: {type: joint, of: drive, record: torque}
  load: {type: point, of: load}
analysis: {end_time: 25, step: 5e-3, initial: static}
)yaml");
  if (run.values.front().empty()) return;  // told on rank 0
  const Values& end = run.values.back();
  const double rope = 2 + r * turn, strain = m * g / EA;
  CHECK(end.at("hoist.rope") == Approx(rope).epsilon(1e-9));
  CHECK(end.at("hoist.force") == Approx(m * g).epsilon(1e-5));
  CHECK(end.at("load.position.z") == Approx(-rope * (1 + strain)).epsilon(1e-5));
  // what the shaft is driven with bears the rope's -dV/dphi = r (T (1 + e) - EA e^2 / 2)
  CHECK(end.at("drive.torque") == Approx(-r * (m * g * (1 + strain) - EA * strain * strain / 2)).epsilon(1e-5));
}

TEST_CASE("A winch refuses what is no rope", "[serial]") {
  const auto model = [](const std::string& winch) {
    return R"yaml(sinew: 1
bodies:
  drum: {type: shaft, inertia: 0.1}
  load: {type: point-mass, mass: 2, position: [0, 0, -2]}
forces: {hoist: {type: winch, )yaml" +
           winch + "}}\nanalysis: {end_time: 1, step: 0.1}\n";
  };
  const auto is_said = [&](const std::string& winch, const std::string& part) {
    try {
      run_model(MPI_COMM_SELF, model(winch));
    } catch (const InputError& error) {
      return std::string(error.what()).find(part) != std::string::npos;
    }
    return false;
  };
  CHECK(is_said("connect: [drum, ground, load], radius: 0, stiffness: 1e4", "has no radius: take a tendon"));
  CHECK(is_said("connect: [load, ground, drum], radius: 1, stiffness: 1e4", "'load' is no shaft"));
  CHECK(is_said("connect: [drum, load, load], radius: 1, stiffness: 1e4", "coincide at the start"));
}
