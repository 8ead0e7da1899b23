/// \file
/// Planar pendulum in Cartesian coordinates with a motor at its pivot whose torque follows with a lag: a first-order state that
/// is driven by the pendulum's position and by its tension, and drives the pendulum. Reference: the same in the angle, integrated
/// by Runge-Kutta steps.
#pragma once

#include "kernels/algebra/dual.hpp"
#include "verify/solution.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace sinew::verify {

/// Unit mass on a massless rod of length 1, g = x^2 + y^2 - 1, torque s, tau s' = gain x - s + tension lam.
struct DrivenPendulum {
  static constexpr int num_dofs = 2, num_position_rows = 1, num_velocity_rows = 0, num_states = 1;
  static constexpr double gravity = 9.81;
  double gain = 8, tau = 0.2, tension = 0.3;

  template <class S>
  void mass(const S& /*t*/, const S* /*y*/, S* M) const {
    M[0] = M[3] = 1.0;
  }

  template <class S>
  void force(const S& /*t*/, const S* y, const S* /*z*/, const S* s, const S* lam, const S* /*psi*/, S* f) const {
    f[0] = -2.0 * y[0] * lam[0] - s[0] * y[1];
    f[1] = -2.0 * y[1] * lam[0] + s[0] * y[0] - gravity;
  }

  template <class S>
  void rates(const S& /*t*/, const S* y, const S* /*z*/, const S* s, const S* lam, const S* /*psi*/, S* r) const {
    r[0] = (gain * y[0] - s[0] + tension * lam[0]) / tau;
  }

  template <class S>
  void position(const S& /*t*/, const S* y, S* g) const {
    g[0] = y[0] * y[0] + y[1] * y[1] - 1.0;
  }

  Solution start() const { return {0, {1, 0}, {0, 0}, {}, {0}, {0.5}}; }

  std::vector<Solution> references() const { return {reference(0.5), reference(1)}; }

 private:
  using Minimal = std::array<double, 3>;  ///< angle, its rate, state

  static double multiplier(const Minimal& x) { return (x[1] * x[1] - gravity * std::sin(x[0])) / 2; }
  Minimal slope(const Minimal& x) const {
    return {x[1], x[2] - gravity * std::cos(x[0]), (gain * std::cos(x[0]) - x[2] + tension * multiplier(x)) / tau};
  }
  Minimal step(const Minimal& x, double h) const {
    const auto ahead = [&x](const Minimal& k, double part) {
      return Minimal{x[0] + part * k[0], x[1] + part * k[1], x[2] + part * k[2]};
    };
    const Minimal k1 = slope(x), k2 = slope(ahead(k1, h / 2)), k3 = slope(ahead(k2, h / 2)), k4 = slope(ahead(k3, h));
    Minimal next = x;
    for (int i = 0; i < 3; ++i) next[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
    return next;
  }
  Solution reference(double t) const {
    constexpr int steps = 4000;  // leaves 1e-12
    Minimal x{0, 0, 0.5};
    for (int i = 0; i < steps; ++i) x = step(x, t / steps);
    const double c = std::cos(x[0]), s = std::sin(x[0]), w = x[1], rise = slope(x)[1];
    return {t, {c, s}, {-w * s, w * c}, {-rise * s - w * w * c, rise * c - w * w * s}, {multiplier(x)}, {x[2]}};
  }
};

}  // namespace sinew::verify
