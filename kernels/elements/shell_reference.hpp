/// \file
/// What a shell's element knows of its shape at the start: axes, gradients, matrices of energy and mass. Host code.
#pragma once

#include "kernels/elements/shell.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

/// Tangents and normal of a shell's surface at the start, at a point of the reference coordinates.
template <class Face>
struct ShellSurface {
  static constexpr int N = Face::num_nodes;
  double shape[N] = {}, slope[2][N] = {};
  Vec3<double> along[2];  ///< X,xi and X,eta
  Vec3<double> normal;    ///< unit
  double area = 0;        ///< |X,xi x X,eta|

  ShellSurface(const FacePoint& at, const Vec3<double> (&X)[N]) {
    Face::evaluate(at, shape, slope);
    for (int i = 0; i < 2; ++i)
      for (int a = 0; a < N; ++a) along[i] += slope[i][a] * X[a];
    const Vec3<double> across = cross(along[0], along[1]);
    area = norm(across);
    normal = (1 / area) * across;
  }

  /// t1, t2, n: t1 is nearest to `first`.
  Mat3<double> axes(const Vec3<double>& first) const {
    const Vec3<double> in_plane = first - dot(first, normal) * normal, t1 = (1 / norm(in_plane)) * in_plane;
    const Vec3<double> t2 = cross(normal, t1);
    Mat3<double> T;
    for (int i = 0; i < 3; ++i) {
      T(i, 0) = t1[i];
      T(i, 1) = t2[i];
      T(i, 2) = normal[i];
    }
    return T;
  }

  /// J(i, a) = ds_a/dxi_i for axes t1, t2 here, and its inverse.
  Mat<double, 2> jacobian(const Mat3<double>& T) const {
    Mat<double, 2> J;
    for (int i = 0; i < 2; ++i)
      for (int a = 0; a < 2; ++a) J(i, a) = dot(along[i], column(T, a));
    return J;
  }
  static Mat<double, 2> inverse(const Mat<double, 2>& J) {
    const double det = J(0, 0) * J(1, 1) - J(0, 1) * J(1, 0);
    Mat<double, 2> I;
    I(0, 0) = J(1, 1) / det;
    I(1, 1) = J(0, 0) / det;
    I(0, 1) = -J(0, 1) / det;
    I(1, 0) = -J(1, 0) / det;
    return I;
  }
};

namespace shell_detail {

/// H - H B (B^T H B)^-1 B^T H: what is left of the energy 1/2 e^T H e where the strains e + B a have the a of least energy. The
/// amplitudes go one after the other.
template <int n, int m>
void release(Mat<double, n>& H, Mat<double, n, m> B) {
  for (int k = 0; k < m; ++k) {
    Vec<double, n> b = column(B, k), Hb = H * b;
    const double stiffness = dot(b, Hb);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) H(i, j) -= Hb[i] * Hb[j] / stiffness;
  }
}

/// Shears along the directions of the reference coordinates from those along the edges: gamma_i = sum T(i, e) s_e.
inline Mat<double, 2, 4> shears_from_edges(const Quad4&, const FacePoint& at) {
  Mat<double, 2, 4> T;
  T(0, 0) = 0.25 * (1 - at.y);
  T(0, 2) = -0.25 * (1 + at.y);
  T(1, 1) = 0.25 * (1 + at.x);
  T(1, 3) = -0.25 * (1 - at.x);
  return T;
}
/// gamma_1 = s_0 + c eta and gamma_2 = -s_2 - c xi with c = -(s_0 + s_1 + s_2).
inline Mat<double, 2, 3> shears_from_edges(const Tri3&, const FacePoint& at) {
  Mat<double, 2, 3> T;
  for (int e = 0; e < 3; ++e) {
    T(0, e) = (e == 0 ? 1 : 0) - at.y;
    T(1, e) = (e == 2 ? -1 : 0) + at.x;
  }
  return T;
}

/// A rule for products of two shape functions.
inline int num_square_points(const Quad4&) { return 4; }
inline FacePoint square_point(const Quad4&, int q) { return Quad4::point(q); }
inline int num_square_points(const Tri3&) { return 3; }
inline FacePoint square_point(const Tri3&, int q) { return {q == 1 ? 0.0 : 0.5, q == 2 ? 0.0 : 0.5, 1.0 / 6}; }

