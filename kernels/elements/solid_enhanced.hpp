/// \file
/// The trilinear hexahedron with enhanced strains: bends with one element over the thickness and stays soft when nearly
/// incompressible.
/// Green's strain of the nodes' motion (the linear one under a linear law) is joined by twelve modes of the element's own,
///   E = E(u) + E~(a),   int W(E) dV = min over a,
/// see kernels/elements/enhanced_modes.hpp for the modes and their sources. Under Hooke's law in E the minimum has a closed form;
/// other laws iterate in each element (enhanced_newton.hpp). Nothing is remembered from state to state. Mass and weight are the
/// plain element's.
#pragma once

#include "kernels/elements/enhanced_tangent.hpp"
#include "kernels/elements/solid.hpp"

namespace sinew {

template <class Law>
struct EnhancedSolid : Solid<Hex8, Law> {
  using Base = Solid<Hex8, Law>;
  static constexpr const char* formulation = "enhanced";
  using Base::N, Base::Q, Base::num_dofs, Base::node_kind, Base::num_nodes;
  using Material = typename Base::Material;
  using States = typename Base::States;
  template <class S>
  using StatesOf = typename Base::template StatesOf<S>;
  template <class S>
  using ForcesOf = typename Base::template ForcesOf<S>;

  template <class P>
  struct ParamsOf : Base::template ParamsOf<P> {
    EnhancedModes<P> modes;
  };
  using Params = ParamsOf<double>;

  /// Parameters of the element with these reference vertices. Host.
  static Params make(const Vec3<double> (&x)[N], const Material& material) {
    Params p;
    static_cast<typename Base::Params&>(p) = Base::make(x, material);
    p.modes = EnhancedModes<double>::make(p.x);
    return p;
  }

  /// Adds the forces of stress, damping and gravity, N.
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void force(const ParamsOf<P>& p, const Environment& env, const double* /*signals*/,
                                           const StatesOf<S>& z, ForcesOf<S>& f) {
    S u[3][N], v[3][N], sum[3][N];
    Base::start_forces(p, env, z, u, v, sum);
    EnhancedState<Law, P, S> state;
    set_points(p, u, v, state);
    balance(p, state);
    for (int q = 0; q < Q; ++q) {
      const Mat3<S> T = Law::finite_strain ? state.F(q) * state.stress(q) : state.stress(q);
      Base::subtract_stress(q, (state.weight[q] * T) * transpose(state.dxi_dX[q].get()), sum);
    }
    Base::finish_forces(p, z, sum, f);
  }

  /// J.
  KOKKOS_INLINE_FUNCTION static double strain_energy(const Params& p, const States& z) {
    const EnhancedState<Law, double, double> state = elastic_state(p, z);
    double energy = 0;
    for (int q = 0; q < Q; ++q)
      energy += state.weight[q] * Law::energy_of_strain(p.material.law, state.strain(q, p.material.law));
    return energy;
  }

  /// Adds -(cq df/dq + cv df/dv).
  template <class P>
  KOKKOS_INLINE_FUNCTION static void tangent(const ParamsOf<P>& p, const Environment& /*env*/, const double* /*signals*/,
                                             const StatesOf<P>& z, double cq, double cv, Mat<P, num_dofs, num_dofs>& J) {
    const auto add = [&J](int a, int b, const Mat3<P>& K) {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) J(3 * a + i, 3 * b + j) += K(i, j);
    };
    tangent_blocks(p, z, cq, cv, 0.0, add);
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
    EnhancedState<Law, double, double> state;
    union {
      EnhancedTangent<Law, double, false> undamped;
      EnhancedTangent<Law, double, true> damped;
    } parts;
  };

  /// The same tangent by a team of threads: as Solid::tangent_by_team.
  template <class Team>
  KOKKOS_INLINE_FUNCTION static void tangent_by_team(const Team& team, TeamMemory& shared, double cq, double cv, double ca,
                                                     double* out) {
    const Stiffness<double> k = stiffness(shared.params.material, cq, cv);
    const double mass_factor = ca + cv * shared.params.material.alpha;
    if (Base::is_damped(shared.params.material)) {
      fill_by_team(team, shared, k, shared.parts.damped);
      SolidTeam(team, shared.params, k, shared.parts.damped, mass_factor, out).put_blocks();
    } else {
      fill_by_team(team, shared, k, shared.parts.undamped);
      SolidTeam(team, shared.params, k, shared.parts.undamped, mass_factor, out).put_blocks();
    }
  }

