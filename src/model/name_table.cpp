#include "model/name_table.hpp"

#include <algorithm>

namespace sinew {

void NameTable::add(const NamePattern& name, const Repeat& repeat) {
  if (name.is_plain()) {
    plain_.emplace(name.text(), size());
  } else {
    patterns_.add(name, size());
  }
  entries_.push_back({name, repeat});
}

std::optional<InstanceRef> NameTable::find(const std::string& name) const { return find_other(name, InstanceRef{}); }

std::optional<InstanceRef> NameTable::find_other(const std::string& name, const InstanceRef& self) const {
  const auto plain = plain_.find(name);
  if (plain != plain_.end() && plain->second != self.item) return InstanceRef{plain->second, 0};
  std::optional<InstanceRef> found;
  for (const PatternTree::Reading& reading : patterns_.readings(name))
    for (const int item : reading.patterns) {
      if (found && found->item <= item) continue;
      const auto instance = pattern(item).find_instance(reading.values, repeat(item));
      if (instance && !(item == self.item && *instance == self.instance)) found = InstanceRef{item, *instance};
    }
  return found;
}

std::optional<std::int64_t> NameTable::first_in(int item, const std::string& name) const {
  for (const PatternTree::Reading& reading : patterns_.readings(name))
    if (std::ranges::binary_search(reading.patterns, item))  // numbered in the order of adding
      if (const auto instance = pattern(item).find_instance(reading.values, repeat(item))) return instance;
  return std::nullopt;
}

std::optional<InstanceRef> NameTable::find(const NamePattern& name, const Indices& indices) const {
  if (name.is_plain()) return find(name.text());
  const auto values = name.hole_values(indices);
  if (!values) return std::nullopt;
  for (const int item : patterns_.alike(name))  // the usual case: the same text around the braces, so that no text is built
    if (const auto instance = pattern(item).find_instance(*values, repeat(item))) return InstanceRef{item, *instance};
  return find(name.expand(indices));
}

std::string NameTable::name(const InstanceRef& ref) const {
  return pattern(ref.item).expand(repeat(ref.item).indices(ref.instance));
}

}  // namespace sinew
