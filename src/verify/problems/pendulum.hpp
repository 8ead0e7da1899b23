/// \file
/// Planar pendulum in Cartesian coordinates, from the horizontal at rest. Reference values: Jacobi elliptic functions,
/// 16 digits; mirrored in x they are benchmark A01 of the IFToMM library of computational benchmark problems.
#pragma once

#include "kernels/algebra/dual.hpp"
#include "verify/solution.hpp"

#include <vector>

namespace sinew::verify {

/// Unit mass on a massless rod of length 1; g = x^2 + y^2 - 1, so lam is half the tension.
struct Pendulum {
  static constexpr int num_dofs = 2, num_position_rows = 1, num_velocity_rows = 0;
  static constexpr double gravity = 9.81;

  template <class S>
  void mass(const S& /*t*/, const S* /*y*/, S* M) const {
    M[0] = M[3] = 1.0;
  }

  template <class S>
  void force(const S& /*t*/, const S* y, const S* /*z*/, const S* lam, const S* /*psi*/, S* f) const {
    f[0] = -2.0 * y[0] * lam[0];
    f[1] = -2.0 * y[1] * lam[0] - gravity;
  }

  template <class S>
  void position(const S& /*t*/, const S* y, S* g) const {
    g[0] = y[0] * y[0] + y[1] * y[1] - 1.0;
  }

  Solution start() const { return {0, {1, 0}, {0, 0}, {}, {0}}; }

  std::vector<Solution> references() const {
    return {at(0.5, 0.3910487915505464, -0.9203699487851922, -3.911048003955552, -1.661734607547415, 13.5432437963741),
            at(1, -0.9862917511318753, -0.1650108531255412, -0.2969055159163158, 1.774643641112656, 2.428134703742338),
            at(2, 0.7935661953433217, -0.6084839304437915, 2.102437874436126, 2.741935393010509, 8.953841036480392),
            at(5, 0.9423054350437573, -0.3347543384140006, -0.8579042568859491, -2.414928654370489, 4.925910089762019),
            at(10, 0.2750874625761169, -0.9614192050991251, -4.175598100951729, -1.194749054560475, 14.14728360303363)};
  }

 private:
  static Solution at(double t, double x, double y, double vx, double vy, double lam) {
    return {t, {x, y}, {vx, vy}, {-2 * x * lam, -2 * y * lam - gravity}, {lam}};
  }
};

}  // namespace sinew::verify
