/// \file
/// The Chaplygin sleigh: a rigid body on a frictionless plane with a knife edge at distance `arm` behind its centre of mass
/// (Neimark and Fufaev, Dynamics of Nonholonomic Systems). Speed and heading in closed form, the path by quadrature.
#pragma once

#include "kernels/algebra/dual.hpp"
#include "verify/solution.hpp"

#include <cmath>

namespace sinew::verify {

/// y = (x, y, heading) of the centre of mass; k = -x' sin th + y' cos th - arm th', the sideways speed of the edge.
/// Forward speed u = U tanh(kp t) and turning rate w = W sech(kp t), kp = m arm U/J, m U^2 = J W^2, J = I + m arm^2.
struct ChaplyginSleigh {
  static constexpr int num_dofs = 3, num_position_rows = 0, num_velocity_rows = 1;
  static constexpr double m = 1.5, inertia = 0.2, arm = 0.4, U = 1;

  template <class S>
  void mass(const S& /*t*/, const S* /*y*/, S* M) const {
    M[0] = M[4] = m;
    M[8] = inertia;
  }

  template <class S>
  void force(const S& /*t*/, const S* y, const S* /*z*/, const S* /*lam*/, const S* psi, S* f) const {
    using math::cos, math::sin;
    f[0] = sin(y[2]) * psi[0];
    f[1] = -(cos(y[2]) * psi[0]);
    f[2] = arm * psi[0];
  }

  template <class S>
  void nonholonomic(const S& /*t*/, const S* y, const S* z, S* k) const {
    using math::cos, math::sin;
    k[0] = z[1] * cos(y[2]) - z[0] * sin(y[2]) - arm * z[2];
  }

  Solution start() const {
    const Solution s = exact(0);
    return {0, s.y, s.z, {}, {0}};
  }

  /// The path: centre = integral of u e(th) + arm e(th), e(th) = (cos th, sin th).
  Solution exact(double t) const {
    const double th = heading(t), c = std::cos(th), s = std::sin(th);
    const double tanh = std::tanh(kp() * t), sech = 1 / std::cosh(kp() * t);
    const double u = U * tanh, w = W() * sech, du = U * kp() * sech * sech, dw = -W() * kp() * sech * tanh;
    const double forward = du - arm * w * w, sideways = u * w + arm * dw;
    double path[2] = {0, 0};
    edge_path(t, path);
    return {t,
            {path[0] + arm * c, path[1] + arm * s, th},
            {u * c - arm * w * s, u * s + arm * w * c, w},
            {forward * c - sideways * s, forward * s + sideways * c, dw},
            {inertia * dw / arm}};
  }

 private:
  static double J() { return inertia + m * arm * arm; }
  static double kp() { return m * arm * U / J(); }
  static double W() { return U * std::sqrt(m / J()); }
  /// W/kp times the Gudermannian of kp t.
  static double heading(double t) { return 2 * W() / kp() * std::atan(std::tanh(kp() * t / 2)); }

  /// Integral of u e(th) from 0 to t: Gauss's rule with three points on panels so small that it is exact to round-off.
  static void edge_path(double t, double (&path)[2]) {
    constexpr int panels = 512;
    const double node[3] = {-std::sqrt(0.6), 0, std::sqrt(0.6)}, weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    const double h = t / panels;
    for (int i = 0; i < panels; ++i)
      for (int j = 0; j < 3; ++j) {
        const double s = h * (i + 0.5 + 0.5 * node[j]), u = U * std::tanh(kp() * s);
        path[0] += 0.5 * h * weight[j] * u * std::cos(heading(s));
        path[1] += 0.5 * h * weight[j] * u * std::sin(heading(s));
      }
  }
};

}  // namespace sinew::verify
