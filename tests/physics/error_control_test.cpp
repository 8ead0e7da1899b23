#include "tests/physics/known_motions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace sinew;
using namespace sinew::test;

namespace {

/// The largest error of the positions over the tolerance, and how the steps went.
struct Achieved {
  double ratio = 0;
  SimulationSummary summary;
};

std::string controlled(double end_time, double tolerance, const std::string& more = "") {
  return fmt::format("analysis: {{end_time: {:.17g}, step: {{tolerance: {:.17g}, per: unit-step}}{}}}\n", end_time, tolerance,
                     more);
}

Achieved achieve(const KnownMotion& motion, double end_time, double tolerance, const std::string& more = "") {
  const Trajectory run = run_model(MPI_COMM_SELF, motion.model + controlled(end_time, tolerance, more));
  const Exact exact = motion.exact();
  Achieved result;
  result.summary = run.summary;
  for (std::size_t k = 1; k < run.time.size(); ++k) {
    const Values known = exact(run.time[k]);
    for (const auto& q : motion.quantities)
      if (q.name[0] == 'x' || q.name == "R") result.ratio = std::max(result.ratio, error_of(q, run.values[k], known) / tolerance);
  }
  CHECK(run.worst_error <= 1);
  CHECK(run.time.back() == end_time);
  return result;
}

/// From `coarsest` to `finest`: in proportion to the tolerance by a factor, the problem's level, that lies between `used` and
/// `level`, with few steps in vain.
void check_control(const KnownMotion& motion, double end_time, double finest, const std::string& more = "", double used = 0,
                   double level = 1, double coarsest = 1e-2) {
  double least = 1e300, most = 0;
  for (double tolerance = coarsest; tolerance > 0.5 * finest; tolerance /= 10) {
    const Achieved a = achieve(motion, end_time, tolerance, more);
    if (std::getenv("SINEW_SHOW_STUDIES"))
      fmt::print("  {:.0e}: {:.3f} of the tolerance, {} steps, {} rejected\n", tolerance, a.ratio, a.summary.steps,
                 a.summary.rejected);
    INFO(motion.model.substr(0, 40) << " " << tolerance);
    CHECK(a.ratio < level);
    CHECK(static_cast<double>(a.summary.rejected) < 0.15 * static_cast<double>(a.summary.steps + a.summary.rejected));
    least = std::min(least, a.ratio);
    most = std::max(most, a.ratio);
  }
  CHECK(most < 5 * least);
  CHECK(least > used);
}

/// A unit mass on a rod of length 1, and one on a spring of that length behind it, from 0.6 rad at rest.
KnownMotion stiff_pendulum(double stiffness, double damping) {
  KnownMotion motion;
  motion.model = fmt::format(R"(sinew: 1
title: Stiff pendulum
gravity: [0, -9.81, 0]
bodies:
  inner: {{type: point-mass, mass: 1, position: [sin(0.6), -cos(0.6), 0]}}
  outer: {{type: point-mass, mass: 1, position: [2*sin(0.6), -2*cos(0.6), 0]}}
joints:
  rod: {{type: distance, connect: [ground, inner]}}
forces:
  spring: {{type: spring-damper, connect: [inner, outer], stiffness: {}, damping: {}, length: 1}}
sensors:
  inner: {{type: point, of: inner, record: [position]}}
  outer: {{type: point, of: outer, record: [position]}}
)",
                             stiffness, damping);
  motion.quantities = {vector_quantity("x1", "inner.position"), vector_quantity("x2", "outer.position")};
  motion.exact = [=] {
    const auto rates = [=](const std::vector<double>& y) {
      const double dx = y[2] - y[0], dy = y[3] - y[1], length = std::hypot(dx, dy);
      const double rate = (dx * (y[6] - y[4]) + dy * (y[7] - y[5])) / length,
                   pull = (stiffness * (length - 1) + damping * rate) / length;
      const double fx = pull * dx, fy = pull * dy - 9.81, tension = fx * y[0] + fy * y[1] + y[4] * y[4] + y[5] * y[5];
      return std::vector<double>{y[4], y[5], y[6], y[7], fx - tension * y[0], fy - tension * y[1], -pull * dx, -pull * dy - 9.81};
    };
    const double s = std::sin(0.6), c = std::cos(0.6);
    const auto path = std::make_shared<ReferenceSolution>(std::vector<double>{s, -c, 2 * s, -2 * c, 0, 0, 0, 0}, rates,
                                                          stiffness > 1e4 ? 4e-5 : 2e-4);
    return Exact([=](double t) {
      const std::vector<double>& y = path->at(t);
      Values values;
      test::detail::put(values, "inner.position", Vector3{{y[0], y[1], 0}});
      test::detail::put(values, "outer.position", Vector3{{y[2], y[3], 0}});
      return values;
    });
  };
  return motion;
}

