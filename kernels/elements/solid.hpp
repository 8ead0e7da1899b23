/// \file
/// Solid continuum element in the total Lagrangian description, for any shape (kernels/shape) and law (kernels/material):
///   f_a = -int P grad N_a dV + m_a g,   P the first Piola stress,   K_ab = int (grad N_a)_J dP_iJ/dF_kL (grad N_b)_L dV,
/// integrals and gradients in the reference volume. dP/dF holds the material and the geometric stiffness.
/// Source: Bonet and Wood (2008), Nonlinear Continuum Mechanics for Finite Element Analysis, chapters 8 and 9.
#pragma once

#include "kernels/contract.hpp"
#include "kernels/elements/sample.hpp"
#include "kernels/material/stress.hpp"

namespace sinew {

/// "SHAPE-LAW", the name of a solid element.
template <class Shape, class Law>
struct SolidName {
  char text[64] = {};
  constexpr SolidName() {
    int n = 0;
    for (const char* c = Shape::name; *c != 0; ++c) text[n++] = *c;
    text[n++] = '-';
    for (const char* c = Law::name; *c != 0; ++c) text[n++] = *c;
  }
};
template <class Shape, class Law>
inline constexpr SolidName<Shape, Law> solid_name{};

template <class Shape, class Law>
struct Solid {
  static constexpr const char* name = solid_name<Shape, Law>.text;
  static constexpr const char* help = "solid continuum, total Lagrangian";
  static constexpr NodeKind node_kind = NodeKind::point;
  static constexpr int num_nodes = Shape::num_nodes;
  static constexpr int num_signals = 0;
  static constexpr int num_dofs = 3 * num_nodes;
  static constexpr bool frame_invariant = Law::finite_strain;
  static constexpr bool is_solid = true;
  static constexpr int N = num_nodes;
  static constexpr int Q = Shape::num_stiffness_points;
  using ShapeType = Shape;
  using LawType = Law;

  struct Material {
    typename Law::Params law;
    double density = 0;  ///< of the reference volume, kg/m^3
    double alpha = 0;    ///< Rayleigh damping, f = -(alpha M + beta K(reference)) v: alpha in 1/s
    /// in s; with finite strains S += beta C dE/dt, the same but for turns of the body, which it leaves alone
    double beta = 0;
    double viscosity = 0;  ///< Kelvin-Voigt eta, S += eta dE/dt, Pa s; frame invariant
  };
  struct Params {
    double x[3][N] = {};        ///< reference coordinates, m
    double nodal_mass[N] = {};  ///< row sums of the mass matrix, kg
    Material material;
  };
  using States = NodeStates<double, node_kind, num_nodes>;
  template <class S>
  using StatesOf = NodeStates<S, node_kind, num_nodes>;
  template <class S>
  using ForcesOf = NodeForces<S, node_kind, num_nodes>;

  /// Parameters of the element with these reference vertices. Host.
  static Params make(const Vec3<double> (&x)[N], const Material& material) {
    Params p;
    p.material = material;
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) p.x[i][a] = x[a][i];
    double m[N][N];
    mass_products(p, m);
    for (int a = 0; a < N; ++a)
      for (int b = 0; b < N; ++b) p.nodal_mass[a] += m[a][b];
    return p;
  }

