/// \file
/// Models whose joints rub.
#pragma once

#include "solve/redundancy.hpp"
#include "tests/mpi/observe/text_model.hpp"
#include "tests/physics/order_study.hpp"
#include "tests/physics/reference_solution.hpp"
#include "tests/physics/stationary.hpp"

namespace sinew::test::rubbing_models {

inline constexpr double g = 9.81;

/// A pendulum in a hinge with a pin of 0.1 m: the moment is mu r N(phi, phi', phi'').
struct Pendulum {
  static constexpr double m = 2, J = 0.3, l = 0.5, mu = 0.3, r = 0.1;

  static std::string model(double spin) {
    return fmt::format(R"yaml(sinew: 1
gravity: [0, -9.81, 0]
bodies:
  rod: {{type: rigid, mass: 2, inertia: [0.01, 0.3, 0.3], position: [0.5, 0, 0], velocity: [0, {0:.17g}/2, 0],
        angular_velocity: [0, 0, {0:.17g}], points: {{end: [-0.5, 0, 0]}}}}
joints:
  hinge: {{type: revolute, connect: [ground, rod.end], axis: [0, 0, 1]}}
forces:
  rub: {{type: friction, of: hinge, coefficient: 0.3, radius: 0.1, transition_speed: 1e-3}}
sensors:
  rod: {{type: point, of: rod, record: [position, velocity, acceleration, angular_velocity]}}
  turn: {{type: relative, of: hinge, record: [angle, rate]}}
  hinge: {{type: joint, of: hinge, record: [force]}}
  rub: {{type: force, of: rub}}
)yaml",
                       spin);
  }
  struct Rates {
    double spin, radial, tangential;
  };
  /// y = (phi, phi'); phi from the horizontal, upwards.
  static Rates rates(const std::vector<double>& y) {
    const double c = std::cos(y[0]), s = std::sin(y[0]), w = y[1];
    Rates out{0, m * (g * s - l * w * w), 0};
    for (int i = 0; i < 60; ++i) {
      out.tangential = m * (l * out.spin + g * c);
      const double N = std::hypot(out.radial, out.tangential);
      out.spin = (-m * g * l * c - mu * r * N * std::tanh(r * w / 1e-3)) / (J + m * l * l);
    }
    return out;
  }
  static Exact exact(double spin) {
    auto y = std::make_shared<ReferenceSolution>(
        std::vector<double>{0, spin},
        [](const std::vector<double>& at) {
          return std::vector<double>{at[1], rates(at).spin};
        },
        1e-4);
    return [y](double t) {
      const std::vector<double> now = y->at(t);
      const Rates a = rates(now);
      const double c = std::cos(now[0]), s = std::sin(now[0]), w = now[1];
      Values v;
      const auto put = [&v](const std::string& name, double x, double up) {
        v[name + ".x"] = x;
        v[name + ".y"] = up;
        v[name + ".z"] = 0;
      };
      put("rod.position", l * c, l * s);
      put("rod.velocity", -l * s * w, l * c * w);
      put("rod.acceleration", -l * (s * a.spin + c * w * w), l * (c * a.spin - s * w * w));
      put("hinge.force", -a.radial * c + a.tangential * s, -a.radial * s - a.tangential * c);
      v["rub.moment"] = mu * r * std::hypot(a.radial, a.tangential) * std::tanh(r * w / 1e-3);
      v["turn.angle"] = now[0];
      return v;
    };
  }
};

inline RunChoices with(KktForm kkt) {
  RunChoices choices;
  choices.kkt = kkt;
  return choices;
}

}  // namespace sinew::test::rubbing_models
