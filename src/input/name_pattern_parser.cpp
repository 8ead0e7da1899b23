// Names of the model file with expressions in braces: `link{i-1}`.

#include "input/expression_parser.hpp"

namespace sinew {

NamePattern parse_name_pattern(const std::string& text, const ExpressionScope& scope) {
  std::vector<std::string> literals{""};
  std::vector<Expression> holes;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '}') throw ExpressionError(at, "a '}' without '{' before it");
    if (text[at] != '{') {
      literals.back() += text[at++];
      continue;
    }
    const std::size_t end = text.find('}', at);
    if (end == std::string::npos) throw ExpressionError(at, "a '{' without '}' after it", "put names with braces in quotes");
    try {
      holes.push_back(parse_expression(text.substr(at + 1, end - at - 1), scope));
    } catch (const ExpressionError& error) {
      throw ExpressionError(at + 1 + error.position, error.what(), error.remedy);
    }
    literals.emplace_back();
    at = end + 1;
  }
  return NamePattern(text, std::move(literals), std::move(holes));
}

std::string expand_constants(const std::string& text, const ExpressionScope& scope, std::size_t position) try {
  ExpressionScope constants;
  constants.constants = scope.constants;
  constants.used_constants = scope.used_constants;
  const NamePattern pattern = parse_name_pattern(text, constants);
  if (pattern.hole_values({})) return pattern.expand({});
  throw ExpressionError(0, "what stands in the braces of '" + text + "' is no whole number");
} catch (const ExpressionError& error) {
  throw ExpressionError(position + error.position, error.what(), error.remedy);
}

}  // namespace sinew
