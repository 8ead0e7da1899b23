/// \file
/// A pendulum with a second mass on a stiff, damped spring. Reference values at t = 2: an independent integration in
/// minimal coordinates, good to about 1e-9.
#pragma once

#include "kernels/algebra/dual.hpp"
#include "verify/solution.hpp"

#include <cmath>
#include <vector>

namespace sinew::verify {

/// Unit mass r1 on a rod of length 1, g = |r1|^2 - 1; unit mass r2 on a spring of rest length 1 between r1 and r2.
struct StiffPendulum {
  static constexpr int num_dofs = 4, num_position_rows = 1, num_velocity_rows = 0;
  static constexpr double gravity = 9.81, stiffness = 1e5, damping = 20, angle = 0.6;

  template <class S>
  void mass(const S& /*t*/, const S* /*y*/, S* M) const {
    for (int i = 0; i < num_dofs; ++i) M[i * num_dofs + i] = 1.0;
  }

  template <class S>
  void force(const S& /*t*/, const S* y, const S* z, const S* lam, const S* /*psi*/, S* f) const {
    using math::sqrt;
    const S dx = y[2] - y[0], dy = y[3] - y[1];
    const S length = sqrt(dx * dx + dy * dy);
    const S rate = (dx * (z[2] - z[0]) + dy * (z[3] - z[1])) / length;
    const S pull = (stiffness * (length - 1.0) + damping * rate) / length;
    f[0] = -2.0 * y[0] * lam[0] + pull * dx;
    f[1] = -2.0 * y[1] * lam[0] + pull * dy - gravity;
    f[2] = -pull * dx;
    f[3] = -pull * dy - gravity;
  }

  template <class S>
  void position(const S& /*t*/, const S* y, S* g) const {
    g[0] = y[0] * y[0] + y[1] * y[1] - 1.0;
  }

  Solution start() const {
    const double s = std::sin(angle), c = std::cos(angle);
    return {0, {s, -c, 2 * s, -2 * c}, {0, 0, 0, 0}, {}, {0}};
  }

  std::vector<Solution> references() const {
    Solution s{2,
               {0.026191678323507685, -0.999656939147925, -0.03446121906785198, -1.9979540904939637},
               {1.4036843614601953, 0.036777466171985844, 2.873476987365894, -0.05254496602505679},
               std::vector<double>(num_dofs, 0.0),
               {12.762303255746769}};
    force(s.t, s.y.data(), s.z.data(), s.lambda.data(), s.lambda.data(), s.a.data());
    return {s};
  }
};

}  // namespace sinew::verify
