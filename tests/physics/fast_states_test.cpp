// States of controls that are far faster than prescribed steps, and what jumps through them.
#include "tests/catch.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A motor: J w' = k i - d w, L i' = V - R i - k w, with a current that settles in 8 us.
struct Motor {
  double J = 0.002, d = 0.001, k = 0.1, R = 1.2, L = 1e-5;
  double w = 0, i = 20;

  /// Goes on by t under a voltage: w = w_end + a e^(p t) + b e^(q t), p and q of the characteristic equation.
  void go_on(double V, double t) {
    const double sum = d / J + R / L, product = (d * R + k * k) / (J * L), root = std::sqrt(sum * sum / 4 - product);
    const double q = -sum / 2 - root, p = product / q, end = k * V / (d * R + k * k), rate = (k * i - d * w) / J;
    const double b = (rate - p * (w - end)) / (q - p), a = w - end - b;
    w = end + a * std::exp(p * t) + b * std::exp(q * t);
    i = (J * (p * a * std::exp(p * t) + q * b * std::exp(q * t)) + d * w) / k;
  }
};

/// The error of the speed some time behind a jump of the voltage.
double error(const std::string& integrator, const std::string& step) {
  const Trajectory run = run_model(MPI_COMM_SELF, fmt::format(R"yaml(sinew: 1
bodies: {{rotor: {{type: shaft, inertia: 0.002, drag: 0.001}}}}
sensors: {{rotor: {{type: point, of: rotor, record: rate}}}}
controls:
  coil: {{state: {{i: 20}}, derivative: {{i: "((t < 0.1 ? 24 : 12) - 1.2*i - 0.1*sensor.rotor)/1e-5"}}}}
forces: {{drive: {{type: shaft-torque, on: rotor, torque: "0.1*control.coil.i"}}}}
analysis: {{end_time: 0.15, step: {}, integrator: {}}}
)yaml",
                                                              step, integrator));
  Motor motor;
  motor.go_on(24, 0.1);
  motor.go_on(12, 0.05);
  return std::abs(run.values.back().at("rotor.rate") - motor.w);
}

}  // namespace

TEST_CASE("What jumps reaches the motion through a fast state at once, whatever the step", "[serial]") {
  for (const char* integrator : {"soi2", "gen-alpha", "gen-alpha-ggl", "newmark", "trapezoid", "bdf-si2"}) {
    CAPTURE(integrator);
    CHECK(error(integrator, "2e-3") < 0.03);  // of 85.6 rad/s; it was .35, and .18 with half the step
    CHECK(error(integrator, "1e-3") < 3e-3);
    CHECK(error(integrator, "2.5e-4") < 6e-4);
  }
  // steps of any list, and those of the error's own choice
  CHECK(error("soi2", "[1e-3, 1.5e-3, 5e-4]") < 5e-3);
  CHECK(error("soi2", "{tolerance: 1e-6}") < 1e-3);
}
