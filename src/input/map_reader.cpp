#include "input/map_reader.hpp"

#include "model/nearest_name.hpp"

#include <algorithm>

namespace sinew {

namespace {

bool contains(const std::vector<std::string>& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// What a word of other programs is called here, where the map has such a key; else the word itself.
std::string own_word(const std::string& key, const std::vector<std::string>& known) {
  constexpr std::pair<const char*, const char*> others[] = {{"dt", "step"},        {"h", "step"},
                                                            {"time_step", "step"}, {"tend", "end_time"},
                                                            {"t_end", "end_time"}, {"duration", "end_time"}};
  for (const auto& [other, own] : others)
    if (key == other && contains(known, own)) return own;
  return key;
}

}  // namespace

MapReader::MapReader(const DocumentNode& node, std::string what, Faults& faults)
    : node_(node), what_(std::move(what)), faults_(faults) {
  if (!node_.is_map()) {
    faults_.error(node_.mark, what_ + " must be a map of keys and values, not " + node_.describe(), "write key: value");
    forgiven_ = true;
  }
}

MapReader::~MapReader() {
  std::vector<std::string> meant;
  for (const DocumentEntry& entry : node_.entries) {
    if (forgiven_ || contains(known_, entry.key) || contains(foreign_, entry.key)) continue;
    const bool is_decimal =
        !entry.key.empty() && entry.key.find_first_not_of("0123456789") == std::string::npos && what_ != "the model";
    const bool lacks_section = entry.mark.override_index >= 0 && what_ == "the model" && nearest_name(entry.key, known_).empty();
    faults_.error(entry.mark, "unknown key '" + entry.key + "' in " + what_,
                  is_decimal      ? "decimals are written with a point: a comma begins the next key"
                  : lacks_section ? "keys are written with their section, like --set analysis.step=1e-4"
                                  : suggestion(own_word(entry.key, known_), known_));
    meant.push_back(nearest_name(own_word(entry.key, known_), known_));
  }
  for (Missing& missing : missing_)
    if (std::find(meant.begin(), meant.end(), missing.key) == meant.end()) faults_.error(std::move(missing.fault));
}

void MapReader::missing(const std::string& key, const SourceMark& mark, const std::string& message, const std::string& remedy) {
  if (node_.is_map() && !node_.find(key)) missing_.push_back({key, {mark, message, remedy}});
}

const DocumentNode* MapReader::find(const std::string& key) {
  known_.push_back(key);
  return value_of(key);
}

const DocumentNode* MapReader::find_foreign(const std::string& key) {
  foreign_.push_back(key);
  return value_of(key);
}

const DocumentNode* MapReader::value_of(const std::string& key) {
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
  if (!value) missing(key, node_.mark, what_ + " has no '" + key + "'", "add " + example);
  return value;
}

}  // namespace sinew
