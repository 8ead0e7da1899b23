// Sliders and contacts on lines that deform, against closed forms and balances.
#include "tests/catch.hpp"
#include "tests/physics/short_models.hpp"
#include "tests/physics/stationary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

Values at_rest(const std::string& model) {
  Stationary stationary(MPI_COMM_SELF, "sinew: 1\n" + model + "analysis: {type: static}\n");
  stationary.find_rest();
  return stationary.values();
}

/// The midspan of a simply supported beam under a force F that has moved over it with the speed v for the time t, which had no
/// mass: the series of modes, e.g. L. Fryba, Vibration of Solids and Structures under Moving Loads, 1999, 1.3.
double midspan(double t, double L, double EI, double mass, double F, double v) {
  double sum = 0;
  for (int i = 1; i < 60; i += 2) {
    const double wave = i * std::numbers::pi / L, omega = wave * wave * std::sqrt(EI / mass), pass = wave * v;
    sum += 2 * F / (mass * L) * std::sin(i * std::numbers::pi / 2) * (std::sin(pass * t) - pass / omega * std::sin(omega * t)) /
           (omega * omega - pass * pass);
  }
  return sum;
}

/// The places of a rope in two straight pieces.
std::string bent_rope(int each) {
  std::string places;
  for (int k = 0; k <= 2 * each; ++k) {
    const double s = static_cast<double>(k) / each, x = s < 1 ? 5 * s : 5 + 15 * (s - 1), z = s < 1 ? -4 * s : -4 + 2 * (s - 1);
    places += fmt::format("{}[{:.12g}, 0, {:.12g}]", k > 0 ? ", " : "", x, z);
  }
  return places;
}

}  // namespace

TEST_CASE("a load that runs over a bridge bends it as a moving force does", "[serial]") {
  const double v = 20, F = 1000, mass = 100;
  for (const int order : {2, 3}) {
    INFO("order " << order);
    const Trajectory ride = run_short(fmt::format(R"yaml(
sections: {{beam: {{stiffness: [1e9, 1e9, 1e9, 1e6, 1e6, 1e6], inertia: [100, 100, 100, 1, 1, 1]}}}}
bodies:
  bridge: {{type: beam, section: beam, line: {{from: [0, 0, 0], to: [10, 0, 0], elements: 10, order: {}}},
           points: {{middle: {{at: 0.5}}}}}}
  load: {{type: point-mass, mass: 0.01, position: [0.001, 0, 0], velocity: [20, 0, 0]}}
joints:
  a: {{type: revolute, connect: [ground, bridge.start], axis: [0, 1, 0]}}
  b: {{type: point-on-line, connect: [ground, bridge.end], axis: [1, 0, 0]}}
  drive: {{type: motion, connect: [ground, load], direction: [1, 0, 0], displacement: "20*t"}}
  side: {{type: motion, connect: [ground, load], direction: [0, 1, 0], displacement: "0"}}
forces:
  weight: {{type: force, on: load, vector: [0, 0, -1000]}}
  wheel: {{type: line-slider, connect: [bridge, load], stiffness: 1e8, damping: 1e3}}
sensors:
  middle: {{type: point, of: bridge.middle, record: displacement}}
  wheel: {{type: force, of: wheel}}
)yaml",
                                                  order),
                                      "{end_time: 0.49, step: 5e-4}");
    double error = 0, largest = 0;
    for (std::size_t n = 0; n < ride.time.size(); ++n) {
      const Values& now = ride.values[n];
      const double expected = -midspan(ride.time[n], 10, 1e6, mass, F, v);
      error = std::max(error, std::abs(now.at("middle.displacement.z") - expected));
      largest = std::max(largest, std::abs(expected));
    }
    CHECK(error < 2e-3 * largest);
    CHECK(ride.values.back().at("wheel.distance") == Approx(0.001 + 20 * 0.49).epsilon(1e-4));
  }
}

TEST_CASE("a trolley on a slack rope rests where both sides are equally steep", "[serial]") {
  // Pieces of equal tension at the inclination a between supports (0, 0) and (20, -2): L cos a = 20, (l1 - l2) sin a = 2.
  const double weight = 100 * g, L0 = std::hypot(5, 4) + std::hypot(15, 2), EA = 1e7;
  double T = 1e3, a = 0;
  for (int k = 0; k < 50; ++k) {
    a = std::acos(20 / (L0 * (1 + T / EA)));
    T = weight / (2 * std::sin(a));
  }
  const double l1 = (L0 * (1 + T / EA) + 2 / std::sin(a)) / 2;
  const Values end = at_rest(
      "gravity: [0, 0, -9.81]\n"
      "sections: {rope: {stiffness: [1e7, 1e7, 1e7, 20, 20, 20], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}}\n"
      "bodies:\n  rope: {type: cable, section: rope, line: {points: [" +
      bent_rope(40) + "]}}\n" + R"yaml(
  cabin: {type: point-mass, mass: 100, position: [5, 0, -4]}
joints:
  a: {type: spherical, connect: [ground, rope.start]}
  b: {type: spherical, connect: [ground, rope.end]}
forces:
  trolley: {type: line-slider, connect: [rope, cabin], stiffness: 1e6}
sensors:
  cabin: {type: point, of: cabin}
  trolley: {type: force, of: trolley}
)yaml");
  // It is lowest where it rests, so that the way along the rope is known to the root of what the bent rope, sqrt(EI/T) = 0.12 m
  // to either side, takes of the sag.
  CHECK(end.at("trolley.force.z") == Approx(weight).epsilon(1e-6));
  CHECK(end.at("cabin.position.z") == Approx(-l1 * std::sin(a)).epsilon(5e-3));
  CHECK(end.at("cabin.position.x") == Approx(l1 * std::cos(a)).epsilon(3e-2));
  CHECK(end.at("trolley.distance") > std::hypot(5, 4) + 5);  // twenty elements from where it began
}

