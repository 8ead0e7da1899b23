#include "model/name_table.hpp"

namespace sinew {

void NameTable::add(const NamePattern& name, const Repeat& repeat) {
  if (name.is_plain()) {
    plain_.emplace(name.text(), size());
  } else {
    patterns_[name.key()].push_back(size());
  }
  entries_.push_back({name, repeat});
}

std::optional<InstanceRef> NameTable::find(const std::string& name) const { return find_other(name, InstanceRef{}); }

std::optional<InstanceRef> NameTable::find_other(const std::string& name, const InstanceRef& self) const {
  const auto plain = plain_.find(name);
  if (plain != plain_.end() && plain->second != self.item) return InstanceRef{plain->second, 0};
  const auto bucket = patterns_.find(pattern_key(name));
  if (bucket == patterns_.end()) return std::nullopt;
  for (const int item : bucket->second) {
    const auto instance = pattern(item).match(name, repeat(item));
    if (instance && !(item == self.item && *instance == self.instance)) return InstanceRef{item, *instance};
  }
  return std::nullopt;
}

std::optional<InstanceRef> NameTable::find(const NamePattern& name, const Indices& indices) const {
  if (name.is_plain()) return find(name.text());
  const auto bucket = patterns_.find(name.key());
  const auto values = name.hole_values(indices);
  if (!values) return std::nullopt;
  if (bucket != patterns_.end())
    for (const int item : bucket->second) {  // the usual case: the same text around the braces, so that no text is built
      if (pattern(item).literals() != name.literals()) continue;
      if (const auto instance = pattern(item).find_instance(*values, repeat(item))) return InstanceRef{item, *instance};
    }
  return find(name.expand(indices));
}

std::string NameTable::name(const InstanceRef& ref) const {
  return pattern(ref.item).expand(repeat(ref.item).indices(ref.instance));
}

}  // namespace sinew
