/// \file
/// Cuts the text of an expression into numbers, names and operators.
#pragma once

#include <string>
#include <vector>

namespace sinew {

/// A piece of an expression. `text` is an operator, a name, or `number` with its `value`; empty at the end.
struct ExpressionToken {
  enum class Kind { number, name, symbol, end };
  Kind kind = Kind::end;
  std::string text;
  double value = 0;
  std::size_t position = 0;
};

/// Whether a word is what YAML and programs write for no number or infinity: nan, inf, infinity in any case (YAML puts a dot
/// before it).
bool is_not_finite(std::string word);
/// Throws ExpressionError about such a word.
[[noreturn]] void fail_not_finite(const std::string& word, std::size_t position);

/// All tokens, the last one of kind `end`. Throws ExpressionError.
std::vector<ExpressionToken> split_expression(const std::string& text);

}  // namespace sinew
