// Beams in large motions: vibrations about a rotation, momenta, orders in the step, steps controlled by errors.
#include "tests/catch.hpp"
#include "tests/physics/energy_order.hpp"
#include "tests/physics/moving.hpp"
#include "tests/physics/self_convergence.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A thin cantilever, E I = rho A = L = 1, on a hub without radius that turns about z with eta; its root is fixed to the hub.
std::string rotating_cantilever(double eta) {
  return fmt::format(R"(sinew: 1
sections: {{s: {{stiffness: [1e6, 1e6, 1e6, 1, 1, 1], inertia: [1, 1, 1, 2e-8, 1e-8, 1e-8]}}}}
bodies:
  b: {{type: beam, line: {{from: [0, 0, 0], to: [1, 0, 0], elements: 6, order: 3}}, section: s, angular_velocity: [0, 0, {0}]}}
joints:
  axis: {{type: revolute, connect: [ground, b.start], axis: [0, 0, 1]}}
  drive: {{type: motion, of: axis, angle: "{0}*t"}}
analysis: {{type: modes{1}}}
)",
                     eta, eta == 0 ? "" : ", about: motion");
}

/// A beam of a composite that couples twist and bending (Wang et al. 2017, Wind Energy 20, 1439-1462) under an end load.
std::string composite_blade(const char* load, double beta = 0) {
  return fmt::format(R"yaml(sinew: 1
materials: {{m: {{density: 1, youngs_modulus: 1, damping: {{beta: {1}}}}}}}
sections:
  s:
    stiffness: [[1368.17e3, 0, 0, 0, 0, 0], [0, 88.56e3, 0, 0, 0, 0], [0, 0, 38.78e3, 0, 0, 0], [0, 0, 0, 16.96e3, 17.61e3, -351],
      [0, 0, 0, 17.61e3, 59.12e3, -370], [0, 0, 0, -351, -370, 141.47e3]]
    inertia: [0.08538, 0.08538, 0.08538, 0.014433, 0.004097, 0.010336]
bodies:
  b: {{type: beam, line: {{from: [0, 0, 0], to: [10, 0, 0], elements: 4, order: 3}}, section: s, material: m}}
joints:
  root: {{type: clamp, connect: [ground, b.start]}}
forces:
  P: {{type: force, on: b.end, vector: [0, 0, "{0}"]}}
sensors:
  tip: {{type: point, of: b.end, record: [displacement, velocity, acceleration, angular_velocity, angular_acceleration]}}
  root: {{type: joint, of: root, record: [force, moment]}}
  all: {{type: system, record: [momentum]}}
  energy: {{type: energy, record: [total, work, dissipated]}}
)yaml",
                     load, beta);
}

/// The value of a column at a time between steps, by the cubic polynomial through four of them.
double between(const Trajectory& run, double t, const std::string& column) {
  const auto next = static_cast<std::size_t>(std::lower_bound(run.time.begin(), run.time.end(), t) - run.time.begin());
  const std::size_t first = std::clamp<std::size_t>(next, 2, run.time.size() - 2) - 2;
  double sum = 0;
  for (std::size_t a = first; a < first + 4; ++a) {
    double product = run.values[a].at(column);
    for (std::size_t b = first; b < first + 4; ++b)
      if (b != a) product *= (t - run.time[b]) / (run.time[a] - run.time[b]);
    sum += product;
  }
  return sum;
}

