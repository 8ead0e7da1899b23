/// \file
/// A smooth curve in space through given points, with directions across it, and the point of it that is nearest to a place.
#pragma once

#include "kernels/describe.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

/// The quintic spline c(u) through points, four times continuously differentiable, over the chord length u (m). What moves along
/// it has accelerations without kinks, which steps of second order resolve to that order; along a cubic one it would not. An open
/// curve has at either end the slope and the second derivative of the polynomial through the six points there (through all, where
/// they are fewer), and its end pieces go on beyond; a curve whose last point is its first is closed and periodic.
///
/// Directions across: m(u), a spline through directions at the points that turn about the curve as little as they can, by the
/// double reflections of W. Wang, B. Juettler, D. Zheng, Y. Liu (Computation of rotation minimizing frames, ACM Trans. Graph. 27,
/// 2008); those of a closed curve are turned back evenly by what they have turned once round. Params hold doubles only.
struct SpaceCurve {
  static constexpr int max_points = 64, end_points = 6;

  /// Values at the points, and first and second derivatives by u there.
  struct Knots {
    Vec3<double> value[max_points], slope[max_points], bend[max_points];
  };

  double count = 0;
  double closed = 0;
  double knot[max_points] = {};  ///< chord lengths up to the points
  Knots line, across;            ///< c and m

  KOKKOS_INLINE_FUNCTION int size() const { return static_cast<int>(count); }
  KOKKOS_INLINE_FUNCTION bool is_closed() const { return closed > 0.5; }
  KOKKOS_INLINE_FUNCTION double length() const { return knot[size() - 1]; }

  /// Through points, x, y and z one after the other. Throws std::invalid_argument.
  static SpaceCurve through(const std::vector<double>& rows);

  /// A polynomial in d = u - start.
  struct Piece {
    Vec3<double> c[6];

    template <class S>
    KOKKOS_INLINE_FUNCTION Vec3<S> value(const S& d) const {
      Vec3<S> sum = c[4] + d * c[5];
      for (int i = 3; i >= 0; --i) sum = c[i] + d * sum;
      return sum;
    }
    template <class S>
    KOKKOS_INLINE_FUNCTION Vec3<S> slope(const S& d) const {
      Vec3<S> sum = 4.0 * c[4] + (5.0 * d) * c[5];
      for (int i = 3; i >= 1; --i) sum = static_cast<double>(i) * c[i] + d * sum;
      return sum;
    }
    KOKKOS_INLINE_FUNCTION Vec3<double> bend(double d) const {
      return 2.0 * c[2] + d * (6.0 * c[3] + d * (12.0 * c[4] + (20.0 * d) * c[5]));
    }
  };

  /// Number of the piece that holds at u, and where it starts, whole rounds included.
  KOKKOS_INLINE_FUNCTION int find_piece(double u, double& start) const {
    const double rounds = is_closed() ? math::floor(u / length()) * length() : 0.0;
    int low = 0, high = size() - 1;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (u - rounds >= knot[middle] ? low : high) = middle;
    }
    start = rounds + knot[low];
    return low;
  }
  /// The piece that has the values and derivatives of both of its ends.
  KOKKOS_INLINE_FUNCTION Piece piece_of(const Knots& y, int k) const {
    const double h = knot[k + 1] - knot[k], inverse = 1 / h, third = inverse * inverse * inverse;
    const Vec3<double> first = h * y.slope[k], second = (h * h) * y.bend[k];
    const Vec3<double> a = y.value[k + 1] - y.value[k] - first - 0.5 * second;  // what the first three terms leave at the end
    const Vec3<double> b = h * y.slope[k + 1] - first - second, c = (h * h) * y.bend[k + 1] - second;
    return {{y.value[k], y.slope[k], 0.5 * y.bend[k], third * (10.0 * a - 4.0 * b + 0.5 * c),
             (third * inverse) * (7.0 * b - 15.0 * a - c), (third * inverse * inverse) * (6.0 * a - 3.0 * b + 0.5 * c)}};
  }

  /// Where the curve is nearest to x, from a u near there: the root of F(u) = (x - c(u)) . c'(u), by Newton's method, or by that
  /// of Gauss and Newton where the former would be drawn to the farthest point.
  KOKKOS_INLINE_FUNCTION double nearest(const Vec3<double>& x, double u) const {
    constexpr int most = 50;
    for (int i = 0; i < most; ++i) {
      double start = 0;
      const Piece c = piece_of(line, find_piece(u, start));
      const Vec3<double> r = x - c.value(u - start), t = c.slope(u - start);
      const double square = dot(t, t), newton = square - dot(r, c.bend(u - start));
      const double step = dot(r, t) / (newton > square / 2 ? newton : square);
      u += step;
      if (math::fabs(step) <= 1e-13 * length()) break;
    }
    return u;
  }

  /// The unit tangent at u.
  KOKKOS_INLINE_FUNCTION Vec3<double> tangent(double u) const {
    double start = 0;
    const Vec3<double> t = piece_of(line, find_piece(u, start)).slope(u - start);
    return (1 / norm(t)) * t;
  }

  /// How far the foot u of x is off, over the length of the curve's tangent, m.
  KOKKOS_INLINE_FUNCTION double miss(const Vec3<double>& x, double u) const {
    double start = 0;
    const Piece c = piece_of(line, find_piece(u, start));
    const Vec3<double> t = c.slope(u - start);
    return dot(x - c.value(u - start), t) / norm(t);
  }

  /// n_1 . (x - c), n_2 . (x - c) at the foot of x, with the unit vectors n_1, n_2 across the curve there. `u`: the foot.
  /// Derivatives of the foot by two of Newton's steps over the scalar: the first gives them to first order, the second to second.
  template <class S>
  KOKKOS_INLINE_FUNCTION void offsets(const Vec3<S>& x, double u, S (&g)[2]) const {
    double start = 0;
    const int k = find_piece(u, start);
    const Piece c = piece_of(line, k), m = piece_of(across, k);
    const double d0 = u - start;
    Vec3<double> x0;
    for (int i = 0; i < 3; ++i) x0[i] = value_of(x[i]);
    const Vec3<double> t0 = c.slope(d0);
    const double gain = 1 / (dot(t0, t0) - dot(x0 - c.value(d0), c.bend(d0)));
    S d = S(d0);
    for (int i = 0; i < 2; ++i) d += gain * dot(x - c.value(d), c.slope(d));
    const Vec3<S> r = x - c.value(d), slope_there = c.slope(d), towards = m.value(d);
    const Vec3<S> t = (1.0 / norm(slope_there)) * slope_there;
    const Vec3<S> first = towards - dot(towards, t) * t;
    const Vec3<S> n = (1.0 / norm(first)) * first;
    g[0] = dot(n, r);
    g[1] = dot(cross(t, n), r);
  }

 private:
  void find_directions();
  void smooth(Knots& y) const;
  void end_derivatives(Knots& y, int end, int from) const;
  void require_smooth() const;
};

