/// \file
/// Numbers that look random and depend on what they are made from alone.
#pragma once

#include <cstdint>

namespace sinew {

/// The finaliser of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014).
constexpr std::uint64_t split_mix(std::uint64_t n) {
  n += 0x9e3779b97f4a7c15u;
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
  n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
  return n ^ (n >> 31);
}

}  // namespace sinew
