/// \file
/// A map of the model file whose every key must be asked for: those that nobody asks for are unknown.
#pragma once

#include "input/document.hpp"

#include <string>
#include <vector>

namespace sinew {

/// Hands out the values of a map and remembers which keys exist, for the suggestion about misspelt ones.
class MapReader {
 public:
  /// `what` names the map in messages: `body 'crank'`. A node that is no map is reported and read as an empty one.
  MapReader(const DocumentNode& node, std::string what, Faults& faults);
  /// Reports the keys that nobody asked for, and the missing ones that none of them was meant to be.
  ~MapReader();
  MapReader(const MapReader&) = delete;
  MapReader& operator=(const MapReader&) = delete;

  /// The value of a key, or null. A key without a value is reported and counts as absent.
  const DocumentNode* find(const std::string& key);
  /// As find; an absent key is reported with an example of its value.
  const DocumentNode* require(const std::string& key, const std::string& example);
  /// Notes that a key is missing, with what to say about it.
  void missing(const std::string& key, const SourceMark& mark, const std::string& message, const std::string& remedy);
  /// Whether a key is there; it counts as known from now on.
  bool has(const std::string& key) { return find(key) != nullptr; }
  /// As find, of a key that belongs to other models: it is known, but never what a misspelt key was meant to be.
  const DocumentNode* find_foreign(const std::string& key);
  /// Takes a key as known without reading it, and remembers it for suggestions.
  void known(const std::string& key) { known_.push_back(key); }
  /// Says nothing about unknown keys: what they belong to could not be told.
  void forgive() { forgiven_ = true; }

  /// Keys that were asked for.
  const std::vector<std::string>& known_keys() const { return known_; }
  const DocumentNode& node() const { return node_; }
  const std::string& what() const { return what_; }
  const SourceMark& mark() const { return node_.mark; }
  bool is_map() const { return node_.is_map(); }

 private:
  const DocumentNode* value_of(const std::string& key);

  const DocumentNode& node_;
  std::string what_;
  struct Missing {
    std::string key;
    Fault fault;
  };
  Faults& faults_;
  std::vector<std::string> known_, foreign_;
  std::vector<Missing> missing_;
  bool forgiven_ = false;
};

}  // namespace sinew
