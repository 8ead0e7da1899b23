/// \file
/// The three kinds of row that most joints are made of, with their gradients and geometric stiffness in closed form.
///
/// Two frames (x1, R1), (x2, R2); places p_i = x_i + R_i s_i; separation r = p2 - p1; relative orientation C = R1^T R2.
///   coincidence   g = r                        three rows in the global frame
///   along         g = (R1 a) . r               one row, a fixed in the first frame
///   dot           g = (R1 a) . (R2 b)          one row, a and b fixed in their frames
/// Degrees of freedom are ordered v1, omega1, v2, omega2 (see kernels/contract.hpp). Geometric stiffness is linear in the
/// multipliers, so several rows of a kind cost as much as one: along rows add up to one vector sum(lambda a), dot rows to
/// one matrix sum(lambda a b^T).
#pragma once

#include "kernels/contract.hpp"

namespace sinew {

/// Adds a 3 x 3 block at (row, col).
template <int R, int C>
KOKKOS_INLINE_FUNCTION void add_block(Mat<double, R, C>& A, int row, int col, const Mat3<double>& B) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) A(row + i, col + j) += B(i, j);
}

/// Sets three neighbouring entries of a row.
template <int R, int C>
KOKKOS_INLINE_FUNCTION void set_entries(Mat<double, R, C>& A, int row, int col, const Vec3<double>& b) {
  for (int j = 0; j < 3; ++j) A(row, col + j) = b[j];
}

/// a~ b~ = b a^T - (a . b) I.
KOKKOS_INLINE_FUNCTION Mat3<double> skew_skew(const Vec3<double>& a, const Vec3<double>& b) {
  const double ab = dot(a, b);
  Mat3<double> A;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) A(i, j) = b[i] * a[j];
  for (int i = 0; i < 3; ++i) A(i, i) -= ab;
  return A;
}

/// B a~, row by row: the row b of B becomes b x a.
KOKKOS_INLINE_FUNCTION Mat3<double> times_skew(const Mat3<double>& B, const Vec3<double>& a) {
  Mat3<double> A;
  for (int i = 0; i < 3; ++i) {
    A(i, 0) = B(i, 1) * a[2] - B(i, 2) * a[1];
    A(i, 1) = B(i, 2) * a[0] - B(i, 0) * a[2];
    A(i, 2) = B(i, 0) * a[1] - B(i, 1) * a[0];
  }
  return A;
}

/// A^T B without forming the transpose: C = R1^T R2.
KOKKOS_INLINE_FUNCTION Mat3<double> transpose_product(const Mat3<double>& A, const Mat3<double>& B) {
  Mat3<double> D;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) D(i, j) = A(0, i) * B(0, j) + A(1, i) * B(1, j) + A(2, i) * B(2, j);
  return D;
}

/// A B^T.
KOKKOS_INLINE_FUNCTION Mat3<double> product_transpose(const Mat3<double>& A, const Mat3<double>& B) {
  Mat3<double> D;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) D(i, j) = A(i, 0) * B(j, 0) + A(i, 1) * B(j, 1) + A(i, 2) * B(j, 2);
  return D;
}

/// The place s of a frame.
template <class S>
KOKKOS_INLINE_FUNCTION Vec3<S> place_of(const Frame<S>& frame, const Vec3<double>& s) {
  return frame.x + frame.R * s;
}

/// How far the direction (x, y) is turned from that of the angle `near`, within half a turn: whole turns need not be counted.
template <class S>
KOKKOS_INLINE_FUNCTION S angle_since(double near, const S& x, const S& y) {
  using math::atan2;
  const double c = math::cos(near), s = math::sin(near);
  return atan2(c * y - s * x, c * x + s * y);
}

/// An angle that has changed by so much since the last one that was remembered is to be remembered: well before half a turn, from
/// which it could not be told. An eighth of a turn.
inline constexpr double memorable_turn = 0.785398163397448;

/// Whether the line between two places has a direction. The largest square of a length that later products may hold is 1e300.
KOKKOS_INLINE_FUNCTION Verdict verdict_of_line(const Frame<double> (&f)[2], const Vec3<double>& s1, const Vec3<double>& s2) {
  const Vec3<double> r = place_of(f[1], s2) - place_of(f[0], s1);
  const double square = dot(r, r);
  if (!(square < 1e300)) return Verdict::not_finite;  // true for NaN as well
  return square > 0 ? Verdict::ok : Verdict::degenerate;
}

