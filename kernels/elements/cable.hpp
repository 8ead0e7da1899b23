/// \file
/// Gradient-deficient cable of the absolute nodal coordinate formulation, in space, two nodes on the line.
///
/// Unknowns: positions r1, r2 and slopes r1', r2' (r' = dr/dS, S the arc length of the straight, stress-free cable), as four
/// point nodes (r1, r1', r2, r2'); cubic Hermite between them. Strains of the shear-free rod
/// eps = |r'| - 1,   kappa = r' x r'' / |r'|^2   (|kappa| = turn of the tangent per S),   energy = int 1/2 EA eps^2 + 1/2 EI
/// |kappa|^2 dS. The cable has no stiffness and no inertia against turning about its own axis. Its reference is straight.
/// Source: Gerstmayr and Shabana (2006), Nonlinear Dynamics 45, 109-130, with the strain measures of the geometrically exact rod
/// (Gerstmayr and Irschik 2008, J. Sound Vib. 318, 461-487). Quadrature: see docs/elements/cable.md.
#pragma once

#include "kernels/contract.hpp"
#include "kernels/describe.hpp"
#include "kernels/elements/sample.hpp"
#include "kernels/shape/hermite.hpp"

namespace sinew {

struct Cable {
  static constexpr const char* name = "cable";
  static constexpr const char* help = "Bernoulli-Euler cable without torsion (gradient-deficient ANCF, cubic)";
  static constexpr NodeKind node_kind = NodeKind::point;
  static constexpr int num_nodes = 4;
  static constexpr int num_signals = 0;
  static constexpr int num_dofs = 12;
  static constexpr const char* degenerate = "is pressed together to a point, where its line has no direction";
  /// r1' and r2'.
  KOKKOS_INLINE_FUNCTION static constexpr bool is_slope(int node) { return node % 2 == 1; }

  struct Params {
    double length = 1;             ///< reference length L, m
    double axial_stiffness = 0;    ///< EA, N
    double bending_stiffness = 0;  ///< EI, N m^2
    double mass_per_length = 0;    ///< rho A, kg/m
    double axial_viscosity = 0;    ///< c in N = EA eps + c d(eps)/dt, N s
    double alpha = 0;              ///< mass-proportional damping, f = -alpha M v, 1/s
  };
  using States = NodeStates<double, node_kind, num_nodes>;
  template <class S>
  using StatesOf = NodeStates<S, node_kind, num_nodes>;
  template <class S>
  using ForcesOf = NodeForces<S, node_kind, num_nodes>;

  /// The two Gauss points of bending, in xi; each has the weight L/2.
  KOKKOS_INLINE_FUNCTION static double bending_point(int q) { return q == 0 ? 0.21132486540518711775 : 0.78867513459481288225; }

  /// dH/dS in the middle, the inner one of the three Lobatto points (0, 1/2, 1; weights L/6, 4L/6, L/6) of stretching.
  /// At the outer two r' is a nodal slope.
  KOKKOS_INLINE_FUNCTION static void middle_slopes(double L, double (&H)[4]) { CubicHermite::slopes(0.5, L, H); }

  /// Sum of H_i x_i.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> combine(const double (&H)[4], const Vec3<S> (&x)[4]) {
    return H[2] * (x[2] - x[0]) + (H[1] * x[1] + H[3] * x[3]);
  }

