#include "system/slot_runs.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sinew {

namespace {

/// A piece of a run: targets first, first + 1, ... in the order of their numbers of slots.
struct Piece {
  int first = 0, length = 0;
};

}  // namespace

/// Targets keep their order among those with the same number of slots in runs of the same length: memory is walked through in one
/// direction.
SlotRuns SlotRuns::of(const std::vector<int>& targets, const std::vector<int>& starts, const std::vector<int>& slots) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const auto count = [&](int i) { return starts[at(i) + 1] - starts[at(i)]; };
  std::vector<int> order(targets.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return count(a) < count(b); });
  const auto continues = [&](int a, int b) {
    if (count(a) != count(b) || targets[at(b)] != targets[at(a)] + 1) return false;
    for (int k = 0; k < count(a); ++k)
      if (slots[at(starts[at(b)] + k)] != slots[at(starts[at(a)] + k)] + 1) return false;
    return true;
  };
  std::vector<Piece> pieces;
  const auto size = static_cast<int>(order.size());
  for (int first = 0, last = 0; first < size; first = last) {
    for (last = first + 1; last < size && continues(order[at(last - 1)], order[at(last)]);) ++last;
    for (int next = first; next < last; next += pieces.back().length)
      pieces.push_back({next, *std::find_if(lengths.begin(), lengths.end(), [&](int l) { return l <= last - next; })});
  }
  const auto slots_of = [&](const Piece& p) { return count(order[at(p.first)]); };
  std::stable_sort(pieces.begin(), pieces.end(), [&](const Piece& a, const Piece& b) {
    return std::pair(slots_of(a), a.length) < std::pair(slots_of(b), b.length);
  });
  SlotRuns runs;
  for (const Piece& p : pieces) {
    const int each = slots_of(p), i = order[at(p.first)];
    if (runs.groups.empty() || runs.groups.back().slots_each != each || runs.groups.back().length != p.length)
      runs.groups.push_back({each, p.length, 0, static_cast<int>(runs.targets.size()), static_cast<int>(runs.slots.size())});
    ++runs.groups.back().num_runs;
    runs.targets.push_back(targets[at(i)]);
    runs.slots.insert(runs.slots.end(), slots.begin() + starts[at(i)], slots.begin() + starts[at(i) + 1]);
  }
  return runs;
}

}  // namespace sinew
