/// \file
/// The box around a model where it stands at the start.
#pragma once

#include "kernels/algebra/vec.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

/// The smallest box along the global axes that holds what was included; empty at first.
struct Bounds {
  static constexpr double none = std::numeric_limits<double>::max();
  double low[3] = {none, none, none};
  double high[3] = {-none, -none, -none};

  /// Takes in everything within `radius` of a point, m.
  void include(const Vec3<double>& x, double radius = 0) {
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], x[i] - radius);
      high[i] = std::max(high[i], x[i] + radius);
    }
  }
  /// Length of the diagonal; 0 of an empty box and of a single point.
  double diagonal() const {
    double squares = 0;
    for (int i = 0; i < 3; ++i) squares += high[i] > low[i] ? (high[i] - low[i]) * (high[i] - low[i]) : 0.0;
    return std::sqrt(squares);
  }
  /// Takes in all of another one.
  void include(const Bounds& other) {
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], other.low[i]);
      high[i] = std::max(high[i], other.high[i]);
    }
  }
  /// Length of the diagonal, but for sides that are rounding: 0.3 and 0.1 + 0.2 are one place.
  double extent() const {
    Bounds real = *this;
    for (int i = 0; i < 3; ++i) {
      const double farthest = std::max(std::abs(low[i]), std::abs(high[i]));
      if (high[i] - low[i] <= 2 * std::numeric_limits<double>::epsilon() * farthest) real.high[i] = low[i];
    }
    return real.diagonal();
  }
};

}  // namespace sinew
