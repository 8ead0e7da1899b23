/// \file
/// Vectors that the model file gives along a line, as expressions of `s`.
#pragma once

#include "model/bodies.hpp"

#include <algorithm>

namespace sinew {

/// Does it change along the line?
inline bool varies_along(const VectorExpression& vector) {
  return std::any_of(vector.begin(), vector.end(), [](const Expression& x) { return x.uses_time(); });
}

/// Its value at a place, and the derivative by s.
struct AlongLine {
  Vec3<double> value, slope;

  AlongLine(const VectorExpression& vector, double s, const Indices& indices) {
    for (int i = 0; i < 3; ++i) {
      const TimeValue here = vector[static_cast<std::size_t>(i)].at(s, indices);
      value[i] = here.value;
      slope[i] = here.rate;
    }
  }
};

}  // namespace sinew
