/// \file
/// The tangent of a solid element by pairs of its nodes. With the factors of a law's moduli (kernels/material/isotropic.hpp) and
/// g_a = sqrt(w_q) grad N_a, a pair's 3 x 3 block is a sum of products of vectors over the points of the quadrature,
///   K_ab = sum_q lambda n_a n_b^T + mu n_b n_a^T + (g_a.g_b) B + (g_a.S g_b) I,   n_a = N g_a:
/// what belongs to a node is found once a point, and of n_b n_a^T = (n_a n_b^T)^T only one is summed. As roots the weights are in
/// both gradients of every product, and no vector is kept with and without them: what is kept of an element is to stay in the
/// first-level cache. Damping by P_d = F S_d, S_d = 2 mu_d E' + lambda_d tr(E') I, E' = sym(F^T F'), has the same form; with
/// f_a = F g_a and w_a = W g_a,
///   c_q dP_d/dF + c_v dP_d/dF':   lambda_d f_a w_b^T + mu_d f_b w_a^T + mu_d (g_a.g_b) F W^T + c_q (g_a.S_d g_b) I,
///   W = c_q F' + c_v F.
#pragma once

#include "kernels/elements/solid_blocks.hpp"
#include "kernels/material/isotropic.hpp"

namespace sinew {

/// What makes a solid's tangent, apart from its motion.
template <class P, class LawParams>
struct SolidStiffness {
  LawParams law;
  P factor = 0.0;              ///< of the law's moduli
  LameConstantsOf<P> damping;  ///< lambda_d and mu_d, Pa s
  double cq = 0, cv = 0;       ///< of the damping
};

/// How a solid moves and what it bears at a point of the quadrature.
template <class P>
struct SolidPoint {
  Moduli<P> moduli;        ///< of the law
  Mat3<P> metric;          ///< A, where the law has one
  Mat3<P> F, W;            ///< where there is damping
  Mat3<P> damping_stress;  ///< S_d, unless moduli.S holds it
};

/// Whether a law's moduli have the products of gradients in a metric A of their own, g_a.A g_b in place of g_a.g_b beside B.
template <class Law>
inline constexpr bool has_metric = requires {
  requires Law::has_metric;
};

/// Filled point by point, then read block by block, of the N nodes that have blocks. `damped` says whether there may be damping.
/// Points and pairs are independent of one another.
template <class Shape, class Law, class P, bool damped>
class SolidTangent {
 public:
  static_assert(!(damped && has_metric<Law>), "damping has the products of gradients as they are beside B");
  using ShapeType = Shape;
  static constexpr int N = nodes_with_blocks<Shape>;
  static constexpr int Q = Shape::num_stiffness_points;
  using Stiffness = SolidStiffness<P, typename Law::template ParamsOf<P>>;

  /// Point q of the quadrature, with the weighted gradients g of the shape functions.
  KOKKOS_INLINE_FUNCTION void set_point(int q, const Stiffness& k, const P (&g)[3][Shape::num_nodes], const SolidPoint<P>& at) {
    set_products(q, k, at, [&g](int a) { return Vec3<P>{{g[0][a], g[1][a], g[2][a]}}; });
    for (int a = 0; a < N; ++a) set(g_[a][q], {{g[0][a], g[1][a], g[2][a]}});
  }

  /// The same in two parts, for threads with few registers: the weighted gradient of one shape function, and when all are there
  /// the rest.
  KOKKOS_INLINE_FUNCTION void set_gradient(int q, int a, const Vec3<P>& ga) { set(g_[a][q], ga); }
  KOKKOS_INLINE_FUNCTION void set_motion(int q, const Stiffness& k, const SolidPoint<P>& at) {
    set_products(q, k, at, [this, q](int a) { return gradient(q, a); });
  }
  KOKKOS_INLINE_FUNCTION Vec3<P> gradient(int q, int a) const { return {{g_[a][q][0], g_[a][q][1], g_[a][q][2]}}; }
  /// K_ab and K_ba.
  KOKKOS_FORCEINLINE_FUNCTION void blocks(const Stiffness& k, int a, int b, Mat3<P>& K_ab, Mat3<P>& K_ba) const {
    const P lambda = k.factor * k.law.lambda, mu = k.factor * k.law.mu;
    const auto& n = normals();
    const Mat3<P> products = sum_outer(n[a], n[b]);
    Mat3<P> twisted = transpose(products);
    if constexpr (!Law::constant_mu) twisted = sum_outer(n[b], n[a], mu_);
    const Mat3<P> others = sum_rest(mu, a, b);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const P sum = lambda * products(i, j) + (Law::constant_mu ? mu * twisted(i, j) : twisted(i, j));
        K_ab(i, j) = others(i, j) + sum;
        K_ba(j, i) = damped ? others(j, i) + sum : K_ab(i, j);
      }
    if constexpr (damped) {
      const auto& f = deformed_gradients();
      const Mat3<P> ab = sum_outer(f[a], w_[b]);
      add_damping(k.damping, ab, a == b ? ab : sum_outer(f[b], w_[a]), K_ab, K_ba);
    }
  }