  /// Force in the section, N t, for the slope a = r' and its rate: N = EA (|a| - 1) + c d|a|/dt, t = a/|a|.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> axial_force(const Params& p, const Vec3<S>& a, const Vec3<S>& rate) {
    const S stretch = norm(a);
    const S N = p.axial_stiffness * (stretch - 1.0) + p.axial_viscosity * (dot(a, rate) / stretch);
    return (N / stretch) * a;
  }

  /// Gradients of 1/2 EI |kappa|^2 by a = r' and b = r''. With b_n = b - (a.b)/|a|^2 a: |kappa|^2 = |b_n|^2/|a|^2.
  template <class S>
  KOKKOS_INLINE_FUNCTION static void bending_force(const Params& p, const Vec3<S>& a, const Vec3<S>& b, Vec3<S>& W_a,
                                                   Vec3<S>& W_b) {
    const S inverse = 1.0 / dot(a, a);
    const S c = dot(a, b) * inverse;
    const Vec3<S> normal = b - c * a;
    W_b = (p.bending_stiffness * inverse) * normal;
    W_a = -(c * W_b + (dot(W_b, normal) * inverse) * a);
  }

  /// Adds the forces of strain, viscosity, gravity and mass-proportional damping. N for positions, N m for slopes.
  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& env, const double* /*signals*/,
                                           const StatesOf<S>& z, ForcesOf<S>& f) {
    const double L = p.length;
    double h1[4], h2[4];
    middle_slopes(L, h1);
    const Vec3<S> middle = (L * 4 / 6) * axial_force(p, combine(h1, z.x), combine(h1, z.v));
    for (int i = 0; i < 4; ++i) f.f[i] -= h1[i] * middle;
    for (int i = 1; i < 4; i += 2) f.f[i] -= (L / 6) * axial_force(p, z.x[i], z.v[i]);
    for (int q = 0; q < 2; ++q) {
      CubicHermite::slopes(bending_point(q), L, h1);
      CubicHermite::curvatures(bending_point(q), L, h2);
      Vec3<S> W_a, W_b;
      bending_force(p, combine(h1, z.x), combine(h2, z.x), W_a, W_b);
      for (int i = 0; i < 4; ++i) f.f[i] -= (0.5 * L * h1[i]) * W_a + (0.5 * L * h2[i]) * W_b;
    }
    double weight[4];
    CubicHermite::integrals(L, weight);
    for (int i = 0; i < 4; ++i) f.f[i] += (p.mass_per_length * weight[i]) * env.gravity;
    if (p.alpha != 0) add_mass_damping(p, z, f);
  }

  /// Adds M = rho A int H_i H_j dS I, in closed form.
  KOKKOS_INLINE_FUNCTION static void mass(const Params& p, Mat<double, num_dofs, num_dofs>& M) {
    add_mass(p, p.mass_per_length, M);
  }

  /// Energy of stretching and bending, J.
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const States& z) {
    const double L = p.length;
    double h1[4], h2[4];
    middle_slopes(L, h1);
    const double e0 = norm(z.x[1]) - 1, e1 = norm(combine(h1, z.x)) - 1, e2 = norm(z.x[3]) - 1;
    double energy = p.axial_stiffness * L / 12 * (e0 * e0 + 4 * e1 * e1 + e2 * e2);
    for (int q = 0; q < 2; ++q) {
      CubicHermite::slopes(bending_point(q), L, h1);
      CubicHermite::curvatures(bending_point(q), L, h2);
      const Vec3<double> k = curvature(combine(h1, z.x), combine(h2, z.x));
      energy += 0.25 * p.bending_stiffness * L * dot(k, k);
    }
    return energy;
  }

  /// Potential of gravity, -int rho A g.r dS, J.
  KOKKOS_INLINE_FUNCTION static double potential_energy(const Params& p, const Environment& env, const States& z) {
    double weight[4];
    CubicHermite::integrals(p.length, weight);
    double energy = 0;
    for (int i = 0; i < 4; ++i) energy -= p.mass_per_length * weight[i] * dot(env.gravity, z.x[i]);
    return energy;
  }

  /// Adds -(cq df/dq + cv df/dv), exact: material and geometric part.
  KOKKOS_INLINE_FUNCTION static void tangent(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                             const States& z, double cq, double cv, Mat<double, num_dofs, num_dofs>& J) {
    const double L = p.length;
    double h1[3][4], h2[2][4];  // the two bending points, then the middle
    double rows[5][3][12];      // K = sum_k h_k rows_k: per point the derivatives of W_a and of W_b by all 12 unknowns
    for (int q = 0; q < 2; ++q) {
      CubicHermite::slopes(bending_point(q), L, h1[q]);
      CubicHermite::curvatures(bending_point(q), L, h2[q]);
      bending_rows(p, 0.5 * L * cq, combine(h1[q], z.x), combine(h2[q], z.x), h1[q], h2[q], rows[2 * q], rows[2 * q + 1]);
    }
    middle_slopes(L, h1[2]);
    const Mat3<double> A = axial_tangent(p, combine(h1[2], z.x), combine(h1[2], z.v), cq, cv);
    for (int r = 0; r < 3; ++r)
      for (int j = 0; j < 4; ++j)
        for (int c = 0; c < 3; ++c) rows[4][r][3 * j + c] = (L * 4 / 6) * h1[2][j] * A(r, c);
    for (int i = 1; i < 4; ++i)
      for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 12; ++k) {
          const double value = h1[0][i] * rows[0][r][k] + h2[0][i] * rows[1][r][k] + h1[1][i] * rows[2][r][k] +
                               h2[1][i] * rows[3][r][k] + h1[2][i] * rows[4][r][k];
          J(3 * i + r, k) += value;
          if (i == 2) J(r, k) -= value;  // r1 and r2 enter as r2 - r1
        }
    for (int i = 1; i < 4; i += 2) {
      const Mat3<double> B = axial_tangent(p, z.x[i], z.v[i], cq, cv);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) J(3 * i + r, 3 * i + c) += (L / 6) * B(r, c);
    }
    if (p.alpha != 0) add_mass(p, cv * p.alpha * p.mass_per_length, J);
  }

  /// A slope of length zero where the strains are taken has no direction.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const States& z) {
    double h1[4];
    double smallest = 1;
    for (int q = 0; q < 3; ++q) {
      CubicHermite::slopes(q < 2 ? bending_point(q) : 0.5, p.length, h1);
      const Vec3<double> a = combine(h1, z.x);
      const double square = dot(a, a);
      if (!(square < 1e300)) return Verdict::not_finite;  // true for NaN as well
      if (square < smallest) smallest = square;
    }
    return smallest < 1e-8 ? Verdict::degenerate : Verdict::ok;
  }

  /// kappa = a x b/|a|^2, 1/m.
  KOKKOS_INLINE_FUNCTION static Vec3<double> curvature(const Vec3<double>& a, const Vec3<double>& b) {
    return (1 / dot(a, a)) * cross(a, b);
  }

  static constexpr std::array<MeasureSpec, 5> section_measures() {
    return {{{"force", 3, "N", "what the part beyond the section exerts on the part before it, global frame"},
             {"moment", 3, "N m", "likewise, of bending"},
             {"tension", 1, "N", "axial force, positive where it pulls"},
             {"strain", 1, "1", "stretch of the axis"},
             {"curvature", 3, "1/m", "turn of the tangent per arc length, global frame"}}};
  }

  /// Strains stand where the forces take them, at the three Lobatto and the two Gauss points; between these they follow the
  /// parabola and the straight line through them. With t the tangent and m = EI kappa the force is N t + t x dm/dS, from dm/dS +
  /// t x n = 0.
  static void measure_section(const Params& p, const States& z, double xi, double* out) {
    const double L = p.length, left = bending_point(0), width = bending_point(1) - left;
    const double parabola[3] = {(1 - xi) * (1 - 2 * xi), 4 * xi * (1 - xi), xi * (2 * xi - 1)};
    double h1[4], h2[4], strain = 0, rate = 0;
    for (int q = 0; q < 3; ++q) {
      CubicHermite::slopes(0.5 * q, L, h1);
      const Vec3<double> a = combine(h1, z.x);
      strain += parabola[q] * (norm(a) - 1);
      rate += parabola[q] * dot(a, combine(h1, z.v)) / norm(a);
    }
    Vec3<double> kappa[2];
    for (int q = 0; q < 2; ++q) {
      CubicHermite::slopes(bending_point(q), L, h1);
      CubicHermite::curvatures(bending_point(q), L, h2);
      kappa[q] = curvature(combine(h1, z.x), combine(h2, z.x));
    }
    CubicHermite::slopes(xi, L, h1);
    const Vec3<double> a = combine(h1, z.x), t = (1 / norm(a)) * a;
    const Vec3<double> change = (1 / width) * (kappa[1] - kappa[0]), here = kappa[0] + (xi - left) * change;
    const double tension = p.axial_stiffness * strain + p.axial_viscosity * rate;
    const Vec3<double> force = tension * t + (p.bending_stiffness / L) * cross(t, change);
    for (int i = 0; i < 3; ++i) {
      out[i] = force[i];
      out[3 + i] = p.bending_stiffness * here[i];
      out[8 + i] = here[i];
    }
    out[6] = tension;
    out[7] = strain;
  }

  /// A random cable for the generic tests.
  static Params example(unsigned seed) {
    Sampler sample(seed);
    Params p;
    p.length = sample.uniform(0.5, 2);
    p.axial_stiffness = sample.uniform(1, 100);
    p.bending_stiffness = sample.uniform(0.1, 10);
    p.mass_per_length = sample.uniform(0.5, 2);
    p.axial_viscosity = seed % 2 == 0 ? sample.uniform(0.1, 1) : 0;
    return p;
  }

  /// The straight cable along x, at rest.
  static States example_reference(const Params& p) {
    States z;
    z.x[2][0] = p.length;
    z.x[1][0] = z.x[3][0] = 1;
    return z;
  }

 private:
  /// cq d(N t)/da + cv d(N t)/d(rate): N/|a| (I - t t^T) + EA t t^T, and the viscous part.
  KOKKOS_INLINE_FUNCTION static Mat3<double> axial_tangent(const Params& p, const Vec3<double>& a, const Vec3<double>& rate,
                                                           double cq, double cv) {
    const double inverse = 1 / norm(a);
    const Vec3<double> t = inverse * a;
    const double speed = dot(t, rate);
    const double stress = cq * (p.axial_stiffness * (1 - inverse) + p.axial_viscosity * speed * inverse);
    const double along = cq * p.axial_stiffness + cv * p.axial_viscosity - stress;
    const Vec3<double> w = along * t + (cq * p.axial_viscosity * inverse) * (rate - speed * t);
    Mat3<double> A = outer(t, w);
    for (int i = 0; i < 3; ++i) A(i, i) += stress;
    return A;
  }

  /// Derivatives of factor W_a and factor W_b (see bending_force) by the 12 unknowns, a = sum h1 x, b = sum h2 x. With
  /// k = EI/|a|^2, c = a.b/|a|^2, n = b - c a, m = n/|a|^2, s = |n|^2/|a|^2:
  ///   W_bb = k (I - a a^T/|a|^2),   W_ab = k (c (a a^T/|a|^2 - I) - n a^T/|a|^2 - 2 a m^T),
  ///   W_aa = k ((c^2 - s) I - n m^T + 3 c (m a^T + a m^T) + (4 s - c^2) a a^T/|a|^2).
  KOKKOS_INLINE_FUNCTION static void bending_rows(const Params& p, double factor, const Vec3<double>& a, const Vec3<double>& b,
                                                  const double (&h1)[4], const double (&h2)[4], double (&by_a)[3][12],
                                                  double (&by_b)[3][12]) {
    const double inverse = 1 / dot(a, a);
    const double k = factor * p.bending_stiffness * inverse;
    const double c = dot(a, b) * inverse;
    const Vec3<double> n = b - c * a;
    const Vec3<double> m = inverse * n, e = inverse * a;
    const double s = dot(n, m);
    Mat3<double> aa, ab, bb;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        bb(i, j) = -k * a[i] * e[j];
        ab(i, j) = k * (c * a[i] * e[j] - m[i] * a[j] - 2 * a[i] * m[j]);
        aa(i, j) = k * (3 * c * (m[i] * a[j] + a[i] * m[j]) - n[i] * m[j] + (4 * s - c * c) * a[i] * e[j]);
      }
      bb(i, i) += k;
      ab(i, i) -= k * c;
      aa(i, i) += k * (c * c - s);
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j)
        for (int l = 0; l < 3; ++l) {
          by_a[i][3 * j + l] = h1[j] * aa(i, l) + h2[j] * ab(i, l);
          by_b[i][3 * j + l] = h1[j] * ab(l, i) + h2[j] * bb(i, l);
        }
  }

  /// Adds density int H_i H_j dS I.
  KOKKOS_INLINE_FUNCTION static void add_mass(const Params& p, double density, Mat<double, num_dofs, num_dofs>& M) {
    double m[4][4];
    CubicHermite::products(p.length, m);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 3; ++k) M(3 * i + k, 3 * j + k) += density * m[i][j];
  }

  /// Adds -alpha M v.
  template <class S>
  KOKKOS_INLINE_FUNCTION static void add_mass_damping(const Params& p, const StatesOf<S>& z, ForcesOf<S>& f) {
    double m[4][4];
    CubicHermite::products(p.length, m);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) f.f[i] -= (p.alpha * p.mass_per_length * m[i][j]) * z.v[j];
  }
};

}  // namespace sinew
