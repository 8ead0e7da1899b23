// Drives whose third derivative jumps, forces with kinks: what is behind is as good as what is before.
#include "model/smooth_table.hpp"
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double pi = std::numbers::pi, bend = 1;

/// The angle of an arm that rises as a cycloid and goes back as a parabola of third order, and its accelerations.
struct Drive {
  double angle, rate, acceleration;
};
Drive drive(double t) {
  if (t < bend) return {t - std::sin(2 * pi * t) / (2 * pi), 1 - std::cos(2 * pi * t), 2 * pi * std::sin(2 * pi * t)};
  const double s = t - bend;
  return {1 - 2 * s * s * s, -6 * s * s, -12 * s};
}

/// Largest errors behind the bend: of the moment of the drive, of the force of the hinge.
struct Errors {
  double moment = 0, force = 0;
};
Errors errors(const std::string& integrator, double h) {
  constexpr double m = 2, J = 1, r = 0.5, g = 9.81;
  const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
gravity: [0, -9.81, 0]
bodies: {{arm: {{type: rigid, mass: 2, inertia: [1, 1, 1], position: [0.5, 0, 0], points: {{o: [-0.5, 0, 0]}}}}}}
joints:
  hinge: {{type: revolute, connect: [ground, arm.o], axis: [0, 0, 1]}}
  drive: {{type: motion, of: hinge, angle: "t < 1 ? t - sin(2*pi*t)/(2*pi) : 1 - 2*(t - 1)^3"}}
sensors:
  hinge: {{type: joint, of: hinge, record: force}}
  drive: {{type: joint, of: drive, record: moment}}
analysis: {{end_time: 1.4, step: {}, integrator: {}, newton: {{tolerance: 1e-12}}}}
)",
                                                              h, integrator));
  Errors worst;
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    if (run.time[k] < bend + 1e-9) continue;
    const Drive d = drive(run.time[k]);
    const double c = std::cos(d.angle), s = std::sin(d.angle);
    const double moment = (J + m * r * r) * d.acceleration + m * g * r * c;
    const double x = -m * r * (d.acceleration * s + d.rate * d.rate * c),
                 y = m * r * (d.acceleration * c - d.rate * d.rate * s) + m * g;
    const auto off = [&](const char* name, double is) { return std::abs(std::abs(run.values[k].at(name)) - std::abs(is)); };
    worst.moment = std::max(worst.moment, off("drive.moment.z", moment));
    worst.force = std::max({worst.force, off("hinge.force.x", x), off("hinge.force.y", y)});
  }
  return worst;
}

}  // namespace

TEST_CASE("Reactions behind a jump of a drive's third derivative are of second order", "[serial]") {
  for (const char* integrator : {"soi2", "gen-alpha-ggl", "bdf-si2"})
    for (const double odd : {1.0, 1.07}) {  // the bend on the grid, and within a step
      const double h = 0.01 * odd;
      const Errors coarse = errors(integrator, h), fine = errors(integrator, h / 4);
      CAPTURE(integrator, odd, coarse.moment, fine.moment, coarse.force, fine.force);
      CHECK(coarse.moment < 0.02);  // it was .18 and more
      CHECK(coarse.moment / fine.moment > 12);
      CHECK(coarse.force / fine.force > 12);
    }
}

TEST_CASE("Accelerations and reactions behind a kink of a force are of second order", "[serial]") {
  // a mass on a rail under a ramp, and a pin that carries another one along
  const auto largest = [](const std::string& integrator, double kink, double h) {
    const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
bodies:
  slide: {{type: rigid, mass: 3, inertia: [1, 1, 1], position: [0, 0, 0]}}
  load: {{type: point-mass, mass: 2, position: [0, 0, 0]}}
joints:
  rail: {{type: prismatic, connect: [ground, slide], axis: [1, 0, 0]}}
  pin: {{type: spherical, connect: [slide, load]}}
forces: {{pull: {{type: force, on: slide, vector: ["t < {0} ? 0 : (t - {0})*500", 0, 0]}}}}
sensors:
  slide: {{type: point, of: slide, record: [position, acceleration]}}
  pin: {{type: joint, of: pin, record: force}}
analysis: {{end_time: 0.4, step: {1}, integrator: {2}, newton: {{tolerance: 1e-12}}}}
)",
                                                                kink, h, integrator));
    std::array<double, 3> worst{};
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      const double s = std::max(0.0, run.time[k] - kink);
      worst[0] = std::max(worst[0], std::abs(run.values[k].at("slide.position.x") - 100 * s * s * s / 6));
      worst[1] = std::max(worst[1], std::abs(run.values[k].at("slide.acceleration.x") - 100 * s));
      worst[2] = std::max(worst[2], std::abs(std::abs(run.values[k].at("pin.force.x")) - 200 * s));
    }
    return worst;
  };
  for (const char* integrator : {"soi2", "gen-alpha-ggl", "bdf-si2"})
    for (const double kink : {0.2, 0.2037}) {
      const auto coarse = largest(integrator, kink, 1e-2), fine = largest(integrator, kink, 2.5e-3);
      INFO(integrator << ", " << kink << ": " << coarse[0] << ", " << fine[0] << "; " << coarse[1] << "; " << coarse[2]);
      CHECK((coarse[0] < 1e-10 || coarse[0] / fine[0] > 12));
      CHECK(coarse[1] < 1e-8);  // they are linear; it was 5e-2
      CHECK(coarse[2] < 1e-7);
    }
}

