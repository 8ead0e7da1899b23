#include "system/slot_sums.hpp"

#include "kernels/sweep/family.hpp"

#include <algorithm>
#include <numeric>

namespace sinew {

namespace {

/// Adds to what is there.
struct Addition {
  KOKKOS_INLINE_FUNCTION static double start(double target) { return target; }
  KOKKOS_INLINE_FUNCTION static double part(double slot) { return slot; }
};

}  // namespace

/// Targets come in the order of their first slots.
SlotSums::SlotSums(const std::vector<Contribution>& contributions, std::vector<int>& place) {
  std::vector<int> targets, starts{0};
  for (const Contribution& c : contributions) {
    int& p = place[static_cast<std::size_t>(c.target)];
    if (p < 0) {
      p = static_cast<int>(targets.size());
      targets.push_back(c.target);
      starts.push_back(0);
    }
    ++starts[static_cast<std::size_t>(p) + 1];
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<int> next(starts.begin(), starts.end() - 1), slots(contributions.size());
  for (const Contribution& c : contributions)
    slots[static_cast<std::size_t>(next[static_cast<std::size_t>(place[static_cast<std::size_t>(c.target)])]++)] = c.slot;
  for (const int target : targets) place[static_cast<std::size_t>(target)] = -1;
  SlotRuns runs = SlotRuns::of(targets, starts, slots);
  groups_ = std::move(runs.groups);
  slots_ = to_device_array("slot_sums.slots", std::vector<SlotIndex>(runs.slots.begin(), runs.slots.end()));
  if (targets.empty()) return;
  const auto [least, most] = std::minmax_element(runs.targets.begin(), runs.targets.end());
  if (*most - *least > std::numeric_limits<SlotIndex>::max()) {
    far_ = to_device_array("slot_sums.targets", runs.targets);
    return;
  }
  first_target_ = *least;
  for (int& target : runs.targets) target -= first_target_;
  near_ = to_device_array("slot_sums.targets", std::vector<SlotIndex>(runs.targets.begin(), runs.targets.end()));
}

void SlotSums::add(const double* slots, double* targets) const {
  for (const SlotRunGroup& group : groups_) {
    if (near_.extent(0) > 0) {
      sum_runs<Addition>(group, near_, slots_, slots, targets + first_target_);
    } else {
      sum_runs<Addition>(group, far_, slots_, slots, targets);
    }
  }
}

}  // namespace sinew
