/// \file
/// A skate on an inclined plane, the classic nonholonomic example (Neimark and Fufaev; Bloch): it does not slide down but
/// drifts sideways on a cycloid. Closed solution.
#pragma once

#include "kernels/algebra/dual.hpp"
#include "verify/solution.hpp"

#include <cmath>

namespace sinew::verify {

/// y = (x, y, heading); k = -x' sin th + y' cos th; started at rest with turning rate `omega`.
struct SkateIncline {
  static constexpr int num_dofs = 3, num_position_rows = 0, num_velocity_rows = 1;
  static constexpr double m = 2, inertia = 0.3, omega = 2, slope_gravity = 9.81 * 0.5;

  template <class S>
  void mass(const S& /*t*/, const S* /*y*/, S* M) const {
    M[0] = M[4] = m;
    M[8] = inertia;
  }

  template <class S>
  void force(const S& /*t*/, const S* y, const S* /*z*/, const S* /*lam*/, const S* psi, S* f) const {
    using math::cos, math::sin;
    f[0] = m * slope_gravity + sin(y[2]) * psi[0];
    f[1] = -(cos(y[2]) * psi[0]);
  }

  template <class S>
  void nonholonomic(const S& /*t*/, const S* y, const S* z, S* k) const {
    using math::cos, math::sin;
    k[0] = z[1] * cos(y[2]) - z[0] * sin(y[2]);
  }

  Solution start() const { return {0, {0, 0, 0}, {0, 0, omega}, {}, {0}}; }

  Solution exact(double t) const {
    const double s = std::sin(omega * t), c = std::cos(omega * t), reach = slope_gravity / (2 * omega * omega);
    return {t,
            {reach * s * s, reach * (omega * t - s * c), omega * t},
            {2 * reach * omega * s * c, 2 * reach * omega * s * s, omega},
            {slope_gravity * (c * c - s * s), 2 * slope_gravity * s * c, 0},
            {-2 * m * slope_gravity * s}};
  }
};

}  // namespace sinew::verify
