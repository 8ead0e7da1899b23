#include "system/gather.hpp"

namespace sinew {

Gather::Gather(const std::vector<int>& target_of_slot, int num_targets) : num_targets_(num_targets) {
  std::vector<int> start(static_cast<std::size_t>(num_targets) + 1, 0);
  for (int t : target_of_slot)
    if (t >= 0) ++start[static_cast<std::size_t>(t) + 1];
  for (int i = 0; i < num_targets; ++i) start[i + 1] += start[i];
  std::vector<int> next(start.begin(), start.end() - 1), slots(static_cast<std::size_t>(start.back()));
  for (std::size_t s = 0; s < target_of_slot.size(); ++s)
    if (target_of_slot[s] >= 0) slots[next[target_of_slot[s]]++] = static_cast<int>(s);
  start_ = to_device_array("gather.start", start);
  slots_ = to_device_array("gather.slots", slots);
}

void Gather::sum(const double* slots, double* targets) const {
  const LentArray<int> start = start_;
  const LentArray<int> list = slots_;
  Kokkos::parallel_for(
      "sinew::gather", Kokkos::RangePolicy<ExecutionSpace>(0, num_targets_), KOKKOS_LAMBDA(const int i) {
        double total = 0;
        for (int k = start(i); k < start(i + 1); ++k) total += slots[list(k)];
        targets[i] = total;
      });
}

void Gather::sum_magnitudes(const double* slots, double* targets) const {
  const LentArray<int> start = start_;
  const LentArray<int> list = slots_;
  Kokkos::parallel_for(
      "sinew::gather_magnitudes", Kokkos::RangePolicy<ExecutionSpace>(0, num_targets_), KOKKOS_LAMBDA(const int i) {
        double total = 0;
        for (int k = start(i); k < start(i + 1); ++k) total += math::fabs(slots[list(k)]);
        targets[i] = total;
      });
}

}  // namespace sinew
