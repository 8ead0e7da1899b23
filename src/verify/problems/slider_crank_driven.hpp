/// \file
/// A slider-crank whose crank turns at a prescribed rate: a rheonomic constraint, and positions and velocities that the
/// constraints determine alone. Data: the flexible slider-crank of Simeon (1996), rigid here. Closed solution.
#pragma once

#include "kernels/algebra/dual.hpp"
#include "verify/solution.hpp"

#include <cmath>

namespace sinew::verify {

/// y = (crank angle f1, rod angle f2, slider x3); no gravity.
struct SliderCrankDriven {
  static constexpr int num_dofs = 3, num_position_rows = 3, num_velocity_rows = 0;
  static constexpr double L1 = 0.15, L2 = 0.3, J1 = 0.002727, J2 = 0.0045339259, M2 = 0.151104, M3 = 0.075552;
  static constexpr double rate = 150, coupling = 0.5 * L1 * L2 * M2;

  template <class S>
  void mass(const S& /*t*/, const S* y, S* M) const {
    using math::cos;
    M[0] = J1;
    M[1] = M[3] = coupling * cos(y[0] - y[1]);
    M[4] = J2;
    M[8] = M3;
  }

  template <class S>
  void force(const S& /*t*/, const S* y, const S* z, const S* lam, const S* /*psi*/, S* f) const {
    using math::cos, math::sin;
    const S s = coupling * sin(y[0] - y[1]);
    f[0] = -(s * z[1] * z[1]) - L1 * cos(y[0]) * lam[0] - L1 * sin(y[0]) * lam[1] - lam[2];
    f[1] = s * z[0] * z[0] - L2 * cos(y[1]) * lam[0] - L2 * sin(y[1]) * lam[1];
    f[2] = -lam[1];
  }

  template <class S>
  void position(const S& t, const S* y, S* g) const {
    using math::cos, math::sin;
    g[0] = L1 * sin(y[0]) + L2 * sin(y[1]);
    g[1] = y[2] - L1 * cos(y[0]) - L2 * cos(y[1]);
    g[2] = y[0] - rate * t;
  }

  Solution start() const { return {0, {0, 0, L1 + L2}, {rate, -rate * L1 / L2, 0}, {}, {0, 0, 0}}; }

  /// Kinematics from the closed loop, multipliers from M a = f(lam).
  Solution exact(double t) const {
    const double f1 = rate * t, s1 = std::sin(f1), c1 = std::cos(f1);
    const double f2 = -std::asin(L1 / L2 * s1), s2 = std::sin(f2), c2 = std::cos(f2);
    const double w2 = -L1 * c1 * rate / (L2 * c2);
    const double a2 = (L1 * s1 * rate * rate + L2 * s2 * w2 * w2) / (L2 * c2);
    const double v3 = -L1 * s1 * rate - L2 * s2 * w2;
    const double a3 = -L1 * c1 * rate * rate - L2 * c2 * w2 * w2 - L2 * s2 * a2;
    const double c12 = coupling * std::cos(f1 - f2), s12 = coupling * std::sin(f1 - f2);
    const double lam1 = -M3 * a3;
    const double lam0 = (s12 * rate * rate - J2 * a2 - L2 * s2 * lam1) / (L2 * c2);
    const double lam2 = -s12 * w2 * w2 - c12 * a2 - L1 * c1 * lam0 - L1 * s1 * lam1;
    return {t, {f1, f2, L1 * c1 + L2 * c2}, {rate, w2, v3}, {0, a2, a3}, {lam0, lam1, lam2}};
  }
};

}  // namespace sinew::verify
