/// \file
/// The tangent of an enhanced hexahedron in closed form by a team of threads, none of which needs more than its registers: for
/// devices. The equations are those of kernels/elements/enhanced_closed_tangent.hpp in another order: a thread moves one
/// component of one vector, df_B = e_i, finds the strains, stresses and resultants that this brings, and with them a column of
/// the matrix of the vectors,
///   dt_A = V (c_q N_AB e_i + sum_C dN_AC f_C),
/// under the neo-Hookean law with V c_q lambda theta_A (theta_B.e_i) besides. All threads do the same, with other numbers.
#pragma once

#include "kernels/algebra/nine_sums.hpp"
#include "kernels/elements/enhanced_closed.hpp"
#include "kernels/elements/solid_tangent.hpp"

#include <Kokkos_Core.hpp>

namespace sinew {

/// What the threads of a team share. After `fill` it is read block by block, as SolidTangent.
template <class Law>
class EnhancedTeam {
 public:
  using ShapeType = Hex8;
  using Stiffness = SolidStiffness<double, typename Law::template ParamsOf<double>>;
  static constexpr int N = Hex8::num_nodes, count = EnhancedVectors::count;

  /// By all threads of the team, of an element with parameters p and states z.
  template <class Team, class Params, class States>
  KOKKOS_INLINE_FUNCTION void fill(const Team& team, const Params& p, const States& z, const Stiffness& k, bool damped) {
    set_motion(team, p, z, damped);
    set_stresses(team, k);
    each(team, 3 * count, [&](int column) { set_column(column, p.geometry.volume, k); });
    each(team, last * count, [&](int row) { set_row(row / count, row % count); });
  }

  /// K_ab and K_ba.
  KOKKOS_INLINE_FUNCTION void blocks(const Stiffness& /*k*/, int a, int b, Mat3<double>& K_ab, Mat3<double>& K_ba) const {
    set_block(a, b, K_ab);
    if (damped_)
      set_block(b, a, K_ba);
    else
      K_ba = transpose(K_ab);
  }

 private:
  using State = EnhancedClosed<Law, double, double>;
  using Constants = EnhancedConstants<double>;
  using Moments = EnhancedMoments<double>;
  static constexpr bool curved = State::curved, is_hooke = State::is_hooke, is_neo_hooke = State::is_neo_hooke;
  static constexpr int last = N - 1;