  /// Adds the forces of stress, damping and gravity, N.
  template <class S>
  KOKKOS_INLINE_FUNCTION static void force(const Params& p, const Environment& env, const double* /*signals*/,
                                           const StatesOf<S>& z, ForcesOf<S>& f) {
    S u[3][N], v[3][N], sum[3][N];
    const bool damped = p.material.viscosity != 0 || p.material.beta != 0;
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) {
        u[i][a] = z.x[a][i] - p.x[i][a];
        v[i][a] = z.v[a][i];
        sum[i][a] = S(p.nodal_mass[a] * env.gravity[i]);
      }
    for (int q = 0; q < Q; ++q) {
      double g[3][N];
      const double weight = stiffness_gradients(p, q, g);
      const Mat3<S> H = gradient(u, g);
      Mat3<S> P = Law::stress(p.material.law, H);
      if (damped) P = P + damping_stress(p.material, H, gradient(v, g));
      for (int i = 0; i < 3; ++i) {
        const S P0 = weight * P(i, 0), P1 = weight * P(i, 1), P2 = weight * P(i, 2);
        for (int a = 0; a < N; ++a) sum[i][a] = sum[i][a] - (P0 * g[0][a] + P1 * g[1][a] + P2 * g[2][a]);
      }
    }
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) f.f[a][i] += sum[i][a];
    if (p.material.alpha != 0) add_mass_damping(p, z, f);
  }

  /// Adds the consistent mass matrix, rho int N_a N_b dV I.
  KOKKOS_INLINE_FUNCTION static void mass(const Params& p, Mat<double, num_dofs, num_dofs>& M) { add_mass(p, 1.0, M); }

  /// J.
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const States& z) {
    double energy = 0;
    for (int q = 0; q < Q; ++q) {
      double g[3][N];
      const double weight = stiffness_gradients(p, q, g);
      energy += weight * Law::energy(p.material.law, displacement_gradient(p, z, g));
    }
    return energy;
  }

  /// Potential of gravity, -int rho g.x dV, J.
  KOKKOS_INLINE_FUNCTION static double potential_energy(const Params& p, const Environment& env, const States& z) {
    double energy = 0;
    for (int a = 0; a < N; ++a) energy -= p.nodal_mass[a] * dot(env.gravity, z.x[a]);
    return energy;
  }

  /// Adds -(cq df/dq + cv df/dv).
  KOKKOS_INLINE_FUNCTION static void tangent(const Params& p, const Environment& /*env*/, const double* /*signals*/,
                                             const States& z, double cq, double cv, Mat<double, num_dofs, num_dofs>& J) {
    double K[3][N][num_dofs] = {};  // K[i][a][k N + b], so that the innermost loops run over neighbours in memory
    double u[3][N], v[3][N];
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) {
        u[i][a] = z.x[a][i] - p.x[i][a];
        v[i][a] = z.v[a][i];
      }
    const bool damped = p.material.viscosity != 0 || p.material.beta != 0;
    for (int q = 0; q < Q; ++q) {
      double g[3][N];
      const double weight = stiffness_gradients(p, q, g);
      const Mat3<double> H = gradient(u, g);
      Mat3<double> A[3][3];
      Law::moduli(p.material.law, H, A);
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < i; ++k) A[i][k] = transpose(A[k][i]);
      if (damped) add_damping_moduli(p.material, H, gradient(v, g), cq, cv, A);
      for (int i = 0; i < 3; ++i) add_rows(A[i], g, damped ? weight : cq * weight, K[i]);
    }
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i)
        for (int b = 0; b < N; ++b)
          for (int k = 0; k < 3; ++k) J(3 * a + i, 3 * b + k) += K[i][a][k * N + b];
    if (p.material.alpha != 0) add_mass(p, cv * p.material.alpha, J);
  }

  /// The reference and the deformed volume must be positive at every point of the quadrature.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const States& z) {
    for (int q = 0; q < Q; ++q) {
      double g[3][N];
      const double weight = stiffness_gradients(p, q, g);
      if (!(weight > 0)) return Verdict::inverted;
      const double det = determinant(deformation_gradient(displacement_gradient(p, z, g)));
      if (!(math::fabs(det) < 1e300)) return Verdict::not_finite;
      if (det <= 0) return Verdict::inverted;
    }
    return Verdict::ok;
  }

  /// Cauchy stress in the centre of the element without its viscous part: xx, yy, zz, xy, yz, xz, Pa (see material/stress.hpp).
  KOKKOS_INLINE_FUNCTION static void stress(const Params& p, const States& z, double (&sigma)[6]) {
    double g[3][N];
    reference_gradients(p, Shape::centre(), g);
    const Mat3<double> H = displacement_gradient(p, z, g);
    const Mat3<double> P = Law::stress(p.material.law, H);
    six_components(Law::finite_strain ? cauchy_stress(P, deformation_gradient(H)) : P, sigma);
  }

  /// A random element for the generic tests.
  static Params example(unsigned seed) {
    Sampler sample(seed);
    Material m;
    m.law.lambda = sample.uniform(10, 100);
    m.law.mu = sample.uniform(10, 100);
    m.density = sample.uniform(0.5, 2);
    m.viscosity = seed % 2 == 0 ? sample.uniform(0.5, 2) : 0;
    Vec3<double> x[N];
    for (int a = 0; a < N; ++a) x[a] = Shape::node(a) + sample.vector(0.05);
    return make(x, m);
  }

  /// The undeformed element at rest.
  static States example_reference(const Params& p) {
    States z;
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) z.x[a][i] = p.x[i][a];
    return z;
  }

  /// g[i][a] = dN_a/dX_i at xi; gives det dX/dxi.
  KOKKOS_INLINE_FUNCTION static double reference_gradients(const Params& p, const Vec3<double>& xi, double (&g)[3][N]) {
    double dN[3][N];
    Shape::gradients(xi, dN);
    const Mat3<double> J = gradient(p.x, dN);
    const double det = determinant(J);
    const Mat3<double> B = inverse(J, det);
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < N; ++a) g[i][a] = B(0, i) * dN[0][a] + B(1, i) * dN[1][a] + B(2, i) * dN[2][a];
    return det;
  }

 private:
  /// sum_a u[i][a] g[J][a], in nine independent sums.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Mat3<S> gradient(const S (&u)[3][N], const double (&g)[3][N]) {
    Mat3<S> H;
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) H(i, j) = H(i, j) + u[i][a] * g[j][a];
    return H;
  }

  KOKKOS_INLINE_FUNCTION static Mat3<double> displacement_gradient(const Params& p, const States& z, const double (&g)[3][N]) {
    double u[3][N];
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) u[i][a] = z.x[a][i] - p.x[i][a];
    return gradient(u, g);
  }

  /// Gradients at stiffness point q; gives its weight times det dX/dxi.
  KOKKOS_INLINE_FUNCTION static double stiffness_gradients(const Params& p, int q, double (&g)[3][N]) {
    double weight;
    const Vec3<double> xi = Shape::stiffness_point(q, weight);
    return weight * reference_gradients(p, xi, g);
  }

  /// The moduli of damping: dS = 2 mu dE/dt + lambda tr(dE/dt) I. Rayleigh's beta multiplies those of the undeformed body, which
  /// every law has in common, with the rate of a strain that does not see the body turn; without finite strain it multiplies the
  /// velocities as they are.
  KOKKOS_INLINE_FUNCTION static LameConstants damping_constants(const Material& m) {
    const double beta = Law::finite_strain ? m.beta : 0.0;
    return {beta * m.law.lambda, 0.5 * m.viscosity + beta * m.law.mu};
  }

  /// F (2 mu dE/dt + lambda tr(dE/dt) I), dE/dt = sym(F^T dF/dt); without finite strain also beta dP/dF(reference) : dF/dt.
  template <class S>
  KOKKOS_INLINE_FUNCTION static Mat3<S> damping_stress(const Material& m, const Mat3<S>& H, const Mat3<S>& rate) {
    const Mat3<S> F = deformation_gradient(H);
    Mat3<S> P = F * hooke(damping_constants(m), symmetric_part(transpose(F) * rate));
    if (!Law::finite_strain && m.beta != 0) {
      Mat3<double> A[3][3];
      reference_moduli(m, A);
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
          for (int j = 0; j < 3; ++j)
            for (int l = 0; l < 3; ++l) P(i, j) = P(i, j) + (m.beta * A[i][k](j, l)) * rate(k, l);
    }
    return P;
  }

  /// dP/dF of the undeformed body, all nine blocks.
  KOKKOS_INLINE_FUNCTION static void reference_moduli(const Material& m, Mat3<double> (&A)[3][3]) {
    Law::moduli(m.law, Mat3<double>{}, A);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < i; ++k) A[i][k] = transpose(A[k][i]);
  }

  /// A = cq A + (cq d/dF + cv d/d(dF/dt)) P of the damping, all nine blocks.
  KOKKOS_INLINE_FUNCTION static void add_damping_moduli(const Material& m, const Mat3<double>& H, const Mat3<double>& rate,
                                                        double cq, double cv, Mat3<double> (&A)[3][3]) {
    Mat3<double> A0[3][3];
    const double linear = Law::finite_strain ? 0.0 : cv * m.beta;
    if (linear != 0) reference_moduli(m, A0);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) A[i][k] = cq * A[i][k] + linear * A0[i][k];
    add_viscous_moduli(damping_constants(m), deformation_gradient(H), rate, cq, cv, A);
  }

  /// Derivatives of F (2 mu sym(F^T R) + lambda tr(F^T R) I) by F (times cq) and by R (times cv), S the bracket:
  /// delta_ik S_JL + mu (F_iL R_kJ + (F R^T)_ik delta_JL) + lambda F_iJ R_kL   and   mu (F_iL F_kJ + (F F^T)_ik delta_JL) +
  /// lambda F_iJ F_kL.
  KOKKOS_INLINE_FUNCTION static void add_viscous_moduli(const LameConstants& m, const Mat3<double>& F, const Mat3<double>& R,
                                                        double cq, double cv, Mat3<double> (&A)[3][3]) {
    const Mat3<double> S = cq * hooke(m, symmetric_part(transpose(F) * R));
    const Mat3<double> W = cq * R + cv * F;
    const Mat3<double> FW = m.mu * (F * transpose(W));
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        for (int J = 0; J < 3; ++J)
          for (int L = 0; L < 3; ++L)
            A[i][k](J, L) +=
                m.mu * F(i, L) * W(k, J) + m.lambda * F(i, J) * W(k, L) + (J == L ? FW(i, k) : 0.0) + (i == k ? S(J, L) : 0.0);
  }

  /// K[a][k N + b] += factor g_a . A[k] g_b.
  KOKKOS_INLINE_FUNCTION static void add_rows(const Mat3<double> (&A)[3], const double (&g)[3][N], double factor,
                                              double (&K)[N][num_dofs]) {
    double t[3][num_dofs];
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) {
        const double t0 = factor * A[k](j, 0), t1 = factor * A[k](j, 1), t2 = factor * A[k](j, 2);
        for (int b = 0; b < N; ++b) t[j][k * N + b] = t0 * g[0][b] + t1 * g[1][b] + t2 * g[2][b];
      }
    for (int a = 0; a < N; ++a) {
      const double g0 = g[0][a], g1 = g[1][a], g2 = g[2][a];
      for (int c = 0; c < num_dofs; ++c) K[a][c] += g0 * t[0][c] + g1 * t[1][c] + g2 * t[2][c];
    }
  }

  /// m[a][b] = rho int N_a N_b dV.
  KOKKOS_INLINE_FUNCTION static void mass_products(const Params& p, double (&m)[N][N]) {
    for (int a = 0; a < N; ++a)
      for (int b = 0; b < N; ++b) m[a][b] = 0;
    for (int q = 0; q < Shape::num_mass_points; ++q) {
      double weight, values[N], dN[3][N];
      const Vec3<double> xi = Shape::mass_point(q, weight);
      Shape::values(xi, values);
      Shape::gradients(xi, dN);
      weight *= p.material.density * determinant(gradient(p.x, dN));
      for (int a = 0; a < N; ++a)
        for (int b = 0; b < N; ++b) m[a][b] += weight * values[a] * values[b];
    }
  }

  KOKKOS_INLINE_FUNCTION static void add_mass(const Params& p, double factor, Mat<double, num_dofs, num_dofs>& M) {
    double m[N][N];
    mass_products(p, m);
    for (int a = 0; a < N; ++a)
      for (int b = 0; b < N; ++b)
        for (int i = 0; i < 3; ++i) M(3 * a + i, 3 * b + i) += factor * m[a][b];
  }

  /// Adds -alpha M v.
  template <class S>
  KOKKOS_INLINE_FUNCTION static void add_mass_damping(const Params& p, const StatesOf<S>& z, ForcesOf<S>& f) {
    double m[N][N];
    mass_products(p, m);
    for (int a = 0; a < N; ++a)
      for (int b = 0; b < N; ++b) f.f[a] -= (p.material.alpha * m[a][b]) * z.v[b];
  }
};

}  // namespace sinew