/// Velocity of the place s of a frame, v + R (omega x s), in the global frame.
template <class S>
KOKKOS_INLINE_FUNCTION Vec3<S> place_velocity(const Frame<S>& frame, const Twist<S>& twist, const Vec3<double>& s) {
  return twist.v + frame.R * cross(twist.omega, s);
}

/// Velocity of the body-fixed point that is now at the global position p.
template <class S>
KOKKOS_INLINE_FUNCTION Vec3<S> velocity_at(const Frame<S>& frame, const Twist<S>& twist, const Vec3<S>& p) {
  return twist.v + cross(frame.R * twist.omega, p - frame.x);
}

/// D(p) = [I, -R s~] for the node whose degrees of freedom start at column col; sign -1 for the first place of r = p2 - p1.
template <int R, int C>
KOKKOS_INLINE_FUNCTION void place_gradient(const Frame<double>& frame, const Vec3<double>& s, double sign, int col,
                                           Mat<double, R, C>& G) {
  const Mat3<double> B = times_skew(frame.R, s);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      G(i, col + j) = i == j ? sign : 0.0;
      G(i, col + 3 + j) = -sign * B(i, j);
    }
}

/// Adds the global force F at the place s of a frame to the wrench on its node.
template <class S>
KOKKOS_INLINE_FUNCTION void add_force_at(const Frame<S>& frame, const Vec3<double>& s, const Vec3<S>& F, Wrench<S>& wrench) {
  wrench.force += F;
  wrench.moment += cross(s, transpose_times(frame.R, F));
}

/// Adds s~ (R^T F)~, the derivative of the moment s x R^T F of a constant global force F at the place s, with respect to the
/// rotation whose degrees of freedom start at row and column `at`.
template <int N>
KOKKOS_INLINE_FUNCTION void add_place_stiffness(const Frame<double>& frame, const Vec3<double>& s, const Vec3<double>& F, int at,
                                                Mat<double, N, N>& K) {
  add_block(K, at, at, skew_skew(s, transpose_times(frame.R, F)));
}

/// Coincidence rows 0 to 2: G = [-I, R1 s1~, I, -R2 s2~].
template <int R>
KOKKOS_INLINE_FUNCTION void coincidence_gradient(const Frame<double> (&f)[2], const Vec3<double>& s1, const Vec3<double>& s2,
                                                 Mat<double, R, 12>& G) {
  place_gradient(f[0], s1, -1.0, 0, G);
  place_gradient(f[1], s2, 1.0, 6, G);
}

/// Coincidence rows: adds diag(0, -s1~ (R1^T lambda)~, 0, s2~ (R2^T lambda)~).
KOKKOS_INLINE_FUNCTION void coincidence_stiffness(const Frame<double> (&f)[2], const Vec3<double>& s1, const Vec3<double>& s2,
                                                  const Vec3<double>& lambda, Mat<double, 12>& K) {
  add_place_stiffness(f[0], s1, -lambda, 3, K);
  add_place_stiffness(f[1], s2, lambda, 9, K);
}

/// Adds factor * J^T J with J = D(p2 - p1) = [-I, R1 s1~, I, -R2 s2~].
KOKKOS_INLINE_FUNCTION void add_separation_square(const Frame<double> (&f)[2], const Vec3<double>& s1, const Vec3<double>& s2,
                                                  double factor, Mat<double, 12>& K) {
  const Mat3<double> A = factor * times_skew(f[0].R, s1);  // factor R1 s1~
  const Mat3<double> B = factor * times_skew(f[1].R, s2);  // factor R2 s2~
  const Mat3<double> A_T = transpose(A), B_T = transpose(B);
  const Mat3<double> cross_block = times_skew(transpose_product(f[0].R, f[1].R), s2);  // C s2~
  const Mat3<double> AB = factor * transpose_product(skew(s1), cross_block);           // (R1 s1~)^T (R2 s2~)
  for (int i = 0; i < 3; ++i) {
    K(i, i) += factor;
    K(6 + i, 6 + i) += factor;
    K(i, 6 + i) -= factor;
    K(6 + i, i) -= factor;
  }
  add_block(K, 0, 3, -1.0 * A);
  add_block(K, 3, 0, -1.0 * A_T);
  add_block(K, 0, 9, B);
  add_block(K, 9, 0, B_T);
  add_block(K, 6, 3, A);
  add_block(K, 3, 6, A_T);
  add_block(K, 6, 9, -1.0 * B);
  add_block(K, 9, 6, -1.0 * B_T);
  add_block(K, 3, 3, -factor * skew_skew(s1, s1));
  add_block(K, 9, 9, -factor * skew_skew(s2, s2));
  add_block(K, 3, 9, -1.0 * AB);
  add_block(K, 9, 3, -1.0 * transpose(AB));
}

