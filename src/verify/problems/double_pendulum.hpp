/// \file
/// Planar double pendulum in Cartesian coordinates, stretched out horizontally at rest. Reference values: integrations of
/// two different formulations that agree to 1e-12.
#pragma once

#include "kernels/algebra/dual.hpp"
#include "verify/solution.hpp"

#include <vector>

namespace sinew::verify {

/// Two unit masses on massless rods of length 1; g = (|r1|^2 - 1, |r2 - r1|^2 - 1).
struct DoublePendulum {
  static constexpr int num_dofs = 4, num_position_rows = 2, num_velocity_rows = 0;
  static constexpr double gravity = 9.81;

  template <class S>
  void mass(const S& /*t*/, const S* /*y*/, S* M) const {
    for (int i = 0; i < num_dofs; ++i) M[i * num_dofs + i] = 1.0;
  }

  template <class S>
  void force(const S& /*t*/, const S* y, const S* /*z*/, const S* lam, const S* /*psi*/, S* f) const {
    const S dx = y[2] - y[0], dy = y[3] - y[1];
    f[0] = -2.0 * y[0] * lam[0] + 2.0 * dx * lam[1];
    f[1] = -2.0 * y[1] * lam[0] + 2.0 * dy * lam[1] - gravity;
    f[2] = -2.0 * dx * lam[1];
    f[3] = -2.0 * dy * lam[1] - gravity;
  }

  template <class S>
  void position(const S& /*t*/, const S* y, S* g) const {
    const S dx = y[2] - y[0], dy = y[3] - y[1];
    g[0] = y[0] * y[0] + y[1] * y[1] - 1.0;
    g[1] = dx * dx + dy * dy - 1.0;
  }

  Solution start() const { return {0, {1, 0, 2, 0}, {0, 0, 0, 0}, {}, {0, 0}}; }

  std::vector<Solution> references() const {
    return {at({1,
                {-0.5851683919988615, -0.8109118034690744, -1.4448188499434822, -1.3217944613814407},
                {-3.180622802160513, 2.295194030636848, -3.8463536098581024, 3.41540389652594},
                {},
                {20.81803943629435, 9.972929848254017}}),
            at({2,
                {-0.4644128686995581, -0.8856188160750915, -1.4341248174643098, -1.129870195647179},
                {2.714676899593158, -1.4235592826717716, 3.4350405438201332, -4.2835031425034895},
                {},
                {13.489181708644635, 6.670901799900968}}),
            at({5,
                {-0.586869209816344, -0.809681746471748, -1.5507784694704871, -1.0759127348127033},
                {1.7209046070037182, -1.2473369089552744, 2.754383679493036, -4.989125398112838},
                {},
                {13.202418882579638, 8.924466745186145}})};
  }

 private:
  /// With M = I the acceleration is the force.
  Solution at(Solution s) const {
    s.a.assign(num_dofs, 0.0);
    force(s.t, s.y.data(), s.z.data(), s.lambda.data(), s.lambda.data(), s.a.data());
    return s;
  }
};

}  // namespace sinew::verify