inline FacePoint middle(const Quad4&) { return {0, 0, 4}; }
inline FacePoint middle(const Tri3&) { return {1.0 / 3, 1.0 / 3, 0.5}; }
/// The middle of the edge from node a to the next.
inline FacePoint edge_middle(const Quad4&, int a) {
  const int b = (a + 1) % 4;
  return {0.5 * (quadrilateral_place(a, 0) + quadrilateral_place(b, 0)),
          0.5 * (quadrilateral_place(a, 1) + quadrilateral_place(b, 1)), 0};
}
inline FacePoint edge_middle(const Tri3&, int a) { return {a == 2 ? 0.0 : 0.5, a == 0 ? 0.0 : 0.5, 0}; }

/// Takes away what energy a d has that goes as xi eta less its mean. In a flat quadrilateral of a curved surface corners that
/// turn as the surface bends have such components along the element's normal, which is that of none of them: with energy a
/// hemisphere of 8 x 8 elements a quarter would be three times too stiff. Drilling curvatures hold it still.
template <int num_plane>
void leave_crossed_drilling(const double (&weight)[4], double stiffness, Mat<double, num_plane>& plane) {
  double area = 0, mean = 0, square = 0, part[4];
  for (int q = 0; q < 4; ++q) {
    part[q] = Quad4::point(q).x * Quad4::point(q).y;
    area += weight[q];
    mean += weight[q] * part[q];
  }
  mean /= area;
  for (int q = 0; q < 4; ++q) square += weight[q] * (part[q] - mean) * (part[q] - mean);
  Vec<double, num_plane> crossed;
  for (int q = 0; q < 4; ++q) crossed[4 * q + 3] = weight[q] * (part[q] - mean);
  plane = plane - (stiffness / square) * outer(crossed, crossed);
}

/// Axes, gradients and the energy in the plane at every point. `first`: the direction that t1 is nearest to.
template <int N>
void set_plane(const Vec3<double> (&X)[N], const ShellSection& section, const ShellSurface<typename Shell<N>::Face>& centre,
               const Vec3<double>& first, typename Shell<N>::Params& p) {
  using Face = typename Shell<N>::Face;
  using Surface = ShellSurface<Face>;
  constexpr int num_points = Shell<N>::num_points, num_plane = Shell<N>::num_plane;
  const double E = section.youngs_modulus, nu = section.poissons_ratio, t = section.thickness;
  const double stretching = E * t / (1 - nu * nu), shearing = E / (2 * (1 + nu)) * t;
  const Mat<double, 2> I0 = Surface::inverse(centre.jacobian(centre.axes(first)));
  Mat<double, num_plane> plane;
  Mat<double, num_plane, 4> modes;
  for (int q = 0; q < num_points; ++q) {
    const FacePoint at = Face::point(q);
    const Surface here(at, X);
    p.axes[q] = here.axes(first);
    const double w = p.weight[q] = at.weight * here.area;
    p.reference.plane[4 * q] = p.reference.plane[4 * q + 1] = 0.5;
    const Mat<double, 2> I = Surface::inverse(here.jacobian(p.axes[q]));
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 2; ++i) p.slope[q][a][i] = I(i, 0) * here.slope[0][a] + I(i, 1) * here.slope[1][a];
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) plane(4 * q + i, 4 * q + j) = w * stretching * (i == j ? 1 : nu);
    plane(4 * q + 2, 4 * q + 2) = plane(4 * q + 3, 4 * q + 3) = w * shearing;
    // displacements along xi and along eta that are quadratic in xi, and in eta: J0^-1 (gradient in the reference) J0^-T
    const double reference[2] = {at.x, at.y};
    for (int k = 0; k < 4; ++k) {
      const int by = k / 2, of = k % 2;
      const double factor = centre.area / here.area * reference[by];
      Mat<double, 2> gradient;
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) gradient(i, j) = factor * I0(i, by) * I0(j, of);
      for (int i = 0; i < 2; ++i) modes(4 * q + i, k) = gradient(i, i);
      modes(4 * q + 2, k) = gradient(0, 1) + gradient(1, 0);
      modes(4 * q + 3, k) = gradient(0, 1) - gradient(1, 0);
    }
  }
  if constexpr (N == 4) {
    leave_crossed_drilling(p.weight, shearing, plane);
    release(plane, modes);
  }
  p.plane = Symmetric<double, num_plane>::of(plane);
}