/// A beam that flies freely under a push and a twist of one end, which rise and fall (Simo and Vu-Quoc 1988, Comput. Methods
/// Appl. Mech. Eng. 66, 125-161).
std::string flying_beam(int elements, double end_time, double step) {
  const char* T = "(t < 2.5 ? 80*t : t < 5 ? 200 - 80*(t - 2.5) : 0)";
  return fmt::format(R"yaml(sinew: 1
sections: {{s: {{stiffness: [1e4, 1e4, 1e4, 500, 500, 500], inertia: [1, 1, 1, 10, 10, 10]}}}}
bodies:
  b: {{type: beam, line: {{from: [6, 0, 0], to: [0, 8, 0], elements: {1}, order: 3}}, section: s}}
forces:
  F: {{type: force, on: b.start, vector: ["{0}/10", 0, 0]}}
  M: {{type: torque, on: b.start, vector: [0, "-{0}/2", "-{0}"]}}
sensors:
  first: {{type: point, of: b.start, record: [position]}}
  last: {{type: point, of: b.end, record: [position]}}
  all: {{type: system, record: [center_of_mass, momentum]}}
  energy: {{type: energy, record: [total]}}
analysis: {{end_time: {2}, step: {3}}}
)yaml",
                     T, elements, end_time, step);
}

/// A beam of stretching stiffness 2.8e5 that is spun up about its hinged end to 6 rad/s in 15 s.
std::string spun_beam(double end_time, double step) {
  return fmt::format(R"yaml(sinew: 1
sections: {{s: {{stiffness: [2.8e5, 1e7, 1e7, 1e4, 1.4e4, 1.4e4], inertia: [1.2, 1.2, 1.2, 1.2e-3, 6e-4, 6e-4]}}}}
bodies:
  b: {{type: beam, line: {{from: [0, 0, 0], to: [10, 0, 0], elements: 4, order: 3}}, section: s}}
joints:
  axis: {{type: revolute, connect: [ground, b.start], axis: [0, 0, 1]}}
  drive: {{type: motion, of: axis, angle: "t < 15 ? 6/15*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1)) : 6*t - 45"}}
sensors:
  tip: {{type: point, of: b.end, record: [position]}}
analysis: {{end_time: {}, step: {}}}
)yaml",
                     end_time, step);
}

/// Three beams that close a loop over four hinges, of which one is askew (Bauchau 1998, Int. J. Numer. Methods Eng. 42, 795-822).
std::string four_bar(const char* skew, const char* angle, double gravity = 0) {
  return fmt::format(R"yaml(sinew: 1
constants: {{skew: {}}}
gravity: [0, 0, {}]
sections:
  thick: {{stiffness: [52.99e6, 16.88e6, 16.88e6, 733.5, 1131, 1131], inertia: [1.997, 1.997, 1.997, 85.2e-6, 42.6e-6, 42.6e-6]}}
  thin:
    stiffness: [13.25e6, 4.22e6, 4.22e6, 45.84, 70.66, 70.66]
    inertia: [0.4992, 0.4992, 0.4992, 5.324e-6, 2.662e-6, 2.662e-6]
bodies:
  ab: {{type: beam, line: {{from: [0, 0, 0], to: [0, 0.12, 0], elements: 2}}, section: thick}}
  bc: {{type: beam, line: {{from: [0, 0.12, 0], to: [0.24, 0.12, 0], elements: 4}}, section: thick}}
  cd: {{type: beam, line: {{from: [0.24, 0.12, 0], to: [0.24, 0, 0], elements: 2}}, section: thin}}
joints:
  a: {{type: revolute, connect: [ground, ab.start], axis: [0, 0, 1]}}
  b: {{type: revolute, connect: [ab.end, bc.start], axis: [0, 0, 1]}}
  c: {{type: revolute, connect: [bc.end, cd.start], axis: ["sin(skew)", 0, "cos(skew)"]}}
  d: {{type: revolute, connect: [ground, cd.end], axis: [0, 0, 1]}}
  drive: {{type: motion, of: a, angle: "{}"}}
sensors:
  c: {{type: point, of: bc.end, record: [position, velocity]}}
  d: {{type: joint, of: d, record: [force, moment]}}
  energy: {{type: energy, record: [total, work, dissipated]}}
)yaml",
                     skew, gravity, angle);
}

}  // namespace

