/// \file
/// The test problem of Jay and Negrut, "A second order extension of the generalized-alpha method for constrained systems in
/// mechanics" (2009), section 8: mass matrix that depends on t and y and is not symmetric, multipliers that enter
/// nonlinearly, one holonomic and one nonholonomic constraint, closed solution.
#pragma once

#include "kernels/algebra/dual.hpp"
#include "verify/solution.hpp"

#include <cmath>

namespace sinew::verify {

/// y = (e^t, e^-2t), lam = e^-t, psi = e^t.
struct JayNegrut {
  static constexpr int num_dofs = 2, num_position_rows = 1, num_velocity_rows = 1;

  template <class S>
  void mass(const S& t, const S* y, S* M) const {
    using math::exp, math::sin;
    M[0] = y[0];
    M[1] = y[1] - exp(-2.0 * t);
    M[2] = sin(y[0] - exp(t));
    M[3] = y[0] * y[1];
  }

  template <class S>
  void force(const S& t, const S* y, const S* z, const S* lam, const S* psi, S* f) const {
    using math::exp;
    const S e = exp(t), products = y[0] * z[1] + 2.0 * y[1] * z[0];
    f[0] = e * products + e * e * y[0] * lam[0] - y[0] * z[1] * psi[0] - 2.0;
    f[1] = (0.5 * y[1] * z[1] - 2.0 * y[0] * z[0] * y[1] * z[1] + y[1] * lam[0] * lam[0]) / e -
           y[0] * y[1] * z[0] * psi[0] * psi[0] * psi[0] + e * e * e;
  }

  template <class S>
  void position(const S& /*t*/, const S* y, S* g) const {
    g[0] = y[0] * y[0] * y[1] - 1.0;
  }

  template <class S>
  void nonholonomic(const S& /*t*/, const S* y, const S* z, S* k) const {
    k[0] = y[0] * z[0] * z[1] + 2.0;
  }

  /// lam = psi = 0 would make the equations of the consistent start singular.
  Solution start() const { return {0, {1, 1}, {1, -2}, {}, {0.8, 0.8}}; }

  Solution exact(double t) const {
    const double e = std::exp(t), d = std::exp(-2 * t);
    return {t, {e, d}, {e, -2 * d}, {e, 4 * d}, {1 / e, e}};
  }
};

}  // namespace sinew::verify
