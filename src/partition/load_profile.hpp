/// \file
/// How a load is spread along a line.
#pragma once

#include "kernels/describe.hpp"
#include "kernels/shape/lobatto.hpp"

#include <vector>

namespace sinew {

/// A factor over the parts of a line's length, 0 to 1: straight between the rows of the key `profile`, 0 outside, 1 all along
/// where there is no such key.
class LoadProfile {
 public:
  /// Throws std::invalid_argument where parts do not rise or do not lie on the line.
  explicit LoadProfile(const FieldValues& fields);

  /// int N(xi) f dxi over the part of the line from `from` to `to`, which xi from 0 to 1 runs through; exact for polynomials N of
  /// the fourth degree and less. `shapes(xi)` gives a vector of N.
  template <class Shapes>
  std::vector<double> integrals(double from, double to, const Shapes& shapes) const;

 private:
  struct Row {
    double part, factor;
  };
  std::vector<Row> rows_;
};

/// By three Gauss points between two rows, where the factor is linear.
template <class Shapes>
std::vector<double> LoadProfile::integrals(double from, double to, const Shapes& shapes) const {
  using Line = LobattoLine<4>;
  std::vector<double> sums;
  for (std::size_t k = 0; k + 1 < rows_.size(); ++k) {
    const Row &left = rows_[k], &right = rows_[k + 1];
    const double begin = from > left.part ? from : left.part, end = to < right.part ? to : right.part;
    if (!(begin < end)) continue;
    for (int q = 0; q < Line::num_points; ++q) {
      const double part = begin + Line::point(q) * (end - begin);
      const double factor = left.factor + (part - left.part) / (right.part - left.part) * (right.factor - left.factor);
      const std::vector<double> N = shapes((part - from) / (to - from));
      sums.resize(N.size());
      for (std::size_t a = 0; a < N.size(); ++a) sums[a] += Line::point_weight(q) * (end - begin) / (to - from) * factor * N[a];
    }
  }
  return sums;
}

}  // namespace sinew
