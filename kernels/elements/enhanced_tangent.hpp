/// \file
/// The tangent of an enhanced hexahedron by pairs of nodes: that of kernels/elements/solid_tangent.hpp with the enhanced strains
/// and stresses, less what the element's own strains take away. Their amplitudes follow the nodes by D da = -L du, L = int M^T
/// (dS/dE) B dV, so
///   K_ab = int B_a^T (dS/dE) B_b dV + ... - L_a^T D^-1 L_b.
/// Rows of L: vectors in L_k,a = int phi_k p_k.(dS/dE).sym(F^T .. grad N_a) dV for each axis k, and one number for each m; with
/// dS/dE = lambda A A + 2 mu I_A, F' = F A, g = grad N_a
///   L_k,a = int phi_k (lambda A p_k (F' g)^T + mu ((g.A p_k) F'^T + A g (F' p_k)^T)) dV,
///   L_m,a = int phi_m (lambda tr(A) F' g + 2 mu F' A g)^T dV.
/// Damping, T = Q^T C_d Q E' with Q = I - M D^-1 M^T C, gives in the same way, with D, C Hooke's, N = int M^T C_d B, subscripts
/// of the gradients F and W,
///   - L_F^T D^-1 N_W - N_F^T D^-1 L_W + L_F^T D^-1 D_d D^-1 L_W.
/// D and D_d are isotropic about p_k: across p_k this is mu_d X^T X, along it with r = (lambda_d + 2 mu_d)/(lambda + 2 mu), N = r
/// L + e z.
#pragma once

#include "kernels/elements/enhanced_state.hpp"
#include "kernels/elements/solid_tangent.hpp"

namespace sinew {

/// How SolidTangent sees a law in strains.
template <class Law>
struct EnhancedForm {
  static constexpr bool constant_mu = Law::is_quadratic;
  static constexpr bool isotropic_rest = !Law::finite_strain;
  static constexpr bool follows_body = Law::is_quadratic && Law::finite_strain;
  static constexpr bool has_metric = !Law::is_quadratic;
  template <class P>
  using ParamsOf = typename Law::template ParamsOf<P>;
};

/// Filled by set_point (or set_gradient and set_motion) for all points, after `prepare_nodes` by set_node for all nodes but the
/// last, then read block by block.
template <class Law, class P, bool damped>
class EnhancedTangent {
 public:
  using ShapeType = Hex8;
  using Parts = SolidTangent<Hex8, EnhancedForm<Law>, P, damped>;
  using Stiffness = typename Parts::Stiffness;
  using State = EnhancedState<Law, P, P>;
  using Modes = EnhancedModes<P>;
  static constexpr int N = Parts::N, Q = Parts::Q;

  KOKKOS_INLINE_FUNCTION void set_gradient(int q, int a, const Vec3<P>& g) { parts_.set_gradient(q, a, g); }
  KOKKOS_INLINE_FUNCTION void set_point(int q, const Stiffness& k, const Modes& modes, const State& state,
                                        const P (&g)[3][N + 1]) {
    parts_.set_point(q, k, g, motion(q, k, modes, state));
  }
  KOKKOS_INLINE_FUNCTION void set_motion(int q, const Stiffness& k, const Modes& modes, const State& state) {
    parts_.set_motion(q, k, motion(q, k, modes, state));
  }

  /// What all nodes share: D at the strains found, where the law is not quadratic, and how many rows there are.
  KOKKOS_INLINE_FUNCTION void prepare_nodes(const Stiffness& k, const Modes& modes, const State& state) {
    // Damping in proportion to Hooke's law needs no rows beside those of L.
    const P along = k.damping.mu * k.law.lambda, other = k.damping.lambda * k.law.mu;
    rows_ = largest_magnitude(along - other) > 1e-14 * largest_magnitude(along) ? R : R - 6;
    if constexpr (!Law::is_quadratic) {
      constexpr int n = Modes::count;
      Mat<P, n, n> D;
      for (int q = 0; q < Q; ++q)
        EnhancedNewton<Law, P, P>::add_moduli(modes, Law::strain_moduli(k.law, state.strain(q, k.law)), state.weight[q],
                                              state.phi[q], D);
      factorise(D);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) own_[i][j] = D(i, j);
    }
  }

  KOKKOS_INLINE_FUNCTION void set_node(int a, const Stiffness& k, const Modes& modes, const State& state) {
    if constexpr (Law::is_quadratic || damped)
      for (int m = 0; m < 3; ++m) set_isotropic_rows(a, m, k, modes, state);
    if constexpr (!Law::is_quadratic) set_own_rows(a, k, modes, state);
  }

