// Balls on planes, cylinders, in tubes and against each other, and a rope over a drum, against closed forms.
#include "tests/catch.hpp"
#include "tests/physics/short_models.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

double speed_of(const Values& v, const std::string& sensor) {
  return std::hypot(v.at(sensor + ".velocity.x"), v.at(sensor + ".velocity.y"), v.at(sensor + ".velocity.z"));
}

/// A ball of 2 kg and 0.1 m.
std::string ball(const std::string& name, const std::string& start) {
  return fmt::format("  {}: {{type: rigid, mass: 2, inertia: [0.008, 0.008, 0.008], {}}}\n", name, start);
}

}  // namespace

TEST_CASE("a ball that falls on a plane does what one that falls on a stop does", "[serial]") {
  for (const char* law : {"stiffness: 2e4", "stiffness: 2e5, exponent: 1.5, damping: 0.4"}) {
    const std::string body = "gravity: [0, 0, -9.81]\nbodies:\n" + ball("ram", "position: [0, 0, 0.3]") +
                             "sensors: {ram: {type: point, of: ram, record: [position, velocity]}}\n";
    const std::string analysis = "{end_time: 0.5, step: 1e-4, newton: {tolerance: 1e-12}}";
    const Trajectory contact = run_short(
        body + fmt::format("forces: {{floor: {{type: contact, connect: [ground, ram], normal: [0, 0, 2], radius: 0.1, {}}}}}\n",
                           law),
        analysis);
    const Trajectory stop =
        run_short(body + "joints: {guide: {type: prismatic, connect: [[0, 0, 0.1], ram], axis: [0, 0, 1]}}\n" +
                      fmt::format("forces: {{floor: {{type: stop, of: guide, lower: 0, {}}}}}\n", law),
                  analysis);
    CHECK(contact.values.back().at("ram.position.z") == Approx(stop.values.back().at("ram.position.z")).epsilon(1e-8));
    CHECK(contact.values.back().at("ram.velocity.z") == Approx(stop.values.back().at("ram.velocity.z")).epsilon(1e-8));
    CHECK(std::abs(contact.values.back().at("ram.position.x")) < 1e-12);
  }
}

TEST_CASE("a ball that is thrown along a floor ends rolling with 5/7 of its speed", "[serial]") {
  const Trajectory thrown =
      run_short("gravity: [0, 0, -9.81]\nbodies:\n" + ball("ball", "position: [0, 0, 0.09999019], velocity: [0.6, 0.8, 0]") +
                    R"yaml(
forces:
  floor: {type: contact, connect: [ground, ball], normal: [0, 0, 1], radius: 0.1, stiffness: 2e6, coefficient: 0.3,
          transition_speed: 1e-3}
sensors:
  ball: {type: point, of: ball, record: [velocity, angular_velocity]}
  floor: {type: force, of: floor}
  energy: {type: energy, record: [total, dissipated]}
)yaml",
                "{end_time: 0.5, step: {tolerance: 1e-5}}");
  const Values &start = thrown.values.front(), &end = thrown.values.back();
  CHECK(end.at("ball.velocity.x") == Approx(0.6 * 5 / 7).epsilon(1e-4));
  CHECK(end.at("ball.velocity.y") == Approx(0.8 * 5 / 7).epsilon(1e-4));
  CHECK(end.at("ball.angular_velocity.x") == Approx(-8.0 * 5 / 7).epsilon(1e-3));
  CHECK(end.at("floor.slip_speed") < 1e-4);
  CHECK(start.at("floor.force.x") == Approx(-0.3 * 2 * g * 0.6).epsilon(1e-3));
  CHECK(end.at("energy.dissipated") == Approx(1.0 * 2 / 7).epsilon(1e-3));
  CHECK(end.at("energy.total") + end.at("energy.dissipated") == Approx(start.at("energy.total")).epsilon(1e-4));
}