namespace detail {

/// Solves A x = right by elimination with exchange of rows; A by rows.
inline std::vector<Vec3<double>> solve_dense(std::vector<double> A, std::vector<Vec3<double>> right) {
  const std::size_t n = right.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (math::fabs(A[i * n + k]) > math::fabs(A[pivot * n + k])) pivot = i;
    for (std::size_t j = 0; j < n; ++j) std::swap(A[k * n + j], A[pivot * n + j]);
    std::swap(right[k], right[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = A[i * n + k] / A[k * n + k];
      for (std::size_t j = k; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
      right[i] = right[i] - factor * right[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) right[k] = right[k] - A[k * n + j] * right[j];
    right[k] = (1 / A[k * n + k]) * right[k];
  }
  return right;
}

}  // namespace detail

/// Sets slope and bend at an end to those of the polynomial through the points from number `from` on, by Newton's divided
/// differences.
inline void SpaceCurve::end_derivatives(Knots& y, int end, int from) const {
  const int n = size() < end_points ? size() : end_points;
  Vec3<double> difference[end_points], value, slope, bend;
  for (int i = 0; i < n; ++i) difference[i] = y.value[from + i];
  for (int order = 1; order < n; ++order)
    for (int i = n - 1; i >= order; --i)
      difference[i] = (1 / (knot[from + i] - knot[from + i - order])) * (difference[i] - difference[i - 1]);
  for (int i = n - 1; i >= 0; --i) {  // Horner's rule, with derivatives
    const double d = knot[end] - knot[from + i];
    bend = 2.0 * slope + d * bend;
    slope = value + d * slope;
    value = difference[i] + d * value;
  }
  y.slope[end] = slope;
  y.bend[end] = bend;
}

/// Finds slopes and bends at the points such that third and fourth derivatives do not jump there. Over a piece of the width h
/// with the change Delta of y they are, at its start and its end, by Delta, h y'_0, h^2 y''_0, h y'_1 and h^2 y''_1,
///   h^3 times the third    60 -36 -9 -24 3      60 -24 -3 -36 9
///   h^4 times the fourth   -360 192 36 168 -24  360 -168 -24 -192 36
inline void SpaceCurve::smooth(Knots& y) const {
  const int last = size() - 1, first_free = is_closed() ? 0 : 1;
  if (!is_closed()) {
    end_derivatives(y, 0, 0);
    end_derivatives(y, last, size() > end_points ? size() - end_points : 0);
  }
  const auto unknowns = static_cast<std::size_t>(2 * (last - first_free));
  std::vector<double> A(unknowns * unknowns);
  std::vector<Vec3<double>> right(unknowns);
  // adds factor * (slope or bend of a point) to an equation
  const auto add = [&](std::size_t row, int k, bool is_bend, double factor) {
    const int at = is_closed() ? k % last : k;
    if (!is_closed() && (at == 0 || at == last))
      right[row] = right[row] - factor * (is_bend ? y.bend[at] : y.slope[at]);
    else
      A[row * unknowns + static_cast<std::size_t>(2 * (at - first_free) + (is_bend ? 1 : 0))] += factor;
  };
  const auto add_piece = [&](std::size_t row, int k, double scale, const std::array<double, 5>& w) {
    const double h = knot[k + 1] - knot[k];
    right[row] = right[row] - (scale * w[0]) * (y.value[k + 1] - y.value[k]);
    add(row, k, false, scale * w[1] * h);
    add(row, k, true, scale * w[2] * h * h);
    add(row, k + 1, false, scale * w[3] * h);
    add(row, k + 1, true, scale * w[4] * h * h);
  };
  for (int k = first_free; k < last; ++k) {
    const auto row = static_cast<std::size_t>(2 * (k - first_free));
    const int before = k > 0 ? k - 1 : last - 1;
    const double h = 1 / (knot[k + 1] - knot[k]), g = 1 / (knot[before + 1] - knot[before]);
    add_piece(row, k, h * h * h, {60, -36, -9, -24, 3});
    add_piece(row, before, -g * g * g, {60, -24, -3, -36, 9});
    add_piece(row + 1, k, h * h * h * h, {-360, 192, 36, 168, -24});
    add_piece(row + 1, before, -g * g * g * g, {360, -168, -24, -192, 36});
  }
  const std::vector<Vec3<double>> found = detail::solve_dense(std::move(A), std::move(right));
  for (int k = first_free; k < last; ++k) {
    y.slope[k] = found[static_cast<std::size_t>(2 * (k - first_free))];
    y.bend[k] = found[static_cast<std::size_t>(2 * (k - first_free) + 1)];
  }
  if (!is_closed()) return;
  y.slope[last] = y.slope[0];
  y.bend[last] = y.bend[0];
}

inline SpaceCurve SpaceCurve::through(const std::vector<double>& rows) {
  const std::size_t n = rows.size() / 3;
  if (n < 2 || n > max_points)
    throw std::invalid_argument("the curve has " + std::to_string(n) + " points; it must have from 2 to " +
                                std::to_string(max_points));
  SpaceCurve curve;
  curve.count = static_cast<double>(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (int c = 0; c < 3; ++c) curve.line.value[k][c] = rows[3 * k + static_cast<std::size_t>(c)];
    if (k == 0) continue;
    const double chord = norm(curve.line.value[k] - curve.line.value[k - 1]);
    if (!(chord > 0)) throw std::invalid_argument("points " + std::to_string(k) + " and " + std::to_string(k + 1) + " coincide");
    curve.knot[k] = curve.knot[k - 1] + chord;
  }
  curve.closed = norm(curve.line.value[n - 1] - curve.line.value[0]) <= 1e-12 * curve.length() ? 1 : 0;
  if (curve.is_closed() && n < 4) throw std::invalid_argument("a closed curve needs three points, and the first one again");
  curve.smooth(curve.line);
  curve.find_directions();
  curve.require_smooth();
  return curve;
}

inline void SpaceCurve::find_directions() {
  const auto tangent = [&](int k) { return (1 / norm(line.slope[k])) * line.slope[k]; };
  Vec3<double>(&m)[max_points] = across.value;
  const auto reflected = [](const Vec3<double>& a, const Vec3<double>& v) { return a - (2 * dot(v, a) / dot(v, v)) * v; };
  for (int k = 0; k < size(); ++k)
    if (!(norm(line.slope[k]) > 0)) throw std::invalid_argument("the curve has a cusp at point " + std::to_string(k + 1));
  m[0] = complete_triad(tangent(0))[0];
  for (int k = 0; k + 1 < size(); ++k) {
    const Vec3<double> chord = line.value[k + 1] - line.value[k];
    const Vec3<double> second = tangent(k + 1) - reflected(tangent(k), chord);
    m[k + 1] = reflected(m[k], chord);
    if (dot(second, second) > 0) m[k + 1] = reflected(m[k + 1], second);
  }
  if (is_closed()) {
    const int last = size() - 1;
    const double turn = math::atan2(dot(tangent(0), cross(m[0], m[last])), dot(m[0], m[last]));
    for (int k = 1; k <= last; ++k) {
      const double back = -turn * knot[k] / length();
      m[k] = math::cos(back) * m[k] + math::sin(back) * cross(tangent(k), m[k]);
    }
  }
  smooth(across);
}

/// Chord lengths are nearly arc lengths, and directions across are across, where points are close enough together.
inline void SpaceCurve::require_smooth() const {
  constexpr int samples = 8;
  for (int k = 0; k + 1 < size(); ++k)
    for (int i = 0; i <= samples; ++i) {
      const double d = (knot[k + 1] - knot[k]) * i / samples;
      const Vec3<double> t = piece_of(line, k).slope(d), m = piece_of(across, k).value(d);
      if (norm(t) < 0.2 || norm(cross(m, t)) < 0.3 * norm(t))
        throw std::invalid_argument("the curve turns too sharply between points " + std::to_string(k + 1) + " and " +
                                    std::to_string(k + 2) + ": give more points there");
    }
}

}  // namespace sinew
