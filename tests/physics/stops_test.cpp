// Stops in joints: bodies that fall on them and bounce, against closed forms.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double g = 9.81, height = 0.2, stiffness = 2e4, mass = 2;

/// Height of a mass that falls on a spring, through its first contact and on.
double bouncing(double t) {
  const double fall = std::sqrt(2 * height / g), v = std::sqrt(2 * g * height);
  if (t < fall) return height - g * t * t / 2;
  const double omega = std::sqrt(stiffness / mass), sink = g / (omega * omega);
  const double amplitude = std::hypot(sink, v / omega), phase = std::atan2(v / omega, sink);
  const double contact = 2 * (std::numbers::pi - phase) / omega, since = t - fall;
  if (since < contact) return amplitude * std::cos(omega * since + phase) - sink;
  const double flight = since - contact;
  return v * flight - g * flight * flight / 2;
}

Trajectory drop(const std::string& analysis) {
  return run_model(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  ram: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.2]}
joints:
  guide: {type: prismatic, connect: [[0, 0, 0], ram], axis: [0, 0, 1]}
forces:
  floor: {type: stop, of: guide, lower: 0, stiffness: 2e4}
sensors:
  ram: {type: point, of: ram, record: [position, velocity]}
  floor: {type: force, of: floor}
  energy: {type: energy, record: [total]}
analysis: )yaml" + analysis + "\n");
}

double worst(const Trajectory& run) {
  double most = 0;
  for (std::size_t n = 0; n < run.time.size(); ++n)
    most = std::max(most, std::abs(run.values[n].at("ram.position.z") - bouncing(run.time[n])));
  return most;
}

/// The speed after a Hunt-Crossley contact that began with v: v/c - ln(1 + c v)/c^2 on the way in is what -v1/c - ln(1 - c
/// v1)/c^2 is on the way out, whatever stiffness and exponent are.
double rebound(double v, double c) {
  const double in = v / c - std::log(1 + c * v) / (c * c);
  double low = 0, high = std::min(v, 1 / c);
  for (int i = 0; i < 200; ++i) {
    const double v1 = 0.5 * (low + high);
    (-v1 / c - std::log(1 - c * v1) / (c * c) < in ? low : high) = v1;
  }
  return low;
}

}  // namespace

TEST_CASE("a mass that falls on a stop bounces as a spring does, with second order", "[serial]") {
  std::vector<double> errors;
  for (const double h : {1e-3, 5e-4, 2.5e-4, 1.25e-4})
    errors.push_back(worst(drop(fmt::format("{{end_time: 0.4, step: {}, newton: {{tolerance: 1e-12}}}}", h))));
  CAPTURE(errors);
  CHECK(errors.back() < 2e-5);
  CHECK(errors.front() / errors.back() > 30);  // 64 but for where the steps meet the floor
  for (const char* tolerance : {"1e-7", "5e-8", "3e-8", "1e-8"}) {
    CAPTURE(tolerance);
    CHECK(worst(drop(fmt::format("{{end_time: 0.4, step: {{tolerance: {}}}}}", tolerance))) < 1e-4);
  }
  const Trajectory run = drop("{end_time: 0.4, step: {tolerance: 1e-6}}");
  const double deepest = bouncing(std::sqrt(2 * height / g) + 0.5 * std::numbers::pi / 100);
  double force = 0;
  for (const Values& v : run.values) force = std::max(force, v.at("floor.force"));
  CHECK(force == Approx(-stiffness * deepest).epsilon(0.02));
}

TEST_CASE("a stop's damping takes the speed that Hunt and Crossley's law says, from hinges and slides", "[serial]") {
  for (const double exponent : {1.0, 1.5}) {
    const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
bodies:
  door: {{type: rigid, mass: 2, inertia: [0.2, 0.2, 0.3], position: [0, 0, 0], angular_velocity: [0, 0, 2]}}
  ram: {{type: rigid, mass: 2, inertia: [0.2, 0.2, 0.3], position: [0, 1, 0], velocity: [-1.5, 0, 0]}}
joints:
  hinge: {{type: revolute, connect: [ground, door], axis: [0, 0, 1]}}
  guide: {{type: cylindrical, connect: [[0, 1, 0], ram], axis: [1, 0, 0]}}
forces:
  jamb: {{type: stop, of: hinge, lower: -7, upper: 0.5, stiffness: 3e3, damping: 0.4, exponent: {0}}}
  end: {{type: stop, of: guide, lower: -0.4, stiffness: 3e4, damping: 0.3, exponent: {0}}}
sensors:
  door: {{type: relative, of: hinge}}
  ram: {{type: point, of: ram, record: [velocity]}}
  jamb: {{type: force, of: jamb}}
  energy: {{type: energy, record: [total, dissipated]}}
analysis: {{end_time: 0.8, step: 2.5e-4}}
)yaml",
                                                                exponent));
    const Values &start = run.values.front(), &end = run.values.back();
    CHECK(end.at("door.rate") == Approx(-rebound(2, 0.4)).epsilon(1e-3));
    CHECK(end.at("ram.velocity.x") == Approx(rebound(1.5, 0.3)).epsilon(1e-3));
    CHECK(end.at("energy.total") + end.at("energy.dissipated") == Approx(start.at("energy.total")).epsilon(1e-3));
    for (const Values& v : run.values) CHECK(v.at("jamb.moment") <= 0);
  }
}

