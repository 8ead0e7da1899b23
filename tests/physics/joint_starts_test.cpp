// Joints that say where they start, against the same models drawn there and against closed forms.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

/// Two rods on hinges, the first on the ground, drawn at some angles and going on from there by others.
Trajectory arm(double drawn1, double drawn2, const std::string& velocities1, const std::string& velocities2,
               const std::string& start1, const std::string& start2) {
  return run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
gravity: [0, 0, -9.81]
constants: {{a: {}, b: {}}}
bodies:
  upper: {{type: rigid, mass: 2, inertia: [0.01, 0.2, 0.2], position: [0.5*cos(a), 0, -0.5*sin(a)],
          orientation: {{axis: [0, 1, 0], angle: a}}, points: {{root: [-0.5, 0, 0], tip: [0.5, 0, 0]}} {}}}
  lower: {{type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [cos(a) + 0.4*cos(a + b), 0, -sin(a) - 0.4*sin(a + b)],
          orientation: {{axis: [0, 1, 0], angle: a + b}}, points: {{root: [-0.4, 0, 0], tip: [0.4, 0, 0]}} {}}}
joints:
  shoulder: {{type: revolute, connect: [ground, upper.root], axis: [0, 1, 0] {}}}
  elbow: {{type: revolute, connect: [upper.tip, lower.root], axis: [0, 1, 0] {}}}
sensors:
  tip: {{type: point, of: lower.tip, record: [position, velocity, acceleration]}}
  elbow: {{type: joint, of: elbow}}
analysis: {{end_time: 1, step: 5e-3, newton: {{tolerance: 1e-12}}}}
)yaml",
                                              drawn1, drawn2, velocities1, velocities2, start1, start2));
}

}  // namespace

TEST_CASE("an arm that its joints' starts move goes on like one that is drawn there", "[serial]") {
  // rates w1, w2 as velocities: of the points a rod is held at, and of its centre from there
  const double a = 0.7, b = -2.4, w1 = 1.5, w2 = -4;
  const auto drawn = [&](double rod, double angle, double omega, const double(&at)[2]) {
    return fmt::format(", velocity: [{:.17g}, 0, {:.17g}], angular_velocity: [0, {:.17g}, 0]",
                       at[0] - rod * omega * std::sin(angle), at[1] - rod * omega * std::cos(angle), omega);
  };
  const double root[2] = {0, 0}, elbow[2] = {-w1 * std::sin(a), -w1 * std::cos(a)};
  const Trajectory there = arm(a, b, drawn(0.5, a, w1, root), drawn(0.4, a + b, w1 + w2, elbow), "", "");
  CHECK(farthest_apart(arm(0, 0, "", "", ", start: {angle: 0.7, rate: 1.5}", ", start: {angle: -2.4, rate: -4}"), there) < 1e-8);
  CHECK(farthest_apart(arm(2, 0.5, "", "", ", start: {angle: -1.3, rate: 1.5}", ", start: {angle: -2.9, rate: -4}"), there) <
        1e-8);
  // velocities of bodies are those at the start; rates alone leave bodies where they are
  CHECK(farthest_apart(arm(0, 0, drawn(0.5, a, w1, root), drawn(0.4, a + b, w1 + w2, elbow), ", start: {angle: 0.7}",
                           ", start: {angle: -2.4}"),
                       there) < 1e-8);
  CHECK(farthest_apart(arm(a, b, "", "", ", start: {rate: 1.5}", ", start: {rate: -4}"), there) < 1e-8);
}

TEST_CASE("a sleeve starts where and as fast as its joint says, along and about its axis", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  bar: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.2], position: [0, 0, 0]}
  sleeve: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.2], position: [0, 0, 0]}
  bead: {type: point-mass, mass: 1, position: [0, 3, 0]}
joints:
  held: {type: fixed, connect: [ground, bar]}
  slide: {type: cylindrical, connect: [bar, sleeve], axis: [1, 0, 0],
          start: {angle: 170 deg, distance: -0.4, rate.angle: 2, rate.distance: 0.5}}
  wire: {type: point-on-line, connect: [[0, 3, 0], bead], axis: [0, 0, 1], start: {distance: 0.2, rate: -1}}
