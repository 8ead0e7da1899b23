/// \file
/// The tangent of an enhanced hexahedron under Hooke's law, by columns of the seven vectors, which become columns of the nodes
/// (kernels/elements/enhanced_hooke.hpp): with f_A = sum_a T_Aa x_a
///   K_ab = V sum_AB T_Aa T_Bb (c_q N_AB I + sum_C f_C (dN_AC/df_B)^T),
/// the derivatives with mu c_q f + mu_d w, lambda c_q f + lambda_d w in place of mu f, lambda f, w = c_q f' + c_v f.
#pragma once

#include "kernels/algebra/nine_sums.hpp"
#include "kernels/elements/enhanced_hooke.hpp"

namespace sinew {

/// After `prepare` the columns are set, in any order, then it is read block by block, as SolidTangent.
template <class Law, class P, bool damped>
class EnhancedHookeTangent {
 public:
  using ShapeType = Hex8;
  using Stiffness = SolidStiffness<P, typename Law::template ParamsOf<P>>;
  using State = EnhancedHooke<Law, P, P>;
  static constexpr int N = Hex8::num_nodes - 1, count = EnhancedVectors::count;

  /// T_Aa: what node a is to vector A.
  using Weights = P[count][N + 1];

  KOKKOS_FORCEINLINE_FUNCTION void prepare(const Stiffness& k, const P& volume, const State& state, const Weights& T) {
    set_partners(k, volume, state);
    set_geometric(k, volume, state, T);
  }

  /// Of vector B.
  [[gnu::flatten]] KOKKOS_INLINE_FUNCTION void set_column(int B, const State& state, const Weights& T) {
    switch (B) {
      case 0: set_column([](Response& r, const Strain* f) { strain_by_axis<0>(r, f); }, B, state, T); break;
      case 1: set_column([](Response& r, const Strain* f) { strain_by_axis<1>(r, f); }, B, state, T); break;
      case 2: set_column([](Response& r, const Strain* f) { strain_by_axis<2>(r, f); }, B, state, T); break;
      case 3: set_column([](Response& r, const Strain* f) { strain_by_product<0>(r, f); }, B, state, T); break;
      case 4: set_column([](Response& r, const Strain* f) { strain_by_product<1>(r, f); }, B, state, T); break;
      case 5: set_column([](Response& r, const Strain* f) { strain_by_product<2>(r, f); }, B, state, T); break;
      default: set_column([](Response& r, const Strain* f) { strain_by_last(r, f); }, B, state, T); break;
    }
  }

  /// K_ab and K_ba.
  KOKKOS_FORCEINLINE_FUNCTION void blocks(const Weights& T, int a, int b, Mat3<P>& K_ab, Mat3<P>& K_ba) const {
    set_block(a, b, T, K_ab);
    if constexpr (damped)
      set_block(b, a, T, K_ba);
    else
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) K_ba(j, i) = K_ab(i, j);
  }

 private:
  using Response = EnhancedResponse<P, P>;
  using Strain = typename Response::Strain;
  static constexpr int H = EnhancedVectors::last;

  KOKKOS_FORCEINLINE_FUNCTION void set_partners(const Stiffness& k, const P& volume, const State& state) {
    const auto m = EnhancedConstants<P>::make(k.law, k.law), d = EnhancedConstants<P>::make(k.damping, k.law);
    const P elastic = k.cq * volume, own = Law::is_quadratic ? elastic : P(0.0);
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

  KOKKOS_FORCEINLINE_FUNCTION void set_geometric(const Stiffness& k, const P& volume, const State& state, const Weights& T) {
    if constexpr (Law::finite_strain) {
      const P factor = k.cq * volume;
      for (int a = 0; a < N; ++a) {
        P row[count];
        for (int B = 0; B < count; ++B) {
          P sum = T[0][a] * state.forces(0, B);
          for (int A = 1; A < count; ++A) sum = sum + T[A][a] * state.forces(A, B);
          row[B] = factor * sum;
        }
        for (int b = a; b < N; ++b) {
          P sum = row[0] * T[0][b];
          for (int B = 1; B < count; ++B) sum = sum + row[B] * T[B][b];
          geometric_[a][b] = geometric_[b][a] = sum;
        }
      }
    }
  }

  /// By the derivatives of the resultants by the components of vector B.
  template <class Strains>
  KOKKOS_FORCEINLINE_FUNCTION void set_column(const Strains& strains, int B, const State& state, const Weights& T) {
    EnhancedResultants<P> by_B[3];
    for (int i = 0; i < 3; ++i) {
      Response response(state.metric);
      strains(response, partner_[i]);
      response.close();
      by_B[i].set(response.stress);
    }
    set_rows(B, by_B, state, T);
  }

  /// What vectors stand beside df_B in the strains.
  template <int a>
  KOKKOS_FORCEINLINE_FUNCTION static void strain_by_axis(Response& response, const Strain* partner) {
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
  template <int a>
  KOKKOS_FORCEINLINE_FUNCTION static void strain_by_product(Response& response, const Strain* partner) {
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
  KOKKOS_FORCEINLINE_FUNCTION static void strain_by_last(Response& response, const Strain* partner) {
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
  KOKKOS_FORCEINLINE_FUNCTION static Strain twice(const Strain& E) {
    return {E.shear + E.shear, E.even + E.even, E.in_plane + E.in_plane};
  }

  /// Column B with rows of nodes, from the derivatives of the resultants.
  [[gnu::noinline]] KOKKOS_INLINE_FUNCTION void set_rows(int B, const EnhancedResultants<P> (&by_B)[3], const State& state,
                                                         const Weights& T) {
    P K[count][9];
    const auto of = [&by_B](int A, int C) { return Vec3<P>{{by_B[0](A, C), by_B[1](A, C), by_B[2](A, C)}}; };
    for (int A = 0; A < count; ++A) {
      NineSums<P> sum(state.f[0], of(A, 0));
      for (int C = 1; C < State::num_deformed; ++C) sum.add(state.f[C], of(A, C));
      sum.store(K[A]);
    }
    for (int a = 0; a < N; ++a) weighted(a, T, K).store(rows_[a][B]);
  }

  /// sum_A T_Aa K_A.
  KOKKOS_FORCEINLINE_FUNCTION static NineSums<P> weighted(int a, const Weights& T, const P (&K)[count][9]) {
    NineSums<P> sum(T[0][a], K[0]);
    for (int A = 1; A < count; ++A) sum.add(T[A][a], K[A]);
    return sum;
  }

  KOKKOS_FORCEINLINE_FUNCTION void set_block(int a, int b, const Weights& T, Mat3<P>& K) const {
    weighted(b, T, rows_[a]).store(&K(0, 0));
    if constexpr (Law::finite_strain)
      for (int i = 0; i < 3; ++i) K(i, i) = K(i, i) + geometric_[a][b];
  }

  Strain partner_[3][State::num_deformed];  // component by component
  P geometric_[Law::finite_strain ? N : 1][Law::finite_strain ? N : 1];
  P rows_[N][count][9];
};

}  // namespace sinew
