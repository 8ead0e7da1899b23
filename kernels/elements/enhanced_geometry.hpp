/// \file
/// How an enhanced hexahedron sees its nodes: by seven vectors f_A that its 24 freedoms are, but for translation. With x, y, z =
/// -1 or 1 for the coordinates xi, eta, zeta of a point of the quadrature times sqrt(3), its deformed base vectors there are
///   f_1 = a_1 + y h_3 + z h_2 + yz H,   f_2 = a_2 + z h_1 + x h_3 + zx H,   f_3 = a_3 + x h_2 + y h_1 + xy H,
/// F = sum_k f_k (row k of J_0^-1), the a of the undeformed body the columns of J_0 = dX/dxi in the centre, its h and H zero.
///   a_k = Fbar J_0 e_k, Fbar the mean of F over the element's volume (Flanagan and Belytschko's gradient: patch tests hold),
///   h_1 = (x_yz - Fbar X_yz)/sqrt(3), ..., H = (x_xyz - Fbar X_xyz)/3: what is left of the coefficients of eta zeta, ... and xi
/// eta zeta in the isoparametric x, X when the mean motion has been taken away. In a parallelepiped all this is the isoparametric
/// F; in others J_0 is taken everywhere for what is not the mean, and every point has an eighth of the volume.
/// Sources: D. P. Flanagan and T. Belytschko (1981), Int. J. Numer. Meth. Engng 17, 679-706 (mean gradient, the vectors
/// orthogonal to it); M. A. Puso (2000), Int. J. Numer. Meth. Engng 49, 1029-1064 (enhanced strains in the axes of the centre).
#pragma once

#include "kernels/material/isotropic.hpp"
#include "kernels/shape/hex8.hpp"

namespace sinew {

/// Where the seven vectors stand: a_1 a_2 a_3 h_1 h_2 h_3 H.
struct EnhancedVectors {
  static constexpr int count = 7, last = 6;
  KOKKOS_INLINE_FUNCTION static constexpr int h(int k) { return 3 + k; }
  /// The sign of the product that belongs to h_1, h_2, h_3 or H (k = 3) at a node.
  KOKKOS_INLINE_FUNCTION static constexpr double sign(int k, int node) {
    const double x = Hex8::vertex(node, 0), y = Hex8::vertex(node, 1), z = Hex8::vertex(node, 2);
    return k == 0 ? y * z : k == 1 ? z * x : k == 2 ? x * y : x * y * z;
  }
  /// Of h_k, or H, the share of a sum over the nodes with these signs.
  KOKKOS_INLINE_FUNCTION static constexpr double scale(int k) {
    constexpr double g = 0.57735026918962576451;  // 1/sqrt(3)
    return k < 3 ? g / 8 : 1.0 / 24;
  }
};

/// What an element keeps of its shape.
template <class P>
struct EnhancedGeometry {
  static constexpr int N = Hex8::num_nodes, count = EnhancedVectors::count;

  P mean[3][N] = {};    ///< a_k = sum_a mean[k][a] x_a
  P offset[4][3] = {};  ///< h_k and H lose sum_l offset[k][l] a_l
  P volume = 0.0;       ///< m^3

  /// Of the element with these vertices, whose volume at every point must be positive. Host.
  static EnhancedGeometry make(const double (&x)[3][N]) {
    EnhancedGeometry geometry;
    double gradient[N][3] = {};  // times the volume
    for (int q = 0; q < Hex8::num_stiffness_points; ++q) {
      double factor, dN[3][N];
      const Vec3<double> xi = Hex8::stiffness_point(q, factor);
      Hex8::gradients(xi, dN);
      const Mat3<double> J = jacobian(x, xi);
      const double weight = factor * determinant(J);
      const Mat3<double> B = inverse(J, determinant(J));
      geometry.volume += weight;
      for (int a = 0; a < N; ++a)
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k) gradient[a][i] += weight * B(k, i) * dN[k][a];
    }
    const Mat3<double> J = jacobian(x, Hex8::centre()), B = inverse(J, determinant(J));
    for (int k = 0; k < 3; ++k)
      for (int a = 0; a < N; ++a)
        for (int i = 0; i < 3; ++i) geometry.mean[k][a] += gradient[a][i] * J(i, k) / geometry.volume;
    for (int k = 0; k < 4; ++k)
      for (int a = 0; a < N; ++a)
        for (int i = 0; i < 3; ++i)
          for (int l = 0; l < 3; ++l)
            geometry.offset[k][l] += EnhancedVectors::scale(k) * EnhancedVectors::sign(k, a) * B(l, i) * x[i][a];
    return geometry;
  }

