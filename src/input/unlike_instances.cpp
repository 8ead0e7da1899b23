#include "input/unlike_instances.hpp"

#include "input/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

Repeat only(const Repeat& repeat, std::int64_t instance) {
  const Indices indices = repeat.indices(instance);
  std::vector<IndexRange> ranges = repeat.ranges();
  for (std::size_t k = 0; k < ranges.size(); ++k) ranges[k].first = ranges[k].last = indices[k];
  return Repeat(std::move(ranges));
}

std::vector<std::pair<int, std::int64_t>> joints_met(const ReadContext& context, const Repeat& repeat, const NamePattern& of) {
  std::vector<std::pair<int, std::int64_t>> met;
  for (const std::int64_t instance : sample_instances(repeat)) {
    const auto found = context.model.joint_names.find(of, repeat.indices(instance));
    if (!found || !context.sound_joints[static_cast<std::size_t>(found->item)]) continue;
    const auto is_it = [&](const auto& other) { return other.first == found->item; };
    if (std::none_of(met.begin(), met.end(), is_it)) met.emplace_back(found->item, instance);
  }
  return met;
}

void report_unlike(const ReadContext& context, const SourceMark& mark, const ConnectedItem& item, std::int64_t instance,
                   const std::string& why) {
  const auto name = [&](std::int64_t n) { return item.name.expand(item.repeat.indices(n)); };
  context.faults.error(mark, fmt::format("'{}' {}, unlike '{}' of the same item", name(instance), why, name(0)),
                       "make an item of its own for each kind");
}

}  // namespace sinew