TEST_CASE("a ball rolls down a cylinder and leaves it where its weight holds it no longer", "[serial]") {
  const Trajectory rolling = run_short(
      "gravity: [0, 0, -9.81]\nbodies:\n" +
          ball("ball", fmt::format("position: [{:.17g}, 0, {:.17g}]", 1.099989 * std::sin(0.05), 1.099989 * std::cos(0.05))) +
          R"yaml(
forces:
  drum: {type: contact, connect: [ground, ball], axis: [0, 1, 0], first_radius: 1, radius: 0.1, stiffness: 2e6, coefficient: 5,
         transition_speed: 1e-3, damping: 1}
sensors:
  ball: {type: point, of: ball, record: [position, velocity]}
  drum: {type: force, of: drum}
)yaml",
      "{end_time: 2, step: {tolerance: 1e-5}}");
  const auto off = std::find_if(rolling.values.begin(), rolling.values.end(),
                                [](const Values& v) { return v.at("drum.normal") == 0 && v.at("ball.position.x") > 0.5; });
  REQUIRE(off != rolling.values.end());
  // g (cos a0 - cos a) = 7/10 v^2 / R and v^2 / R = g cos a
  const double angle = std::atan2(off->at("ball.position.x"), off->at("ball.position.z"));
  CHECK(std::cos(angle) == Approx(std::cos(0.05) * 10 / 17).epsilon(0.01));
}

TEST_CASE("a ball in a tube rolls to and fro as a pendulum of 7/5 of the length", "[serial]") {
  constexpr double length = 0.4, amplitude = 0.02;
  const Trajectory swing = run_short("gravity: [0, 0, -9.81]\nbodies:\n" +
                                         ball("ball", fmt::format("position: [{:.17g}, 0, {:.17g}]", length * std::sin(amplitude),
                                                                  -length * std::cos(amplitude))) +
                                         R"yaml(
forces:
  tube: {type: contact, connect: [ground, ball], axis: [0, 1, 0], bore: 0.499990, radius: 0.1, stiffness: 2e6, coefficient: 1,
         transition_speed: 1e-4, damping: 1}
sensors:
  ball: {type: point, of: ball, record: [position]}
)yaml",
                                     "{end_time: 3, step: 1e-3}");
  const double omega = std::sqrt(g / (1.4 * length)) * (1 - amplitude * amplitude / 16);
  double worst = 0;
  for (std::size_t n = 0; n < swing.time.size(); ++n)
    worst =
        std::max(worst, std::abs(swing.values[n].at("ball.position.x") - length * amplitude * std::cos(omega * swing.time[n])));
  CHECK(worst < 0.01 * length * amplitude);
}

TEST_CASE("two balls that meet aslant exchange their speeds along the line between them", "[serial]") {
  // smooth, elastic, of one mass: the one that rests goes along the line, the other across it
  const double offset = 0.2 * std::sin(0.5);
  const Trajectory shot =
      run_short("bodies:\n" + ball("cue", fmt::format("position: [-1, {:.17g}, 0], velocity: [2, 0, 0]", offset)) +
                    ball("red", "position: [0, 0, 0]") + R"yaml(
forces:
  click: {type: contact, connect: [cue, red], first_radius: 0.1, radius: 0.1, stiffness: 1e13, exponent: 1.5}
sensors:
  cue: {type: point, of: cue, record: [velocity]}
  red: {type: point, of: red, record: [velocity]}
  click: {type: force, of: click}
  whole: {type: system, record: [momentum, angular_momentum]}
)yaml",
                "{end_time: 0.6, step: {tolerance: 1e-4, per: unit-step}}");
  const Values& end = shot.values.back();
  CHECK(speed_of(end, "red") == Approx(2 * std::cos(0.5)).epsilon(1e-3));
  CHECK(speed_of(end, "cue") == Approx(2 * std::sin(0.5)).epsilon(1e-3));
  CHECK(end.at("red.velocity.y") / end.at("red.velocity.x") == Approx(-std::tan(0.5)).epsilon(1e-3));
  CHECK(end.at("whole.momentum.x") == Approx(4).epsilon(1e-12));
  CHECK(end.at("whole.angular_momentum.z") == Approx(shot.values.front().at("whole.angular_momentum.z")).epsilon(1e-4));
}

