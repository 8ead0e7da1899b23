/// \file
/// A smooth curve through given places.
#pragma once

#include "kernels/algebra/vec.hpp"

#include <vector>

namespace sinew {

/// The cubic spline through two or more places, of which no two neighbours coincide: second derivatives are continuous, and third
/// ones at the second and the last but one place ("not a knot": de Boor, A Practical Guide to Splines, chapter IV), so that a
/// cubic curve is met exactly. Through three places runs a parabola, through two a straight line. The parameter is the sum of the
/// chords.
class CubicSpline {
 public:
  CubicSpline() = default;
  explicit CubicSpline(std::vector<Vec3<double>> places);

  double end() const { return knots_.back(); }
  /// The parameters of the places.
  const std::vector<double>& knots() const { return knots_; }
  Vec3<double> place(double s) const;
  Vec3<double> slope(double s) const;

 private:
  std::size_t piece(double s) const;

  std::vector<double> knots_;
  std::vector<Vec3<double>> places_, slopes_;
};

}  // namespace sinew
