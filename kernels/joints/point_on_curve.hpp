/// \file
/// A place stays on a curve of another body.
#pragma once

#include "kernels/joints/places.hpp"
#include "kernels/joints/primitives.hpp"
#include "kernels/joints/space_curve.hpp"
#include "kernels/joints/turn.hpp"

namespace sinew {

/// x: the second place, seen from the first body, which carries the curve c(u). With the foot u of x, where (x - c) . c' = 0, and
/// unit vectors n_1, n_2 across the curve there:
///   g = n_1 . (x - c), n_2 . (x - c)   (m)
/// the form with a projected parameter, which leaves no coordinate of its own to the multipliers (with one: J. Pombo, J.
/// Ambrosio, General spatial curve joint for rail guided vehicles, Multibody Syst. Dyn. 9, 2003). On the curve grad g_i = n_i;
/// second derivatives hold its curvature.
/// lambda (N): forces on the first body along n_1, n_2, at the second place.
struct PointOnCurve {
  static constexpr const char* name = "point-on-curve";
  static constexpr const char* help =
      "the second place stays on a smooth curve through points that the first place's body carries";
  static constexpr int num_nodes = 2, num_position_rows = 2, num_velocity_rows = 0, num_signals = 0;

  /// Whatever the foot couples; random states would miss pieces of the curve.
  static constexpr bool couples(int /*row*/, int /*column*/) { return true; }

  struct Params {
    SpaceCurve curve;  ///< first node's axes
    Vec3<double> point2;
    double near = 0;  ///< a foot of the past
  };

  static constexpr std::array<FieldSpec, 1> fields() {
    return {{{"points", FieldType::points, "m", true, "", FieldCheck::any,
              "points of the curve, global at the start, `[[x, y, z], ...]`; closed where the last one is the first"}}};
  }

  static Params make(const Setup& setup) {
    require_first_frame(setup, name);
    const Frame<double>& first = setup.places[0].frame;
    std::vector<double> local = setup.fields.at("points");
    for (std::size_t i = 0; i + 2 < local.size(); i += 3) {
      const Vec3<double> at = transpose_times(first.R, Vec3<double>{{local[i], local[i + 1], local[i + 2]}} - first.x);
      for (std::size_t c = 0; c < 3; ++c) local[i + c] = at[static_cast<int>(c)];
    }
    Params p;
    p.curve = SpaceCurve::through(local);
    p.point2 = setup.places[1].point;
    p.near = first_foot(p.curve, transpose_times(first.R, setup.places[1].position() - first.x));
    return p;
  }

  static constexpr const char* fault =
      "has come to an end of its curve, or moves along it, or turns with it, by so much in a step that its place there is lost";

  template <class S>
  KOKKOS_INLINE_FUNCTION static Vec3<S> seen_from_first(const Params& p, const Frame<S> (&f)[2]) {
    return transpose_times(f[0].R, place_of(f[1], p.point2) - f[0].x);
  }
  KOKKOS_INLINE_FUNCTION static double foot(const Params& p, const Vec3<double>& x) { return p.curve.nearest(x, p.near); }

  template <class S>
  KOKKOS_INLINE_FUNCTION static void position(const Params& p, const Frame<S> (&f)[2], const S* /*signals*/, S (&g)[2]) {
    const Vec3<S> x = seen_from_first(p, f);
    Vec3<double> at;
    for (int i = 0; i < 3; ++i) at[i] = value_of(x[i]);
    p.curve.offsets(x, foot(p, at), g);
  }

  /// grad g_i in the first body's axes.
  KOKKOS_INLINE_FUNCTION static void slopes(const Params& p, const Vec3<double>& x, double u, Vec3<double> (&a)[2]) {
    for (int j = 0; j < 3; ++j) {
      Vec3<Dual1> seeded;
      Dual1 g[2];
      for (int i = 0; i < 3; ++i) seeded[i] = Dual1(x[i], i == j ? 1.0 : 0.0);
      p.curve.offsets(seeded, u, g);
      for (int i = 0; i < 2; ++i) a[i][j] = g[i].grad;
    }
  }

  KOKKOS_INLINE_FUNCTION static void gradient(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                              Mat<double, 2, 12>& G) {
    const Vec3<double> x = seen_from_first(p, f);
    Vec3<double> a[2];
    slopes(p, x, foot(p, x), a);
    for (int i = 0; i < 2; ++i) along_gradient(f, p.point2, a[i], i, G);
  }

