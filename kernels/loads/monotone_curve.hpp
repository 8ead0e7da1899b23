/// \file
/// A smooth curve through given points that has no other extrema than they have: what a table of lengths and forces means.
#pragma once

#include "kernels/algebra/dual.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace sinew {

/// Cubic Hermite pieces between the points (x_k, y_k), monotone wherever the points are and once continuously differentiable. A
/// piece is monotone where its slopes at both ends are at most three times the secant (F. N. Fritsch, R. E. Carlson, SIAM J.
/// Numer. Anal. 17, 1980). Slopes are those of F. N. Fritsch and J. Butland (SIAM J. Sci. Stat. Comput. 5, 1984), which are: the
/// weighted harmonic mean of the secants on both sides, zero where these have opposite signs. Beyond the ends straight on. Params
/// hold doubles only.
struct MonotoneCurve {
  static constexpr int max_points = 32;

  double count = 0;
  double origin = 0;  ///< the integral at `x[0]`, such that it is zero where the curve first is
  double x[max_points] = {}, y[max_points] = {}, slope[max_points] = {};

  KOKKOS_INLINE_FUNCTION int size() const { return static_cast<int>(count); }

  /// Through rows (x, y), one after the other. Throws std::invalid_argument; `what` names the first column.
  static MonotoneCurve through(const std::vector<double>& rows, const char* what) {
    MonotoneCurve c;
    const std::size_t n = rows.size() / 2;
    if (n < 2 || n > max_points)
      throw std::invalid_argument("the table has " + std::to_string(n) + " rows; it must have from 2 to " +
                                  std::to_string(max_points));
    c.count = static_cast<double>(n);
    for (std::size_t k = 0; k < n; ++k) {
      c.x[k] = rows[2 * k];
      c.y[k] = rows[2 * k + 1];
      if (k > 0 && !(c.x[k] > c.x[k - 1]))
        throw std::invalid_argument(std::string("the table's ") + what + " must rise from row to row, but row " +
                                    std::to_string(k + 1) + " does not");
    }
    c.find_slopes();
    c.find_origin();
    return c;
  }

  /// The piece that holds at a place.
  KOKKOS_INLINE_FUNCTION int piece(double at) const {
    int k = 0;
    while (k + 2 < size() && at >= x[k + 1]) ++k;
    return k;
  }

  template <class S>
  KOKKOS_INLINE_FUNCTION S value(const S& at) const {
    const double place = value_of(at);
    const int last = size() - 1;
    if (place <= x[0]) return y[0] + slope[0] * (at - x[0]);
    if (place >= x[last]) return y[last] + slope[last] * (at - x[last]);
    const int k = piece(place);
    const double h = x[k + 1] - x[k], secant = (y[k + 1] - y[k]) / h;
    const double c2 = (3 * secant - 2 * slope[k] - slope[k + 1]) / h, c3 = (slope[k] + slope[k + 1] - 2 * secant) / (h * h);
    const S d = at - x[k];
    return y[k] + d * (slope[k] + d * (c2 + c3 * d));
  }

  /// The integral of the curve up to a place.
  KOKKOS_INLINE_FUNCTION double integral(double at) const {
    const int last = size() - 1;
    if (at <= x[0]) return origin + part(0, at - x[0], true);
    double sum = origin;
    for (int k = 0; k < last && x[k] < at; ++k) sum += part(k, (at < x[k + 1] ? at : x[k + 1]) - x[k], false);
    return at > x[last] ? sum + part(last, at - x[last], true) : sum;
  }

 private:
  /// The integral of piece k, or of the line beyond an end, over a way d from x[k].
  KOKKOS_INLINE_FUNCTION double part(int k, double d, bool is_line) const {
    if (is_line) return d * (y[k] + d * slope[k] / 2);
    const double h = x[k + 1] - x[k], secant = (y[k + 1] - y[k]) / h;
    const double c2 = (3 * secant - 2 * slope[k] - slope[k + 1]) / h, c3 = (slope[k] + slope[k + 1] - 2 * secant) / (h * h);
    return d * (y[k] + d * (slope[k] / 2 + d * (c2 / 3 + d * c3 / 4)));
  }

  void find_slopes() {
    const int n = size();
    const auto h = [this](int k) { return x[k + 1] - x[k]; };
    const auto secant = [&](int k) { return (y[k + 1] - y[k]) / h(k); };
    for (int k = 1; k + 1 < n; ++k) {
      const double a = secant(k - 1), b = secant(k), w1 = 2 * h(k) + h(k - 1), w2 = h(k) + 2 * h(k - 1);
      slope[k] = a * b > 0 ? (w1 + w2) / (w1 / a + w2 / b) : 0.0;
    }
    if (n == 2) {
      slope[0] = slope[1] = secant(0);
      return;
    }
    slope[0] = end_slope(h(0), h(1), secant(0), secant(1));
    slope[n - 1] = end_slope(h(n - 2), h(n - 3), secant(n - 2), secant(n - 3));
  }

  /// That of the parabola through three points, kept from turning back and from overshooting.
  static double end_slope(double h0, double h1, double s0, double s1) {
    const double d = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
    if (!(d * s0 > 0)) return 0;
    return s0 * s1 <= 0 && math::fabs(d) > 3 * math::fabs(s0) ? 3 * s0 : d;
  }

  /// Where the curve is zero, if it is, by bisection.
  void find_origin() {
    for (int k = 0; k + 1 < size(); ++k) {
      if ((y[k] < 0) == (y[k + 1] < 0) && y[k] != 0 && y[k + 1] != 0) continue;
      double low = x[k], high = x[k + 1];
      for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2;
        ((value(middle) < 0) == (y[k] < 0) && y[k] != 0 ? low : high) = middle;
      }
      origin = -integral(high);
      return;
    }
  }
};

}  // namespace sinew
