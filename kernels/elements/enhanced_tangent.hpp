/// \file
/// The tangent of an enhanced hexahedron under any law, without damping, by pairs of nodes: that of
/// kernels/elements/solid_tangent.hpp with the gradients and weights of kernels/elements/enhanced_geometry.hpp and the enhanced
/// strains and stresses, less what the element's own strains take away. Their amplitudes follow the nodes by D da = -L du,
/// L = int M^T (dS/dE) B dV, so
///   K_ab = int B_a^T (dS/dE) B_b dV + ... - L_a^T D^-1 L_b.
/// Rows of L: vectors in L_k,a = int x_k p_k.(dS/dE).sym(F^T .. grad N_a) dV for each axis k, and one number for each m; with
/// dS/dE = lambda A A + 2 mu I_A, F' = F A, g = grad N_a
///   L_k,a = int x_k (lambda A p_k (F' g)^T + mu ((g.A p_k) F'^T + A g (F' p_k)^T)) dV,
///   L_m,a = int phi_m (lambda tr(A) F' g + 2 mu F' A g)^T dV.
#pragma once

#include "kernels/algebra/nine_sums.hpp"
#include "kernels/elements/enhanced_state.hpp"
#include "kernels/elements/solid_tangent.hpp"

namespace sinew {

/// How SolidTangent sees a law in strains.
template <class Law>
struct EnhancedForm {
  static constexpr bool finite_strain = true;
  static constexpr bool constant_mu = false;
  static constexpr bool isotropic_rest = false;
  static constexpr bool follows_body = false;
  static constexpr bool has_metric = true;
  template <class P>
  using ParamsOf = typename Law::template ParamsOf<P>;
};

/// Filled by set_point (or set_gradient and set_motion) for all points, after `prepare_nodes` by set_node for all nodes but the
/// last, then read block by block.
template <class Law, class P>
class EnhancedTangent {
 public:
  using ShapeType = Hex8;
  using Parts = SolidTangent<Hex8, EnhancedForm<Law>, P, false>;
  using Stiffness = typename Parts::Stiffness;
  using State = EnhancedState<Law, P, P>;
  using Modes = EnhancedModes<P>;
  static constexpr int N = Parts::N, Q = Parts::Q;

  /// Point q, T the weights of the element's vectors.
  KOKKOS_INLINE_FUNCTION void set_point(int q, const Stiffness& k, const P& weight, const State& state,
                                        const P (&T)[EnhancedVectors::count][N + 1]) {
    using math::sqrt;
    const P root = sqrt(weight);
    for (int a = 0; a < N; ++a) parts_.set_gradient(q, a, root * state.node_gradient(q, a, T));
    parts_.set_motion(q, k, motion(q, k, state));
  }