/// Takes equal steps, and straight lines between them, for exact.
void compare_with_fine_steps(KnownMotion& motion, double end_time, double step) {
  motion.exact = [model = motion.model, end_time, step] {
    const auto fine = std::make_shared<Trajectory>(
        run_model(MPI_COMM_SELF,
                  model + fmt::format("analysis: {{end_time: {}, step: {}, newton: {{tolerance: 1e-10}}}}\n", end_time, step)));
    return Exact([fine, step](double t) {
      const std::size_t k = std::clamp<std::size_t>(static_cast<std::size_t>(t / step), 0, fine->time.size() - 2);
      const double part = (t - fine->time[k]) / (fine->time[k + 1] - fine->time[k]);
      Values values = fine->values[k];
      for (auto& [name, value] : values) value += part * (fine->values[k + 1].at(name) - value);
      return values;
    });
  };
}

/// A free mass that loads push for a while: its motion is quadratic in time piece by piece, which the method follows exactly.
const std::string pushed = R"(sinew: 1
bodies:
  mass: {type: point-mass, mass: 2, position: [0, 0, 0]}
forces:
  push: {type: force, on: mass, vector: ["t > 0.3 && t <= 0.47 ? 20 : 0", "t < 0.6 ? 4 : 0", 0]}
sensors:
  mass: {type: point, of: mass, record: [position, velocity]}
)";

/// A bead on a rod that turns with 4 rad/s: it flies out as r cosh(w t).
KnownMotion bead_on_rod() {
  KnownMotion motion;
  motion.model = R"(sinew: 1
title: Bead on a turning rod
bodies:
  rod: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], angular_velocity: [0, 0, 4]}
  bead: {type: point-mass, mass: 0.1, position: [0.05, 0, 0], velocity: [0, 0.2, 0]}
joints:
  bearing: {type: revolute, connect: [ground, rod], axis: [0, 0, 1]}
  motor: {type: motion, of: bearing, angle: "4*t"}
  bore: {type: point-on-line, connect: [rod, bead], axis: [1, 0, 0]}
sensors:
  bead: {type: point, of: bead, record: [position]}
)";
  motion.quantities = {vector_quantity("x", "bead.position")};
  motion.exact = [] {
    return Exact([](double t) {
      const double out = 0.05 * std::cosh(4 * t);
      Values values;
      test::detail::put(values, "bead.position", Vector3{{out * std::cos(4 * t), out * std::sin(4 * t), 0}});
      return values;
    });
  };
  return motion;
}

}  // namespace

TEST_CASE("The pendulum keeps in proportion to the tolerance per unit step and uses it", "[serial]") {
  check_control(pendulum(), 2, 1e-6, "", 0.1);
}

TEST_CASE("The stiff pendulums keep in proportion to the tolerance per unit step", "[serial]") {
  check_control(stiff_pendulum(1e3, 0), 2, 1e-5, "", 0, 2);
  check_control(stiff_pendulum(1e5, 20), 2, 1e-5);
  // Its spring vibrates by 1e-4 of the size, and looser tolerances are not used up: the error is no more than that.
  check_control(stiff_pendulum(1e5, 0), 2, 1e-6, "", 0, 2, 1e-4);
  CHECK(achieve(stiff_pendulum(1e5, 0), 2, 1e-2).ratio < 0.5);
}

TEST_CASE("The heavy top keeps in proportion to the tolerance per unit step and uses it", "[serial]") {
  // Without the commutator [z, z'] of the exponential map no more than 0.04 of it would be used.
  check_control(heavy_top(), 0.25, 1e-6, ", rho_inf: 0.9", 0.12, 2);
}

