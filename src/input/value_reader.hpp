/// \file
/// Numbers, vectors, words and names of the model file, with every fault reported at its place. After a fault a harmless value is
/// returned, so that reading goes on and finds the next one.
#pragma once

#include "input/document.hpp"
#include "input/expression_parser.hpp"
#include "input/map_reader.hpp"
#include "model/bodies.hpp"
#include "model/choices.hpp"
#include "model/controls.hpp"
#include "model/nearest_name.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// Reads values in which the names of one scope may be used. `what` names the value in messages: `mass of body 'crank'`.
class ValueReader {
 public:
  ValueReader(Faults& faults_in, const ExpressionScope& scope) : faults(faults_in), scope_(scope) {}

  Faults& faults;

  /// The same with t allowed.
  ValueReader with_time() const;
  /// The same with a name for what runs along a line; it takes the place of the time.
  ValueReader with_parameter(const char* name) const;
  /// The same with t, sensors, controls and the names of a control's states (may be null; must outlive the reader) allowed.
  ValueReader with_signals(const std::vector<std::string>* states) const;
  const ExpressionScope& scope() const { return scope_; }

  Expression number(const DocumentNode& node, const std::string& what) const;
  /// A number, and what its variables stand for.
  SignalExpression signal(const DocumentNode& node, const std::string& what) const;
  /// A number without repeat indices and time.
  double constant(const DocumentNode& node, const std::string& what) const;
  /// As constant, > 0, or >= 0 with `zero_allowed`.
  double positive(const DocumentNode& node, const std::string& what, bool zero_allowed = false) const;
  /// The positive constant that a mapping must have under a key; 1 after a fault.
  double length(MapReader& map, const std::string& key) const;
  /// A whole constant between two bounds.
  std::int64_t whole(const DocumentNode& node, const std::string& what, std::int64_t least, std::int64_t most) const;
  VectorExpression vector(const DocumentNode& node, const std::string& what) const;
  Vec3<double> constant_vector(const DocumentNode& node, const std::string& what) const;
  /// A list of `count` numbers.
  std::vector<Expression> numbers(const DocumentNode& node, std::size_t count, const std::string& what) const;
  /// n diagonal entries or n x n by rows; returned as written (n or n * n entries), empty after a fault.
  std::vector<Expression> matrix(const DocumentNode& node, std::size_t n, const std::string& what) const;
  /// A text that is not empty.
  std::string text(const DocumentNode& node, const std::string& what) const;
  /// A name of something outside of the item, with whole numbers of constants in the place of its braces: `part{i}.msh` where the
  /// index i is a constant (see input/repeats.hpp).
  std::string outer_name(const DocumentNode& node, const std::string& what) const;
  bool boolean(const DocumentNode& node, const std::string& what) const;
  /// A name with braces.
  NamePattern pattern(const std::string& text, const SourceMark& mark, bool quoted) const;

  /// A word of a list; `fallback` after a fault.
  template <class E>
  E choice(const DocumentNode& node, const std::string& what, E fallback) const;

 private:
  SignalSource source_of(const ExpressionVariable& variable, const DocumentNode& node) const;
  void report(const ExpressionError& error, const SourceMark& mark, bool quoted, const std::string& what) const;

  ExpressionScope scope_;
};

template <class E>
E ValueReader::choice(const DocumentNode& node, const std::string& what, E fallback) const {
  std::vector<std::string> built;
  for (const Choice<E>& candidate : choices_of<E>()) {
    if (node.is_scalar() && node.text == candidate.name) {
      if (!candidate.is_built) break;
      return candidate.value;
    }
    if (candidate.is_built) built.emplace_back(candidate.name);
  }
  for (const Choice<E>& candidate : choices_of<E>())
    if (node.is_scalar() && node.text == candidate.name) {
      std::string list;
      for (const std::string& word : built) list += (list.empty() ? "" : ", ") + word;
      faults.error(node.mark, what + " '" + node.text + "' is not built yet", "available: " + list);
      return fallback;
    }
  faults.error(node.mark, what + " cannot be " + node.describe(), suggestion(node.is_scalar() ? node.text : "", built));
  return fallback;
}

}  // namespace sinew
