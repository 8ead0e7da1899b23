/// \file
/// The tangent of an enhanced hexahedron in closed form, by columns of the seven vectors, which become columns of the nodes
/// (kernels/elements/enhanced_hooke.hpp, enhanced_neo_hooke.hpp): with f_A = sum_a T_Aa x_a
///   K_ab = V sum_AB T_Aa T_Bb (c_q N_AB I + sum_C f_C (dN_AC/df_B)^T),
/// the derivatives with mu c_q f + mu_d w, lambda c_q f + lambda_d w in place of mu f, lambda f, w = c_q f' + c_v f. The
/// neo-Hookean law has besides
///   V c_q lambda theta_a theta_b^T,   theta_a = sum_A T_Aa sum_C N^theta_AC f_C,   N^theta those of dtheta/dE.
#pragma once

#include "kernels/elements/enhanced_blocks.hpp"
#include "kernels/elements/enhanced_closed.hpp"
#include "kernels/elements/solid_tangent.hpp"

namespace sinew {

/// After `prepare` all columns are set, in any order. With damping then all rows, and it is read block by block, as SolidTangent;
/// without it is symmetric and handed out by `put_upper`.
template <class Law, class P, bool damped>
class EnhancedClosedTangent {
 public:
  using ShapeType = Hex8;
  using Stiffness = SolidStiffness<P, typename Law::template ParamsOf<P>>;
  using State = EnhancedClosed<Law, P, P>;
  static constexpr int N = Hex8::num_nodes - 1, count = EnhancedVectors::count;

  /// T_Aa: what node a is to vector A.
  using Weights = P[count][N + 1];

  KOKKOS_FORCEINLINE_FUNCTION void prepare(const Stiffness& k, const P& volume, const State& state) {
    geometric_ = k.cq * volume;
    set_partners(k, volume, state);
    if constexpr (State::is_neo_hooke) set_neo_hooke(k, volume, state);
  }

  /// Of vector B.
  KOKKOS_INLINE_FUNCTION void set_column(int B, const State& state) {
    switch (B) {
      case 0: set_column<damped>(ByAxis<0>(), B, state); break;
      case 1: set_column<damped>(ByAxis<1>(), B, state); break;
      case 2: set_column<damped>(ByAxis<2>(), B, state); break;
      case 3: set_column<true>(ByProduct<0>(), B, state); break;
      case 4: set_column<true>(ByProduct<1>(), B, state); break;
      case 5: set_column<true>(ByProduct<2>(), B, state); break;
      default: set_column<true>(ByLast(), B, state); break;
    }
  }

  /// The blocks of nodes: see EnhancedBlocks.
  template <class Put>
  KOKKOS_FORCEINLINE_FUNCTION void put_upper(const Weights& T, const Put& put) const {
    K_.put_upper(T, put);
  }

  /// Of node a.
  KOKKOS_INLINE_FUNCTION void set_row(int a, const Weights& T) {
    for (int B = 0; B < count; ++B) {
      NineSums<P> sum(T[0][a], K_[0][B]);
      for (int A = 1; A < count; ++A) sum.add(T[A][a], K_[A][B]);
      sum.store(rows_[a][B]);
    }
  }

  /// K_ab and K_ba.
  KOKKOS_FORCEINLINE_FUNCTION void blocks(const Weights& T, int a, int b, Mat3<P>& K_ab, Mat3<P>& K_ba) const {
    set_block(a, b, T, K_ab);
    set_block(b, a, T, K_ba);
  }

 private:
  using Response = EnhancedResponse<P, P>;
  using Strain = typename Response::Strain;
  static constexpr int H = EnhancedVectors::last;
  static constexpr bool is_symmetric = !damped;