// Along the rod the error of a step in the places begins at zero, that in the velocities does not. By the first alone steps would
// be too long there, the more so the finer the tolerance: its part grew 2.6 times from 1e-3 to 1e-6.
TEST_CASE("Errors of velocities count where those of places pass through zero", "[serial]") {
  CHECK(achieve(bead_on_rod(), 0.8, 1e-6).ratio < 2 * achieve(bead_on_rod(), 0.8, 1e-3).ratio);
}

TEST_CASE("A falling cable keeps to the tolerance per unit step", "[serial]") {
  KnownMotion motion;
  motion.model = R"(sinew: 1
gravity: [0, -9.81, 0]
materials:
  soft: {density: 1, youngs_modulus: 1e5}
sections:
  unit: {area: 1, iy: 5e-4, iz: 5e-4}
bodies:
  cable: {type: cable, line: {from: [0, 0, 0], to: [10, 0, 0], elements: 10}, section: unit, material: soft}
joints:
  pin: {type: spherical, connect: [ground, cable.start]}
sensors:
  tip: {type: point, of: cable.end, record: [position]}
)";
  motion.quantities = {vector_quantity("x", "tip.position")};
  compare_with_fine_steps(motion, 1, 1e-4);
  check_control(motion, 1, 1e-4);
}

TEST_CASE("A driven crank with an elastic rod keeps to the tolerance per unit step, with steps that its drive does not dictate",
          "[serial]") {
  KnownMotion motion;
  motion.model = R"yaml(sinew: 1
materials:
  soft: {density: 2700, youngs_modulus: 7e9}
sections:
  rod: {shape: circle, diameter: 0.012}
bodies:
  crank: {type: rigid, mass: 0.36, inertia: [2e-5, 7e-4, 7e-4], position: [0.075, 0, 0],
          points: {bearing: [-0.075, 0, 0], pin: [0.075, 0, 0]}}
  rod: {type: cable, line: {from: [0.15, 0, 0], to: [0.45, 0, 0], elements: 4}, section: rod, material: soft}
  slider: {type: rigid, mass: 0.08, inertia: [8e-6, 8e-6, 8e-6], position: [0.45, 0, 0]}
joints:
  main: {type: revolute, connect: [ground, crank.bearing], axis: [0, 0, 1]}
  drive: {type: motion, of: main, angle: "60*(t < 0.05 ? t/2 - 0.05/(2*pi)*sin(pi*t/0.05) : t - 0.025)"}
  crankpin: {type: spherical, connect: [crank.pin, rod.start]}
  wristpin: {type: spherical, connect: [rod.end, slider]}
  guide: {type: prismatic, connect: [ground, slider], axis: [1, 0, 0]}
sensors:
  slider: {type: point, of: slider, record: [position]}
  middle: {type: point, of: "rod.node[2]", record: [position]}
)yaml";
  motion.quantities = {vector_quantity("x1", "slider.position"), vector_quantity("x2", "middle.position")};
  compare_with_fine_steps(motion, 0.15, 1e-5);
  check_control(motion, 0.15, 1e-4);
}

TEST_CASE("The pendulum in index-3 form keeps to the tolerance per unit step", "[serial]") {
  check_control(pendulum(), 2, 1e-5, ", integrator: gen-alpha", 0, 2);
}

TEST_CASE("Per step the error of the pendulum falls with the power 2/3 of the tolerance", "[serial]") {
  const auto error = [](double tolerance) {
    const Trajectory run = run_model(
        MPI_COMM_SELF, pendulum().model + fmt::format("analysis: {{end_time: 2, step: {{tolerance: {:.17g}}}}}\n", tolerance));
    const Values known = pendulum().exact()(2.0);
    return error_of(pendulum().quantities[0], run.values.back(), known);
  };
  CHECK(std::log10(error(1e-3) / error(1e-6)) / 3 == Approx(2.0 / 3).margin(0.07));
}

