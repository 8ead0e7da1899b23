/// \file
/// Looks up items by their expanded names without expanding them all.
#pragma once

#include "model/name_pattern.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinew {

/// One instance of an item: which entry of its list, and which instance of that entry's repeat.
struct InstanceRef {
  int item = -1;
  std::int64_t instance = 0;
  bool operator==(const InstanceRef&) const = default;
};

/// Names of one kind of item (bodies, joints ...). A look-up costs the same however many items there are, and however
/// many instances they have.
class NameTable {
 public:
  /// Adds the next item; items count from 0 in the order of adding.
  void add(const NamePattern& name, const Repeat& repeat);

  /// The instance with an expanded name, `link100`.
  std::optional<InstanceRef> find(const std::string& name) const;
  /// The instance that a pattern names at some indices, `link{i-1}` at i = 5.
  std::optional<InstanceRef> find(const NamePattern& name, const Indices& indices) const;
  /// The first other item and instance with the same name as this instance; for duplicate checks.
  std::optional<InstanceRef> find_other(const std::string& name, const InstanceRef& self) const;
  /// The first instance of an item with holes that has this name.
  std::optional<std::int64_t> first_in(int item, const std::string& name) const;

  /// The name of an instance.
  std::string name(const InstanceRef& ref) const;
  int size() const { return static_cast<int>(entries_.size()); }
  const NamePattern& pattern(int item) const { return entries_[static_cast<std::size_t>(item)].name; }
  const Repeat& repeat(int item) const { return entries_[static_cast<std::size_t>(item)].repeat; }

 private:
  struct Entry {
    NamePattern name;
    Repeat repeat;
  };
  std::vector<Entry> entries_;
  std::unordered_map<std::string, int> plain_;  // names without holes -> item
  PatternTree patterns_;                        // items with holes
};

}  // namespace sinew
