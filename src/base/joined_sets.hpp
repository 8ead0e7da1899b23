/// \file
/// Sets that grow together.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace sinew {

/// Numbers 0, 1, ... in sets that are joined two at a time (union and find, with paths halved).
class JoinedSets {
 public:
  explicit JoinedSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  /// The number that stands for the set of i.
  std::size_t of(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// That of a stands for both from now on.
  void join(std::size_t a, std::size_t b) { parent_[of(b)] = of(a); }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace sinew
