#include "system/slot_sums.hpp"
#include "kernels/sweep/family.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <random>

using namespace sinew;

namespace {

using Contributions = std::vector<SlotSums::Contribution>;

/// What SlotSums makes of numbers that were 0.5.
std::vector<double> summed(const SlotSums& sums, const std::vector<double>& slots, int num_targets) {
  const auto from = to_device_array("slots", slots);
  const auto to = to_device_array("targets", std::vector<double>(static_cast<std::size_t>(num_targets), 0.5));
  sums.add(from.data(), to.data());
  Kokkos::fence();
  const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), to);
  return std::vector<double>(host.data(), host.data() + host.extent(0));
}

/// The same one after the other: what nobody had before is not added to.
std::vector<double> expected(const Contributions& contributions, const std::vector<double>& slots,
                             const std::vector<char>& is_taken) {
  std::vector<double> sums(is_taken.size(), 0.5);
  for (const auto& [slot, target] : contributions)
    if (!is_taken[static_cast<std::size_t>(target)]) sums[static_cast<std::size_t>(target)] = 0;
  for (const auto& [slot, target] : contributions)
    sums[static_cast<std::size_t>(target)] += slots[static_cast<std::size_t>(slot)];
  return sums;
}

std::vector<double> numbers(int count) {
  std::vector<double> slots;
  for (int k = 0; k < count; ++k) slots.push_back(std::sin(1.0 + k));
  return slots;
}

/// Where the targets have been taken before, where none has, and where some have.
bool sums_are_exact(const Contributions& contributions, int num_slots, int num_targets) {
  const std::vector<double> slots = numbers(num_slots);
  for (const int taken : {1, 0, 3}) {
    std::vector<int> place(static_cast<std::size_t>(num_targets), -1);
    std::vector<char> is_taken(place.size(), 0);
    for (std::size_t k = 0; k < is_taken.size() && taken > 0; k += static_cast<std::size_t>(taken)) is_taken[k] = 1;
    const std::vector<double> wanted = expected(contributions, slots, is_taken);
    const SlotSums sums(contributions, place, is_taken);
    const bool takes_all =
        std::all_of(contributions.begin(), contributions.end(),
                    [&](const SlotSums::Contribution& c) { return is_taken[static_cast<std::size_t>(c.target)] != 0; });
    if (!takes_all || summed(sums, slots, num_targets) != wanted) return false;
    if (!std::all_of(place.begin(), place.end(), [](int p) { return p == -1; })) return false;
  }
  return true;
}

/// Elements of two points each in a row, whose blocks of three by three stand in rows of nine targets.
Contributions chain(int elements) {
  Contributions all;
  for (int e = 0; e < elements; ++e)
    for (int row = 0; row < 6; ++row)
      for (int column = 0; column < 6; ++column)
        all.push_back({36 * e + 6 * row + column, 9 * (3 * e + row) + 3 * (1 - row / 3) + column});
  return all;
}

}  // namespace

TEST_CASE("slots are added to their targets in their order", "[serial]") {
  CHECK(sums_are_exact({}, 1, 5));
  CHECK(sums_are_exact({{0, 4}, {1, 3}, {2, 2}, {3, 4}, {4, 4}}, 5, 5));
  CHECK(sums_are_exact(chain(40), 36 * 40, 9 * 3 * 41));
  std::mt19937 random(7);
  for (const int num_targets : {10, 200, 1000000}) {
    Contributions all;
    for (int slot = 0; slot < 5000; ++slot)
      if (random() % 5 != 0) all.push_back({slot, static_cast<int>(random() % static_cast<unsigned>(num_targets))});
    CHECK(sums_are_exact(all, 5000, num_targets));
  }
}

TEST_CASE("runs cross the limits of what 16 bits count, and end with the targets", "[serial]") {
  Contributions all;
  for (int slot = 0; slot < 300; ++slot) all.push_back({slot, 65536 - 150 + slot});
  for (int slot = 300; slot < 400; ++slot) all.push_back({slot, 200000 - 400 + slot});
  CHECK(sums_are_exact(all, 400, 199999 + 1));
}

TEST_CASE("three coordinates side by side are listed once", "[serial]") {
  const Contributions all = chain(400);
  std::vector<int> place(static_cast<std::size_t>(9 * 3 * 401), -1);
  std::vector<char> is_taken(place.size(), 0);
  const SlotSums sums(all, place, is_taken);
  CHECK(sums.size() < 2 * sizeof(std::uint16_t) * all.size() / 2);
}
