/// \file
/// Which numbers of a model can be computed with.
#pragma once

#include <cmath>

namespace sinew {

/// Products of three numbers of the model (a mass by the square of a length, say) must stay below the largest double, 1.8e308,
/// and those of three positive ones above the smallest, 2.2e-308: the cube roots are 5.6e102 and 2.8e-103.
inline constexpr double largest_number = 1e100, smallest_positive = 1e-100;

/// False for what is not finite, too.
inline bool is_computable(double value) { return std::abs(value) <= largest_number; }

}  // namespace sinew
