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

/// All tokens, the last one of kind `end`. Throws ExpressionError.
std::vector<ExpressionToken> split_expression(const std::string& text);

}  // namespace sinew