  /// body(i) for i = 0 ... n - 1 by as many threads. All wait for what has been found before they go on.
  template <class Team, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void each(const Team& team, int n, const Body& body) {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), body);
    team.team_barrier();
  }
  template <class Team, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void alone(const Team& team, const Body& body) {
    Kokkos::single(Kokkos::PerTeam(team), body);
    team.team_barrier();
  }

  /// Vectors, metric and strains.
  template <class Team, class Params, class States>
  KOKKOS_FORCEINLINE_FUNCTION void set_motion(const Team& team, const Params& p, const States& z, bool damped) {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, N), [&](int a) { p.geometry.weights(a, weights_); });
    each(team, 3, [&](int i) {
      double field[N];
      for (int a = 0; a < N; ++a) field[a] = z.x[a][i] - p.x[i][a];
      p.geometry.gather(i, field, moved_);
      EnhancedGeometry<double>::axes(i, p.x[i], axis_);
      for (int A = 0; A < count; ++A) {
        middle_[A][i] = (A < 3 ? axis_[A < 3 ? A : 0][i] : 0.0) + (curved ? 0.5 : 0.0) * moved_[A][i];
        f_[A][i] = middle_[A][i] + (curved ? 0.5 : 0.0) * moved_[A][i];
      }
      for (int a = 0; a < N; ++a) field[a] = z.v[a][i];
      p.geometry.gather(i, field, rate_);
    });
    alone(team, [&]() {
      damped_ = damped;
      strain_ = enhanced_strains<curved>(middle_, moved_);
    });
    if (is_hooke || damped) alone(team, [&]() { metric_.set(axis_); });
    if (damped) alone(team, [&]() { rate_strain_ = enhanced_strains<curved>(f_, rate_); });
  }

  /// The law and the resultants of its stresses and those of damping.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void set_stresses(const Team& team, const Stiffness& k) {
    alone(team, [&]() {
      elastic_ = Constants::make(k.law, k.law);
      viscous_ = Constants::make(k.damping, k.law);
    });
    if constexpr (is_neo_hooke) {
      alone(team, [&]() {
        double G[6];
        for (int m = 0; m < 6; ++m) G[m] = dot(axis_[EnhancedPlaces::row(m)], axis_[EnhancedPlaces::column(m)]);
        law_.state.set(G, strain_, k.law);
      });
      alone(team, [&]() { law_.moduli.set(law_.state, k.law); });
      alone(team, [&]() { law_.slope.set(law_.state.slope); });
      each(team, 3 * count, [&](unsigned n) {  // compilers that watch indices want to know that none is less than 0
        const int A = n / 3, i = n % 3;
        double sum = 0;
        for (int C = 0; C < count; ++C) sum += law_.slope(A, C) * f_[C][i];
        law_.theta[A][i] = sum;
      });
    }
    alone(team, [&]() {
      Moments stress;
      if (is_hooke || damped_)
        stress = State::response(metric_, elastic_, viscous_, strain_, damped_ ? rate_strain_ : strain_);
      else
        stress.clear();
      if constexpr (is_neo_hooke) stress.add(law_.state.stress);
      forces_.set(stress);
    });
  }

  /// Of vector B and direction i, column = 3 B + i.
  KOKKOS_FORCEINLINE_FUNCTION void set_column(int column, double volume, const Stiffness& k) {
    const int B = column / 3, i = column % 3;
    const double elastic = k.cq * volume, viscous = k.cv * volume;
    Vec<double, 1> unit[count], f[count], w[count];
    for (int A = 0; A < count; ++A) {
      unit[A][0] = A == B ? 1.0 : 0.0;
      f[A][0] = elastic * f_[A][i];
      w[A][0] = viscous * f_[A][i] + (curved ? elastic : 0.0) * rate_[A][i];
    }
    EnhancedResultants<double> by_B;
    if constexpr (is_hooke) {
      const Moments strain = enhanced_strains<curved>(f, unit), rate = enhanced_strains<curved>(w, unit);
      by_B.set(State::response(metric_, elastic_, viscous_, strain, rate));
    } else {
      EnhancedNeoHookeResponse<double> response(law_.moduli);
      const Moments strain = enhanced_strains<curved>(f, unit);
      respond(response, strain, strain, [](double E, double) { return E; });
      if (damped_) response.stress.add(State::response(metric_, elastic_, viscous_, strain, enhanced_strains<curved>(w, unit)));
      by_B.set(response.stress);
    }
    unrolled<count>([&](auto A) {
      unrolled<3>([&](auto j) {
        double sum = 0;
        unrolled<State::num_deformed>([&](auto C) { sum += by_B(A, C) * f_[C][j]; });
        if (curved && i == j) sum += elastic * forces_(A, B);
        if constexpr (is_neo_hooke) sum += law_.theta[A][j] * (elastic * k.law.lambda * law_.theta[B][i]);
        K_[A][B][3 * j + i] = sum;
      });
    });
  }

  /// sum_A T_Aa K_AB.
  KOKKOS_FORCEINLINE_FUNCTION void set_row(int a, int B) {
    NineSums<double> sum(weights_[0][a], K_[0][B]);
    for (int A = 1; A < count; ++A) sum.add(weights_[A][a], K_[A][B]);
    sum.store(rows_[a][B]);
  }

  KOKKOS_FORCEINLINE_FUNCTION void set_block(int a, int b, Mat3<double>& K) const {
    NineSums<double> sum(weights_[0][b], rows_[a][0]);
    for (int B = 1; B < count; ++B) sum.add(weights_[B][b], rows_[a][B]);
    sum.store(&K(0, 0));
  }

  struct NeoHooke {
    EnhancedNeoHooke<double, double> state;
    EnhancedNeoHookeModuli<double> moduli;
    EnhancedResultants<double> slope;
    Vec3<double> theta[count];  // dtheta/df_A
  };
  struct Nothing {};

  double weights_[count][N];  // T_Aa: what node a is to vector A
  Vec3<double> axis_[3];      // the columns of J_0
  Vec3<double> moved_[count], middle_[count], f_[count], rate_[count];
  EnhancedMetric<double> metric_;  // of the undeformed body
  Moments strain_, rate_strain_;
  Constants elastic_, viscous_;
  std::conditional_t<is_neo_hooke, NeoHooke, Nothing> law_;
  EnhancedResultants<double> forces_;
  double K_[count][count][9];    // of vectors
  double rows_[last][count][9];  // of nodes and vectors
  bool damped_;
};

}  // namespace sinew