TEST_CASE("Controlled steps end on output times and keep to the tolerance there", "[serial]") {
  KnownMotion motion = pendulum();
  motion.model += "output: {sensors: {every: 0.07}}\n";
  for (const double tolerance : {1e-3, 1e-4, 1e-5}) {
    const Trajectory run = run_model(MPI_COMM_SELF, motion.model + controlled(2, tolerance));
    for (int k = 1; k * 0.07 < 2; ++k)
      CHECK(std::any_of(run.time.begin(), run.time.end(), [&](double t) { return std::abs(t - k * 0.07) < 1e-14; }));
    const Achieved a = achieve(motion, 2, tolerance);
    CHECK(a.ratio < 1);
    CHECK(a.ratio > 0.1);
  }
}

TEST_CASE("Prescribed steps meet output times without slivers", "[serial]") {
  const KnownMotion motion = pendulum();
  for (const auto& [step, every] :
       {std::pair{2e-4, 0.05}, std::pair{1e-2, 0.02345}, std::pair{1e-2, 0.0333}, std::pair{1e-2, 0.0199}}) {
    INFO(step << " " << every);
    const int count = static_cast<int>(1 / every + 1e-9);
    const Trajectory run = run_model(
        MPI_COMM_SELF, motion.model + fmt::format("output: {{sensors: {{every: {}}}}}\n"
                                                  "analysis: {{end_time: {}*{}, step: {}, newton: {{tolerance: 1e-12}}}}\n",
                                                  every, count, every, step));
    for (int k = 1; k <= count; ++k)
      CHECK(std::any_of(run.time.begin(), run.time.end(), [&](double t) { return std::abs(t - k * every) < 1e-14; }));
    CHECK(run.summary.shortest > 0.33 * step);
    CHECK(run.summary.longest < 1.000001 * step);
    CHECK(error_of(motion.quantities[2], run.values.back(), motion.exact()(run.time.back())) < 500 * step * step);
  }
}

TEST_CASE("Loads that jump are met to the last bit, and the motion stays exact", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, pushed + controlled(1, 1e-4));
  const auto quadratic = [](double t, double from, double to, double a) {  // displacement by an acceleration from..to
    const double on = std::clamp(t - from, 0.0, to - from), off = std::max(t - to, 0.0);
    return a * on * on / 2 + a * (to - from) * off;
  };
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    CHECK(run.values[k].at("mass.position.x") == Approx(quadratic(run.time[k], 0.3, 0.47, 10)).margin(1e-13));
    CHECK(run.values[k].at("mass.position.y") == Approx(quadratic(run.time[k], 0, 0.6, 2)).margin(1e-13));
  }
  CHECK(run.summary.rejected == 0);
  CHECK(run.summary.steps < 150);
}

TEST_CASE("Loads that jump and bend leave the error in proportion to the tolerance", "[serial]") {
  const std::string model = pendulum().model + R"yaml(forces:
  push: {type: force, on: bob, vector: ["t > 0.3 && t <= 0.47 ? 20 : 0", "30*min(max((t - 0.7)/0.1, 0), 1)", 0]}
)yaml";
  RunChoices end_only;
  end_only.at_every_step = false;
  const auto end = [&](double tolerance) {
    return run_model(MPI_COMM_SELF, model + controlled(1.5, tolerance), end_only).values.back();
  };
  const Values fine = end(1e-7);
  double least = 1e300, most = 0;
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const double ratio = error_of(pendulum().quantities[0], end(tolerance), fine) / tolerance;
    if (std::getenv("SINEW_SHOW_STUDIES")) fmt::print("  {:.0e}: {:.3f} of the tolerance\n", tolerance, ratio);
    least = std::min(least, ratio);
    most = std::max(most, ratio);
  }
  CHECK(most < 1);
  CHECK(most < 5 * least);
}