  KOKKOS_FORCEINLINE_FUNCTION void set_partners(const Stiffness& k, const P& volume, const State& state) {
    const auto m = EnhancedConstants<P>::make(k.law, k.law), d = EnhancedConstants<P>::make(k.damping, k.law);
    const P elastic = k.cq * volume, own = State::is_hooke ? elastic : P(0.0);
    for (int A = 0; A < State::num_deformed; ++A)
      for (int i = 0; i < 3; ++i) {
        const P f = own * state.f[A][i];
        Strain& to = partner_[i][A];
        to = {m.mu * f, m.lambda * f, m.plane_lambda * f};
        if constexpr (damped) {
          P w = (k.cv * volume) * state.f[A][i];
          if constexpr (Law::finite_strain) w = w + elastic * state.rate[A][i];
          to = {to.shear + d.mu * w, to.even + d.lambda * w, to.in_plane + d.plane_lambda * w};
        }
      }
  }

  KOKKOS_INLINE_FUNCTION void set_neo_hooke(const Stiffness& k, const P& volume, const State& state) {
    const P factor = k.cq * volume, bulk = factor * k.law.lambda;
    moduli_.set(state.neo_hooke, k.law);
    EnhancedResultants<P> slope;
    slope.set(state.neo_hooke.slope);
    for (int A = 0; A < count; ++A)
      for (int i = 0; i < 3; ++i) {
        neo_hooke_partner_[i][A] = factor * state.f[A][i];
        P sum = slope(A, 0) * state.f[0][i];
        for (int C = 1; C < count; ++C) sum = sum + slope(A, C) * state.f[C][i];
        theta_[A][i] = sum;
        bulk_theta_[A][i] = bulk * sum;
      }
  }

  /// By the derivatives of the resultants by the components of vector B: `all`, or those of a_1, a_2 and a_3 alone.
  template <bool all, class Strains>
  KOKKOS_FORCEINLINE_FUNCTION void set_column(const Strains& strains, int B, const State& state) {
    EnhancedResultants<P> by_B[3];
    for (int i = 0; i < 3; ++i) set_derivatives<all>(strains, i, state, by_B[i]);
    set_blocks(B, by_B, state);
  }
  /// By component i. Not inlined: compilers would keep all moduli beside the loop over components, in memory once more.
  template <bool all, class Strains>
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void set_derivatives(const Strains& strains, int i, const State& state,
                                                                EnhancedResultants<P>& by_i) const {
    if constexpr (!State::is_neo_hooke) {
      Response response(state.metric);
      strains(response, partner_[i]);
      response.close();
      by_i.set(response.stress);
    } else {
      EnhancedNeoHookeResponse<P, all> response(moduli_);
      strains(response, neo_hooke_partner_[i]);
      if constexpr (damped) {
        Response viscous(state.metric);
        strains(viscous, partner_[i]);
        viscous.close();
        response.stress.add(viscous.stress);
      }
      by_i.set(response.stress);
    }
  }

