/// \file
/// Strains and stresses at the points of an enhanced hexahedron under any law, its own strains in balance: sum_q x_k S p_k = 0
/// and sum_q phi_m tr S = 0, the derivatives of the energy by their amplitudes (kernels/elements/enhanced_modes.hpp). Forces are
/// then those of the nodes' motion alone, int F S:dF dV, and the gradient of an energy of the nodes.
#pragma once

#include "kernels/elements/enhanced_geometry.hpp"
#include "kernels/elements/enhanced_newton.hpp"

namespace sinew {

/// The numbers of a 3 x 3 matrix, of all or of the upper triangle, where Mat3's zeros at the start would cost time.
template <class S>
struct StoredMatrix {
  S data[3][3];
  KOKKOS_FORCEINLINE_FUNCTION void set(const Mat3<S>& A) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) data[i][j] = A(i, j);
  }
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> get() const {
    Mat3<S> A;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) A(i, j) = data[i][j];
    return A;
  }
};
template <class S>
struct StoredSymmetric {
  S data[6];  ///< 00 11 22 01 12 02
  KOKKOS_FORCEINLINE_FUNCTION void set(const Mat3<S>& A) {
    for (int i = 0; i < 3; ++i) data[i] = A(i, i);
    data[3] = A(0, 1);
    data[4] = A(1, 2);
    data[5] = A(0, 2);
  }
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> get() const {
    Mat3<S> A;
    for (int i = 0; i < 3; ++i) A(i, i) = data[i];
    A(0, 1) = A(1, 0) = data[3];
    A(1, 2) = A(2, 1) = data[4];
    A(0, 2) = A(2, 0) = data[5];
    return A;
  }
};

/// P is the scalar of parameters, S that of the motion.
template <class Law, class P, class S>
class EnhancedState {
 public:
  static constexpr int N = Hex8::num_nodes, Q = Hex8::num_stiffness_points, count = EnhancedVectors::count;
  using Lame = LameConstantsOf<P>;
  using Geometry = EnhancedGeometry<P>;

  Mat3<P> B;  ///< dxi/dX in the centre
  EnhancedModes<P> modes;

  /// From displacements; finds the element's own strains.
  KOKKOS_FORCEINLINE_FUNCTION void set(const Geometry& geometry, const Mat3<P>& dxi_dX, const Lame& law, const S (&u)[3][N]) {
    B = dxi_dX;
    modes.set(dxi_dX);
    Vec3<S> f[count];
    geometry.gather(u, f);
    unrolled<Q>([&](auto q) __attribute__((always_inline)) {
      const Mat3<S> H = gradient(q, f);
      F_[q].set(deformation_gradient(H));
      strain_[q].set(Law::strain(H));
    });
    EnhancedNewton<Law, P, S> newton;
    newton.solve(modes, law, *this);
    const EnhancedField<S> strains = modes.strains(newton.amplitudes);
    unrolled<Q>([&](auto q) __attribute__((always_inline)) {
      const Mat3<S> E = strains.added_to(strain_[q].get(), q);
      const StrainModuli<S> m = Law::strain_moduli(law, E);
      strain_[q].set(E);
      stress_[q].set(m.S);
      metric_[q].set(m.A);
      mu_[q] = m.mu;
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> F(int q) const { return F_[q].get(); }
  /// The second Piola stress, Pa.
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> stress(int q) const { return stress_[q].get(); }
  /// With the element's own, once it is found.
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> strain(int q) const { return strain_[q].get(); }

  /// A and mu of the moduli there.
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> metric(int q) const { return metric_[q].get(); }
  KOKKOS_FORCEINLINE_FUNCTION const S& mu(int q) const { return mu_[q]; }

  /// What works on the seven vectors, mean over the points, times `factor`.
  KOKKOS_FORCEINLINE_FUNCTION void tractions(const P& factor, Vec3<S> (&t)[count]) const {
    for (int A = 0; A < count; ++A) t[A] = Vec3<S>{};
    unrolled<Q>([&](auto q) __attribute__((always_inline)) {
      const Mat3<S> T = (F(q) * stress(q)) * transpose(B);
      unrolled<9>([&](auto e) __attribute__((always_inline)) {
        constexpr int i = e / 3, a = e % 3, b = (a + 1) % 3, c = (a + 2) % 3;
        t[a][i] = t[a][i] + T(i, a);
        add_signed(q, a, T(i, b), t[3 + c][i]);
        add_signed(q, a, T(i, c), t[3 + b][i]);
        add_signed(q, 3 + a, T(i, a), t[6][i]);
      });
    });
    const P share = (1.0 / Q) * factor;
    for (int A = 0; A < count; ++A)
      for (int i = 0; i < 3; ++i) t[A][i] = share * t[A][i];
  }

  /// Row by row of dN_a/dX at point q, of node a, T the weights of its vectors.
  KOKKOS_FORCEINLINE_FUNCTION Vec3<P> node_gradient(int q, int a, const P (&T)[count][N]) const {
    P along[3];
    unrolled<3>([&](auto k) __attribute__((always_inline)) {
      constexpr int b = (k + 1) % 3, c = (k + 2) % 3;
      along[k] = T[k][a];
      add_signed(q, b, T[3 + c][a], along[k]);
      add_signed(q, c, T[3 + b][a], along[k]);
      add_signed(q, 3 + k, T[6][a], along[k]);
    });
    Vec3<P> g;
    for (int i = 0; i < 3; ++i) g[i] = B(0, i) * along[0] + B(1, i) * along[1] + B(2, i) * along[2];
    return g;
  }

 private:
  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION static void add_signed(int q, int k, const X& x, X& sum) {
    EnhancedModes<P>::add_signed(EnhancedModes<P>::sign(q, k), x, sum);
  }

  /// The gradient at point q of what has these vectors.
  KOKKOS_FORCEINLINE_FUNCTION Mat3<S> gradient(int q, const Vec3<S> (&f)[count]) const {
    Mat3<S> base;
    unrolled<9>([&](auto e) __attribute__((always_inline)) {
      constexpr int i = e / 3, a = e % 3, b = (a + 1) % 3, c = (a + 2) % 3;
      S sum = f[a][i];
      add_signed(q, b, f[3 + c][i], sum);
      add_signed(q, c, f[3 + b][i], sum);
      add_signed(q, 3 + a, f[6][i], sum);
      base(i, a) = sum;
    });
    return base * B;
  }

  StoredMatrix<S> F_[Q];
  StoredSymmetric<S> stress_[Q], strain_[Q], metric_[Q];
  S mu_[Q];
};

}  // namespace sinew
