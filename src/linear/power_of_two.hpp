/// \file
/// Powers of two in little room.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace sinew {

/// 2^exponent as the upper bits of a double: a quarter of its room, and what is multiplied by it is not rounded.
class PowerOfTwo {
 public:
  PowerOfTwo() = default;
  /// The exponent is brought within those of normal numbers.
  explicit PowerOfTwo(int exponent) : bits_(static_cast<std::uint16_t>(std::clamp(exponent, lowest, highest) - lowest + 1)) {}
  operator double() const { return std::bit_cast<double>(std::uint64_t{bits_} << mantissa_bits); }  // NOLINT: a number

 private:
  // A double of IEEE 754: the bits behind the exponent, and the exponents of normal numbers.
  static constexpr int mantissa_bits = std::numeric_limits<double>::digits - 1;  ///< the first of `digits` is not stored
  static constexpr int lowest = std::numeric_limits<double>::min_exponent - 1;   ///< that of the limits is of 0.5 <= x < 1
  static constexpr int highest = std::numeric_limits<double>::max_exponent - 1;  ///< likewise
  std::uint16_t bits_ = 1 - lowest;                                              ///< of 1
};

}  // namespace sinew
