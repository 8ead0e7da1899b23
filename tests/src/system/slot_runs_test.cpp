#include "kernels/elements/sample.hpp"
#include "kernels/sweep/family.hpp"
#include "system/slot_sums.hpp"

#include "tests/catch.hpp"

#include <algorithm>

using namespace sinew;

namespace {

/// Slots of blocks that couple runs of unknowns, as elements do: some targets get one slot, some more.
std::vector<SlotSums::Contribution> blocks(int num_targets, int num_blocks, const std::vector<int>& widths) {
  Sampler sample(11);
  std::vector<SlotSums::Contribution> found;
  int slot = 0;
  for (int b = 0; b < num_blocks; ++b) {
    const int width = widths[static_cast<std::size_t>(b) % widths.size()];
    const int first = static_cast<int>(sample.uniform(0, num_targets - width));
    for (int j = 0; j < width; ++j) found.push_back({slot++, first + j});
    slot += b % 2;  // slots that count nowhere
  }
  return found;
}

}  // namespace

TEST_CASE("sums of slots are those of one slot after the other, to the last bit", "[serial]") {
  const int num_targets = 90;
  for (const std::vector<int>& widths : {std::vector<int>{6}, {1, 3, 6}, {2, 5, 12, 19}, {1}}) {
    const auto contributions = blocks(num_targets, 60, widths);
    std::vector<double> slots, expected(num_targets), found(num_targets);
    Sampler sample(3);
    for (int s = 0; s <= contributions.back().slot; ++s) slots.push_back(sample.uniform(-1, 1));
    for (int t = 0; t < num_targets; ++t) expected[static_cast<std::size_t>(t)] = found[static_cast<std::size_t>(t)] = 0.1 * t;
    for (const auto& c : contributions) expected[static_cast<std::size_t>(c.target)] += slots[static_cast<std::size_t>(c.slot)];
    std::vector<int> place(num_targets, -1);
    const SlotSums sums(contributions, place);
    CHECK(std::all_of(place.begin(), place.end(), [](int p) { return p == -1; }));
    const auto from = to_device_array("from", slots), to = to_device_array("to", found);
    sums.add(from.data(), to.data());
    Kokkos::fence();
    const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), to);
    for (int t = 0; t < num_targets; ++t) CHECK(host(static_cast<std::size_t>(t)) == expected[static_cast<std::size_t>(t)]);
  }
}

TEST_CASE("neighbouring slots of neighbouring targets make runs", "[serial]") {
  // Twelve targets with one slot each in a row, then three that get two.
  std::vector<int> targets, starts{0}, slots;
  for (int t = 0; t < 15; ++t) {
    targets.push_back(t);
    slots.push_back(t);
    if (t >= 12) slots.push_back(20 + t);
    starts.push_back(static_cast<int>(slots.size()));
  }
  const SlotRuns runs = SlotRuns::of(targets, starts, slots);
  REQUIRE(runs.groups.size() == 2);
  CHECK(runs.groups[0].slots_each == 1);
  CHECK(runs.groups[0].length == 6);
  CHECK(runs.groups[0].num_runs == 2);
  CHECK(runs.groups[1].slots_each == 2);
  CHECK(runs.groups[1].length == 3);
  CHECK(runs.targets == std::vector<int>{0, 6, 12});
  CHECK(runs.slots == std::vector<int>{0, 6, 12, 32});
}