/// The energy of the shears across the wall, by those along the edges, and the mass.
template <int N>
void set_across_and_mass(const Vec3<double> (&X)[N], const ShellSection& section, const Vec3<double>& first,
                         typename Shell<N>::Params& p) {
  using Face = typename Shell<N>::Face;
  using Surface = ShellSurface<Face>;
  const double t = section.thickness, shearing = section.youngs_modulus / (2 * (1 + section.poissons_ratio)) * t;
  Mat<double, N> across, masses;
  for (int a = 0; a < N; ++a) p.normal[a] = Surface(edge_middle(Face{}, a), X).normal;
  for (int q = 0; q < num_square_points(Face{}); ++q) {
    const FacePoint at = square_point(Face{}, q);
    const Surface here(at, X);
    const double w = at.weight * here.area;
    const Mat<double, 2, N> T = Surface::inverse(here.jacobian(here.axes(first))) * shears_from_edges(Face{}, at);
    across = across + (5.0 / 6 * w * shearing) * (transpose(T) * T);
    for (int a = 0; a < N; ++a) {
      for (int b = 0; b < N; ++b) masses(a, b) += w * section.density * t * here.shape[a] * here.shape[b];
      p.inertia[a] += w * section.density * t * t * t / 12 * here.shape[a];
    }
  }
  p.across = Symmetric<double, N>::of(across);
  p.mass = Symmetric<double, N>::of(masses);
}

}  // namespace shell_detail

template <int N>
typename Shell<N>::Params Shell<N>::make(const Vec3<double> (&X)[N], const ShellSection& section) {
  Params p{};
  const double nu = section.poissons_ratio, t = section.thickness;
  p.bending = section.youngs_modulus * t * t * t / (12 * (1 - nu * nu));
  p.poissons_ratio = nu;
  p.twisting = 0.7 * p.bending * (1 - nu);
  p.thickness = t;
  p.tau = section.tau;
  p.alpha = section.alpha;
  const ShellSurface<Face> centre(shell_detail::middle(Face{}), X);
  const Vec3<double> first = N == 3 ? centre.along[0]
                                    : (1 / norm(centre.along[0])) * centre.along[0] -
                                          cross(centre.normal, (1 / norm(centre.along[1])) * centre.along[1]);
  shell_detail::set_plane(X, section, centre, first, p);
  shell_detail::set_across_and_mass(X, section, first, p);
  return p;
}

/// A warped element of about unit size, thick, so that all of its energies count.
template <int N>
typename Shell<N>::Params Shell<N>::example(unsigned seed) {
  Sampler sample(seed);
  Vec3<double> X[N];
  for (int a = 0; a < N; ++a) X[a] = Vec3<double>{{a == 1 || a == 2 ? 1.0 : 0.0, a >= 2 ? 1.0 : 0.0, 0}} + sample.vector(0.15);
  ShellSection section;
  section.thickness = sample.uniform(0.3, 0.6);
  section.youngs_modulus = sample.uniform(1, 4);
  section.poissons_ratio = sample.uniform(0, 0.4);
  section.density = sample.uniform(0.5, 2);
  section.tau = seed % 2 == 0 ? sample.uniform(0.01, 0.1) : 0;
  section.alpha = seed % 3 == 0 ? sample.uniform(0.1, 1) : 0;
  return make(X, section);
}

/// Places from the gradients: x,i = t_i at the points, up to a translation.
template <int N>
typename Shell<N>::States Shell<N>::example_reference(const Params& p) {
  States z;
  // along the edges, by the gradients of the shape functions: sum_a slope_a X_a = t
  Mat<double, 2 * num_points, N> A;
  for (int q = 0; q < num_points; ++q)
    for (int i = 0; i < 2; ++i)
      for (int a = 0; a < N; ++a) A(2 * q + i, a) = p.slope[q][a][i];
  // least squares with node 0 at the origin, by Gauss elimination of the normal equations
  Mat<double, N - 1> M;
  Mat<double, N - 1, 3> b;
  for (int r = 0; r < 2 * num_points; ++r)
    for (int a = 1; a < N; ++a) {
      for (int c = 1; c < N; ++c) M(a - 1, c - 1) += A(r, a) * A(r, c);
      for (int k = 0; k < 3; ++k) b(a - 1, k) += A(r, a) * p.axes[r / 2](k, r % 2);
    }
  for (int k = 0; k < N - 1; ++k)
    for (int i = 0; i < N - 1; ++i) {
      if (i == k) continue;
      const double factor = M(i, k) / M(k, k);
      for (int j = 0; j < N - 1; ++j) M(i, j) -= factor * M(k, j);
      for (int j = 0; j < 3; ++j) b(i, j) -= factor * b(k, j);
    }
  for (int a = 0; a < N; ++a) {
    z.frame[a].R = identity<double, 3>();
    for (int k = 0; k < 3; ++k) z.frame[a].x[k] = a == 0 ? 0 : b(a - 1, k) / M(a - 1, a - 1);
  }
  return z;
}

}  // namespace sinew
