/// \file
/// The trilinear hexahedron with enhanced strains: bends with one element over the thickness and stays soft when nearly
/// incompressible.
/// Green's strain of the nodes' motion (the linear one under a linear law; kernels/elements/enhanced_geometry.hpp) is joined by
/// twelve modes of the element's own,
///   E = E(u) + E~(a),   int W(E) dV = min over a.
/// Under Hooke's law in E the minimum has a closed form (enhanced_hooke.hpp), and so has damping under all laws; the neo-Hookean
/// law has one to the third order in what is not even (enhanced_neo_hooke.hpp), others iterate in each element
/// (enhanced_newton.hpp). Nothing is remembered from state to state. Mass and weight are the plain
/// element's.
#pragma once

#include "kernels/elements/enhanced_parts.hpp"
#include "kernels/elements/enhanced_team.hpp"
#include "kernels/elements/solid.hpp"

namespace sinew {

template <class Law>
struct EnhancedSolid : Solid<Hex8, Law> {
  using Base = Solid<Hex8, Law>;
  static constexpr const char* formulation = "enhanced";
  static constexpr bool iterates = Law::energy_form == EnergyForm::other;
  using Base::N, Base::Q, Base::num_dofs;
  using Material = typename Base::Material;
  using States = typename Base::States;
  template <class S>
  using StatesOf = typename Base::template StatesOf<S>;
  template <class S>
  using ForcesOf = typename Base::template ForcesOf<S>;

  template <class P>
  struct ParamsOf : Base::template ParamsOf<P> {
    EnhancedGeometry<P> geometry;
  };
  using Params = ParamsOf<double>;

  /// Parameters of the element with these reference vertices. Host.
  static Params make(const Vec3<double> (&x)[N], const Material& material) {
    Params p;
    static_cast<typename Base::Params&>(p) = Base::make(x, material);
    p.geometry = EnhancedGeometry<double>::make(p.x);
    return p;
  }

  /// Adds the forces of stress, damping and gravity, N.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void force(const ParamsOf<P>& p, const Environment& env, const double* /*signals*/,
                                           const StatesOf<S>& z, ForcesOf<S>& f) {
    S u[3][N], v[3][N], sum[3][N];
    Base::start_forces(p, env, z, u, v, sum);
    Vec3<P> axis[3];
    EnhancedGeometry<P>::axes(p.x, axis);
    const LameConstantsOf<P> damping = damping_constants(p.material);
    const bool damped = Base::is_damped(p.material);
    Vec3<S> t[EnhancedVectors::count];
    if (!iterates || damped) {
      EnhancedClosed<Law, P, S> closed;
      closed.set(p.geometry, axis, p.material.law, damped ? &damping : nullptr, u, v);
      closed.tractions(p.geometry.volume, t);
      p.geometry.subtract(t, sum);
    }
    if constexpr (iterates) {
      EnhancedState<Law, P, S> state;
      state.set(p.geometry, Parts<P, true>::inverse_of(axis), p.material.law, u);
      state.tractions(p.geometry.volume, t);
      p.geometry.subtract(t, sum);
    }
    Base::finish_forces(p, z, sum, f);
  }

