/// \file
/// Names that hold integer expressions in braces: `link{i}`, `node{i}_{j}`.
#pragma once

#include "model/expression.hpp"

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinew {

/// literal[0] hole[0] literal[1] hole[1] ... literal[n]: a text whose holes are integers computed from a repeat's indices.
class NamePattern {
 public:
  NamePattern() = default;
  /// A text without holes.
  NamePattern(std::string text);  // NOLINT: a text is a pattern
  /// `literals` has one entry more than `holes`; `text` is what the user wrote.
  NamePattern(std::string text, std::vector<std::string> literals, std::vector<Expression> holes);

  /// As written, with its braces.
  const std::string& text() const { return text_; }
  bool is_plain() const { return holes_.empty(); }
  const std::vector<std::string>& literals() const { return literals_; }
  const std::vector<Expression>& holes() const { return holes_; }
  /// True if every hole is a linear form of the indices with whole coefficients: names of items must be.
  bool is_linear() const { return forms_.size() == holes_.size(); }

  /// The name at some indices. A hole that is not a whole number gives a name that matches nothing (`link1.5`).
  std::string expand(const Indices& indices) const;
  /// Values of the holes at some indices; nothing if one is not a whole number.
  std::optional<std::vector<std::int64_t>> hole_values(const Indices& indices) const;

  /// The instance of `repeat` at which the holes have these values; nothing if there is none. Needs linear holes.
  std::optional<std::int64_t> find_instance(const std::vector<std::int64_t>& values, const Repeat& repeat) const;
  /// The pattern with every number and hole replaced by `#`: names that can be equal have equal keys.
  const std::string& key() const { return key_; }

 private:
  std::string text_;
  std::string key_;
  std::vector<std::string> literals_{std::string()};
  std::vector<Expression> holes_;
  std::vector<LinearForm> forms_;  // of the holes; empty if one is not linear
};

/// `name` with every number replaced by `#`; see NamePattern::key.
std::string pattern_key(const std::string& name);

/// Many patterns with holes, as a tree of their literals: a name is compared with those alone that it may be read as, so that a
/// look-up costs the same however many there are.
class PatternTree {
 public:
  /// A way to read a name: what its holes are then, in patterns that differ in their holes alone.
  struct Reading {
    std::span<const int> patterns;  ///< their numbers
    std::vector<std::int64_t> values;
  };

  /// `number`: what the pattern is called here.
  void add(const NamePattern& pattern, int number);
  /// All ways to read a name, those with shorter numbers first.
  std::vector<Reading> readings(const std::string& name) const;
  /// Those with the same text around their holes.
  std::span<const int> alike(const NamePattern& pattern) const;

 private:
  void read_from(const std::string& name, std::size_t at, std::string& before, std::vector<std::int64_t>& values,
                 std::vector<Reading>& found) const;

  /// Where the first literals of a pattern lead, joined with a mark for each hole: the patterns that end there.
  std::unordered_map<std::string, std::vector<int>> nodes_;
};

}  // namespace sinew
