/// \file
/// Which slots are added to which numbers, in runs: elements number their unknowns in rows, so that neighbouring slots mostly go
/// to neighbouring numbers.
#pragma once

#include "kernels/portability.hpp"

#include <array>
#include <type_traits>
#include <vector>

namespace sinew {

/// Runs of the same length whose targets have the same number of slots.
struct SlotRunGroup {
  int slots_each = 0;  ///< of a target
  int length = 0;      ///< of a run
  int num_runs = 0, first_run = 0;
  int first_slot = 0;  ///< in the list of slots, where every run has `slots_each` numbers
};

/// target[targets[i] + j] is the sum of slots[k + j] for the numbers k that `slots` lists for run i, in their order.
struct SlotRuns {
  /// What a run may be long: what a node of a cable or a frame, a point, one number take. Longer ones are cut.
  static constexpr std::array<int, 3> lengths = {6, 3, 1};

  std::vector<SlotRunGroup> groups;
  std::vector<int> targets, slots;

  /// `targets`, each with the slots from starts[i] to starts[i + 1] of the list.
  static SlotRuns of(const std::vector<int>& targets, const std::vector<int>& starts, const std::vector<int>& slots);
};

namespace detail {

/// A run at a time, so that a host takes its numbers at once.
template <int length, class Sum, class Targets, class Slots>
void sum_whole_runs(const SlotRunGroup& g, const Targets& target_of, const Slots& slot_of, const double* slots, double* targets) {
  Kokkos::parallel_for("sinew::runs", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, g.num_runs), [=](const int i) {
    double* target = targets + target_of(g.first_run + i);
    const int first = g.first_slot + i * g.slots_each;
    double total[length];
    for (int j = 0; j < length; ++j) total[j] = Sum::start(target[j]);
    for (int k = first; k < first + g.slots_each; ++k) {
      const double* from = slots + slot_of(k);
      for (int j = 0; j < length; ++j) total[j] += Sum::part(from[j]);
    }
    for (int j = 0; j < length; ++j) target[j] = total[j];
  });
}

}  // namespace detail

/// The sums of a group: target = Sum::start(target) + Sum::part(slot) + ... Device pointers. On a device every thread has a
/// number of its own.
template <class Sum, class Targets, class Slots>
void sum_runs(const SlotRunGroup& group, const Targets& target_of, const Slots& slot_of, const double* slots, double* targets) {
  if constexpr (std::is_same_v<MemorySpace, HostSpace>) {
    if (group.length == 6) return detail::sum_whole_runs<6, Sum>(group, target_of, slot_of, slots, targets);
    if (group.length == 3) return detail::sum_whole_runs<3, Sum>(group, target_of, slot_of, slots, targets);
    return detail::sum_whole_runs<1, Sum>(group, target_of, slot_of, slots, targets);
  } else {
    const SlotRunGroup g = group;
    Kokkos::parallel_for(
        "sinew::runs", Kokkos::RangePolicy<ExecutionSpace>(0, g.num_runs * g.length), KOKKOS_LAMBDA(const int n) {
          const int i = n / g.length, j = n % g.length, first = g.first_slot + i * g.slots_each;
          double& target = targets[target_of(g.first_run + i) + j];
          double total = Sum::start(target);
          for (int k = first; k < first + g.slots_each; ++k) total += Sum::part(slots[slot_of(k) + j]);
          target = total;
        });
  }
}

}  // namespace sinew