  /// With J = D x: the along rows' stiffness with sum lambda_i grad g_i, and J^T (sum lambda_i H_i) J.
  KOKKOS_INLINE_FUNCTION static void geometric_stiffness(const Params& p, const Frame<double> (&f)[2], const double* /*signals*/,
                                                         const double (&lambda)[2], Mat<double, 12>& K) {
    const Vec3<double> x = seen_from_first(p, f);
    const double u = foot(p, x);
    Vec3<double> a[2];
    slopes(p, x, u, a);
    along_stiffness(f, p.point2, lambda[0] * a[0] + lambda[1] * a[1], K);
    Mat<double, 3, 12> J;
    for (int i = 0; i < 3; ++i) {
      Vec3<double> e;
      e[i] = 1;
      along_gradient(f, p.point2, e, i, J);
    }
    const Mat3<double> H = curvature(p, x, u, lambda);
    for (int i = 0; i < 12; ++i) {
      double row[3] = {};  // of J^T H
      for (int b = 0; b < 3; ++b)
        for (int c = 0; c < 3; ++c) row[c] += J(b, i) * H(b, c);
      for (int j = 0; j < 12; ++j) K(i, j) += row[0] * J(0, j) + row[1] * J(1, j) + row[2] * J(2, j);
    }
  }

  /// sum lambda_i D D g_i in the first body's axes.
  KOKKOS_INLINE_FUNCTION static Mat3<double> curvature(const Params& p, const Vec3<double>& x, double u,
                                                       const double (&lambda)[2]) {
    Mat3<double> H;
    for (int a = 0; a < 3; ++a)
      for (int b = a; b < 3; ++b) {
        Vec3<Dual2> seeded;
        Dual2 g[2];
        for (int i = 0; i < 3; ++i) seeded[i] = Dual2(Dual1(x[i], i == a ? 1.0 : 0.0), Dual1(i == b ? 1.0 : 0.0));
        p.curve.offsets(seeded, u, g);
        H(a, b) = H(b, a) = lambda[0] * g[0].grad.grad + lambda[1] * g[1].grad.grad;
      }
    return H;
  }

  /// The foot is on the curve, it is a foot, and it has not come farther than the place may have taken it. Nor has the tangent
  /// there turned round in space and against the second body: a follower that has done so has jumped through its cam.
  KOKKOS_INLINE_FUNCTION static Verdict check(const Params& p, const Frame<double> (&before)[2], const Frame<double> (&now)[2],
                                              const double*) {
    const Vec3<double> x = seen_from_first(p, now), was = seen_from_first(p, before);
    const double u = foot(p, x), rounding = 1e-9 * p.curve.length();
    if (!p.curve.is_closed() && (u < -rounding || u > p.curve.length() + rounding)) return Verdict::singular;
    if (!(math::fabs(p.curve.miss(x, u)) <= rounding)) return Verdict::other_branch;
    const double from = foot(p, was);
    if (math::fabs(u - from) > longest_way * norm(x - was) + rounding) return Verdict::other_branch;
    const Vec3<double> t0 = before[0].R * p.curve.tangent(from), t1 = now[0].R * p.curve.tangent(u);
    const double least = math::cos(longest_turn);
    const bool is_reversed = dot(t0, t1) < least && dot(transpose_times(before[1].R, t0), transpose_times(now[1].R, t1)) < least;
    return is_reversed ? Verdict::other_branch : Verdict::ok;
  }

  /// Remembers the foot; whether it has moved by so much that this is due.
  KOKKOS_INLINE_FUNCTION static bool commit(Params& p, const Frame<double> (&f)[2]) {
    const double u = foot(p, seen_from_first(p, f)), length = p.curve.length();
    double start = 0;
    const int k = p.curve.find_piece(u, start);
    if (math::fabs(u - p.near) < 0.25 * (p.curve.knot[k + 1] - p.curve.knot[k])) return false;
    p.near = p.curve.is_closed() ? u - math::floor(u / length) * length : u;
    return true;
  }

 private:
  /// How much longer the way along the curve may be than the one straight on: of half a circle it is 1.6, and chord lengths are
  /// not quite arc lengths.
  static constexpr double longest_way = 4;

  /// The nearest point of the whole curve.
  static double first_foot(const SpaceCurve& curve, const Vec3<double>& x) {
    constexpr int samples = 16;
    double best = 0, least = -1;
    for (int k = 0; k + 1 < curve.size(); ++k)
      for (int i = 0; i <= samples; ++i) {
        const double d = (curve.knot[k + 1] - curve.knot[k]) * i / samples;
        const double far = norm(x - curve.piece_of(curve.line, k).value(d));
        if (least >= 0 && far >= least) continue;
        least = far;
        best = curve.knot[k] + d;
      }
    return curve.nearest(x, best);
  }
};

}  // namespace sinew
