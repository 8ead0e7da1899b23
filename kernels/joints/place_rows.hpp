/// \file
/// A joint as a list of rows between two places: coincidence, along and dot rows (kernels/joints/primitives.hpp). A joint derives
/// from it and adds its name, its keys and `make`.
#pragma once

#include "kernels/joints/primitives.hpp"

namespace sinew {

/// The two places, in their nodes' axes.
struct PlacePoints {
  Vec3<double> point1, point2;
};
struct NoPoints {};

/// Directions of along rows, in the first node's axes.
template <int N>
struct AlongDirections {
  Vec3<double> along[N];
};
template <>
struct AlongDirections<0> {};

/// Directions of dot rows: first[i] in the first node's axes, second[i] in the second's.
template <int N>
struct DotPairs {
  Vec3<double> first[N], second[N];
};
template <>
struct DotPairs<0> {};

/// Selects a base that holds the points only where rows need them.
template <bool needed>
struct PointsIf {
  using type = PlacePoints;
};
template <>
struct PointsIf<false> {
  using type = NoPoints;
};

/// Rows, in order: the 3 of r = p2 - p1 in the global frame if `coincident`, then `alongs` of (R1 a) . r, then `dots` of
/// (R1 a) . (R2 b). Units: m for the first two kinds (their multipliers are forces, N), 1 for dots (moments, N m).
///
/// Two dots are those of keep_axes_parallel, three those of keep_orientation (kernels/joints/places.hpp). Such rows hold too
/// where the axes point opposite ways, respectively where the bodies are half a turn, or a third about a diagonal, off.
template <bool coincident, int alongs, int dots>
struct PlaceRows {
  static constexpr int num_nodes = 2;
  static constexpr int first_along = coincident ? 3 : 0;
  static constexpr int first_dot = first_along + alongs;
  static constexpr int num_position_rows = first_dot + dots;
  static constexpr int num_velocity_rows = 0;
  static constexpr int num_signals = 0;
  static constexpr bool is_analytic = true;
  static constexpr bool has_points = coincident || alongs > 0;

  struct Params : PointsIf<has_points>::type, AlongDirections<alongs>, DotPairs<dots> {};

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* /*signals*/,
                                              S (&g)[num_position_rows]) {
    if constexpr (has_points) {
      const Vec3<S> r = place_of(f[1], p.point2) - place_of(f[0], p.point1);
      if constexpr (coincident)
        for (int i = 0; i < 3; ++i) g[i] = r[i];
      if constexpr (alongs > 0)
        for (int k = 0; k < alongs; ++k) g[first_along + k] = dot(f[0].R * p.along[k], r);
    }
    if constexpr (dots > 0)
      for (int k = 0; k < dots; ++k) g[first_dot + k] = dot(f[0].R * p.first[k], f[1].R * p.second[k]);
  }

  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                              Mat<double, num_position_rows, 12>& G) {
    if constexpr (coincident) coincidence_gradient(f, p.point1, p.point2, G);
    if constexpr (alongs > 0)
      for (int k = 0; k < alongs; ++k) along_gradient(f, p.point2, p.along[k], first_along + k, G);
    if constexpr (dots > 0)
      for (int k = 0; k < dots; ++k) dot_gradient(f, p.first[k], p.second[k], first_dot + k, G);
  }

  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                                         const double (&lambda)[num_position_rows], Mat<double, 12>& K) {
    if constexpr (coincident) coincidence_stiffness(f, p.point1, p.point2, Vec3<double>{{lambda[0], lambda[1], lambda[2]}}, K);
    if constexpr (alongs > 0) {
      Vec3<double> a = lambda[first_along] * p.along[0];
      for (int k = 1; k < alongs; ++k) a += lambda[first_along + k] * p.along[k];
      along_stiffness(f, p.point2, a, K);
    }
    if constexpr (dots > 0) {
      Mat3<double> L = outer(lambda[first_dot] * p.first[0], p.second[0]);
      for (int k = 1; k < dots; ++k) L = L + outer(lambda[first_dot + k] * p.first[k], p.second[k]);
      dot_stiffness(f, L, K);
    }
  }

  static constexpr const char* fault = dots == 2 ? "has turned over: the axes of its bodies point opposite ways"
                                                 : "has turned over: its bodies lie far from where they hold each other";

  /// The axes that the rows keep together point the same way: e = u x v of the first rows, respectively all three of the triad,
  /// whose cosines are 1 where they should be and 0 or -1 on the other branches.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&)[2], const Frame<double> (&f)[2],
                                              const double*) requires(dots >= 2) {
    if constexpr (dots == 2) {
      const Vec3<double> e1 = f[0].R * cross(p.first[1], p.first[0]);
      return dot(e1, f[1].R * p.second[1]) > 0 ? Verdict::ok : Verdict::other_branch;
    } else {
      for (int k = 0; k < 3; ++k)
        if (!(dot(f[0].R * p.first[(k + 1) % 3], f[1].R * p.second[(k + 2) % 3]) > 0.5)) return Verdict::other_branch;
      return Verdict::ok;
    }
  }
};

}  // namespace sinew
