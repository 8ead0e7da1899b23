#include "model/cubic_spline.hpp"

#include <algorithm>

namespace sinew {

CubicSpline::CubicSpline(std::vector<Vec3<double>> places) : places_(std::move(places)) {
  const std::size_t n = places_.size();
  std::vector<double> h;             // lengths of chords
  std::vector<Vec3<double>> secant;  // their directions, of length 1
  knots_ = {0};
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const Vec3<double> chord = places_[k + 1] - places_[k];
    h.push_back(norm(chord));
    secant.push_back((1 / h.back()) * chord);
    knots_.push_back(knots_.back() + h.back());
  }
  if (n == 2) {
    slopes_ = {secant[0], secant[0]};
    return;
  }
  if (n == 3) {
    const double all = h[0] + h[1];
    const Vec3<double> bend = (1 / all) * (secant[1] - secant[0]);
    slopes_ = {secant[0] - h[0] * bend, secant[0] + h[0] * bend, secant[1] + h[1] * bend};
    return;
  }
  // lower s_(k-1) + diagonal s_k + upper s_(k+1) = right, for the slopes s
  std::vector<double> lower(n, 0.0), diagonal(n), upper(n, 0.0);
  std::vector<Vec3<double>> right(n);
  const double first = h[0] + h[1], last = h[n - 2] + h[n - 3];
  diagonal[0] = h[1];
  upper[0] = first;
  right[0] = (1 / first) * ((h[0] + 2 * first) * h[1] * secant[0] + h[0] * h[0] * secant[1]);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    lower[k] = h[k];
    diagonal[k] = 2 * (h[k - 1] + h[k]);
    upper[k] = h[k - 1];
    right[k] = 3 * (h[k] * secant[k - 1] + h[k - 1] * secant[k]);
  }
  lower[n - 1] = last;
  diagonal[n - 1] = h[n - 3];
  right[n - 1] = (1 / last) * (h[n - 2] * h[n - 2] * secant[n - 3] + (2 * last + h[n - 2]) * h[n - 3] * secant[n - 2]);
  for (std::size_t k = 1; k < n; ++k) {
    const double factor = lower[k] / diagonal[k - 1];
    diagonal[k] -= factor * upper[k - 1];
    right[k] -= factor * right[k - 1];
  }
  slopes_.resize(n);
  for (std::size_t k = n; k-- > 0;) {
    const Vec3<double> rest = k + 1 < n ? right[k] - upper[k] * slopes_[k + 1] : right[k];
    slopes_[k] = (1 / diagonal[k]) * rest;
  }
}

std::size_t CubicSpline::piece(double s) const {
  const auto next = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, s);
  return static_cast<std::size_t>(next - knots_.begin()) - 1;
}

Vec3<double> CubicSpline::place(double s) const {
  const std::size_t k = piece(s);
  const double h = knots_[k + 1] - knots_[k], t = (s - knots_[k]) / h, u = 1 - t;
  return (u * u * (1 + 2 * t)) * places_[k] + (t * t * (1 + 2 * u)) * places_[k + 1] + (h * t * u * u) * slopes_[k] -
         (h * t * t * u) * slopes_[k + 1];
}

Vec3<double> CubicSpline::slope(double s) const {
  const std::size_t k = piece(s);
  const double h = knots_[k + 1] - knots_[k], t = (s - knots_[k]) / h, u = 1 - t;
  return (6 * t * u / h) * (places_[k + 1] - places_[k]) + (u * (1 - 3 * t)) * slopes_[k] + (t * (3 * t - 2)) * slopes_[k + 1];
}

}  // namespace sinew
