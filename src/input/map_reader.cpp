#include "input/map_reader.hpp"

#include "model/nearest_name.hpp"

#include <algorithm>

namespace sinew {

MapReader::MapReader(const DocumentNode& node, std::string what, Faults& faults)
    : node_(node), what_(std::move(what)), faults_(faults) {
  if (!node_.is_map()) {
    faults_.error(node_.mark, what_ + " must be a map of keys and values, not " + node_.describe(), "write key: value");
    forgiven_ = true;
  }
}

MapReader::~MapReader() {
  if (forgiven_) return;
  for (const DocumentEntry& entry : node_.entries)
    if (std::find(known_.begin(), known_.end(), entry.key) == known_.end())
      faults_.error(entry.mark, "unknown key '" + entry.key + "' in " + what_, suggestion(entry.key, known_));
}

const DocumentNode* MapReader::find(const std::string& key) {
  known_.push_back(key);
  for (const DocumentEntry& entry : node_.entries) {
    if (entry.key != key) continue;
    if (!entry.value.is_null()) return &entry.value;
    faults_.error(entry.mark, "'" + key + "' in " + what_ + " has no value", "give it one or remove the line");
    return nullptr;
  }
  return nullptr;
}

const DocumentNode* MapReader::require(const std::string& key, const std::string& example) {
  const DocumentNode* value = find(key);
  if (!value && !forgiven_ && !node_.find(key))
    faults_.error(node_.mark, what_ + " has no '" + key + "'", "add " + example);
  return value;
}

}  // namespace sinew