  /// What vectors stand beside df_B in the strains. Always inlined, or what they sum would not be in registers.
  template <int a>
  struct ByAxis {
    template <class R>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(R& response, const typename R::Strain* partner) const {
      constexpr int b = (a + 1) % 3, c = (a + 2) % 3;
      response.template add_mean<a>(partner[a]);
      response.template add_mean<3 + c>(partner[b]);
      response.template add_mean<3 + b>(partner[c]);
      if constexpr (Law::finite_strain) {
        response.template add_plane<b, 1>(partner[3 + c]);
        response.template add_plane<b, 2>(partner[3 + a]);
        response.template add_plane<c, 0>(partner[3 + b]);
        response.template add_plane<c, 2>(partner[3 + a]);
        response.template add_mixed<a, 0>(partner[H]);
        response.template add_mixed<b, 2>(partner[H]);
        response.template add_mixed<c, 3>(partner[H]);
      }
    }
  };
  template <int a>
  struct ByProduct {
    template <class R>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(R& response, const typename R::Strain* partner) const {
      constexpr int b = (a + 1) % 3, c = (a + 2) % 3, ha = 3 + a, hb = 3 + b, hc = 3 + c;
      response.template add_plane<b, 0>(partner[c]);
      response.template add_plane<b, 2>(partner[a]);
      response.template add_plane<c, 1>(partner[b]);
      response.template add_plane<c, 2>(partner[a]);
      if constexpr (Law::finite_strain) {
        response.template add_mean<b>(partner[ha]);
        response.template add_mean<c>(partner[ha]);
        response.template add_mean<3 + c>(partner[hb]);
        response.template add_mean<3 + b>(partner[hc]);
        response.template add_plane<a, 0>(partner[H]);
        response.template add_plane<a, 1>(partner[H]);
        response.template add_mixed<a, 1>(twice(partner[ha]));
        response.template add_mixed<a, 2>(partner[hb]);
        response.template add_mixed<a, 3>(partner[hc]);
        response.template add_mixed<b, 0>(partner[hc]);
        response.template add_mixed<b, 3>(partner[hb]);
        response.template add_mixed<c, 0>(partner[hb]);
        response.template add_mixed<c, 2>(partner[hc]);
        response.template add_last<a>(twice(partner[H]));
      }
    }
  };
  struct ByLast {
    template <class R>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(R& response, const typename R::Strain* partner) const {
      unrolled<3>([&](auto a) __attribute__((always_inline)) {
        constexpr int b = (a + 1) % 3, c = (a + 2) % 3;
        response.template add_mixed<a, 0>(partner[a]);
        response.template add_mixed<a, 2>(partner[c]);
        response.template add_mixed<a, 3>(partner[b]);
        if constexpr (Law::finite_strain) {
          response.template add_mean<a>(partner[H]);
          response.template add_plane<a, 0>(partner[3 + a]);
          response.template add_plane<a, 1>(partner[3 + a]);
          response.template add_mixed<a, 1>(twice(partner[H]));
          response.template add_last<a>(twice(partner[3 + a]));
        }
      });
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION static Strain twice(const Strain& E) {
    return {E.shear + E.shear, E.even + E.even, E.in_plane + E.in_plane};
  }
  KOKKOS_FORCEINLINE_FUNCTION static P twice(const P& E) { return E + E; }

  /// K_AB of vectors, from the derivatives of the resultants; of a symmetric matrix those with A <= B.
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void set_blocks(int B, const EnhancedResultants<P> (&by_B)[3], const State& state) {
    const auto of = [&by_B](int A, int C) { return Vec3<P>{{by_B[0](A, C), by_B[1](A, C), by_B[2](A, C)}}; };
    for (int A = 0; A < (is_symmetric ? B + 1 : count); ++A) {
      NineSums<P> sum(state.f[0], of(A, 0));
      for (int C = 1; C < State::num_deformed; ++C) sum.add(state.f[C], of(A, C));
      if constexpr (State::is_neo_hooke) sum.add(theta_[A], bulk_theta_[B]);
      P(&K)[9] = block(A, B);
      sum.store(K);
      if constexpr (Law::finite_strain) {
        const P bears = geometric_ * state.forces(A, B);
        for (int i = 0; i < 3; ++i) K[4 * i] = K[4 * i] + bears;
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION P (&block(int A, int B))[9] {
    if constexpr (is_symmetric)
      return K_.at(A, B);
    else
      return K_[A][B];
  }

  KOKKOS_FORCEINLINE_FUNCTION void set_block(int a, int b, const Weights& T, Mat3<P>& K) const {
    NineSums<P> sum(T[0][b], rows_[a][0]);
    for (int B = 1; B < count; ++B) sum.add(T[B][b], rows_[a][B]);
    sum.store(&K(0, 0));
  }

  struct Nothing {};
  template <class X>
  using IfNeoHooke = std::conditional_t<State::is_neo_hooke, X, Nothing>;

  Strain partner_[3][State::num_deformed];  // component by component
  IfNeoHooke<P[3][count]> neo_hooke_partner_;
  IfNeoHooke<EnhancedNeoHookeModuli<P>> moduli_;
  IfNeoHooke<Vec3<P>[count]> theta_, bulk_theta_;                              // dtheta/df_A
  P geometric_;                                                                // c_q V
  std::conditional_t<is_symmetric, EnhancedBlocks<P>, P[count][count][9]> K_;  // of vectors
  std::conditional_t<is_symmetric, Nothing, P[N][count][9]> rows_;             // of nodes and vectors
};

}  // namespace sinew