TEST_CASE("A rotating beam flaps with the frequencies of Wright, Smith, Thresher and Wang (1982)", "[serial]") {
  // J. Appl. Mech. 49, 197-202: first flapping frequency at speeds 0 to 6, in units of sqrt(EI/(rho A L^4))
  const double published[] = {3.5160, 3.6816, 4.1373, 4.7973, 5.5850, 6.4495, 7.3604};
  for (int eta = 0; eta <= 6; ++eta) {
    std::vector<double> found;
    if (eta == 0) {
      for (const double f : Stationary(MPI_COMM_SELF, rotating_cantilever(0)).frequencies(4))
        found.push_back(2 * 3.141592653589793 * f);
    } else {
      Moving model(MPI_COMM_SELF, rotating_cantilever(eta));
      const MotionModes modes = model.modes(4);
      CHECK(modes.variation < 1e-5);  // rounding of the stretching stiffness
      for (const Mode& m : modes.modes) found.push_back(m.omega());
    }
    const double flap = published[eta];
    const double nearest = *std::min_element(found.begin(), found.end(),
                                             [flap](double a, double b) { return std::abs(a - flap) < std::abs(b - flap); });
    INFO("speed " << eta);
    CHECK(nearest == Approx(flap).epsilon(2e-4));
    // in the plane of rotation the square of the speed is missing
    const double lag = std::sqrt(flap * flap - eta * eta);
    CHECK(found[0] == Approx(lag).epsilon(5e-4));
  }
}

TEST_CASE("A spinning beam stretches as its own weight pulls it", "[serial]") {
  // u(L) = tan(a L)/a - L, a = 6 sqrt(rho A/EA)
  const double a = 6 * std::sqrt(1.2 / 2.8e5), expected = std::tan(10 * a) / a - 10;
  Moving steady(MPI_COMM_SELF, R"(sinew: 1
sections: {s: {stiffness: [2.8e5, 1e7, 1e7, 1e4, 1.4e4, 1.4e4], inertia: [1.2, 1.2, 1.2, 1.2e-3, 6e-4, 6e-4]}}
bodies:
  b: {type: beam, line: {from: [0, 0, 0], to: [10, 0, 0], elements: 4, order: 3}, section: s, angular_velocity: [0, 0, 6]}
joints:
  axis: {type: revolute, connect: [ground, b.start], axis: [0, 0, 1]}
  drive: {type: motion, of: axis, angle: "6*t"}
sensors:
  tip: {type: point, of: b.end, record: [position]}
analysis: {type: modes, about: motion}
)");
  steady.modes(2);
  CHECK(steady.values().at("tip.position.x") - 10 == Approx(expected).epsilon(1e-6));
  // and where it is spun up, but for what steps leave, (6 h)^2/6 of it
  const auto stretch = [](double h) {
    const Trajectory run = run_model(MPI_COMM_SELF, spun_beam(17, h));
    double sum = 0, across = 0;
    int count = 0;
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      const double t = run.time[k], angle = 6 * t - 45;
      if (t < 15) continue;
      const double x = run.values[k].at("tip.position.x"), y = run.values[k].at("tip.position.y");
      sum += std::hypot(x, y) - 10;
      across = std::max(across, std::abs(std::cos(angle) * y - std::sin(angle) * x));
      ++count;
    }
    CHECK(across < 0.01);  // it lagged by 0.55 on the way
    return sum / count;
  };
  CHECK(stretch(0.005) == Approx(expected).epsilon(2e-4));
}