  /// What all nodes share: D at the strains found, without weights.
  KOKKOS_INLINE_FUNCTION void prepare_nodes(const Stiffness& k, const State& state) {
    constexpr int n = Modes::count;
    Mat<P, n, n> D;
    for (int q = 0; q < Q; ++q) {
      const StrainModuli<P> m{k.law.lambda, state.mu(q), state.metric(q), {}};
      EnhancedNewton<Law, P, P>::add_moduli(state.modes, m, q, D);
    }
    factorise(D);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) own_[i][j] = D(i, j);
      own_[i][i] = k.factor / D(i, i);
    }
  }

  /// Rows of L, with roots of weights as the gradients, times G^-1, and over d: D = G diag(d) G^T.
  KOKKOS_INLINE_FUNCTION void set_node(int a, const Stiffness& k, const State& state) {
    constexpr int n = Modes::count;
    P L[n][3];
    set_rows(a, k, state, L);
    for (int l = 0; l < n; ++l) {
      for (int i = 0; i < 3; ++i) {
        left_[a][l][i] = L[l][i];
        right_[a][l][i] = own_[l][l] * L[l][i];
      }
      for (int m = l + 1; m < n; ++m)
        for (int i = 0; i < 3; ++i) L[m][i] = L[m][i] - own_[m][l] * L[l][i];
    }
  }

  /// K_ab and K_ba.
  KOKKOS_FORCEINLINE_FUNCTION void blocks(const Stiffness& k, int a, int b, Mat3<P>& K_ab, Mat3<P>& K_ba) const {
    parts_.blocks(k, a, b, K_ab, K_ba);
    NineSums<P> taken(left_[a][0], right_[b][0]);
    for (int m = 1; m < Modes::count; ++m) taken.add(left_[a][m], right_[b][m]);
    P sums[9];
    taken.store(sums);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) K_ba(j, i) = K_ab(i, j) = K_ab(i, j) - sums[3 * i + j];
  }

 private:
  /// Keeps what rows of L take from point q, and gives what the other parts do.
  KOKKOS_FORCEINLINE_FUNCTION SolidPoint<P> motion(int q, const Stiffness& k, const State& state) {
    SolidPoint<P> at;
    const Mat3<P> F = state.F(q);
    const Mat3<P> A = state.metric(q), FA = F * A;
    const P& mu = state.mu(q);
    at.moduli = {k.law.lambda, mu, FA, mu * (FA * transpose(F)), state.stress(q)};
    at.metric = A;
    const P even = k.law.lambda * trace(A), twice = 2.0 * mu;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) transposed_[q][3 * j + i] = FA(i, j);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        P square = FA(i, 0) * A(0, j);
        for (int l = 1; l < 3; ++l) square = square + FA(i, l) * A(l, j);
        even_[q][i][j] = even * FA(i, j) + twice * square;
      }
    for (int m = 0; m < 3; ++m) {
      along_[q][m] = A * state.modes.p[m];
      turned_[q][m] = mu * (FA * state.modes.p[m]);
    }
    return at;
  }

  /// L_k,a and L_m,a.
  KOKKOS_FORCEINLINE_FUNCTION void set_rows(int a, const Stiffness& k, const State& state, P (&L)[Modes::count][3]) const {
    Vec3<P> Ag[Q], n[Q], even[Q];
    for (int q = 0; q < Q; ++q) {
      const Vec3<P> g = parts_.gradient(q, a);
      for (int i = 0; i < 3; ++i) {
        P sum = 0.0, normal = 0.0;
        for (int j = 0; j < 3; ++j) {
          sum = sum + even_[q][i][j] * g[j];
          normal = normal + transposed_[q][3 * j + i] * g[j];
        }
        even[q][i] = sum;
        n[q][i] = k.law.lambda * normal;
      }
      Ag[q] = state.metric(q) * g;
    }
    unrolled<3>([&](auto m) __attribute__((always_inline)) {
      NineSums<P> sum;
      P bulk[3] = {0.0, 0.0, 0.0};
      unrolled<Q>([&](auto q) __attribute__((always_inline)) {
        const Vec3<P>&along = along_[q][m], &turned = turned_[q][m];
        const P c = state.mu(q) * dot(parts_.gradient(q, a), along);
        if (Modes::sign(q, m) > 0) {
          sum.add(along, n[q]);
          sum.add(c, transposed_[q]);
          sum.add(Ag[q], turned);
        } else {
          sum.subtract(along, n[q]);
          sum.subtract(c, transposed_[q]);
          sum.subtract(Ag[q], turned);
        }
        for (int i = 0; i < 3; ++i) Modes::add_signed(Modes::sign(q, 3 + m), even[q][i], bulk[i]);
      });
      sum.store(L[3 * m]);
      for (int i = 0; i < 3; ++i) L[9 + m][i] = bulk[i];
    });
  }

  Parts parts_;
  Vec3<P> left_[N][Modes::count], right_[N][Modes::count];  // K_ab loses sum left_a right_b^T
  P own_[Modes::count][Modes::count];                       // G, and c_q/d
  P transposed_[Q][9], even_[Q][3][3];                      // F'^T, and what of L_m stands before g
  Vec3<P> along_[Q][3], turned_[Q][3];                      // A p_k, mu F' p_k
};

}  // namespace sinew