TEST_CASE("a stop of a hinge counts turns", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  reel: {type: rigid, mass: 2, inertia: [0.2, 0.2, 0.3], position: [0, 0, 0], angular_velocity: [0, 0, 20]}
joints:
  hinge: {type: revolute, connect: [ground, reel], axis: [0, 0, 1]}
forces:
  end: {type: stop, of: hinge, upper: 5*pi, stiffness: 5e3}
sensors:
  reel: {type: relative, of: hinge}
analysis: {end_time: 1, step: 5e-4}
)yaml");
  double most = 0;
  for (const Values& v : run.values) most = std::max(most, v.at("reel.angle"));
  CHECK(most == Approx(5 * std::numbers::pi + 20 * std::sqrt(0.3 / 5e3)).epsilon(1e-3));
  CHECK(run.values.back().at("reel.rate") == Approx(-20).epsilon(2e-3));
}

TEST_CASE("stops limit the turn of every joint that turns about one axis and the way of every one that slides", "[serial]") {
  const auto joint =
      GENERATE(as<std::string>{},
               "revolute, axis: ", "cylindrical, axis: ", "planar, normal: ", "parallel, axis: ", "screw, pitch: 0.1, axis: ");
  CAPTURE(joint);
  const bool has_both = joint.starts_with("cylindrical") || joint.starts_with("screw");
  const double along = joint.starts_with("screw") ? 0.1 / (2 * std::numbers::pi) : 0;
  const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
bodies:
  door: {{type: rigid, mass: 2, inertia: [0.2, 0.3, 0.2], position: [0, 0, 0], angular_velocity: [0, 2, 0], velocity: [0, {}, 0]}}
joints: {{hinge: {{type: {}[0, 1, 0], connect: [ground, door]}}}}
forces: {{jamb: {{type: stop, of: hinge, {} upper: 0.5, stiffness: 3e3, damping: 0.4}}}}
sensors: {{door: {{type: relative, of: hinge}}}}
analysis: {{end_time: 0.8, step: 2.5e-4}}
)yaml",
                                                              2 * along, joint, has_both ? "coordinate: angle," : ""));
  CHECK(run.values.back().at(has_both ? "door.rate.angle" : "door.rate") == Approx(-rebound(2, 0.4)).epsilon(1e-3));
}

TEST_CASE("stops limit the way of bodies and points on a line", "[serial]") {
  const auto body = GENERATE(as<std::string>{}, "point-mass, mass: 2", "rigid, mass: 2, inertia: [0.2, 0.2, 0.3]");
  const auto joint = GENERATE(as<std::string>{}, "point-on-line", "screw, pitch: 0.1");
  if (body.starts_with("point") && joint.starts_with("screw")) return;
  CAPTURE(body, joint);
  const std::string turn = joint.starts_with("screw") ? ", angular_velocity: [-30*pi, 0, 0]" : "";
  const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
bodies: {{ram: {{type: {}, position: [1, 0, 0], velocity: [-1.5, 0, 0]{}}}}}
joints: {{guide: {{type: {}, connect: [[0, 0, 0], ram], axis: [1, 0, 0]}}}}
forces: {{end: {{type: stop, of: guide, lower: 0.6, stiffness: 3e5, damping: 0.3}}}}
sensors: {{ram: {{type: point, of: ram, record: velocity}}, end: {{type: force, of: end}}}}
analysis: {{end_time: 0.6, step: 2e-4}}
)yaml",
                                                              body, turn, joint));
  CHECK(run.values.back().at("ram.velocity.x") == Approx(rebound(1.5, 0.3)).epsilon(1e-3));
}