TEST_CASE("a bead slides down a taut wire against friction", "[serial]") {
  const Trajectory slide = run_short(R"yaml(
gravity: [0, 0, -9.81]
sections: {wire: {stiffness: [1e8, 1e8, 1e8, 1e6, 1e6, 1e6], inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0]}}
bodies:
  wire: {type: cable, section: wire, line: {from: [0, 0, 0], to: [8, 0, -6], elements: 16}}
  bead: {type: point-mass, mass: 0.1, position: [0.8, 0, -0.6]}
joints:
  a: {type: clamp, connect: [ground, wire.start]}
  b: {type: clamp, connect: [ground, wire.end]}
forces:
  eye: {type: line-slider, connect: [wire, bead], stiffness: 1e6, damping: 100, coefficient: 0.2, transition_speed: 1e-4}
sensors:
  bead: {type: point, of: bead, record: [position, velocity]}
  eye: {type: force, of: eye}
)yaml",
                                     "{end_time: 1, step: 1e-3}");
  const double acceleration = g * (0.6 - 0.2 * 0.8);
  CHECK(slide.values.back().at("eye.distance") == Approx(1 + acceleration / 2).epsilon(1e-3));
  CHECK(slide.values.back().at("eye.speed") == Approx(acceleration).epsilon(1e-3));
  CHECK(slide.values.back().at("eye.normal") == Approx(0.1 * g * 0.8).epsilon(1e-2));
}

TEST_CASE("a bead that hardly slips is held by static friction, whatever the other is", "[serial]") {
  const Trajectory start = run_short(R"yaml(
sections: {wire: {stiffness: [1e8, 1e8, 1e8, 1e6, 1e6, 1e6], inertia: [1, 1, 1, 0, 0, 0]}}
bodies:
  wire: {type: cable, section: wire, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 2}}
  bead: {type: point-mass, mass: 0.1, position: [0.3, 0, 0.001], velocity: [0.01, 0, 0]}
joints:
  a: {type: clamp, connect: [ground, wire.start]}
forces:
  eye: {type: line-slider, connect: [wire, bead], stiffness: 1e4, coefficient: 0, static_coefficient: 0.3, stribeck_speed: 10,
        transition_speed: 1e-4}
sensors:
  eye: {type: force, of: eye}
)yaml",
                                     "{end_time: 1e-5, step: 1e-5}");
  CHECK(start.values.front().at("eye.normal") == Approx(10).epsilon(1e-9));
  CHECK(start.values.front().at("eye.force.x") == Approx(-0.3 * 10).epsilon(1e-5));
}

TEST_CASE("a bead on a hoop swings as a pendulum, past where the hoop closes", "[serial]") {
  // The hoop is stiff and held everywhere; a quarter of a period from rest at 1 rad takes K(sin 0.5) sqrt(R/g).
  const Trajectory swing = run_short(R"yaml(
gravity: [0, 0, -9.81]
sections: {steel: {stiffness: [1e9, 1e9, 1e9, 1e7, 1e7, 1e7], inertia: [1, 1, 1, 1e-3, 1e-3, 1e-3]}}
bodies:
  hoop: {type: ring, section: steel, circle: {centre: [0, 0, 0], radius: 1, axis: [0, 1, 0], elements: 24}}
  bead: {type: point-mass, mass: 0.01, position: [sin(1), 0, -cos(1)]}
joints:
  "hold{i}": {repeat: {i: 0..23}, type: fixed, connect: [ground, "hoop.node[{i}]"]}
forces:
  eye: {type: line-slider, connect: [hoop, bead], stiffness: 1e6}
sensors:
  bead: {type: point, of: bead, record: [position, velocity]}
  energy: {type: energy, record: total}
)yaml",
                                     "{end_time: 1.5, step: 1e-3}");
  const double quarter = std::comp_ellint_1(std::sin(0.5)) / std::sqrt(g);
  const auto at = [&](double t) {
    std::size_t nearest = 0;
    for (std::size_t n = 0; n < swing.time.size(); ++n)
      if (std::abs(swing.time[n] - t) < std::abs(swing.time[nearest] - t)) nearest = n;
    return swing.values[nearest];
  };
  CHECK(std::abs(at(quarter).at("bead.position.x")) < 3e-3);
  CHECK(std::abs(at(quarter).at("bead.velocity.x")) == Approx(std::sqrt(2 * g * (1 - std::cos(1.0)))).epsilon(2e-3));
  CHECK(at(2 * quarter).at("bead.position.x") == Approx(-std::sin(1.0)).epsilon(2e-3));
}