sensors:
  slide: {type: relative, of: slide}
  wire: {type: relative, of: wire}
  bead: {type: point, of: bead, record: [position, displacement]}
analysis: {end_time: 0.1, step: 0.01}
)yaml");
  const Values &start = run.values.front(), &end = run.values.back();
  CHECK(start.at("slide.angle") == Approx(170 * std::numbers::pi / 180).epsilon(1e-12));
  CHECK(start.at("slide.distance") == Approx(-0.4).epsilon(1e-12));
  CHECK(start.at("slide.rate.angle") == Approx(2).epsilon(1e-12));
  CHECK(start.at("slide.rate.distance") == Approx(0.5).epsilon(1e-12));
  CHECK(end.at("slide.angle") == Approx(170 * std::numbers::pi / 180 + 0.2).epsilon(1e-9));  // beyond half a turn
  CHECK(end.at("wire.distance") == Approx(0.1).epsilon(1e-9));
  CHECK(start.at("bead.position.z") == Approx(0.2).epsilon(1e-12));
  CHECK(start.at("bead.displacement.z") == Approx(0.2).epsilon(1e-12));  // from where it is drawn
  CHECK(end.at("bead.displacement.z") == Approx(0.1).epsilon(1e-9));
}

TEST_CASE("turns that starts make are counted, their own, those of sums, of screws and of gears", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  one: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0]}
  two: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0]}
  nut: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [5, 0, 0]}
  slow: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [9, 0, 0]}
  fast: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [9, 1, 0]}
joints:
  a: {type: revolute, connect: [ground, one], axis: [0, 0, 1], start: {angle: 150 deg, rate: 0}}
  b: {type: revolute, connect: [one, two], axis: [0, 0, 1], start: {angle: 170 deg, rate: 0}}
  thread: {type: screw, connect: [ground, nut], axis: [1, 0, 0], pitch: 0.01, start: {distance: 0.03, rate.distance: 0}}
  slow: {type: revolute, connect: [ground, slow], axis: [0, 0, 1], start: {angle: 170 deg, rate: 0}}
  fast: {type: revolute, connect: [ground, fast], axis: [0, 0, 1]}
  mesh: {type: gear, connect: [ground, fast, slow], axis: [0, 0, 1], ratio: -2.5}
forces:
  spring: {type: torsional-spring, connect: [ground, two], axis: [0, 0, 1], stiffness: 10}
sensors:
  b: {type: relative, of: b}
  thread: {type: relative, of: thread}
  fast: {type: relative, of: fast}
  spring: {type: force, of: spring}
  energy: {type: energy, record: strain}
analysis: {end_time: 1e-4, step: 1e-5}
)yaml");
  constexpr double pi = std::numbers::pi;
  for (const Values& v : {run.values.front(), run.values.back()}) {
    CHECK(v.at("b.angle") == Approx(170 * pi / 180).epsilon(1e-5));
    CHECK(v.at("spring.angle") == Approx(320 * pi / 180).epsilon(1e-5));
    CHECK(v.at("energy.strain") == Approx(5 * std::pow(320 * pi / 180, 2)).epsilon(1e-4));
    CHECK(v.at("thread.angle") == Approx(6 * pi).epsilon(1e-9));
    CHECK(v.at("fast.angle") == Approx(-2.5 * 170 * pi / 180).epsilon(1e-9));
  }
}

TEST_CASE("joints start many turns from where they are drawn, and wind up what hangs on them", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  drum: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}
  hand: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [9, 0, 0]}
  fast: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [9, 1, 0]}
joints:
  drum: {type: revolute, connect: [ground, drum], axis: [0, 0, 1], start: {angle: -50, rate: 0}}
  hand: {type: revolute, connect: [ground, hand], axis: [0, 0, 1], start: {angle: 11, rate: 0}}
  fast: {type: revolute, connect: [ground, fast], axis: [0, 0, 1]}
  mesh: {type: gear, connect: [ground, fast, hand], axis: [0, 0, 1], ratio: -2.5}
forces:
  spring: {type: torsional-spring, connect: [ground, drum], axis: [0, 0, 1], stiffness: 10}
sensors:
  drum: {type: relative, of: drum}
  fast: {type: relative, of: fast}
  spring: {type: force, of: spring}
