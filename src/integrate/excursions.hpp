/// \file
/// Arguments of switches that leave their pieces and come back within one step.
#pragma once

#include "base/petsc.hpp"

#include <limits>
#include <vector>

namespace sinew {

/// An argument that comes back counts from this depth on, relative to how far it goes in the step: far above rounding of what it
/// comes to, far below what could change a motion.
inline constexpr double least_depth = 1e-6;

/// Margins of switches and kinks at places within a step, and where they show that an argument is outside its piece, or may be.
/// Straight lines through the points beside an interval, one that goes down on its left and one that goes up on its right, meet
/// no higher than an argument that is convex between them has its minimum, be it as sharp as the distance of two bodies that
/// pass each other.
class Excursions {
 public:
  /// Margins at parts of the step, 0, ..., 1, rising; how far an argument goes in the step is what it comes to at these.
  Excursions(std::vector<double> parts, std::vector<std::vector<double>> margins);
  /// Those at one more place. Local.
  void add(double part, std::vector<double> margins);

  /// Parts of a step; infinite where there is none.
  struct Dip {
    double outside = std::numeric_limits<double>::infinity();  ///< of the first point at which an argument is outside
    double place = std::numeric_limits<double>::infinity();    ///< where one may be furthest outside, between two points
  };
  /// `floor`: a margin below this one has left; those that are `held`, as what slides is, do not count. Collective.
  Dip deepest(const std::vector<double>& floor, const std::vector<char>& held, MPI_Comm) const;

 private:
  std::vector<double> parts_;
  std::vector<std::vector<double>> margins_;  ///< at these
  std::vector<double> sizes_;                 ///< the largest of every argument
};

}  // namespace sinew
