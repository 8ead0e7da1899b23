/// \file
/// Sums element contributions into entries of a matrix in a fixed order: no atomics, the same bits every time.
#pragma once

#include "kernels/sweep/slots.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace sinew {

/// Adds slots of a stretch to numbers: target[i] += the slots listed for i, in their order; target[i] = those where it is the
/// first of several stretches to have i. What coordinates of a point and their derivatives add stands side by side in the
/// targets, and side by side, or as far apart for each of them, in the slots: such runs are listed once for all their numbers.
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
  /// Slots of an element that follow each other may stand so far apart: see SlotLayout.
  static constexpr int longest_step = slot_block;
  /// Numbers of a run, at most: the coordinates of a point.
  static constexpr int longest_run = 3;

  SlotSums() = default;
  /// Slots rising. `place`: room for a number of every target, all -1, and left so. `is_taken`: of every target, whether a
  /// stretch before has it; this one takes its own.
  SlotSums(const std::vector<Contribution>&, std::vector<int>& place, std::vector<char>& is_taken);
  /// Device pointers; what is not a target stays.
  void add(const double* slots, double* targets) const;
  /// Bytes that it keeps.
  std::size_t size() const;

  /// Runs of one width with the same number of slots, one after the other, how far apart in them their numbers stand, and what
  /// their targets are counted from.
  struct Group {
    int width = 0, slots_each = 0, step = 1, origin = 0, num_runs = 0, first_run = 0, first_slot = 0;
    bool adds = true;  ///< to what is there
  };
  /// The sums of a group with one of the two lists of targets. Public only because CUDA wants the enclosing functions of device
  /// lambdas to be so.
  template <int width, bool adds, class Index>
  void add_runs(const DeviceArray<Index>& targets, const Group&, const double* slots, double* numbers) const;

 private:
  struct Run;
  void group(std::vector<Run>&, bool is_near);
  static std::vector<Run> find_runs(const std::vector<Contribution>&, std::vector<int>& place, std::vector<char>& is_taken,
                                    std::vector<int>& slots);
  template <bool adds, class Index>
  void add_group(const DeviceArray<Index>& targets, const Group&, const double* slots, double* numbers) const;
  template <class Index>
  void add_to(const DeviceArray<Index>& targets, const double* slots, double* numbers) const;

  std::vector<Group> groups_;
  DeviceArray<SlotIndex> near_;  ///< the first target of every run from the group's origin, where that is shorter
  DeviceArray<int> far_;         ///< where it is not
  DeviceArray<SlotIndex> slots_;
};

}  // namespace sinew