  /// Cauchy stress in the centre of the element without its viscous part: xx, yy, zz, xy, yz, xz, Pa (see material/stress.hpp).
  /// The element's own strains there are the mean of those at the points.
  KOKKOS_INLINE_FUNCTION static void stress(const Params& p, const States& z, double (&sigma)[6]) {
    double g[3][N];
    Base::reference_gradients(p, Hex8::centre(), g);
    const Mat3<double> H = Base::displacement_gradient(p, z, g);
    const EnhancedState<Law, double, double> state = elastic_state(p, z);
    const Gradients<double> displacement = Base::displacement_gradients(p, z);
    Mat3<double> E = Law::strain(H);
    for (int q = 0; q < Q; ++q)
      E = E + (1.0 / Q) * (state.strain(q, p.material.law) - Law::strain(displacement.at(q) * state.dxi_dX[q].get()));
    Mat3<double> S;
    if constexpr (Law::is_quadratic)
      S = hooke(p.material.law, E);
    else
      S = Law::strain_moduli(p.material.law, E).S;
    const Mat3<double> F = deformation_gradient(H);
    six_components(Law::finite_strain ? cauchy_stress(F * S, F) : S, sigma);
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
  template <class S>
  using Gradients = typename Base::template Gradients<S>;

  /// Both kinds of damping as moduli, 2 mu = viscosity + 2 beta mu. A linear law has them without turns of the body as well.
  template <class P>
  KOKKOS_INLINE_FUNCTION static LameConstantsOf<P> damping_constants(const typename Base::template MaterialOf<P>& m) {
    return {m.beta * m.law.lambda, 0.5 * m.viscosity + m.beta * m.law.mu};
  }
  template <class P>
  KOKKOS_INLINE_FUNCTION static Stiffness<P> stiffness(const typename Base::template MaterialOf<P>& m, double cq, double cv) {
    return {m.law, cq, damping_constants(m), cq, cv};
  }

  template <class P, class S>
  KOKKOS_FORCEINLINE_FUNCTION static void set_points(const ParamsOf<P>& p, const S (&u)[3][N], const S (&v)[3][N],
                                                     EnhancedState<Law, P, S>& state) {
    const Gradients<P> places(p.x);
    const Gradients<S> displacement(u), velocity(v);
    const bool damped = Base::is_damped(p.material);
    for (int q = 0; q < Q; ++q) {
      const typename Base::template Point<P> point(places, q);
      state.set_point(q, p.modes, p.material.law, point.weight, point.B, displacement.at(q) * point.B);
      if (damped) state.set_velocity(q, velocity.at(q) * point.B);
    }
  }

  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static void balance(const ParamsOf<P>& p, EnhancedState<Law, P, S>& state) {
    const LameConstantsOf<P> damping = damping_constants(p.material);
    state.balance(p.modes, p.material.law, Base::is_damped(p.material) ? &damping : nullptr);
  }

  /// Without damping.
  KOKKOS_INLINE_FUNCTION static EnhancedState<Law, double, double> elastic_state(const Params& p, const States& z) {
    double u[3][N], v[3][N] = {};
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) u[i][a] = z.x[a][i] - p.x[i][a];
    EnhancedState<Law, double, double> state;
    set_points(p, u, v, state);
    state.balance(p.modes, p.material.law, nullptr);
    return state;
  }

  template <bool damped, class P, class Put>
  KOKKOS_INLINE_FUNCTION static void put_tangent(const ParamsOf<P>& p, const StatesOf<P>& z, const Stiffness<P>& k,
                                                 const P& mass_factor, Put& put) {
    P u[3][N], v[3][N];
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) {
        u[i][a] = z.x[a][i] - p.x[i][a];
        v[i][a] = z.v[a][i];
      }
    EnhancedState<Law, P, P> state;
    set_points(p, u, v, state);
    state.balance(p.modes, k.law, damped ? &k.damping : nullptr);
    EnhancedTangent<Law, P, damped> parts;
    for (int q = 0; q < Q; ++q) {
      double factor, dN[3][N];
      P g[3][N];
      Hex8::gradients(Hex8::stiffness_point(q, factor), dN);
      const Mat3<P> B = state.dxi_dX[q].get();
      for (int i = 0; i < 3; ++i)
        for (int a = 0; a < N; ++a) g[i][a] = B(0, i) * dN[0][a] + B(1, i) * dN[1][a] + B(2, i) * dN[2][a];
      parts.set_point(q, k, p.modes, state, g);
    }
    parts.prepare_nodes(k, p.modes, state);
    for (int a = 0; a < N - 1; ++a) parts.set_node(a, k, p.modes, state);
    Base::template put_blocks<damped>(p, k, parts, mass_factor, put);
  }

  /// By a thread at each point of the quadrature, one for the element's own strains, and one at each node.
  template <bool damped, class Team>
  KOKKOS_INLINE_FUNCTION static void fill_by_team(const Team& team, TeamMemory& shared, const Stiffness<double>& k,
                                                  EnhancedTangent<Law, double, damped>& parts) {
    const Params& p = shared.params;
    auto& state = shared.state;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, Q), [&](const int q) {
      TeamPoint<Hex8> point(p, q);
      for (int a = 0; a < N; ++a) {
        const Vec3<double> g = point.add_node(p, shared.states, a);
        if (a < N - 1) parts.set_gradient(q, a, g);
      }
      state.set_point(q, p.modes, k.law, point.weight, point.B, point.H);
      state.set_velocity(q, point.rate);
    });
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&]() { state.balance(p.modes, k.law, damped ? &k.damping : nullptr); });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, Q), [&](const int q) { parts.set_motion(q, k, p.modes, state); });
    Kokkos::single(Kokkos::PerTeam(team), [&]() { parts.prepare_nodes(k, p.modes, state); });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, N - 1), [&](const int a) { parts.set_node(a, k, p.modes, state); });
    team.team_barrier();
  }
};

}  // namespace sinew
