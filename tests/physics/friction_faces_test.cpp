// Friction in threads and on faces: jacks that lift, sink and hold, pucks that slide and spin.
#include "tests/physics/order_study.hpp"

#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

/// A screw of 5 kg with the thread radius 0.02 m and the given pitch, upright in a nut that does not turn; a moment drives it.
constexpr double screw_mass = 5, screw_inertia = 4e-3, thread = 0.02;

Trajectory run_jack(double pitch, double moment, double spin, const std::string& law, const std::string& analysis) {
  return run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  screw: {{type: rigid, mass: 5, inertia: [0.02, 0.02, 4e-3], position: [0, 0, 0], velocity: [0, 0, {3:.17g}],
          angular_velocity: [0, 0, {2:.17g}]}}
joints:
  nut: {{type: screw, connect: [ground, screw], axis: [0, 0, 1], pitch: {0:.17g}}}
forces:
  drive: {{type: torque, on: screw, vector: [0, 0, {1:.17g}]}}
  rub: {{type: friction, of: nut, radius: 0.02, transition_speed: 1e-4, {4}}}
sensors:
  screw: {{type: point, of: screw, record: [position, velocity, acceleration]}}
  rub: {{type: force, of: rub}}
  energy: {{type: energy, record: [total, dissipated, work]}}
analysis: {{{5}}}
)yaml",
                                              pitch, moment, spin, spin * pitch / (2 * pi), law, analysis));
}

/// How fast it rises: m a = F - m g, J (2 pi / p) a = M - F r tan(alpha + phi), phi the angle of friction, negative if it sinks.
double rise(double pitch, double moment, double mu) {
  const double lean = std::tan(std::atan(pitch / (2 * pi * thread)) + std::atan(mu));
  return (moment - screw_mass * g * thread * lean) / (screw_inertia * 2 * pi / pitch + screw_mass * thread * lean);
}

/// A puck of which a ring rubs, as large as its radius of gyration.
std::string puck(const std::string& law) {
  return R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  puck: {type: rigid, mass: 2, inertia: [0.02, 0.02, 0.02], position: [0, 0, 0], velocity: [1.2, 0.9, 0],
         angular_velocity: [0, 0, 20]}
joints:
  ice: {type: planar, connect: [ground, puck], normal: [0, 0, 1]}
forces:
  rub: {type: friction, of: ice, coefficient: 0.2, transition_speed: 1e-3)yaml" +
         law + R"yaml(}
sensors:
  puck: {type: point, of: puck, record: [position, velocity, angular_velocity]}
  rub: {type: force, of: rub}
  energy: {type: energy, record: [total, dissipated]}
)yaml";
}

/// Largest difference of a sensor's columns at the end of two runs.
double apart(const Trajectory& a, const Trajectory& b, const std::string& sensor) {
  double most = 0;
  for (const auto& [name, value] : a.values.back())
    if (name.rfind(sensor, 0) == 0) most = std::max(most, std::abs(value - b.values.back().at(name)));
  return most;
}

/// A table on a slope that tilts, a spindle on it that a weight beside its axis turns.
const std::string mixed = R"yaml(sinew: 1
gravity: [0.8, -1.1, -9.6]
bodies:
  table: {type: rigid, mass: 3, inertia: [0.05, 0.06, 0.08], position: [0, 0, 0.1], velocity: [0.8, 0.3, 0],
          angular_velocity: [0, 0, 3], points: {foot: [0.02, 0.01, -0.1]}}
  spindle: {type: rigid, mass: 1.5, inertia: [0.01, 0.012, 0.02], position: [0.05, 0, 0.3], velocity: [0.8, 0.3, 0],
            angular_velocity: [0, 0, 9], points: {axis: [-0.05, 0, 0]}}
joints:
  floor: {type: planar, connect: [ground, table.foot], normal: [0, 0, 1]}
  nut: {type: screw, connect: [table, spindle.axis], axis: [0, 0, 1], pitch: 0.3}
forces:
  at_floor: {type: friction, of: floor, coefficient: 0.2, static_coefficient: 0.25, stribeck_speed: 0.5, radius: 0.1, length: 0.4,
             transition_speed: 0.02}
  at_nut: {type: friction, of: nut, coefficient: 0.15, radius: 0.04, flank_angle: 0.26, length: 0.2, transition_speed: 0.02}
sensors:
  spindle: {type: point, of: spindle, record: [position, velocity, acceleration]}
  nut: {type: joint, of: nut, record: [force, moment]}
  floor: {type: joint, of: floor, record: [force, moment]}
  at_floor: {type: force, of: at_floor}
  at_nut: {type: force, of: at_nut}
)yaml";

}  // namespace