TEST_CASE("A free beam under a push and a twist flies as an independent program has it", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, flying_beam(8, 10, 0.01));
  const auto at = [&run](double t) {
    const auto k = static_cast<std::size_t>(std::lower_bound(run.time.begin(), run.time.end(), t - 1e-6) - run.time.begin());
    return run.values[k];
  };
  using Ends = std::array<double, 6>;
  const std::pair<double, Ends> known[] = {{2.5, {3.41295, 0.19690, 0.01735, 4.02381, 8.49552, -0.73302}},
                                           {5, {19.56277, 1.52134, -1.50769, 11.87883, 6.88135, 1.83002}},
                                           {10, {44.4024, 1.6690, -2.0653, 36.4090, 6.3355, 1.6790}}};
  for (const auto& [t, ends] : known) {
    const Values v = at(t);
    int k = 0;
    for (const char* place : {"first", "last"})
      for (const char* axis : {".position.x", ".position.y", ".position.z"}) {
        INFO("t = " << t << ", " << place << axis);
        CHECK(v.at(place + std::string(axis)) == Approx(ends[static_cast<std::size_t>(k++)]).margin(6e-3));
      }
  }
  // the centre of mass knows nothing of that: x = 3 + 2 t^3/15 while the push rises, then 5 m/s from 15.5 on
  CHECK(at(2.5).at("all.center_of_mass.x") == Approx(3 + 2 * std::pow(2.5, 3) / 15).epsilon(1e-5));  // as the steps have it
  for (const double t : {5.0, 7.5, 10.0}) {
    CHECK(at(t).at("all.center_of_mass.x") == Approx(15.5 + 5 * (t - 5)).epsilon(1e-9));
    CHECK(at(t).at("all.center_of_mass.y") == Approx(4).epsilon(1e-9));
    CHECK(at(t).at("all.momentum.x") == Approx(50).epsilon(1e-9));
    CHECK(at(t).at("energy.total") == Approx(884.13).epsilon(2e-4));
  }
}

TEST_CASE("A right-angle cantilever sways as an independent program has it", "[serial]") {
  // Simo and Vu-Quoc (1988); the elbow is pushed out of the plane for two seconds
  const Trajectory run = run_model(MPI_COMM_SELF, R"(sinew: 1
sections: {s: {stiffness: [1e6, 1e6, 1e6, 1e3, 1e3, 1e3], inertia: [1, 1, 1, 20, 10, 10]}}
bodies:
  a: {type: beam, line: {from: [0, 0, 0], to: [10, 0, 0], elements: 4, order: 3}, section: s}
  b: {type: beam, line: {from: [10, 0, 0], to: [10, 10, 0], elements: 4, order: 3}, section: s}
joints:
  root: {type: clamp, connect: [ground, a.start]}
  elbow: {type: fixed, connect: [a.end, b.start]}
forces:
  F: {type: force, on: a.end, vector: [0, 0, "t < 1 ? 50*t : t < 2 ? 100 - 50*t : 0"]}
sensors:
  elbow: {type: point, of: a.end, record: [displacement]}
  tip: {type: point, of: b.end, record: [displacement]}
  energy: {type: energy, record: [total]}
analysis: {end_time: 15, step: 0.05}
)");
  using Places = std::array<double, 6>;
  const std::pair<double, Places> known[] = {{1, {-0.05420, 0.02288, 0.9513, -0.003017, -0.02339, 0.05403}},
                                             {2, {-1.01112, 0.26739, 4.11525, 0.10626, -0.69215, 0.06926}},
                                             {5, {-0.8518, -0.7643, 3.1114, -0.5407, -1.0625, 5.4794}},
                                             {10, {-0.7724, 1.6288, -3.0959, 0.0043, -1.9703, 4.4631}},
                                             {15, {-0.0322, 0.4062, 0.1598, -2.2067, -7.2868, -9.2044}}};
  for (const auto& [t, places] : known) {
    const auto k = static_cast<std::size_t>(std::lower_bound(run.time.begin(), run.time.end(), t - 1e-6) - run.time.begin());
    int i = 0;
    for (const char* place : {"elbow", "tip"})
      for (const char* axis : {".displacement.x", ".displacement.y", ".displacement.z"}) {
        INFO("t = " << t << ", " << place << axis);
        CHECK(run.values[k].at(place + std::string(axis)) == Approx(places[static_cast<std::size_t>(i++)]).margin(2e-2));
      }
  }
  CHECK(run.values.back().at("energy.total") == Approx(114.880).epsilon(1e-3));
}