analysis: {end_time: 1e-4, step: 1e-5}
)yaml");
  const Values& start = run.values.front();
  CHECK(start.at("drum.angle") == Approx(-50).epsilon(1e-9));
  CHECK(start.at("spring.moment") == Approx(-500).epsilon(1e-9));
  CHECK(start.at("fast.angle") == Approx(-27.5).epsilon(1e-9));
  CHECK(run.values.back().at("fast.angle") == Approx(-27.5).epsilon(1e-9));
}

namespace {

/// A nut that turns on a spindle of that pitch, and winds up a spring of 1 N m/rad.
std::string nut(double pitch, const std::string& start, const std::string& drive) {
  return fmt::format(R"yaml(sinew: 1
bodies: {{nut: {{type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0]}}}}
joints:
  spindle: {{type: screw, connect: [ground, nut], axis: [0, 0, 1], pitch: {}{}}}
{}forces: {{k: {{type: torsional-spring, connect: [ground, nut], axis: [0, 0, 1], stiffness: 1}}}}
sensors: {{nut: {{type: relative, of: spindle}}, k: {{type: force, of: k}}}}
analysis: {{end_time: 1e-6, step: 1e-6}}
)yaml",
                     pitch, start, drive);
}

/// A wheel that drives another one twenty times as fast, from there.
std::string fast_pair(double angle) {
  return fmt::format(R"yaml(sinew: 1
bodies:
  a: {{type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}}
  b: {{type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints:
  a: {{type: revolute, connect: [ground, a], axis: [0, 0, 1], start: {{angle: {}}}}}
  b: {{type: revolute, connect: [ground, b], axis: [0, 0, 1]}}
  mesh: {{type: gear, connect: [ground, b, a], axis: [0, 0, 1], ratio: 20}}
sensors: {{a: {{type: relative, of: a}}, b: {{type: relative, of: b}}}}
analysis: {{end_time: 1e-6, step: 1e-6}}
)yaml",
                     angle);
}

}  // namespace

TEST_CASE("turns that follow from how far a screw or a rack is to go are counted too", "[serial]") {
  const double pi = std::numbers::pi;
  for (const auto& [pitch, distance] : {std::pair{5e-3, 0.3}, {1e-3, 0.1}, {2e-3, -0.5}}) {
    INFO(pitch << " m, " << distance << " m");
    const double angle = 2 * pi * distance / pitch;
    for (const Trajectory& run :
         {run_model(MPI_COMM_SELF, nut(pitch, fmt::format(", start: {{distance: {}, rate.distance: 0}}", distance), "")),
          run_model(MPI_COMM_SELF,
                    nut(pitch, "", fmt::format("  drive: {{type: motion, of: spindle, displacement: {}}}\n", distance)))}) {
      CHECK(run.values.front().at("nut.angle") == Approx(angle).epsilon(1e-9));
      CHECK(run.values.front().at("k.moment") == Approx(angle).epsilon(1e-9));
    }
  }
  const Trajectory rack = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  b: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0.1, 0, 0]}
joints:
  a: {type: revolute, connect: [ground, a], axis: [0, 0, 1]}
  b: {type: prismatic, connect: [ground, b], axis: [1, 0, 0], start: {distance: 4}}
  mesh: {type: rack-pinion, connect: [ground, a, b], axis: [0, 0, 1], direction: [1, 0, 0], radius: 5e-3}
sensors: {a: {type: relative, of: a}}
analysis: {end_time: 1e-6, step: 1e-6}
)yaml");
  CHECK(std::abs(rack.values.front().at("a.angle")) == Approx(800).epsilon(1e-9));
}

TEST_CASE("starts that turn something further than turns are followed are refused", "[serial]") {
  CHECK(run_model(MPI_COMM_SELF, fast_pair(90)).values.front().at("b.angle") == Approx(1800).epsilon(1e-9));
  CHECK_THROWS_WITH(run_model(MPI_COMM_SELF, fast_pair(150)),
                    Catch::Contains("error: to their start bodies have to turn"));
  CHECK_THROWS_WITH(run_model(MPI_COMM_SELF, nut(1e-4, ", start: {distance: 0.1}", "")),
                    Catch::Contains("more than 2000 rad"));
}

TEST_CASE("motions of many turns stand beside starts", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  one: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0]}
  two: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0, 0]}