 private:
  /// All but the gradients themselves, which `gradient` gives.
  template <class Gradient>
  KOKKOS_FORCEINLINE_FUNCTION void set_products(int q, const Stiffness& k, const SolidPoint<P>& at, const Gradient& gradient) {
    const Moduli<P>& m = at.moduli;
    Mat3<P> S;
    if constexpr (full_rest) S = rest(q, k, at);
    if constexpr (!Law::constant_mu) mu_[q] = k.factor * m.mu;
    for (int a = 0; a < N; ++a) {
      const Vec3<P> ga = gradient(a);
      if constexpr (has_normals) set(n_[a][q], m.N * ga);
      if constexpr (full_rest) set(S_g_[a][q], S * ga);
      if constexpr (has_metric<Law>) set(A_g_[a][q], at.metric * ga);
      if constexpr (damped) set(w_[a][q], at.W * ga);
      if constexpr (damped && !Law::follows_body) set(f_[a][q], at.F * ga);
    }
  }

  /// N is not I.
  static constexpr bool has_normals = Law::finite_strain;
  static_assert(has_normals || Law::constant_mu, "small strains know one mu");
  /// B and S are not those of an isotropic law at rest.
  static constexpr bool full_rest = damped || !Law::isotropic_rest;
  /// A vector at every point; those of all nodes, or none.
  using Vectors = P[Q][3];
  template <bool present>
  using NodeVectors = P[present ? N : 1][present ? Q : 1][3];

  /// Sets B at point q, and gives S.
  KOKKOS_INLINE_FUNCTION Mat3<P> rest(int q, const Stiffness& k, const SolidPoint<P>& at) {
    Mat3<P> B = k.factor * at.moduli.B, S;
    if constexpr (!Law::isotropic_rest) S = k.factor * at.moduli.S;
    if constexpr (damped) {
      B = B + k.damping.mu * (at.F * transpose(at.W));
      S = S + k.cq * at.damping_stress;
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) B_[q][i][j] = B(i, j);
    return S;
  }

  /// sum_q x y^T.
  KOKKOS_FORCEINLINE_FUNCTION static Mat3<P> sum_outer(const Vectors& x, const Vectors& y) {
    Mat3<P> A;
#if defined(__CUDA_ARCH__)
#pragma unroll 1  // eight points at once would take more registers than a thread has
#endif
    for (int q = 0; q < Q; ++q)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) A(i, j) = A(i, j) + x[q][i] * y[q][j];
    return A;
  }

  /// sum_q factor_q x y^T.
  KOKKOS_FORCEINLINE_FUNCTION static Mat3<P> sum_outer(const Vectors& x, const Vectors& y, const P (&factor)[Q]) {
    Mat3<P> A;
    for (int q = 0; q < Q; ++q)
      for (int j = 0; j < 3; ++j) {
        const P scaled = factor[q] * y[q][j];
        for (int i = 0; i < 3; ++i) A(i, j) = A(i, j) + x[q][i] * scaled;
      }
    return A;
  }

  /// sum_q (g_a.g_b) B + (g_a.S g_b) I.
  KOKKOS_FORCEINLINE_FUNCTION Mat3<P> sum_rest(const P& mu, int a, int b) const {
    Mat3<P> A;
    P along = 0.0, turned = 0.0;
    for (int q = 0; q < Q; ++q) {
      P gg;
      if constexpr (has_metric<Law>)
        gg = inner(g_[a][q], A_g_[b][q]);
      else
        gg = inner(g_[a][q], g_[b][q]);
      if constexpr (!full_rest) along = along + gg;
      if constexpr (full_rest) {
        turned = turned + inner(g_[a][q], S_g_[b][q]);
        for (int i = 0; i < 3; ++i)
          for (int j = damped ? 0 : i; j < 3; ++j) A(i, j) = A(i, j) + gg * B_[q][i][j];
      }
    }
    if constexpr (!damped)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < i; ++j) A(i, j) = A(j, i);
    for (int i = 0; i < 3; ++i) A(i, i) = A(i, i) + (full_rest ? turned : mu * along);
    return A;
  }

  /// Adds lambda_d ab + mu_d ba to K_ab, and to K_ba with both exchanged; ab = sum_q f_a w_b^T, ba = sum_q f_b w_a^T.
  KOKKOS_FORCEINLINE_FUNCTION static void add_damping(const LameConstantsOf<P>& k, const Mat3<P>& ab, const Mat3<P>& ba,
                                                      Mat3<P>& K_ab, Mat3<P>& K_ba) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        K_ab(i, j) = (K_ab(i, j) + k.lambda * ab(i, j)) + k.mu * ba(i, j);
        K_ba(i, j) = (K_ba(i, j) + k.lambda * ba(i, j)) + k.mu * ab(i, j);
      }
  }

  KOKKOS_INLINE_FUNCTION const NodeVectors<true>& normals() const {
    if constexpr (has_normals) return n_;
    if constexpr (!has_normals) return g_;
  }
  KOKKOS_INLINE_FUNCTION const NodeVectors<damped>& deformed_gradients() const {
    if constexpr (damped && Law::follows_body) return n_;
    if constexpr (!damped || !Law::follows_body) return f_;
  }

  KOKKOS_INLINE_FUNCTION static void set(P (&to)[3], const Vec3<P>& x) {
    for (int i = 0; i < 3; ++i) to[i] = x[i];
  }
  KOKKOS_INLINE_FUNCTION static P inner(const P (&x)[3], const P (&y)[3]) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }

  NodeVectors<true> g_;                          // g_a
  NodeVectors<has_normals> n_;                   // N g_a
  NodeVectors<full_rest> S_g_;                   // S g_a
  NodeVectors<damped> w_;                        // W g_a
  NodeVectors<damped && !Law::follows_body> f_;  // F g_a, where that is not n_a
  NodeVectors<has_metric<Law>> A_g_;             // A g_a
  P B_[full_rest ? Q : 1][3][3];
  P mu_[Law::constant_mu ? 1 : Q];
};

}  // namespace sinew