TEST_CASE("A coupled blade under a smooth load keeps the error that is asked for, and its reaction is what momentum needs",
          "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, composite_blade("t < 0.1 ? 75*(1 - cos(10*pi*t)) : 150") +
                                                      "analysis: {end_time: 0.5, step: {tolerance: 1e-4, per: unit-step}}\n");
  const std::pair<double, std::array<double, 3>> known[] = {{0.05, {-0.00082166, -0.00023800, 0.09985474}},
                                                            {0.1, {-0.04455875, -0.01308390, 0.85680742}},
                                                            {0.2, {-0.26387052, -0.29835344, 2.09015661}},
                                                            {0.3, {-0.00671728, 0.14166719, 0.27709008}},
                                                            {0.5, {-0.10544281, -0.27358397, 1.30152729}}};
  for (const auto& [t, u] : known) {
    INFO("t = " << t);
    for (std::size_t i = 0; i < 3; ++i) CHECK(between(run, t, columns("tip.displacement")[i]) == Approx(u[i]).margin(3e-4));
  }
  double reaction = 0;
  for (std::size_t k = 1; k < run.time.size(); ++k)
    reaction += 0.5 * (run.time[k] - run.time[k - 1]) * (run.values[k].at("root.force.z") + run.values[k - 1].at("root.force.z"));
  const Values& last = run.values.back();
  CHECK(75 * 0.1 + 150 * 0.4 - reaction == Approx(last.at("all.momentum.z")).margin(1e-4));
  CHECK(last.at("energy.total") + last.at("energy.dissipated") - last.at("energy.work") == Approx(0).margin(2e-3));
}

TEST_CASE("Places, rates, accelerations and reactions of a beam are of second order in the step", "[serial]") {
  // a load that begins smoothly, so that it does not strike the stiffest motions
  check_order(composite_blade("40*(1 - cos(10*pi*t))^3"), 0.2, 600,
              {"tip.displacement", "tip.velocity", "tip.acceleration", "tip.angular_velocity", "tip.angular_acceleration",
               "root.force", "root.moment"});
}

TEST_CASE("The energy of a viscous beam is accounted for up to the order of the step", "[serial]") {
  check_energy_of_second_order([](int steps) {
    return run_model(MPI_COMM_SELF, composite_blade("40*(1 - cos(10*pi*t))^3", 5e-4) +
                                        fmt::format("analysis: {{end_time: 0.2, step: {:.17g}}}\n", 0.2 / steps));
  });
}

TEST_CASE("A four-bar linkage of beams with a hinge askew is of second order, and stays in its plane without", "[serial]") {
  const char* smooth = "-0.02*(1 - cos(300*t))^3";  // quick enough to bend the beams by 1e-4
  check_order(four_bar("5 deg", smooth), 0.013, 260, {"c.position", "c.velocity", "d.force", "d.moment"});
  const auto out_of_plane = [&](const char* skew) {
    double most = 0;
    for (const Values& v : run_model(MPI_COMM_SELF, four_bar(skew, smooth) + "analysis: {end_time: 0.013, step: 1e-4}\n").values)
      most = std::max(most, std::abs(v.at("c.position.z")));
    return most;
  };
  CHECK(out_of_plane("0") < 1e-12);
  CHECK(out_of_plane("5 deg") > 1e-5);
  // a whole turn at the speed of the literature, with gravity: energy and work agree
  const Values end =
      run_model(MPI_COMM_SELF, four_bar("5 deg", "-0.6*t", -9.81) + "analysis: {end_time: 2, step: 2e-3}\n").values.back();
  CHECK(end.at("energy.total") + end.at("energy.dissipated") - end.at("energy.work") == Approx(0).margin(1e-2));
}