  /// J.
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const States& z) {
    double u[3][N], energy = 0;
    displacements(p, z, u);
    Vec3<double> axis[3];
    EnhancedGeometry<double>::axes(p.x, axis);
    if constexpr (!iterates) {
      EnhancedClosed<Law, double, double> closed;
      closed.set(p.geometry, axis, p.material.law, nullptr, u, u);
      energy = p.geometry.volume * closed.energy_density(p.material.law);
    } else {
      EnhancedState<Law, double, double> state;
      state.set(p.geometry, Parts<double, true>::inverse_of(axis), p.material.law, u);
      for (int q = 0; q < Q; ++q) energy += p.geometry.volume / Q * Law::energy_of_strain(p.material.law, state.strain(q));
    }
    return energy;
  }

  /// Adds -(cq df/dq + cv df/dv).
  template <class P>
  KOKKOS_INLINE_FUNCTION static void tangent(const ParamsOf<P>& p, const Environment& /*env*/, const double* /*signals*/,
                                             const StatesOf<P>& z, double cq, double cv, Mat<P, num_dofs, num_dofs>& J) {
    add_solid_tangent<EnhancedSolid>(p, z, cq, cv, J);
  }

  /// Hands -(cq df/dq + cv df/dv) + ca M to put(a, b, its block of nodes a and b), each block once.
  template <class P, class Put>
  KOKKOS_INLINE_FUNCTION static void tangent_blocks(const ParamsOf<P>& p, const StatesOf<P>& z, double cq, double cv, double ca,
                                                    Put& put) {
    const P mass_factor = ca + cv * p.material.alpha;
    if (Base::is_damped(p.material))
      put_tangent<true>(p, z, stiffness(p.material, cq, cv), mass_factor, put);
    else
      put_tangent<false>(p, z, stiffness(p.material, cq, cv), mass_factor, put);
  }

  /// What a team of threads shares of an element.
  struct TeamMemory {
    Params params;
    States states;
    EnhancedTeam<Law> parts;
  };

  /// The same tangent by a team of threads, as Solid::tangent_by_team; under a law that iterates by one of them.
  template <class Team>
  KOKKOS_INLINE_FUNCTION static void tangent_by_team(const Team& team, TeamMemory& shared, double cq, double cv, double ca,
                                                     double* out) {
    const Params& p = shared.params;
    if constexpr (iterates) {
      const auto put = [out](int a, int b, const Mat3<double>& K) {
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) out[(3 * a + i) * num_dofs + 3 * b + j] = K(i, j);
      };
      Kokkos::single(Kokkos::PerTeam(team), [&]() { tangent_blocks(p, shared.states, cq, cv, ca, put); });
    } else {
      const Stiffness<double> k = stiffness(p.material, cq, cv);
      shared.parts.fill(team, p, shared.states, k, Base::is_damped(p.material));
      SolidTeam(team, p, k, shared.parts, ca + cv * p.material.alpha, out).put_blocks();
    }
  }

  /// Cauchy stress in the centre of the element without its viscous part: xx, yy, zz, xy, yz, xz, Pa (see material/stress.hpp).
  /// The element's own strains vanish there.
  KOKKOS_INLINE_FUNCTION static void stress(const Params& p, const States& z, double (&sigma)[6]) {
    double u[3][N];
    displacements(p, z, u);
    Vec3<double> axis[3], d[EnhancedVectors::count];
    EnhancedGeometry<double>::axes(p.x, axis);
    p.geometry.gather(u, d);
    const Mat3<double> B = Parts<double, true>::inverse_of(axis);
    Mat3<double> H;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) H(i, j) = d[0][i] * B(0, j) + d[1][i] * B(1, j) + d[2][i] * B(2, j);
    const Mat3<double> P = Law::stress(p.material.law, H);
    six_components(Law::finite_strain ? cauchy_stress(P, deformation_gradient(H)) : P, sigma);
  }

  /// A random element for the generic tests.
  static Params example(unsigned seed) {
    const typename Base::Params plain = Base::example(seed);
    Vec3<double> x[N];
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) x[a][i] = plain.x[i][a];
    return make(x, plain.material);
  }

 private:
  template <class P>
  using Stiffness = typename Base::template Stiffness<P>;
  template <class P, bool damped>
  using Parts = EnhancedParts<Law, P, damped>;

  /// Both kinds of damping as moduli, 2 mu = viscosity + 2 beta mu. A linear law has them without turns of the body as well.
  template <class P>
  KOKKOS_INLINE_FUNCTION static LameConstantsOf<P> damping_constants(const typename Base::template MaterialOf<P>& m) {
    return {m.beta * m.law.lambda, 0.5 * m.viscosity + m.beta * m.law.mu};
  }
  template <class P>
  KOKKOS_INLINE_FUNCTION static Stiffness<P> stiffness(const typename Base::template MaterialOf<P>& m, double cq, double cv) {
    return {m.law, cq, damping_constants(m), cq, cv};
  }

  template <class P>
  KOKKOS_FORCEINLINE_FUNCTION static void displacements(const ParamsOf<P>& p, const StatesOf<P>& z, P (&u)[3][N]) {
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) u[i][a] = z.x[a][i] - p.x[i][a];
  }

  template <bool damped, class P, class Put>
  KOKKOS_INLINE_FUNCTION static void put_tangent(const ParamsOf<P>& p, const StatesOf<P>& z, const Stiffness<P>& k,
                                                 const P& mass_factor, Put& put) {
    P u[3][N], v[3][N];
    displacements(p, z, u);
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) v[i][a] = z.v[a][i];
    Parts<P, damped> parts;
    parts.set(k, p.x, p.geometry, u, v);
    if constexpr (Parts<P, damped>::is_symmetric)
      put_symmetric_blocks<Hex8>(p.point_mass, parts, mass_factor, put);
    else
      put_solid_blocks<Hex8, damped>(p.point_mass, k, parts, mass_factor, put);
  }
};

}  // namespace sinew
