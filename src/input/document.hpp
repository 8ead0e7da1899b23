/// \file
/// The text of a model file as a tree that remembers where everything stands.
#pragma once

#include "input/faults.hpp"
#include "model/source_mark.hpp"

#include <string>
#include <vector>

namespace sinew {

struct DocumentEntry;

/// A value of the file: nothing, a text, a list or a map. Aliases are expanded.
struct DocumentNode {
  enum class Kind { null, scalar, sequence, map };
  Kind kind = Kind::null;
  SourceMark mark;
  std::string text;                    ///< of a scalar
  bool quoted = false;                 ///< the scalar stood in quotes
  std::vector<DocumentNode> items;     ///< of a sequence
  std::vector<DocumentEntry> entries;  ///< of a map, in the order of the file, every key once

  bool is_null() const { return kind == Kind::null; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_sequence() const { return kind == Kind::sequence; }
  bool is_map() const { return kind == Kind::map; }
  /// The value of a key, or null.
  const DocumentNode* find(const std::string& key) const;
  /// `a list of 3`, `a map`, `'text'` for messages.
  std::string describe() const;
};

/// A key of a map and its value.
struct DocumentEntry {
  std::string key;
  SourceMark mark;  ///< of the key
  DocumentNode value;
  bool is_new = false;  ///< `--set` made it: the file has no such key
};

/// Reads YAML text. `override_index` marks text of a `--set` option, -1 the file. Syntax errors, duplicate keys, further
/// documents, keys that are no text and aliases that expand too far are reported; what was read until then is returned.
DocumentNode read_document(const std::string& text, Faults& faults, int override_index = -1);

/// Sets the value that `path=value` names, `analysis.step=1e-4`, in the tree; maps on the way are made, list entries are named
/// by their number. Faults name the option. The value that was there before; nothing after a fault.
DocumentNode apply_override(DocumentNode& root, const std::string& assignment, int override_index, Faults& faults);

}  // namespace sinew
