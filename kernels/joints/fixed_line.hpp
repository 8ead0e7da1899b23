/// \file
/// A line that is held by a body: the end of a cable keeps its place and its direction there.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"

namespace sinew {

/// Three nodes: the body, the end of the line (a point), and the slope r' there, which is a vector and no place. With p1 the
/// point of the body in which the end lies at the start and (u, v, e) right-handed, e along the slope at the start, carried by
/// the body:
///   rows 0-2: p2 - p1 (m), global frame;   rows 3, 4: u1 . r', v1 . r' (1): the line leaves the body along e.
/// The stretch |r'| is left to the line, as is its turn about itself. lambda: force on the body at p1 (N), moments on it (N m):
/// lambda_3 r' x u + lambda_4 r' x v, of the size of the multipliers where the line is not stretched.
struct FixedLine {
  static constexpr const char* name = "fixed-line";
  static constexpr const char* help = "the end of a cable keeps its place and direction in a body";
  static constexpr int num_nodes = 3, num_position_rows = 5, num_velocity_rows = 0, num_signals = 0;
  static constexpr bool is_analytic = true;
  KOKKOS_INLINE_FUNCTION static constexpr bool is_slope(int node) { return node == 2; }

  struct Params {
    Vec3<double> point1, point2;    ///< p1 and p2 in their nodes' axes
    Vec3<double> across[2], along;  ///< u, v, e in the body's axes
  };

  static constexpr std::array<FieldSpec, 0> fields() { return {}; }

  /// The places are those of the body, of the end and, as a place at r', of the slope.
  static Params make(const Setup& setup) {
    require_places(setup, 3, name);
    const Place &body = setup.places[0], &end = setup.places[1];
    if (!has_axes(body)) throw std::invalid_argument("the body that holds the direction of a cable must be able to turn");
    const Vec3<double> slope = setup.places[2].frame.x;
    const double size = norm(slope);
    if (!(size > 0)) throw std::invalid_argument("the line has no direction at the start");
    const Vec3<double> e = (1 / size) * slope;
    const auto across = complete_triad(e);
    return {body.local(end.position() - body.frame.x), end.point, {body.local(across[0]), body.local(across[1])}, body.local(e)};
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[3], const S* /*signals*/, S (&g)[5]) {
    const Vec3<S> r = place_of(f[1], p.point2) - place_of(f[0], p.point1);
    for (int i = 0; i < 3; ++i) g[i] = r[i];
    for (int k = 0; k < 2; ++k) g[3 + k] = dot(f[0].R * p.across[k], f[2].x);
  }

  static constexpr const char* fault = "has turned over: the cable leaves its body the opposite way";

  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&)[3], const Frame<double> (&now)[3],
                                              const double* /*signals*/) {
    return dot(now[0].R * p.along, now[2].x) > 0 ? Verdict::ok : Verdict::other_branch;
  }
};

}  // namespace sinew
