#include "input/unknown_name.hpp"

#include "input/expression_functions.hpp"
#include "input/expression_lexer.hpp"
#include "model/nearest_name.hpp"

#include <algorithm>

namespace sinew {

std::vector<std::string> names_of_functions(const ExpressionScope& scope) {
  std::vector<std::string> names;
  for (const ExpressionFunction& function : expression_functions) names.emplace_back(function.name);
  for (const ComposedFunction& function : composed_functions()) names.emplace_back(function.name);
  if (scope.tables)
    for (const auto& [table, rows] : *scope.tables) names.push_back(table);
  if (scope.tables_of_two)
    for (const auto& [table, terms] : *scope.tables_of_two) names.push_back(table);
  return names;
}

void fail_unknown_name(const std::string& word, const ExpressionScope& scope, std::size_t position) {
  const auto fail = [position](const std::string& message, const std::string& remedy) {
    throw ExpressionError(position, message, remedy);
  };
  if (word == "t") fail("the time t cannot be used here", "t may be used in forces, motions and controls");
  if (is_not_finite(word)) fail_not_finite(word, position);
  if (word == "deg") fail("'deg' needs a number before it", "write 30 deg");
  if (is_signal(word))
    fail("'" + word + "' cannot be used here",
         "they may stand in controls, stop, actuators, shaft-torques, laws of springs, joints coordinate and velocity");
  if ((word == "sensor" || word == "control") && scope.signals_allowed)
    fail("'" + word + "' needs a name after it", word == "sensor" ? "write sensor.tip.velocity.x" : "write control.governor.u");
  if (scope.signals_allowed && word.find('.') != std::string::npos)
    fail("unknown name '" + word + "'",
         "dots belong to sensor.NAME and control.NAME; a NAME with - or + cannot stand in expressions");
  if (word == "i" || word == "j")
    fail("'" + word + "' is not an index here",
         "a body, joint, force, control or sensor with repeat: {" + word + ": 1..N} has one");
  std::vector<std::string> known{"pi"};
  if (scope.time_allowed) known.push_back("t");
  if (scope.parameter) known.emplace_back(scope.parameter);
  if (scope.repeat)
    for (const IndexRange& range : scope.repeat->ranges()) known.push_back(range.name);
  if (scope.constants)
    for (const auto& [constant, value] : *scope.constants) known.push_back(constant);
  if (scope.states) known.insert(known.end(), scope.states->begin(), scope.states->end());
  std::string hint = nearest_name(word, known);
  if (hint.empty()) hint = nearest_name(word, names_of_functions(scope));
  throw ExpressionError(position, "unknown name '" + word + "'",
                        hint.empty() ? "define it under constants" : "did you mean '" + hint + "'?");
}

std::string second_meaning(const std::string& text, const ExpressionScope& scope) {
  if (!scope.parameter && !scope.states) return {};
  for (const ExpressionToken& token : split_expression(text)) {
    const std::string& word = token.text;
    const bool is_parameter = scope.parameter && word == scope.parameter;
    if (!is_parameter && !(scope.states && std::find(scope.states->begin(), scope.states->end(), word) != scope.states->end()))
      continue;
    if (scope.repeat)
      for (const IndexRange& range : scope.repeat->ranges())
        if (range.name == word)
          return "'" + word + "' is an index here, as which it counts, and has a meaning of its own as well";
    if (scope.constants && scope.constants->count(word) > 0)
      return "'" + word + "' has a meaning of its own here, which counts, and is the name of a constant as well";
  }
  return {};
}

}  // namespace sinew
