/// \file
/// Exact motions to compare with: classical Runge-Kutta steps so small that their error does not show.
#pragma once

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace sinew::test {

/// y' = f(y) from y(0), followed forward in time.
class ReferenceSolution {
 public:
  using Vector = std::vector<double>;
  using Derivative = std::function<Vector(const Vector&)>;

  ReferenceSolution(Vector start, Derivative f, double step) : y_(std::move(start)), f_(std::move(f)), step_(step) {}

  /// y at t, which must not lie before the t of the last call.
  const Vector& at(double t) {
    const int n = static_cast<int>(std::ceil((t - t_) / step_ - 1e-9));
    const double h = n > 0 ? (t - t_) / n : 0;
    for (int i = 0; i < n; ++i) advance(h);
    t_ = t;
    return y_;
  }
  Vector derivative() const { return f_(y_); }

 private:
  static Vector plus(const Vector& y, double factor, const Vector& k) {
    Vector sum = y;
    for (std::size_t i = 0; i < y.size(); ++i) sum[i] += factor * k[i];
    return sum;
  }
  void advance(double h) {
    const Vector k1 = f_(y_), k2 = f_(plus(y_, h / 2, k1)), k3 = f_(plus(y_, h / 2, k2)), k4 = f_(plus(y_, h, k3));
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }

  Vector y_;
  Derivative f_;
  double step_, t_ = 0;
};

}  // namespace sinew::test