  /// K_ab and K_ba.
  KOKKOS_FORCEINLINE_FUNCTION void blocks(const Stiffness& k, int a, int b, Mat3<P>& K_ab, Mat3<P>& K_ba) const {
    parts_.blocks(k, a, b, K_ab, K_ba);
    subtract(a, b, K_ab);
    if constexpr (damped) {
      if (a != b)
        subtract(b, a, K_ba);
      else
        K_ba = K_ab;
    } else {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) K_ba(j, i) = K_ab(i, j);
    }
  }

 private:
  static constexpr int own_rows = Law::is_quadratic ? 0 : Modes::count;
  static constexpr int isotropic_rows = (Law::is_quadratic || damped ? 12 : 0) + (damped ? 6 : 0);
  static constexpr int R = own_rows + isotropic_rows;

  /// What rows of L are made of at isotropic moduli, of one axis k: X = int phi_k ((g.p_k) F^T + g (F p_k)^T) dV, n = int phi_k F
  /// g dV, and of one m: even = int phi_m F g dV.
  struct Sums {
    Mat3<P> X;
    Vec3<P> n, even;
  };

  KOKKOS_FORCEINLINE_FUNCTION void subtract(int a, int b, Mat3<P>& K) const {
    const int rows = damped ? rows_ : R;
    for (int m = 0; m < rows; ++m)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) K(i, j) = K(i, j) - left_[a][m][i] * right_[b][m][j];
  }

  /// Keeps what rows of L take from point q, and gives what the other parts do.
  KOKKOS_FORCEINLINE_FUNCTION SolidPoint<P> motion(int q, const Stiffness& k, const Modes& modes, const State& state) {
    SolidPoint<P> at;
    at.weight = state.weight[q];
    const Mat3<P> F = state.F(q);
    if constexpr (Law::is_quadratic) {
      at.moduli = {k.law.lambda, k.law.mu, F, k.law.mu * (F * transpose(F)), state.stress(q)};
    } else {
      const StrainModuli<P> m = Law::strain_moduli(k.law, state.strain(q, k.law));
      const Mat3<P> FA = F * m.A;
      at.moduli = {m.lambda, m.mu, FA, m.mu * (FA * transpose(F)), state.stress(q)};
      at.metric = m.A;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          metric_[q][i][j] = m.A(i, j);
          FA_[q][i][j] = FA(i, j);
        }
      mu_[q] = m.mu;
    }
    if constexpr (damped) {
      at.F = F;
      at.W = k.cv * F;
      if constexpr (Law::finite_strain) at.W = at.W + k.cq * state.velocity_gradient[q].get();
    }
    if constexpr (Law::is_quadratic || damped) keep(modes, state.weight[q], state.phi[q], F, F_[q]);
    if constexpr (damped) keep(modes, state.weight[q], state.phi[q], at.W, W_[q]);
    return at;
  }

  /// F and w phi_k F p_k.
  struct Kept {
    P F[3][3];
    P along[3][3];
  };
  KOKKOS_FORCEINLINE_FUNCTION static void keep(const Modes& modes, const P& weight, const P (&phi)[6], const Mat3<P>& F,
                                               Kept& kept) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) kept.F[i][j] = F(i, j);
    for (int k = 0; k < 3; ++k) {
      const Vec3<P> f = (weight * phi[k]) * (F * modes.axis(k));
      for (int i = 0; i < 3; ++i) kept.along[k][i] = f[i];
    }
  }

  /// Those of F and of axis m, or of W.
  template <bool of_rate>
  KOKKOS_FORCEINLINE_FUNCTION Sums sums(int a, int m, const Modes& modes, const State& state) const {
    Sums s;
    const Vec3<P> p = modes.axis(m);
    for (int q = 0; q < Q; ++q) {
      const Vec3<P> g = parts_.gradient(q, a);
      const P weighted = state.weight[q] * state.phi[q][m];
      const P c = weighted * dot(p, g);
      const Kept& kept = of_rate ? W_[q] : F_[q];
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) s.X(j, i) = (s.X(j, i) + c * kept.F[i][j]) + g[j] * kept.along[m][i];
      if constexpr (of_rate) {
        const Vec3<P> n = parts_.rate_gradient(q, a);
        for (int i = 0; i < 3; ++i) {
          s.n[i] = s.n[i] + state.phi[q][m] * n[i];
          s.even[i] = s.even[i] + state.phi[q][3 + m] * n[i];
        }
      } else {
        const Vec3<P> n = parts_.deformed_gradient(q, a);
        const P even = state.weight[q] * state.phi[q][3 + m];
        for (int i = 0; i < 3; ++i) {
          s.n[i] = s.n[i] + weighted * n[i];
          s.even[i] = s.even[i] + even * n[i];
        }
      }
    }
    return s;
  }

  /// Rows of Hooke's L and of damping, of axis m.
  KOKKOS_FORCEINLINE_FUNCTION void set_isotropic_rows(int a, int m, const Stiffness& k, const Modes& modes, const State& state) {
    const P lambda = k.law.lambda, mu = k.law.mu, modulus = lambda + 2 * mu, even = 3 * lambda + 2 * mu;
    const P elastic = Law::is_quadratic ? k.factor : P(0.0);
    const Sums F = sums<false>(a, m, modes, state);
    Sums W;
    P viscous = 0.0, share = 0.0, rest = 0.0, even_share = 0.0;
    if constexpr (damped) {
      W = sums<true>(a, m, modes, state);
      viscous = k.damping.mu / mu;
      share = (k.damping.lambda + 2 * k.damping.mu) / modulus;
      rest = (k.damping.mu - share * mu) / modulus;
      even_share = (3 * k.damping.lambda + 2 * k.damping.mu) / (3 * even);
    }
    const Vec3<P> p = modes.axis(m);
    const Vec3<P> x_F = transpose_times(F.X, p), x_W = transpose_times(W.X, p);
    const P factor = 1.0 / modulus, third = elastic * (1.0 / 3);
    for (int i = 0; i < 3; ++i) {
      const P along_F = lambda * F.n[i] + mu * x_F[i], along_W = lambda * W.n[i] + mu * x_W[i];
      P across = elastic * x_F[i], along = elastic * along_F, volume = third * F.even[i];
      if constexpr (damped) {
        across = across + viscous * x_W[i];
        along = along + share * along_W;
        volume = volume + even_share * W.even[i];
        const int extra = own_rows + 12 + 2 * m;
        left_[a][extra][i] = rest * along_F;
        right_[a][extra][i] = x_W[i] - 2 * W.n[i];
        left_[a][extra + 1][i] = rest * (x_F[i] - 2 * F.n[i]);
        right_[a][extra + 1][i] = along_W;
      }
      const P turned = factor * along - across;
      for (int j = 0; j < 3; ++j) {
        P row = elastic * F.X(j, i);
        if constexpr (damped) row = row + viscous * W.X(j, i);
        left_[a][own_rows + 3 * m + j][i] = mu * F.X(j, i) + (lambda * F.n[i]) * p[j];
        right_[a][own_rows + 3 * m + j][i] = row + turned * p[j];
      }
      left_[a][own_rows + 9 + m][i] = even * F.even[i];
      right_[a][own_rows + 9 + m][i] = volume;
    }
  }

  /// Rows of L at the law's moduli, times G^-1, and over d: D = G diag(d) G^T.
  KOKKOS_FORCEINLINE_FUNCTION void set_own_rows(int a, const Stiffness& k, const Modes& modes, const State& state) {
    if constexpr (!Law::is_quadratic) {
      Mat<P, Modes::count, 3> L;
      for (int q = 0; q < Q; ++q) add_own_point(q, k, parts_.gradient(q, a), modes, state, L);
      for (int m = 0; m < own_rows; ++m)
        for (int i = 0; i < 3; ++i) {
          for (int l = 0; l < m; ++l) L(m, i) = L(m, i) - own_[m][l] * L(l, i);
          left_[a][m][i] = L(m, i);
          right_[a][m][i] = k.factor * (L(m, i) / own_[m][m]);
        }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_own_point(int q, const Stiffness& k, const Vec3<P>& g, const Modes& modes,
                                                 const State& state, Mat<P, Modes::count, 3>& L) const {
    Mat3<P> A, FA;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        A(i, j) = metric_[q][i][j];
        FA(i, j) = FA_[q][i][j];
      }
    const P lambda = k.law.lambda, mu = mu_[q];
    const Vec3<P> Ag = A * g, n = FA * g, n2 = FA * Ag;
    const P lambda_trace = lambda * trace(A);
    for (int m = 0; m < 3; ++m) {
      const P w = state.weight[q] * state.phi[q][m], wm = state.weight[q] * state.phi[q][3 + m];
      const Vec3<P> p = modes.axis(m), Ap = A * p, f = FA * p;
      const P c = mu * dot(g, Ap);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
          L(3 * m + j, i) = L(3 * m + j, i) + w * (Ap[j] * (lambda * n[i]) + (c * FA(i, j) + Ag[j] * (mu * f[i])));
        L(9 + m, i) = L(9 + m, i) + wm * (lambda_trace * n[i] + 2 * mu * n2[i]);
      }
    }
  }

  Parts parts_;
  int rows_;
  P left_[N][R][3], right_[N][R][3];  // K_ab loses sum left_a right_b^T
  Kept F_[Law::is_quadratic || damped ? Q : 1], W_[damped ? Q : 1];
  P own_[Law::is_quadratic ? 1 : Modes::count][Law::is_quadratic ? 1 : Modes::count];
  P metric_[Law::is_quadratic ? 1 : Q][3][3], FA_[Law::is_quadratic ? 1 : Q][3][3], mu_[Q];
};

}  // namespace sinew
