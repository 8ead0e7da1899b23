/// \file
/// What is known about the solution of a problem at one time.
#pragma once

#include <vector>

namespace sinew::verify {

/// y, z = y', a = y'', the multipliers (rows g first, then rows k) and the first-order states at time t. Where a is not known it
/// is empty.
struct Solution {
  double t = 0;
  std::vector<double> y, z, a, lambda, s{};
};

}  // namespace sinew::verify
