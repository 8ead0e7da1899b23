/// \file
/// Gradient-deficient cable of the absolute nodal coordinate formulation, in space, two nodes on the line.
///
/// Unknowns: positions r1, r2 and slopes r1', r2' (r' = dr/dS, S the arc length of the straight, stress-free cable), as four
/// point nodes (r1, r1', r2, r2'); cubic Hermite between them. Strains of the shear-free rod
/// eps = |r'| - 1,   kappa = r' x r'' / |r'|^2   (|kappa| = turn of the tangent per S),   energy = int 1/2 EA eps^2 + 1/2 EI
/// |kappa|^2 dS. The cable has no stiffness and no inertia against turning about its own axis. Its reference is straight. Pressed
/// it may bear a share of its axial force only, or none: see axial_force.
/// Source: Gerstmayr and Shabana (2006), Nonlinear Dynamics 45, 109-130, with the strain measures of the geometrically exact rod
/// (Gerstmayr and Irschik 2008, J. Sound Vib. 318, 461-487). Quadrature: see docs/elements/cable.md.
#pragma once

#include "kernels/algebra/lanes.hpp"
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

  template <class P>
  struct ParamsOf {
    P length = 1.0;             ///< reference length L, m
    P axial_stiffness = 0.0;    ///< EA, N
    P bending_stiffness = 0.0;  ///< EI, N m^2
    P mass_per_length = 0.0;    ///< rho A, kg/m
    P axial_viscosity = 0.0;    ///< c in N = EA eps + c d(eps)/dt, N s
    P alpha = 0.0;              ///< mass-proportional damping, f = -alpha M v, 1/s
    P compression = 1.0;        ///< factor of the axial force where it would press: 0 of a rope, which goes slack
  };
  using Params = ParamsOf<double>;
  using States = NodeStates<double, node_kind, num_nodes>;
  template <class S>
  using StatesOf = NodeStates<S, node_kind, num_nodes>;
  template <class S>
  using ForcesOf = NodeForces<S, node_kind, num_nodes>;

  /// The two Gauss points of bending, in xi; each has the weight L/2.
  KOKKOS_INLINE_FUNCTION static double bending_point(int q) { return q == 0 ? 0.21132486540518711775 : 0.78867513459481288225; }

  /// dH/dS in the middle, the inner one of the three Lobatto points (0, 1/2, 1; weights L/6, 4L/6, L/6) of stretching.
  /// At the outer two r' is a nodal slope.
  template <class P>
  KOKKOS_INLINE_FUNCTION static void middle_slopes(const P& L, P (&H)[4]) {
    CubicHermite::slopes(0.5, L, H);
  }

  /// Sum of H_i x_i.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> combine(const P (&H)[4], const Vec3<S> (&x)[4]) {
    return H[2] * (x[2] - x[0]) + (H[1] * x[1] + H[3] * x[3]);
  }

  /// N, the force along the axis: EA eps + c d(eps)/dt where that pulls, else `compression` times as much. It is continuous, and
  /// gives back no more than it has stored: with q = EA eps^2/2 for eps > 0, else `compression` times that, N d(eps)/dt >= dq/dt.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static S axial_force(const ParamsOf<P>& p, const S& strain, const S& rate) {
    const S N = p.axial_stiffness * strain + p.axial_viscosity * rate;
    return share_borne(p, N) * N;
  }
  /// N t, for the slope a = r' and its rate: eps = |a| - 1, t = a/|a|.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> axial_force(const ParamsOf<P>& p, const Vec3<S>& a, const Vec3<S>& rate) {
    const S stretch = norm(a);
    const S N = axial_force(p, S(stretch - 1.0), S(dot(a, rate) / stretch));
    return (N / stretch) * a;
  }
  /// Elastic energy per length and EA, J/m/N.
  KOKKOS_INLINE_FUNCTION static double stretching_energy(const Params& p, const Vec3<double>& a) {
    const double strain = norm(a) - 1;
    return 0.5 * (strain < 0 ? p.compression : 1.0) * strain * strain;
  }

  /// Gradients of 1/2 EI |kappa|^2 by a = r' and b = r''. With b_n = b - (a.b)/|a|^2 a: |kappa|^2 = |b_n|^2/|a|^2.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void bending_force(const ParamsOf<P>& p, const Vec3<S>& a, const Vec3<S>& b, Vec3<S>& W_a,
                                                   Vec3<S>& W_b) {
    const S inverse = 1.0 / dot(a, a);
    const S c = dot(a, b) * inverse;
    const Vec3<S> normal = b - c * a;
    W_b = (p.bending_stiffness * inverse) * normal;
    W_a = -(c * W_b + (dot(W_b, normal) * inverse) * a);
  }

  /// Adds the forces of strain, viscosity, gravity and mass-proportional damping. N for positions, N m for slopes.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void force(const ParamsOf<P>& p, const Environment& env, const double* /*signals*/,
                                           const StatesOf<S>& z, ForcesOf<S>& f) {
    const P L = p.length;
    P h1[4], h2[4];
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
    P weight[4];
    CubicHermite::integrals(L, weight);
    for (int i = 0; i < 4; ++i) f.f[i] += (p.mass_per_length * weight[i]) * env.gravity;
    if (differs_from_zero(p.alpha)) add_mass_damping(p, z, f);
  }

  /// Adds M = rho A int H_i H_j dS I, in closed form.
  KOKKOS_INLINE_FUNCTION static void mass(const Params& p, Mat<double, num_dofs, num_dofs>& M) { add_mass(p, 1.0, M); }

  /// Adds factor M.
  template <class P>
  KOKKOS_INLINE_FUNCTION static void add_mass(const ParamsOf<P>& p, const P& factor, Mat<P, num_dofs, num_dofs>& M) {
    P m[4][4];
    CubicHermite::products(p.length, m);
    const P density = factor * p.mass_per_length;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 3; ++k) M(3 * i + k, 3 * j + k) += density * m[i][j];
  }

  /// Energy of stretching and bending, J.
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const States& z) {
    const double L = p.length;
    double h1[4], h2[4];
    middle_slopes(L, h1);
    double energy = p.axial_stiffness * L / 6 *
                    (stretching_energy(p, z.x[1]) + 4 * stretching_energy(p, combine(h1, z.x)) + stretching_energy(p, z.x[3]));
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

  /// Adds -(cq df/dq + cv df/dv), exact: material and geometric part. Forces depend on r1', d = r2 - r1 and r2' alone: the
  /// blocks of these three are found first.
  template <class P>
  KOKKOS_INLINE_FUNCTION static void tangent(const ParamsOf<P>& p, const Environment& /*env*/, const double* /*signals*/,
                                             const StatesOf<P>& z, double cq, double cv, Mat<P, num_dofs, num_dofs>& J) {
    const P L = p.length;
    P h1[4], h2[4];
    Mat3<P> K[3][3];
    for (int q = 0; q < 2; ++q) {
      CubicHermite::slopes(bending_point(q), L, h1);
      CubicHermite::curvatures(bending_point(q), L, h2);
      add_bending(bending_tangent(p, 0.5 * L * cq, combine(h1, z.x), combine(h2, z.x)), h1, h2, K);
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j) K[i][j] = transpose(K[j][i]);
    middle_slopes(L, h1);
    const Mat3<P> A = axial_tangent(p, combine(h1, z.x), combine(h1, z.v), cq, cv);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) add_block((L * 4 / 6) * h1[i + 1] * h1[j + 1], A, K[i][j]);
    add_block(L / 6, axial_tangent(p, z.x[1], z.v[1], cq, cv), K[0][0]);
    add_block(L / 6, axial_tangent(p, z.x[3], z.v[3], cq, cv), K[2][2]);
    spread(K, J);
    if (differs_from_zero(p.alpha)) add_mass(p, cv * p.alpha, J);
  }

  /// The square of the shortest slope where the strains are taken; not a number where one is none.
  template <class P>
  KOKKOS_INLINE_FUNCTION static P soundness(const ParamsOf<P>& p, const StatesOf<P>& z) {
    P h1[4];
    P smallest = 1.0, sum = 0.0;
    for (int q = 0; q < 3; ++q) {
      CubicHermite::slopes(q < 2 ? bending_point(q) : 0.5, p.length, h1);
      const Vec3<P> a = combine(h1, z.x);
      const P square = dot(a, a);
      sum += square;
      smallest = smaller(square, smallest);
    }
    return number_below(1e300, sum, smallest);
  }

  /// A slope of length zero where the strains are taken has no direction.
  KOKKOS_INLINE_FUNCTION static Verdict judge(double soundness) {
    if (!(soundness <= 1)) return Verdict::not_finite;
    return soundness < 1e-8 ? Verdict::degenerate : Verdict::ok;
  }
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const States& z) { return judge(soundness(p, z)); }

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
    const double tension = axial_force(p, strain, rate);
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
    p.compression = seed % 3 == 1 ? sample.uniform(0, 1) : 1;
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
  /// Of an axial force, or of what has its sign.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static P share_borne(const ParamsOf<P>& p, const S& N) {
    if constexpr (std::is_same_v<S, Lanes>)
      return where_below(N, 0, Lanes(p.compression), Lanes(1.0));
    else
      return value_of(N) < 0 ? p.compression : P(1.0);
  }

  /// cq d(N t)/da + cv d(N t)/d(rate): N/|a| (I - t t^T) + EA t t^T, and the viscous part; all times `compression` where N
  /// presses.
  template <class P>
  KOKKOS_INLINE_FUNCTION static Mat3<P> axial_tangent(const ParamsOf<P>& p, const Vec3<P>& a, const Vec3<P>& rate, double cq,
                                                      double cv) {
    const P inverse = 1.0 / norm(a);
    const Vec3<P> t = inverse * a;
    const P speed = dot(t, rate);
    const P slope = p.axial_stiffness * (1 - inverse) + p.axial_viscosity * speed * inverse;  // N/|a|
    const P share = share_borne(p, slope);
    const P stiffness = share * p.axial_stiffness, viscosity = share * p.axial_viscosity;
    const P stress = cq * (share * slope);
    const P along = cq * stiffness + cv * viscosity - stress;
    const Vec3<P> w = along * t + (cq * viscosity * inverse) * (rate - speed * t);
    Mat3<P> A = outer(t, w);
    for (int i = 0; i < 3; ++i) A(i, i) += stress;
    return A;
  }

  /// Second derivatives of a potential by a = r' and b = r''; ab = d2/da db.
  template <class P>
  struct Bending {
    Mat3<P> aa, ab, bb;
  };

  /// Those of factor 1/2 EI |kappa|^2. With k = EI/|a|^2, c = a.b/|a|^2, n = b - c a, m = n/|a|^2, s = |n|^2/|a|^2:
  ///   W_bb = k (I - a a^T/|a|^2),   W_ab = k (c (a a^T/|a|^2 - I) - n a^T/|a|^2 - 2 a m^T),
  ///   W_aa = k ((c^2 - s) I - n m^T + 3 c (m a^T + a m^T) + (4 s - c^2) a a^T/|a|^2).
  template <class P>
  KOKKOS_INLINE_FUNCTION static Bending<P> bending_tangent(const ParamsOf<P>& p, const P& factor, const Vec3<P>& a,
                                                           const Vec3<P>& b) {
    const P inverse = 1.0 / dot(a, a);
    const P k = factor * p.bending_stiffness * inverse;
    const P c = dot(a, b) * inverse;
    const Vec3<P> n = b - c * a;
    const Vec3<P> m = inverse * n, e = inverse * a;
    const P s = dot(n, m);
    Bending<P> W;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        W.bb(i, j) = -(k * a[i] * e[j]);
        W.ab(i, j) = k * (c * a[i] * e[j] - m[i] * a[j] - 2 * a[i] * m[j]);
        W.aa(i, j) = k * (3 * c * (m[i] * a[j] + a[i] * m[j]) - n[i] * m[j] + (4 * s - c * c) * a[i] * e[j]);
      }
      W.bb(i, i) += k;
      W.ab(i, i) -= k * c;
      W.aa(i, i) += k * (c * c - s);
    }
    return W;
  }

  template <class P>
  KOKKOS_INLINE_FUNCTION static void add_block(const P& factor, const Mat3<P>& A, Mat3<P>& K) {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) K(r, c) += factor * A(r, c);
  }

  /// Adds block i, j of the second derivatives by the unknowns, with a = sum h1 x and b = sum h2 x.
  template <int i, int j, class P>
  KOKKOS_INLINE_FUNCTION static void add_bending_block(const Bending<P>& W, const P (&h1)[4], const P (&h2)[4], Mat3<P>& K) {
    const P aa = h1[i] * h1[j], ab = h1[i] * h2[j], ba = h2[i] * h1[j], bb = h2[i] * h2[j];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) K(r, c) += aa * W.aa(r, c) + ab * W.ab(r, c) + ba * W.ab(c, r) + bb * W.bb(r, c);
  }

  /// Adds the blocks on and above the diagonal: the matrix is symmetric.
  template <class P>
  KOKKOS_INLINE_FUNCTION static void add_bending(const Bending<P>& W, const P (&h1)[4], const P (&h2)[4], Mat3<P> (&K)[3][3]) {
    add_bending_block<1, 1>(W, h1, h2, K[0][0]);
    add_bending_block<1, 2>(W, h1, h2, K[0][1]);
    add_bending_block<1, 3>(W, h1, h2, K[0][2]);
    add_bending_block<2, 2>(W, h1, h2, K[1][1]);
    add_bending_block<2, 3>(W, h1, h2, K[1][2]);
    add_bending_block<3, 3>(W, h1, h2, K[2][2]);
  }

  /// Adds factor K to the block of nodes i and j.
  template <int i, int j, class P>
  KOKKOS_INLINE_FUNCTION static void put(double factor, const Mat3<P>& K, Mat<P, num_dofs, num_dofs>& J) {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) J(3 * i + r, 3 * j + c) += factor * K(r, c);
  }

  /// Adds the blocks of (r1', d, r2') to those of (r1, r1', r2, r2'), where d = r2 - r1.
  template <class P>
  KOKKOS_INLINE_FUNCTION static void spread(const Mat3<P> (&K)[3][3], Mat<P, num_dofs, num_dofs>& J) {
    put<0, 0>(1, K[1][1], J);
    put<0, 1>(-1, K[1][0], J);
    put<0, 2>(-1, K[1][1], J);
    put<0, 3>(-1, K[1][2], J);
    put<1, 0>(-1, K[0][1], J);
    put<1, 1>(1, K[0][0], J);
    put<1, 2>(1, K[0][1], J);
    put<1, 3>(1, K[0][2], J);
    put<2, 0>(-1, K[1][1], J);
    put<2, 1>(1, K[1][0], J);
    put<2, 2>(1, K[1][1], J);
    put<2, 3>(1, K[1][2], J);
    put<3, 0>(-1, K[2][1], J);
    put<3, 1>(1, K[2][0], J);
    put<3, 2>(1, K[2][1], J);
    put<3, 3>(1, K[2][2], J);
  }

  /// Adds -alpha M v.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void add_mass_damping(const ParamsOf<P>& p, const StatesOf<S>& z, ForcesOf<S>& f) {
    P m[4][4];
    CubicHermite::products(p.length, m);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) f.f[i] -= (p.alpha * p.mass_per_length * m[i][j]) * z.v[j];
  }
};

}  // namespace sinew
