/// \file
/// Solid continuum element in the total Lagrangian description, for any shape (kernels/shape) and law (kernels/material):
///   f_a = -int P grad N_a dV + m_a g,   P the first Piola stress,   K_ab = int (grad N_a)_J dP_iJ/dF_kL (grad N_b)_L dV,
/// integrals and gradients in the reference volume. dP/dF holds the material and the geometric stiffness.
/// Source: Bonet and Wood (2008), Nonlinear Continuum Mechanics for Finite Element Analysis, chapters 8 and 9.
#pragma once

#include "kernels/algebra/lanes.hpp"
#include "kernels/contract.hpp"
#include "kernels/elements/sample.hpp"
#include "kernels/elements/solid_blocks.hpp"
#include "kernels/elements/solid_tangent.hpp"
#include "kernels/elements/solid_team.hpp"
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
  static constexpr const char* formulation = "displacement";
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

  template <class P>
  struct MaterialOf {
    typename Law::template ParamsOf<P> law;
    P density = 0.0;  ///< of the reference volume, kg/m^3
    P alpha = 0.0;    ///< Rayleigh damping, f = -(alpha M + beta K(reference)) v: alpha in 1/s
    /// in s; with finite strains S += beta C dE/dt, the same but for turns of the body, which it leaves alone
    P beta = 0.0;
    P viscosity = 0.0;  ///< Kelvin-Voigt eta, S += eta dE/dt, Pa s; frame invariant
  };
  using Material = MaterialOf<double>;
  template <class P>
  struct ParamsOf {
    P x[3][N] = {};                             ///< reference coordinates, m
    P nodal_mass[N] = {};                       ///< row sums of the mass matrix, kg
    P point_mass[Shape::num_mass_points] = {};  ///< rho dV at the points of the quadrature for mass, kg
    MaterialOf<P> material;
  };
  using Params = ParamsOf<double>;
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
    for (int q = 0; q < Shape::num_mass_points; ++q) {
      double weight, values[N], dN[3][N];
      const Vec3<double> xi = Shape::mass_point(q, weight);
      Shape::values(xi, values);
      Shape::gradients(xi, dN);
      p.point_mass[q] = weight * material.density * determinant(gradient(p.x, dN));
      for (int a = 0; a < N; ++a) p.nodal_mass[a] += p.point_mass[q] * values[a];
    }
    return p;
  }

  /// Adds the forces of stress, damping and gravity, N.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void force(const ParamsOf<P>& p, const Environment& env, const double* /*signals*/,
                                           const StatesOf<S>& z, ForcesOf<S>& f) {
    S u[3][N], v[3][N], sum[3][N];
    const bool damped = is_damped(p.material);
    start_forces(p, env, z, u, v, sum);
    const Gradients<P> places(p.x);
    const Gradients<S> displacement(u), velocity(v);
    for (int q = 0; q < Q; ++q) {
      const Point<P> point(places, q);
      const Mat3<S> H = displacement.at(q) * point.B;
      Mat3<S> T = Law::stress(p.material.law, H);
      if (damped) T = T + damping_stress(p.material, H, velocity.at(q) * point.B);
      subtract_stress(q, (point.weight * T) * transpose(point.B), sum);
    }
    finish_forces(p, z, sum, f);
  }

  /// Adds the consistent mass matrix, rho int N_a N_b dV I.
  KOKKOS_INLINE_FUNCTION static void mass(const Params& p, Mat<double, num_dofs, num_dofs>& M) { add_mass(p, 1.0, M); }

  /// Adds factor times the mass matrix.
  template <class P>
  KOKKOS_INLINE_FUNCTION static void add_mass(const ParamsOf<P>& p, const P& factor, Mat<P, num_dofs, num_dofs>& M) {
    P m[N][N];
    solid_mass_products<Shape>(p.point_mass, factor, m);
    for (int a = 0; a < N; ++a)
      for (int b = 0; b < N; ++b)
        for (int i = 0; i < 3; ++i) M(3 * a + i, 3 * b + i) += b >= a ? m[a][b] : m[b][a];
  }

  /// J.
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const States& z) {
    double energy = 0;
    const Gradients<double> places(p.x), displacement = displacement_gradients(p, z);
    for (int q = 0; q < Q; ++q) {
      const Point<double> point(places, q);
      energy += point.weight * Law::energy(p.material.law, displacement.at(q) * point.B);
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
  template <class P>
  KOKKOS_INLINE_FUNCTION static void tangent(const ParamsOf<P>& p, const Environment& /*env*/, const double* /*signals*/,
                                             const StatesOf<P>& z, double cq, double cv, Mat<P, num_dofs, num_dofs>& J) {
    add_solid_tangent<Solid>(p, z, cq, cv, J);
  }

  /// Hands -(cq df/dq + cv df/dv) + ca M to put(a, b, its block of nodes a and b), each block once.
  template <class P, class Put>
  KOKKOS_INLINE_FUNCTION static void tangent_blocks(const ParamsOf<P>& p, const StatesOf<P>& z, double cq, double cv, double ca,
                                                    Put& put) {
    const P mass_factor = ca + cv * p.material.alpha;
    if (is_damped(p.material))
      put_tangent<true>(p, z, stiffness(p.material, cq, cv), mass_factor, put);
    else
      put_tangent<false>(p, z, stiffness(p.material, cq, cv), mass_factor, put);
  }

  /// What a team of threads shares of an element.
  struct TeamMemory {
    Params params;
    States states;
    union {
      SolidTangent<Shape, Law, double, false> undamped;
      SolidTangent<Shape, Law, double, true> damped;
    } parts;
  };

  /// The same tangent by a team of threads, a thread at each point and then at each pair of nodes, so that none needs more than
  /// its registers: for devices. `shared` holds parameters and states; sets the entries at `out`, by rows.
  template <class Team>
  KOKKOS_INLINE_FUNCTION static void tangent_by_team(const Team& team, TeamMemory& shared, double cq, double cv, double ca,
                                                     double* out) {
    const Stiffness<double> k = stiffness(shared.params.material, cq, cv);
    const double mass_factor = ca + cv * shared.params.material.alpha;
    if (is_damped(shared.params.material)) {
      fill_by_team(team, shared, k, shared.parts.damped);
      SolidTeam(team, shared.params, k, shared.parts.damped, mass_factor, out).put_blocks();
    } else {
      fill_by_team(team, shared, k, shared.parts.undamped);
      SolidTeam(team, shared.params, k, shared.parts.undamped, mass_factor, out).put_blocks();
    }
  }

  /// The smallest of the reference and the deformed volumes at the points of the quadrature, as they are weighted there and in
  /// relation to one another; not a number where one is none.
  template <class P>
  KOKKOS_INLINE_FUNCTION static P soundness(const ParamsOf<P>& p, const StatesOf<P>& z) {
    P smallest = 1.0;
    const Gradients<P> places(p.x), displacement = displacement_gradients(p, z);
    for (int q = 0; q < Q; ++q) {
      const Point<P> point(places, q);
      smallest = smaller(point.weight, smallest);
      const P det = determinant(deformation_gradient(displacement.at(q) * point.B));
      smallest = number_below(1e300, -det, number_below(1e300, det, smaller(det, smallest)));
    }
    return smallest;
  }

  /// The reference and the deformed volume must be positive at every point of the quadrature.
  KOKKOS_INLINE_FUNCTION static Verdict judge(double soundness) {
    if (!(soundness <= 1)) return Verdict::not_finite;
    return soundness <= 0 ? Verdict::inverted : Verdict::ok;
  }
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const States& z) { return judge(soundness(p, z)); }

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
  template <class P>
  KOKKOS_INLINE_FUNCTION static P reference_gradients(const ParamsOf<P>& p, const Vec3<double>& xi, P (&g)[3][N]) {
    double dN[3][N];
    Shape::gradients(xi, dN);
    const Mat3<P> J = gradient(p.x, dN);
    const P det = determinant(J);
    const Mat3<P> B = inverse(J, det);
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < N; ++a) g[i][a] = B(0, i) * dN[0][a] + B(1, i) * dN[1][a] + B(2, i) * dN[2][a];
    return det;
  }

 protected:
  /// Displacements, velocities, and in `sum` the weights of the nodes.
  template <class P, class S>
  KOKKOS_FORCEINLINE_FUNCTION static void start_forces(const ParamsOf<P>& p, const Environment& env, const StatesOf<S>& z,
                                                       S (&u)[3][N], S (&v)[3][N], S (&sum)[3][N]) {
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) {
        u[i][a] = z.x[a][i] - p.x[i][a];
        v[i][a] = z.v[a][i];
        sum[i][a] = S(p.nodal_mass[a] * env.gravity[i]);
      }
  }
  /// What stress takes from the nodes at point q: T is the weighted first Piola stress times (dxi/dX)^T.
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION static void subtract_stress(int q, const Mat3<S>& T, S (&sum)[3][N]) {
    double dN[3][N], factor;
    Shape::gradients(Shape::stiffness_point(q, factor), dN);
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < N; ++a) sum[i][a] = sum[i][a] - (T(i, 0) * dN[0][a] + T(i, 1) * dN[1][a] + T(i, 2) * dN[2][a]);
  }
  template <class P, class S>
  KOKKOS_FORCEINLINE_FUNCTION static void finish_forces(const ParamsOf<P>& p, const StatesOf<S>& z, const S (&sum)[3][N],
                                                        ForcesOf<S>& f) {
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) f.f[a][i] += sum[i][a];
    if (differs_from_zero(p.material.alpha)) add_mass_damping(p, z, f);
  }

  /// sum_a u[i][a] g[J][a], in nine independent sums.
  template <class S, class P>
  KOKKOS_INLINE_FUNCTION static Mat3<S> gradient(const S (&u)[3][N], const P (&g)[3][N]) {
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

  template <class S>
  using Gradients = typename Shape::template PointGradients<S>;

  template <class P>
  KOKKOS_INLINE_FUNCTION static Gradients<P> displacement_gradients(const ParamsOf<P>& p, const StatesOf<P>& z) {
    P u[3][N];
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) u[i][a] = z.x[a][i] - p.x[i][a];
    return Gradients<P>(u);
  }

  /// A point of the quadrature for stiffness in the reference.
  template <class P>
  struct Point {
    Vec3<double> xi;
    P weight;   ///< times det dX/dxi
    Mat3<P> B;  ///< dxi/dX

    KOKKOS_INLINE_FUNCTION Point(const Gradients<P>& places, int q) {
      double factor;
      xi = Shape::stiffness_point(q, factor);
      const Mat3<P> J = places.at(q);
      const P det = determinant(J);
      weight = factor * det;
      B = inverse(J, det);
    }
    /// g[i][a] = factor dN_a/dX_i.
    KOKKOS_INLINE_FUNCTION void gradients(const P& factor, P (&g)[3][N]) const {
      double dN[3][N];
      Shape::gradients(xi, dN);
      const Mat3<P> scaled = factor * B;
      for (int i = 0; i < 3; ++i)
        for (int a = 0; a < N; ++a) g[i][a] = scaled(0, i) * dN[0][a] + scaled(1, i) * dN[1][a] + scaled(2, i) * dN[2][a];
    }
  };

  /// Whether stress depends on velocities.
  template <class P>
  KOKKOS_INLINE_FUNCTION static bool is_damped(const MaterialOf<P>& m) {
    return differs_from_zero(m.viscosity) || differs_from_zero(m.beta);
  }

  /// The moduli of damping: dS = 2 mu dE/dt + lambda tr(dE/dt) I. Rayleigh's beta multiplies those of the undeformed body, which
  /// every law has in common, with the rate of a strain that does not see the body turn; without finite strain it multiplies the
  /// velocities as they are.
  template <class P>
  KOKKOS_INLINE_FUNCTION static LameConstantsOf<P> damping_constants(const MaterialOf<P>& m) {
    if constexpr (Law::finite_strain) return {m.beta * m.law.lambda, 0.5 * m.viscosity + m.beta * m.law.mu};
    return {0.0, 0.5 * m.viscosity};
  }

  /// F (2 mu dE/dt + lambda tr(dE/dt) I), dE/dt = sym(F^T dF/dt); without finite strain also beta P(dF/dt), P being linear.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static Mat3<S> damping_stress(const MaterialOf<P>& m, const Mat3<S>& H, const Mat3<S>& rate) {
    const Mat3<S> F = deformation_gradient(H);
    const Mat3<S> T = F * hooke(damping_constants(m), symmetric_part(transpose(F) * rate));
    if constexpr (Law::finite_strain) return T;
    return T + m.beta * Law::stress(m.law, rate);
  }

  template <class P>
  using Stiffness = SolidStiffness<P, typename Law::template ParamsOf<P>>;

  template <class P>
  KOKKOS_INLINE_FUNCTION static Stiffness<P> stiffness(const MaterialOf<P>& m, double cq, double cv) {
    P factor = cq;
    if constexpr (!Law::finite_strain) factor = factor + cv * m.beta;
    return {m.law, factor, damping_constants(m), cq, cv};
  }

  template <bool damped, class P, class Put>
  KOKKOS_INLINE_FUNCTION static void put_tangent(const ParamsOf<P>& p, const StatesOf<P>& z, const Stiffness<P>& k,
                                                 const P& mass_factor, Put& put) {
    SolidTangent<Shape, Law, P, damped> parts;
    P u[3][N], v[3][N];
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) {
        u[i][a] = z.x[a][i] - p.x[i][a];
        v[i][a] = z.v[a][i];
      }
    const Gradients<P> places(p.x), displacement(u), velocity(v);
    for (int q = 0; q < Q; ++q) {
      const Point<P> point(places, q);
      using math::sqrt;
      P g[3][N];
      point.gradients(sqrt(point.weight), g);
      const Mat3<P> rate = damped ? velocity.at(q) * point.B : Mat3<P>{};
      parts.set_point(q, k, g, motion<damped>(k, displacement.at(q) * point.B, rate));
    }
    put_solid_blocks<Shape, damped>(p.point_mass, k, parts, mass_factor, put);
  }

  /// Moduli and damping where the gradients of displacement and velocity are H and `rate`.
  template <bool damped, class P>
  KOKKOS_INLINE_FUNCTION static SolidPoint<P> motion(const Stiffness<P>& k, const Mat3<P>& H, const Mat3<P>& rate) {
    SolidPoint<P> at;
    at.moduli = Law::moduli(k.law, H);
    if constexpr (damped) {
      at.F = deformation_gradient(H);
      at.W = k.cq * rate + k.cv * at.F;
      at.damping_stress = hooke(k.damping, symmetric_part(transpose(at.F) * rate));
    }
    return at;
  }

  /// By a thread at each point of the quadrature.
  template <bool damped, class Team>
  KOKKOS_INLINE_FUNCTION static void fill_by_team(const Team& team, const TeamMemory& shared, const Stiffness<double>& k,
                                                  SolidTangent<Shape, Law, double, damped>& parts) {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, Q), [&](const int q) {
      TeamPoint<Shape> point(shared.params, q);
      const double root = math::sqrt(point.weight);
      for (int a = 0; a < N; ++a) {
        const Vec3<double> g = point.add_node(shared.params, shared.states, a);
        if (a < parts.N) parts.set_gradient(q, a, root * g);
      }
      parts.set_motion(q, k, motion<damped>(k, point.H, point.rate));
    });
    team.team_barrier();
  }

  /// Adds -alpha M v.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void add_mass_damping(const ParamsOf<P>& p, const StatesOf<S>& z, ForcesOf<S>& f) {
    for (int q = 0; q < Shape::num_mass_points; ++q) {
      double weight, values[N];
      Shape::values(Shape::mass_point(q, weight), values);
      Vec3<S> v;
      for (int a = 0; a < N; ++a) v += values[a] * z.v[a];
      const P factor = p.material.alpha * p.point_mass[q];
      for (int a = 0; a < N; ++a) f.f[a] -= (factor * values[a]) * v;
    }
  }
};

}  // namespace sinew