/// Along row: G = [-(R1 a)^T, (a x q)^T, (R1 a)^T, (s2 x R2^T R1 a)^T] with q = R1^T (p2 - x1).
template <int R>
KOKKOS_INLINE_FUNCTION void along_gradient(const Frame<double> (&f)[2], const Vec3<double>& s2, const Vec3<double>& a, int row,
                                           Mat<double, R, 12>& G) {
  const Vec3<double> A = f[0].R * a;
  const Vec3<double> q = transpose_times(f[0].R, place_of(f[1], s2) - f[0].x);
  set_entries(G, row, 0, -A);
  set_entries(G, row, 3, cross(a, q));
  set_entries(G, row, 6, A);
  set_entries(G, row, 9, cross(s2, transpose_times(f[1].R, A)));
}

/// Along rows: adds the derivative of G^T lambda; `a` is the sum of lambda times the direction of every row.
KOKKOS_INLINE_FUNCTION void along_stiffness(const Frame<double> (&f)[2], const Vec3<double>& s2, const Vec3<double>& a,
                                            Mat<double, 12>& K) {
  const Mat3<double> C = transpose_product(f[0].R, f[1].R);
  const Vec3<double> q = transpose_times(f[0].R, place_of(f[1], s2) - f[0].x);
  const Vec3<double> d = transpose_times(C, a);
  const Mat3<double> turn = times_skew(f[0].R, a);         // R1 a~
  const Mat3<double> arm = times_skew(C, s2);              // C s2~
  const Mat3<double> B = transpose_product(skew(a), arm);  // -a~ C s2~
  const Mat3<double> turn_T = transpose(turn);             // -a~ R1^T
  add_block(K, 0, 3, turn);
  add_block(K, 6, 3, -1.0 * turn);
  add_block(K, 3, 0, turn_T);
  add_block(K, 3, 6, -1.0 * turn_T);
  add_block(K, 3, 3, skew_skew(a, q));
  add_block(K, 3, 9, B);
  add_block(K, 9, 3, transpose(B));
  add_block(K, 9, 9, skew_skew(s2, d));
}

/// Dot row: G = [0, (a x C b)^T, 0, (b x C^T a)^T].
template <int R>
KOKKOS_INLINE_FUNCTION void dot_gradient(const Frame<double> (&f)[2], const Vec3<double>& a, const Vec3<double>& b, int row,
                                         Mat<double, R, 12>& G) {
  const Vec3<double> none{};
  set_entries(G, row, 0, none);
  set_entries(G, row, 3, cross(a, transpose_times(f[0].R, f[1].R * b)));
  set_entries(G, row, 6, none);
  set_entries(G, row, 9, cross(b, transpose_times(f[1].R, f[0].R * a)));
}

/// Dot rows: adds the derivative of G^T lambda; L is the sum of lambda a b^T over the rows. With P = C L^T the blocks are
/// K11 = P - tr(P) I, K12 = -K11 C, K22 = C^T L - tr(P) I, K21 = K12^T.
KOKKOS_INLINE_FUNCTION void dot_stiffness(const Frame<double> (&f)[2], const Mat3<double>& L, Mat<double, 12>& K) {
  const Mat3<double> C = transpose_product(f[0].R, f[1].R);
  Mat3<double> K1 = product_transpose(C, L);
  Mat3<double> K2 = transpose_product(C, L);
  const double trace = K1(0, 0) + K1(1, 1) + K1(2, 2);
  for (int i = 0; i < 3; ++i) {
    K1(i, i) -= trace;
    K2(i, i) -= trace;
  }
  const Mat3<double> K12 = -1.0 * (K1 * C);
  add_block(K, 3, 3, K1);
  add_block(K, 3, 9, K12);
  add_block(K, 9, 3, transpose(K12));
  add_block(K, 9, 9, K2);
}

}  // namespace sinew