TEST_CASE("a jack lifts, sinks and holds as the friction of its thread says", "[serial]") {
  const std::string law = "coefficient: 0.12", analysis = "end_time: 0.2, step: 1e-3";
  for (const double pitch : {0.05, -0.05}) {
    const double way = pitch / (2 * pi), sign = pitch > 0 ? 1 : -1;
    const Trajectory up = run_jack(pitch, sign * 2.0, sign * 5, law, analysis);
    CHECK(up.values.back().at("screw.velocity.z") == Approx(std::abs(way) * 5 + 0.2 * rise(0.05, 2.0, 0.12)).epsilon(1e-6));
    CHECK(up.values.back().at("screw.acceleration.z") == Approx(rise(0.05, 2.0, 0.12)).epsilon(1e-6));
    const Trajectory down = run_jack(pitch, 0, -sign * 5, law, analysis);
    CHECK(down.values.back().at("screw.acceleration.z") == Approx(rise(0.05, 0, -0.12)).epsilon(1e-6));
    CHECK(rise(0.05, 0, -0.12) < -0.1);  // tan alpha = 0.4: it does not hold by itself
    for (const Trajectory* run : {&up, &down}) {
      const Values &first = run->values.front(), &last = run->values.back();
      CHECK(last.at("energy.total") + last.at("energy.dissipated") - last.at("energy.work") ==
            Approx(first.at("energy.total")).margin(1e-4));
    }
  }
  // tan alpha = 0.08 < mu: held but for the creep
  const Trajectory held = run_jack(0.01, 0, 0, law, analysis);
  CHECK(std::abs(held.values.back().at("screw.velocity.z")) < 1e-4);
  CHECK(std::abs(held.values.back().at("screw.acceleration.z")) < 1e-6);
}

TEST_CASE("a thread whose flanks lean rubs more", "[serial]") {
  const Trajectory square = run_jack(0.05, 2.0, 5, "coefficient: 0.12", "end_time: 0.01, step: 1e-3"),
                   trapezoid = run_jack(0.05, 2.0, 5, "coefficient: 0.12, flank_angle: 15*pi/180", "end_time: 0.01, step: 1e-3");
  // N over the force that the thread bears along the axis without friction is sqrt(1 + tan^2 alpha + tan^2 beta)
  const double tan_alpha = 0.05 / (2 * pi * thread);
  for (const auto& [run, beta] : {std::pair(&square, 0.0), std::pair(&trapezoid, pi / 12)}) {
    const Values& v = run->values.back();
    const double vertical = screw_mass * (g + v.at("screw.acceleration.z")) + v.at("rub.force");
    CHECK(v.at("rub.normal") / vertical ==
          Approx(std::sqrt(1 + tan_alpha * tan_alpha + std::pow(std::tan(beta), 2))).epsilon(1e-6));
  }
  CHECK(trapezoid.values.back().at("screw.acceleration.z") < square.values.back().at("screw.acceleration.z"));
}

TEST_CASE("a puck slides and spins out at the same time where what rubs is as large as its radius of gyration", "[serial]") {
  const double slip = std::hypot(1.5, 0.1 * 20), stop = slip / (0.2 * g);
  const Trajectory run = run_model(MPI_COMM_SELF, puck(", radius: 0.1") + "analysis: {end_time: 1.2, step: 2e-3}\n");
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double left = 1 - run.time[n] / stop;
    CHECK(run.values[n].at("puck.velocity.x") == Approx(1.2 * left).margin(1e-6));
    CHECK(run.values[n].at("puck.velocity.y") == Approx(0.9 * left).margin(1e-6));
    CHECK(run.values[n].at("puck.angular_velocity.z") == Approx(20 * left).margin(1e-5));
  }
  CHECK(run.values.back().at("rub.normal") == Approx(2 * g).epsilon(1e-9));
  CHECK(run.values.back().at("energy.total") + run.values.back().at("energy.dissipated") ==
        Approx(run.values.front().at("energy.total")).epsilon(1e-5));
  // without a radius it goes on spinning
  const Trajectory free = run_model(MPI_COMM_SELF, puck("") + "analysis: {end_time: 0.5, step: 2e-3}\n");
  CHECK(free.values.back().at("puck.angular_velocity.z") == Approx(20));
  CHECK(free.values.back().at("puck.velocity.x") == Approx(1.2 - 0.8 * 0.2 * g * 0.5).epsilon(1e-6));
}

TEST_CASE("friction in a screw on a table that slides is of order 2", "[serial]") {
  std::vector<Trajectory> runs;
  for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4})
    runs.push_back(run_model(MPI_COMM_SELF,
                             mixed + fmt::format("analysis: {{end_time: 0.2, step: {}, newton: {{tolerance: 1e-12}}}}\n", h)));
  CHECK(runs.back().values.back().at("at_nut.normal") > 5);
  CHECK(runs.back().values.back().at("at_floor.slip_speed") > 0.2);
  for (const std::string sensor : {"spindle.position", "spindle.velocity", "spindle.acceleration", "nut", "floor", "at_"})
    for (std::size_t k = 0; k < 2; ++k) {
      const double ratio = apart(runs[k], runs[k + 1], sensor) / apart(runs[k + 1], runs[k + 2], sensor);
      INFO(sensor << " " << k << ": ratio " << ratio);
      CHECK(ratio == Approx(4).margin(0.6));
    }
}