TEST_CASE("friction between balls keeps angular momentum, with a point mass too", "[serial]") {
  for (const char* other : {"type: point-mass, mass: 1", "type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004]"}) {
    const Trajectory shot = run_short(fmt::format(R"yaml(bodies:
  spun: {{type: rigid, mass: 2, inertia: [0.008, 0.008, 0.008], position: [0, 0, 0], angular_velocity: [3, 20, 50]}}
  other: {{{}, position: [0.25, 0.03, 0.01], velocity: [-1, 0, 0]}}
forces:
  rub: {{type: contact, connect: [spun, other], first_radius: 0.1, radius: 0.1, stiffness: 1e6, exponent: 1.5, damping: 0.1,
         coefficient: 0.4, static_coefficient: 0.6, stribeck_speed: 0.3, transition_speed: 1e-2}}
sensors:
  rub: {{type: force, of: rub}}
  whole: {{type: system, record: [momentum, angular_momentum]}}
  energy: {{type: energy, record: [total, dissipated]}}
)yaml",
                                                  other),
                                      "{end_time: 0.2, step: {tolerance: 1e-7}}");
    const Values &start = shot.values.front(), &end = shot.values.back();
    CHECK(end.at("energy.dissipated") > 0.1);
    CHECK(end.at("energy.total") + end.at("energy.dissipated") == Approx(start.at("energy.total")).epsilon(1e-4));
    for (const char* component : {"x", "y", "z"}) {
      CHECK(end.at(std::string("whole.momentum.") + component) ==
            Approx(start.at(std::string("whole.momentum.") + component)).margin(1e-10));
      CHECK(end.at(std::string("whole.angular_momentum.") + component) ==
            Approx(start.at(std::string("whole.angular_momentum.") + component)).margin(1e-5));
    }
  }
}

TEST_CASE("a point mass slides down a rough slope, and rests on it where friction holds", "[serial]") {
  const auto slide = [](double angle) {
    const Values end = run_short(fmt::format(R"yaml(gravity: [0, 0, -9.81]
bodies:
  stone: {{type: point-mass, mass: 3, position: [0, 0, {:.17g}]}}
forces:
  slope: {{type: contact, connect: [ground, stone], normal: [{:.17g}, 0, {:.17g}], stiffness: 1e6, coefficient: 0.4,
          transition_speed: 1e-4}}
sensors:
  stone: {{type: point, of: stone, record: [velocity]}}
)yaml",
                                             -3 * g * std::cos(angle) / 1e6 / std::cos(angle), std::sin(angle), std::cos(angle)),
                                 "{end_time: 1, step: {tolerance: 1e-5}}")
                           .values.back();
    return speed_of(end, "stone");
  };
  CHECK(slide(0.6) == Approx(g * (std::sin(0.6) - 0.4 * std::cos(0.6))).epsilon(1e-4));
  CHECK(slide(0.3) == Approx(1e-4 * std::atanh(std::tan(0.3) / 0.4)).epsilon(0.01));
}

TEST_CASE("a drum that turns under a rope holds the one end with exp(mu angle) times the force at the other", "[serial]") {
  constexpr int around = 40, straight = 10;
  constexpr double pi = std::numbers::pi;
  std::string points;
  const auto add = [&points](double x, double z) {
    points += fmt::format("{}[{:.17g}, 0, {:.17g}]", points.empty() ? "" : ", ", x, z);
  };
  for (int i = 0; i < straight; ++i) add(-0.5, -0.5 + 0.5 * i / straight);
  for (int i = 0; i <= around; ++i) add(-0.5 * std::cos(pi * i / around), 0.5 * std::sin(pi * i / around));
  for (int i = 1; i <= straight; ++i) add(0.5, -0.5 * i / straight);
  const Trajectory capstan = run_short(fmt::format(R"yaml(
materials: {{hemp: {{density: 1000, youngs_modulus: 1e9, poissons_ratio: 0.3, damping: {{beta: 1e-3}}}}}}
sections: {{rope: {{shape: circle, diameter: 0.01}}}}
bodies:
  drum: {{type: rigid, mass: 100, inertia: [1, 1, 1], position: [0, 0, 0]}}
  rope: {{type: cable, section: rope, material: hemp, line: {{points: [{}]}}}}
joints:
  bearing: {{type: revolute, connect: [ground, drum], axis: [0, 1, 0]}}
  turn: {{type: motion, of: bearing, angular_velocity: "-2*min(t/0.1, 1)"}}
  hold: {{type: spherical, connect: [ground, rope.end]}}
forces:
  pull: {{type: force, on: rope.start, vector: [0, 0, -100]}}
  "touch{{i}}":
    repeat: {{i: 1..{}}}
    type: contact
    connect: [drum, "rope.node[{{i}}]"]
    axis: [0, 1, 0]
    first_radius: 0.5
    stiffness: 1e5
    damping: 1
    coefficient: 0.2
    transition_speed: 1e-2
sensors:
  hold: {{type: joint, of: hold, record: [force]}}
)yaml",
                                                   points, around + 2 * straight - 1),
                                       "{end_time: 0.5, step: 1e-3}");
  CHECK(std::abs(capstan.values.back().at("hold.force.z")) == Approx(100 * std::exp(0.2 * pi)).epsilon(0.01));
}