TEST_CASE("a body on a rope in flight loses no momentum, and to friction the energy that is told", "[serial]") {
  const Trajectory flight = run_short(R"yaml(
sections: {rope: {stiffness: [1e4, 1e4, 1e4, 0.5, 0.5, 0.5], inertia: [0.2, 0.2, 0.2, 0, 0, 0]}}
bodies:
  rope: {type: cable, section: rope, line: {from: [0, 0, 0], to: [4, 0, 0], elements: 16}}
  tag: {type: rigid, mass: 1, inertia: [0.01, 0.02, 0.03], position: [2.1, 0, 0.05], velocity: [1.5, 0.7, 2],
        points: {eye: [0, 0, -0.05]}}
forces:
  eye: {type: line-slider, connect: [rope, tag.eye], stiffness: 1e4, damping: 1, coefficient: 0.3, transition_speed: 0.1}
sensors:
  all: {type: system}
  eye: {type: force, of: eye, record: [distance, dissipated]}
  energy: {type: energy, record: [total, dissipated]}
)yaml",
                                      "{end_time: 0.3, step: 2.5e-4}");
  const Values &start = flight.values.front(), &end = flight.values.back();
  for (const char* axis : {"x", "y", "z"}) {
    CHECK(end.at(std::string("all.momentum.") + axis) == Approx(start.at(std::string("all.momentum.") + axis)).margin(1e-12));
    CHECK(end.at(std::string("all.angular_momentum.") + axis) ==
          Approx(start.at(std::string("all.angular_momentum.") + axis)).margin(1e-5));
  }
  CHECK(end.at("eye.distance") > 2.25);  // it has passed an element
  CHECK(end.at("eye.dissipated") > 0.1);
  CHECK(end.at("energy.total") + end.at("energy.dissipated") == Approx(start.at("energy.total")).epsilon(2e-3));
}

TEST_CASE("a ball rests on a beam, and falls past its end", "[serial]") {
  const auto model = [](double place, double height, const char* joint) {
    return fmt::format(R"yaml(
gravity: [0, 0, -9.81]
sections: {{beam: {{stiffness: [1e9, 1e9, 1e9, 1e4, 1e4, 1e4], inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0]}}}}
bodies:
  beam: {{type: cable, section: beam, line: {{from: [0, 0, 0], to: [2, 0, 0], elements: 8}}}}
  ball: {{type: rigid, mass: 2, inertia: [0.008, 0.008, 0.008], position: [{}, 0, {}]}}
joints:
  a: {{type: clamp, connect: [ground, beam.start]}}
{}forces:
  touch: {{type: line-contact, connect: [beam, ball], first_radius: 0.05, radius: 0.1, stiffness: 1e6, damping: 1}}
sensors:
  ball: {{type: point, of: ball, record: [position, velocity]}}
  touch: {{type: force, of: touch}}
  tip: {{type: point, of: beam.end}}
)yaml",
                       place, height, joint);
  };
  // What does not touch may pass as many elements in a step as it will.
  std::string fast = model(0.1, 0.5, "");
  fast.insert(fast.find(", position: [0.1"), ", velocity: [100, 0, 0]");
  CHECK(run_short(fast, "{end_time: 0.02, step: 0.01}").values.back().at("touch.distance") == Approx(2).epsilon(1e-3));
  const Trajectory fall = run_short(model(2.3, 0.15, ""), "{end_time: 0.3, step: 1e-3}");
  CHECK(fall.values.back().at("ball.position.z") == Approx(0.15 - g * 0.045).epsilon(1e-6));
  CHECK(fall.values.back().at("touch.distance") == Approx(2).epsilon(1e-3));
  CHECK(fall.values.back().at("touch.normal") == 0);

  const Values end = at_rest(model(1.1, 0.1499, "  guide: {type: prismatic, connect: [ground, ball], axis: [0, 0, 1]}\n"));
  const double load = 2 * g, EI = 1e4, a = 1.1, sag = load * a * a * a / (3 * EI);
  CHECK(end.at("touch.normal") == Approx(load).epsilon(1e-6));
  CHECK(end.at("touch.gap") == Approx(-load / 1e6).epsilon(1e-6));
  CHECK(end.at("ball.position.z") - 0.15 + load / 1e6 == Approx(-sag).epsilon(2e-2));
  CHECK(end.at("tip.position.z") == Approx(-load * a * a * (6 - a) / (6 * EI)).epsilon(2e-2));
}
