/// \file
/// Reproducible numbers for the `example` functions of elements, from which the generic tests are made. Host code.
#pragma once

#include "kernels/algebra/vec.hpp"

#include <cstdint>

namespace sinew {

/// The same numbers from the same seed on every machine (splitmix64, Steele, Lea and Flood 2014).
class Sampler {
 public:
  explicit Sampler(unsigned seed) : state_(0x9e3779b97f4a7c15ULL * (seed + 1ULL)) {}

  /// A number in [low, high).
  double uniform(double low, double high) {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z = z ^ (z >> 31);
    return low + (high - low) * (static_cast<double>(z >> 11) * 0x1.0p-53);
  }

  /// A vector with entries in [-size, size).
  Vec3<double> vector(double size) {
    Vec3<double> a;
    for (int i = 0; i < 3; ++i) a[i] = uniform(-size, size);
    return a;
  }

 private:
  std::uint64_t state_;
};

}  // namespace sinew