joints:
  a: {type: revolute, connect: [ground, one], axis: [0, 0, 1], start: {angle: 0.2, rate: 0}}
  b: {type: revolute, connect: [one, two], axis: [0, 0, 1]}
  drive: {type: motion, of: b, angle: "10 + t"}
sensors: {a: {type: relative, of: a}, b: {type: relative, of: b}}
analysis: {end_time: 1e-4, step: 1e-5}
)yaml");
  CHECK(run.values.front().at("a.angle") == Approx(0.2).epsilon(1e-9));
  CHECK(run.values.front().at("b.angle") == Approx(10).epsilon(1e-9));
  CHECK(run.values.back().at("b.angle") == Approx(10.0001).epsilon(1e-9));
}

TEST_CASE("bodies keep their velocities in space where starts turn them", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  one: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0], points: {root: [-0.5, 0, 0], tip: [0.5, 0, 0]}}
  two: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.3], position: [1.5, 0, 0], points: {root: [-0.5, 0, 0]},
        velocity: [0, 0, 1], angular_velocity: [2, 0, 0]}
joints:
  a: {type: revolute, connect: [ground, one.root], axis: [0, 0, 1], start: {angle: 90 deg}}
  b: {type: revolute, connect: [one.tip, two.root], axis: [0, 1, 0]}
sensors: {b: {type: relative, of: b}, two: {type: point, of: two, record: [velocity, angular_velocity]}}
analysis: {end_time: 1e-4, step: 1e-5}
)yaml");
  const Values& start = run.values.front();
  CHECK(start.at("b.rate") == Approx(-2).epsilon(1e-9));  // about -x there
  CHECK(start.at("two.velocity.z") == Approx(1).epsilon(1e-9));
}

TEST_CASE("the crank of a four-bar linkage starts where it is told to, and the rest closes", "[serial]") {
  // ground link 4, crank 1, coupler 3, rocker 3, drawn with the crank along the ground link: the distance of its tip from the
  // rocker's post is then 3, so that coupler and rocker meet at a height of 3 sin 60
  const double crank = 1.1;
  RunChoices choices;
  choices.settles_redundancy = true;
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
constants: {h: 3*sqrt(3)/2}
bodies:
  crank: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], points: {root: [-0.5, 0, 0], tip: [0.5, 0, 0]}}
  coupler: {type: rigid, mass: 3, inertia: [0.3, 0.3, 0.3], position: [1.75, 0, h/2],
            points: {a: [-0.75, 0, -h/2], b: [0.75, 0, h/2]}}
  rocker: {type: rigid, mass: 3, inertia: [0.3, 0.3, 0.3], position: [3.25, 0, h/2],
           points: {top: [-0.75, 0, h/2], post: [0.75, 0, -h/2]}}
joints:
  motor: {type: revolute, connect: [ground, crank.root], axis: [0, -1, 0], start: {angle: 1.1, rate: 5}}
  a: {type: revolute, connect: [crank.tip, coupler.a], axis: [0, -1, 0]}
  b: {type: revolute, connect: [coupler.b, rocker.top], axis: [0, -1, 0]}
  post: {type: revolute, connect: [ground, rocker.post], axis: [0, -1, 0]}
sensors:
  motor: {type: relative, of: motor}
  top: {type: point, of: rocker.top, record: [position, velocity]}
  tip: {type: point, of: crank.tip, record: position}
  drift: {type: constraint, record: [position, velocity]}
analysis: {end_time: 0.1, step: 1e-3}
)yaml",
                                   choices);
  const Values& start = run.values.front();
  CHECK(start.at("motor.angle") == Approx(crank).epsilon(1e-10));
  CHECK(start.at("motor.rate") == Approx(5).epsilon(1e-10));
  CHECK(start.at("drift.position") < 1e-12);
  CHECK(start.at("drift.velocity") < 1e-11);
  // the tip (cos, sin), 3 from the top, which is 3 from the post (4, 0), above the line between
  const double x = std::cos(crank), z = std::sin(crank), d = std::hypot(4 - x, z), high = std::sqrt(9 - d * d / 4);
  CHECK(start.at("top.position.x") == Approx((x + 4) / 2 + high * z / d).epsilon(1e-10));
  CHECK(start.at("top.position.z") == Approx(z / 2 + high * (4 - x) / d).epsilon(1e-10));
}