  /// The seven vectors of a field of the nodes.
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION void gather(const S (&u)[3][N], Vec3<S> (&f)[count]) const {
    for (int i = 0; i < 3; ++i) gather(i, u[i], f);
  }
  /// Their component i, from that of the field.
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION void gather(int i, const S (&v)[N], Vec3<S> (&f)[count]) const {
    for (int k = 0; k < 3; ++k) {
      S sum = mean[k][0] * v[0];
      for (int a = 1; a < N; ++a) sum = sum + mean[k][a] * v[a];
      f[k][i] = sum;
    }
    // Nodes opposite to each other have the same signs in h, opposite ones in H.
    const S even[4] = {v[0] + v[6], v[1] + v[7], v[2] + v[4], v[3] + v[5]};
    const S low = even[0] - even[1], high = even[2] - even[3];
    const S products[4] = {(even[0] + even[1]) - (even[2] + even[3]), low - high, low + high,
                           ((v[6] - v[0]) + (v[1] - v[7])) + ((v[4] - v[2]) + (v[3] - v[5]))};
    for (int k = 0; k < 4; ++k)
      f[3 + k][i] =
          EnhancedVectors::scale(k) * products[k] - (offset[k][0] * f[0][i] + offset[k][1] * f[1][i] + offset[k][2] * f[2][i]);
  }

  /// Takes from the nodes what works on the seven vectors.
  template <class S>
  KOKKOS_FORCEINLINE_FUNCTION void subtract(const Vec3<S> (&t)[count], S (&sum)[3][N]) const {
    for (int i = 0; i < 3; ++i) {
      S axes[3], products[4];
      for (int k = 0; k < 4; ++k) products[k] = EnhancedVectors::scale(k) * t[3 + k][i];
      for (int l = 0; l < 3; ++l)
        axes[l] = t[l][i] - (offset[0][l] * t[3][i] + offset[1][l] * t[4][i] + offset[2][l] * t[5][i] + offset[3][l] * t[6][i]);
      const S low = products[0] + products[1], high = products[0] - products[1];
      const S even[4] = {low + products[2], high - products[2], products[2] - low, -(high + products[2])};
      for (int a = 0; a < N; ++a) {
        const S bent = EnhancedVectors::sign(3, a) > 0 ? even[opposite(a)] + products[3] : even[opposite(a)] - products[3];
        sum[i][a] = (sum[i][a] - bent) - (mean[0][a] * axes[0] + mean[1][a] * axes[1] + mean[2][a] * axes[2]);
      }
    }
  }

  /// All of `gather` in one matrix: f_A = sum_a T[A][a] u_a.
  KOKKOS_FORCEINLINE_FUNCTION void weights(P (&T)[count][N]) const {
    for (int a = 0; a < N; ++a) weights(a, T);
  }
  /// Those of node a.
  KOKKOS_FORCEINLINE_FUNCTION void weights(int a, P (&T)[count][N]) const {
    for (int k = 0; k < 3; ++k) T[k][a] = mean[k][a];
    for (int k = 0; k < 4; ++k)
      T[3 + k][a] = EnhancedVectors::scale(k) * EnhancedVectors::sign(k, a) -
                    (offset[k][0] * mean[0][a] + offset[k][1] * mean[1][a] + offset[k][2] * mean[2][a]);
  }

  /// The columns of J_0, m: the a of the undeformed body.
  KOKKOS_FORCEINLINE_FUNCTION static void axes(const P (&x)[3][N], Vec3<P> (&axis)[3]) {
    for (int i = 0; i < 3; ++i) axes(i, x[i], axis);
  }
  /// Their component i.
  KOKKOS_FORCEINLINE_FUNCTION static void axes(int i, const P (&v)[N], Vec3<P> (&axis)[3]) {
    const P d06 = v[6] - v[0], d17 = v[7] - v[1], d24 = v[4] - v[2], d35 = v[5] - v[3];
    axis[0][i] = 0.125 * ((d06 - d17) - (d24 - d35));
    axis[1][i] = 0.125 * ((d06 + d17) - (d24 + d35));
    axis[2][i] = 0.125 * ((d06 + d17) + (d24 + d35));
  }

 private:
  /// Of a node and the one opposite to it, the one on the lower face, as `subtract` numbers them.
  KOKKOS_INLINE_FUNCTION static constexpr int opposite(int a) { return a < 4 ? a : (a + 2) % 4; }

  static Mat3<double> jacobian(const double (&x)[3][N], const Vec3<double>& xi) {
    double dN[3][N];
    Hex8::gradients(xi, dN);
    Mat3<double> J;
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) J(i, j) += x[i][a] * dN[j][a];
    return J;
  }
};

}  // namespace sinew
