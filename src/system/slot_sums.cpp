#include "system/slot_sums.hpp"

#include "kernels/sweep/family.hpp"

#include <algorithm>
#include <numeric>

namespace sinew {

/// Targets come in the order of their first slots, but those of one slot before those of two, and so on: then neither list needs
/// to say where a target's slots begin.
SlotSums::SlotSums(const std::vector<Contribution>& contributions, std::vector<int>& place) {
  std::vector<int> found, counts;
  for (const Contribution& c : contributions) {
    int& p = place[static_cast<std::size_t>(c.target)];
    if (p < 0) {
      p = static_cast<int>(found.size());
      found.push_back(c.target);
      counts.push_back(0);
    }
    ++counts[static_cast<std::size_t>(p)];
  }
  std::vector<int> order(found.size()), targets, next(found.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return counts[static_cast<std::size_t>(a)] < counts[static_cast<std::size_t>(b)]; });
  int slot = 0;
  for (const int p : order) {
    const int count = counts[static_cast<std::size_t>(p)];
    if (groups_.empty() || groups_.back().slots_each != count)
      groups_.push_back({count, 0, static_cast<int>(targets.size()), slot});
    ++groups_.back().num_targets;
    targets.push_back(found[static_cast<std::size_t>(p)]);
    next[static_cast<std::size_t>(p)] = slot;
    slot += count;
  }
  std::vector<SlotIndex> slots(contributions.size());
  for (const Contribution& c : contributions)
    slots[static_cast<std::size_t>(next[static_cast<std::size_t>(place[static_cast<std::size_t>(c.target)])]++)] =
        static_cast<SlotIndex>(c.slot);
  for (const int target : found) place[static_cast<std::size_t>(target)] = -1;
  slots_ = to_device_array("slot_sums.slots", slots);
  if (targets.empty()) return;
  const auto [least, most] = std::minmax_element(targets.begin(), targets.end());
  if (*most - *least > std::numeric_limits<SlotIndex>::max()) {
    far_ = to_device_array("slot_sums.targets", targets);
    return;
  }
  first_target_ = *least;
  std::vector<SlotIndex> near;
  near.reserve(targets.size());
  for (const int target : targets) near.push_back(static_cast<SlotIndex>(target - first_target_));
  near_ = to_device_array("slot_sums.targets", near);
}

void SlotSums::add(const double* slots, double* targets) const {
  if (near_.extent(0) > 0) {
    add_to(near_, slots, targets + first_target_);
  } else {
    add_to(far_, slots, targets);
  }
}

template <class Index>
void SlotSums::add_to(const DeviceArray<Index>& targets, const double* slots, double* first) const {
  const auto target_of = targets;
  const auto slot_of = slots_;
  for (const Group& group : groups_) {
    const Group g = group;
    Kokkos::parallel_for(
        "sinew::slot_sums", Kokkos::RangePolicy<ExecutionSpace>(0, g.num_targets), KOKKOS_LAMBDA(const int i) {
          double& target = first[target_of(g.first_target + i)];
          const int from = g.first_slot + i * g.slots_each;
          double total = target;
          for (int k = from; k < from + g.slots_each; ++k) total += slots[slot_of(k)];
          target = total;
        });
  }
}

}  // namespace sinew