TEST_CASE("Accelerations of what follows a smooth table are of second order at its rows, too", "[serial]") {
  const SmoothTable table({{0, 0}, {0.5, 0.1}, {1, 0.3}, {1.5, 0.1}, {2, -0.1}, {3, 0.2}});
  const auto worst = [&](const std::string& integrator, double h) {
    const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(R"(sinew: 1
tables: {{base: {{rows: [[0, 0], [0.5, 0.1], [1, 0.3], [1.5, 0.1], [2, -0.1], [3, 0.2]], smooth: true}}}}
bodies: {{s: {{type: point-mass, mass: 2, position: [0, 0, 0]}}}}
joints:
  rail: {{type: point-on-line, connect: [ground, s], axis: [1, 0, 0]}}
  drive: {{type: motion, of: rail, displacement: base(t)}}
sensors:
  s: {{type: point, of: s, record: acceleration}}
  drive: {{type: joint, of: drive, record: force}}
analysis: {{end_time: 3, step: {}, integrator: {}, newton: {{tolerance: 1e-12}}}}
)",
                                                                h, integrator));
    double largest = 0;
    for (std::size_t k = 1; k < run.time.size(); ++k) {
      const double exact = table.value(Dual2(Dual1(run.time[k], 1.0), Dual1(1.0, 0.0))).grad.grad;
      largest = std::max({largest, std::abs(run.values[k].at("s.acceleration.x") - exact),
                          std::abs(std::abs(run.values[k].at("drive.force.x") / 2) - std::abs(exact))});
    }
    return largest;
  };
  for (const char* integrator : {"soi2", "gen-alpha-ggl"})
    for (const double odd : {1.0, 1.07}) {  // rows on the grid, and within steps
      const double coarse = worst(integrator, 0.02 * odd), fine = worst(integrator, 0.005 * odd);
      CAPTURE(integrator, odd, coarse, fine);
      CHECK(coarse < 5e-3);
      CHECK((coarse < 1e-7 || coarse / fine > 12));
    }
}

TEST_CASE("The first step behind a bend of what a state follows is judged as all others are", "[serial]") {
  // x' = k (u - x), u = 0 and then sin(w s), s = t - 1/2: x = k (k sin(w s) - w cos(w s) + w e^(-k s))/(k^2 + w^2)
  constexpr double w = 4;
  constexpr const char* model = R"yaml(sinew: 1
constants: {{k: {}}}
bodies: {{b: {{type: point-mass, mass: 1, position: [0, 0, 0]}}}}
controls:
  lag: {{state: {{x: 0}}, derivative: {{x: "k*(control.lag.u - x)"}}, output: {{u: "t < 0.5 ? 0 : sin(4*(t - 0.5))"}}}}
forces: {{push: {{type: actuator, on: b, direction: [1, 0, 0], force: control.lag.x}}}}
sensors: {{lag: {{type: control, of: lag, record: [x]}}}}
analysis: {{end_time: 2, step: {{tolerance: {}, per: unit-step}}}}
)yaml";
  for (const double k : {5.0, 50.0, 500.0})
    for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
      const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(model, k, tolerance));
      double worst = 0;
      for (std::size_t i = 0; i < run.time.size(); ++i) {
        const double s = std::max(0.0, run.time[i] - 0.5);
        const double exact = k * (k * std::sin(w * s) - w * std::cos(w * s) + w * std::exp(-k * s)) / (k * k + w * w);
        worst = std::max(worst, std::abs(run.values[i].at("lag.x") - exact));
      }
      INFO("k = " << k << ", tolerance " << tolerance);
      CHECK(worst < tolerance);
    }
}