TEST_CASE("a crank starts at an angle while a drive elsewhere says how fast its loop moves", "[serial]") {
  // x = r cos + sqrt(l^2 - (r sin)^2), drawn at 70 degrees; where it is held the rates of the drive do not fit, nor matter
  const double r = 0.2, l = 0.5, speed = 0.3, angle = std::numbers::pi / 18;
  RunChoices choices;
  choices.settles_redundancy = true;
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
constants: {r: 0.2, l: 0.5, a: 70 deg, b: asin(r*sin(a)/l)}
bodies:
  crank: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [r/2*cos(a), r/2*sin(a), 0],
          orientation: {axis: [0, 0, 1], angle: a}, points: {o: [-r/2, 0, 0], e: [r/2, 0, 0]}}
  rod: {type: rigid, mass: 1, inertia: [0.02, 0.02, 0.02], position: [r*cos(a) + l/2*cos(b), r/2*sin(a), 0],
        orientation: {axis: [0, 0, 1], angle: -b}, points: {o: [-l/2, 0, 0], e: [l/2, 0, 0]}}
  slider: {type: rigid, mass: 1, inertia: [0.02, 0.02, 0.02], position: [r*cos(a) + l*cos(b), 0, 0]}
joints:
  shaft: {type: revolute, connect: [ground, crank.o], axis: [0, 0, 1], start: {angle: 10 deg - a}}
  pin: {type: revolute, connect: [crank.e, rod.o], axis: [0, 0, 1]}
  ball: {type: spherical, connect: [rod.e, slider]}
  guide: {type: prismatic, connect: [ground, slider], axis: [1, 0, 0]}
  drive: {type: motion, of: guide, velocity: 0.3}
sensors: {shaft: {type: relative, of: shaft}, slider: {type: point, of: slider, record: [position, velocity]}}
analysis: {end_time: 0.01, step: 1e-3}
)yaml",
                                   choices);
  const Values& start = run.values.front();
  const double high = r * std::sin(angle), far = std::sqrt(l * l - high * high);
  CHECK(start.at("slider.position.x") == Approx(r * std::cos(angle) + far).epsilon(1e-9));
  CHECK(start.at("slider.velocity.x") == Approx(speed).epsilon(1e-10));
  CHECK(start.at("shaft.rate") == Approx(-speed / (high + high * r * std::cos(angle) / far)).epsilon(1e-8));
}

TEST_CASE("flexible bodies go to where their joints start without strain", "[serial]") {
  const auto body =
      GENERATE(as<std::string>{}, "beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}, section: s, material: m",
               "cable, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}, section: s, material: m",
               "solid, box: {size: [1, 0.1, 0.1], elements: [6, 1, 1]}, material: m, position: [0, -0.05, -0.05]");
  CAPTURE(body);
  const bool is_cable = body.starts_with("cable"), is_solid = body.starts_with("solid");
  const Trajectory run = run_model(
      MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}}}
sections: {{s: {{shape: circle, diameter: 0.1}}}}
bodies:
  hub: {{type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}}
  arm: {{type: {}}}
joints:
  motor: {{type: revolute, connect: [ground, hub], axis: [0, 0, 1], start: {{angle: 2, rate: 3}}}}
  root: {{type: {}, connect: [hub, arm.{}]}}
sensors:
  energy: {{type: energy, record: [strain, kinetic]}}
  tip: {{type: point, of: arm.{}, record: [position]}}
  motor: {{type: relative, of: motor}}
analysis: {{end_time: 1e-3, step: 1e-4}}
)yaml",
                                 body, is_cable ? "clamp" : "fixed", is_solid ? "x-" : "start", is_solid ? "x+" : "end"));
  const Values& start = run.values.front();
  CHECK(start.at("tip.position.x") == Approx(std::cos(2.0)).epsilon(1e-9));
  CHECK(start.at("tip.position.y") == Approx(std::sin(2.0)).epsilon(1e-9));
  CHECK(start.at("energy.strain") < 1e-12);
  CHECK(start.at("motor.angle") == Approx(2).epsilon(1e-12));
  CHECK(start.at("motor.rate") == Approx(3).epsilon(1e-10));
}