TEST_CASE("A load that bends again and again: the error is in proportion to the tolerance, accelerations right", "[serial]") {
  const std::string model = R"yaml(sinew: 1
bodies:
  mass: {type: point-mass, mass: 2, position: [0, 0, 0]}
forces:
  wave: {type: force, on: mass, vector: ["20*abs(sin(2*pi*50*t))", 0, 0]}
sensors:
  mass: {type: point, of: mass, record: [position, velocity, acceleration]}
)yaml";
  const double w = 2 * M_PI * 50, half = M_PI / w, gain = 2 * 10 / w;  // a half wave from rest: its speed, and half of its way
  const auto place = [&](double t) {
    const double n = std::floor(t / half), s = t - n * half;
    return n * gain * half / 2 + gain * half * n * (n - 1) / 2 + gain * n * s + 10 / w * s - 10 / (w * w) * std::sin(w * s);
  };
  double least = 1e300, most = 0;
  for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6}) {
    const Trajectory run = run_model(MPI_COMM_SELF, model + controlled(0.2, tolerance));
    double error = 0, missed = 0;
    for (std::size_t k = 1; k < run.time.size(); ++k) {
      const double t = run.time[k];
      error = std::max(error, std::abs(run.values[k].at("mass.position.x") - place(t)) / place(0.2) / tolerance);
      missed = std::max(missed, std::abs(run.values[k].at("mass.acceleration.x") - 10 * std::abs(std::sin(w * t))) / 10);
    }
    if (std::getenv("SINEW_SHOW_STUDIES"))
      fmt::print("  {:.0e}: {:.3f} of the tolerance, accelerations {:.2e}, {} steps, {} rejected\n", tolerance, error, missed,
                 run.summary.steps, run.summary.rejected);
    least = std::min(least, error);
    most = std::max(most, error);
    CHECK(missed < 50 * tolerance);
  }
  CHECK(most < 1);
  CHECK(most < 2 * least);
}

/// Of two bodies fixed to each other centre to centre, one lies as rounding has it. That distance is no length from which to
/// judge what rounding makes of errors.
TEST_CASE("Places that coincide but for rounding hide no errors", "[serial]") {
  const auto pendulum = [](const std::string& beside) {
    return run_model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  bob: {{type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0], points: {{pivot: [-1, 0, 0]}}}}
  load: {{type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, {}, 0]}}
joints:
  pivot: {{type: revolute, connect: [ground, bob.pivot], axis: [0, 1, 0]}}
  weld: {{type: fixed, connect: [bob, load]}}
sensors:
  load: {{type: point, of: load, record: [position]}}
analysis: {{end_time: 2, step: {{tolerance: 1e-3}}}}
)",
                                                beside));
  };
  const Trajectory exact = pendulum("0");
  for (const char* beside : {"1e-17", "(0.1 + 0.2) - 0.3", "1e-12"}) {
    INFO(beside);
    const Trajectory rounded = pendulum(beside);
    CHECK(rounded.summary.steps == exact.summary.steps);
    CHECK(rounded.values.back().at("load.position.z") == Approx(exact.values.back().at("load.position.z")).margin(1e-6));
  }
}

TEST_CASE("A rejected first step starts anew with the smaller one", "[serial]") {
  const Trajectory run = run_model(
      MPI_COMM_SELF, heavy_top().model + "analysis: {end_time: 0.05, step: {tolerance: 1e-4, initial: 2e-3, per: unit-step}}\n");
  CHECK(run.summary.inaccurate > 0);
  const Values known = heavy_top().exact()(run.time.back());
  for (const auto& q : heavy_top().quantities)
    if (q.name == "x") CHECK(error_of(q, run.values.back(), known) < 1e-4);
}

TEST_CASE("A run whose steps would have to be too short ends with the body's name", "[serial]") {
  try {
    run_model(MPI_COMM_SELF, pendulum().model + "analysis: {end_time: 2, step: {tolerance: 1e-9, initial: 1e-2, min: 5e-3}}\n");
    FAIL("the run should have ended");
  } catch (const SolveError& error) {
    const std::string text = error.what();
    CAPTURE(text);
    CHECK(text.find("'bob'") != std::string::npos);
    CHECK(text.find("times the tolerance") != std::string::npos);
  }
}

TEST_CASE("The implicit start is of order 2 for every spectral radius, in both forms", "[serial]") {
  for (const double rho_inf : {0.0, 0.5, 0.8}) {
    StudyChoices c;
    c.counts = {200, 400, 800};
    c.rho_inf = rho_inf;
    c.start = "implicit";
    const std::vector<Errors> table = check_orders(pendulum(), c);
    check_start(pendulum(), "force", table);
  }
}
