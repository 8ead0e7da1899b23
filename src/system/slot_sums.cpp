#include "system/slot_sums.hpp"

#include "base/index.hpp"
#include "kernels/sweep/family.hpp"

#include <algorithm>
#include <tuple>

namespace sinew {

namespace {

/// Targets of a group, where its list counts in 16 bits, agree in what is left of them beyond.
constexpr int window = SlotSums::is_on_host ? 1 << 16 : 1 << 30;

}  // namespace

/// A number of targets side by side, and the slots of the first one: those of the others follow each of them, `step` apart.
struct SlotSums::Run {
  int target = 0, width = 0, step = 1;
  int first = 0, count = 0;  ///< in the list of slots
  bool adds = true;
  auto kind(bool is_near) const { return std::tuple(width, count, step, adds, is_near ? target / window : 0); }
};

/// In the order of their first slots. `slots`: those of every target, one target after the other.
std::vector<SlotSums::Run> SlotSums::find_runs(const std::vector<Contribution>& contributions, std::vector<int>& place,
                                               std::vector<char>& is_taken, std::vector<int>& slots) {
  std::vector<int> found, starts{0}, next;
  for (const Contribution& c : contributions) {
    int& p = place[at(c.target)];
    if (p < 0) {
      p = static_cast<int>(found.size());
      found.push_back(c.target);
      starts.push_back(0);
    }
    ++starts[at(p) + 1];
  }
  for (std::size_t p = 0; p < found.size(); ++p) starts[p + 1] += starts[p];
  next.assign(starts.begin(), starts.end() - 1);
  slots.resize(contributions.size());
  for (const Contribution& c : contributions) slots[at(next[at(place[at(c.target)])]++)] = c.slot;
  const auto place_of = [&](int target) { return target >= 0 && at(target) < place.size() ? place[at(target)] : -1; };
  const auto is_added = [&](int p) { return is_taken[at(found[at(p)])] != 0; };
  // How far the slots of a target lie behind those of the one before it: 0 where they do not all lie as far.
  const auto step_between = [&](int before, int p) {
    if (p < 0 || before < 0 || is_added(p) != is_added(before)) return 0;
    const auto first = slots.begin() + starts[at(p)], end = slots.begin() + starts[at(p) + 1];
    const auto other = slots.begin() + starts[at(before)];
    const int step = *first - *other;
    const bool is_same = step > 0 && step <= longest_step &&
                         std::equal(first, end, other, slots.begin() + starts[at(before) + 1],
                                    [step](int slot, int behind) { return slot == behind + step; });
    return is_same ? step : 0;
  };
  std::vector<Run> runs;
  for (int p = 0; p < static_cast<int>(found.size()); ++p) {
    int target = found[at(p)];
    if (step_between(place_of(target - 1), p) > 0) continue;
    for (int now = p, step = 0; now >= 0;) {  // long ones are cut
      const bool is_first = now == p || runs.back().width == longest_run || (runs.back().width > 1 && runs.back().step != step);
      if (is_first) runs.push_back({target, 0, 1, starts[at(now)], starts[at(now) + 1] - starts[at(now)], is_added(now)});
      if (++runs.back().width > 1) runs.back().step = step;
      const int next_place = place_of(++target);
      step = step_between(now, next_place);
      now = step > 0 ? next_place : -1;
    }
  }
  for (const int target : found) {
    place[at(target)] = -1;
    is_taken[at(target)] = 1;
  }
  return runs;
}

/// Runs are sorted by width, number of slots and window: then neither list needs to say where a run's slots begin.
void SlotSums::group(std::vector<Run>& runs, bool is_near) {
  groups_.clear();
  std::stable_sort(runs.begin(), runs.end(), [&](const Run& a, const Run& b) { return a.kind(is_near) < b.kind(is_near); });
  int slot = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Run& run = runs[r];
    if (r == 0 || run.kind(is_near) != runs[r - 1].kind(is_near)) {
      const int origin = is_near ? run.target / window * window : 0;
      groups_.push_back({run.width, run.count, run.step, origin, 0, static_cast<int>(r), slot, run.adds});
    }
    ++groups_.back().num_runs;
    slot += run.count;
  }
}

SlotSums::SlotSums(const std::vector<Contribution>& contributions, std::vector<int>& place, std::vector<char>& is_taken) {
  std::vector<int> slots_of_targets;
  std::vector<Run> runs = find_runs(contributions, place, is_taken, slots_of_targets);
  group(runs, true);
  // Targets all over the matrix would make many groups of few.
  const bool is_near = groups_.size() * sizeof(Group) <= runs.size() * (sizeof(int) - sizeof(std::uint16_t));
  if (!is_near) group(runs, false);
  std::vector<SlotIndex> slots, near;
  std::vector<int> far;
  for (const Group& g : groups_)
    for (int r = g.first_run; r < g.first_run + g.num_runs; ++r) {
      const Run& run = runs[at(r)];
      if (is_near)
        near.push_back(static_cast<SlotIndex>(run.target - g.origin));
      else
        far.push_back(run.target);
      for (int k = run.first; k < run.first + run.count; ++k) slots.push_back(static_cast<SlotIndex>(slots_of_targets[at(k)]));
    }
  slots_ = to_device_array("slot_sums.slots", slots);
  near_ = to_device_array("slot_sums.targets", near);
  far_ = to_device_array("slot_sums.targets", far);
}

std::size_t SlotSums::size() const {
  return groups_.size() * sizeof(Group) + (near_.extent(0) + slots_.extent(0)) * sizeof(SlotIndex) + far_.extent(0) * sizeof(int);
}

void SlotSums::add(const double* slots, double* targets) const {
  if (near_.extent(0) > 0) {
    add_to(near_, slots, targets);
  } else {
    add_to(far_, slots, targets);
  }
}

template <class Index>
void SlotSums::add_to(const DeviceArray<Index>& targets, const double* slots, double* numbers) const {
  for (const Group& group : groups_) {
    if (group.adds) {
      add_group<true>(targets, group, slots, numbers);
    } else {
      add_group<false>(targets, group, slots, numbers);
    }
  }
}

template <bool adds, class Index>
void SlotSums::add_group(const DeviceArray<Index>& targets, const Group& group, const double* slots, double* numbers) const {
  switch (group.width) {
    case 1: return add_runs<1, adds>(targets, group, slots, numbers);
    case 2: return add_runs<2, adds>(targets, group, slots, numbers);
    default: return add_runs<longest_run, adds>(targets, group, slots, numbers);
  }
}

template <int width, bool adds, class Index>
void SlotSums::add_runs(const DeviceArray<Index>& targets, const Group& group, const double* slots, double* numbers) const {
  const LentArray<Index> target_of = targets;
  const LentArray<SlotIndex> slot_of = slots_;
  const Group g = group;
  const int step = longest_step == 1 ? 1 : g.step;
  Kokkos::parallel_for(
      "sinew::slot_sums", Kokkos::RangePolicy<ExecutionSpace>(0, g.num_runs), KOKKOS_LAMBDA(const int i) {
        double* target = numbers + g.origin + target_of(g.first_run + i);
        const int from = g.first_slot + i * g.slots_each;
        double total[width];
        for (int w = 0; w < width; ++w) total[w] = adds ? target[w] : 0.0;
        for (int k = from; k < from + g.slots_each; ++k)
          for (int w = 0; w < width; ++w) total[w] += slots[slot_of(k) + w * step];
        for (int w = 0; w < width; ++w) target[w] = total[w];
      });
}

}  // namespace sinew
