/// \file
/// Sums element contributions into entries of a matrix in a fixed order: no atomics, the same bits every time.
#pragma once

#include "system/slot_runs.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace sinew {

/// Adds slots of a stretch to numbers: target[i] += the slots listed for i, in their order.
class SlotSums {
 public:
  /// A slot and the number that it is added to.
  struct Contribution {
    int slot = 0, target = 0;
  };
  /// On the host a stretch of slots is to stay in a core's cache, and its slots are counted in 16 bits, mostly their targets as
  /// well; a device wants long ones.
  static constexpr bool is_on_host = std::is_same_v<MemorySpace, HostSpace>;
  using SlotIndex = std::conditional_t<is_on_host, std::uint16_t, int>;
  static constexpr int most_slots = is_on_host ? std::numeric_limits<std::uint16_t>::max() : 1 << 24;

  SlotSums() = default;
  /// Slots rising. `place`: room for a number of every target, all -1, and left so.
  SlotSums(const std::vector<Contribution>&, std::vector<int>& place);
  /// Device pointers; what is not a target stays.
  void add(const double* slots, double* targets) const;

 private:
  std::vector<SlotRunGroup> groups_;
  int first_target_ = 0;
  DeviceArray<SlotIndex> near_;   ///< first targets of runs, counted from the first of all, where that fits
  DeviceArray<int> far_;          ///< where it does not
  DeviceArray<SlotIndex> slots_;  ///< first slots of runs
};

}  // namespace sinew
