/// \file
/// Text to Expression: operators, functions and names of the model file. Language reference: docs/input.md.
#pragma once

#include "input/table_grid.hpp"
#include "model/expression.hpp"
#include "model/name_pattern.hpp"

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace sinew {

/// What an expression may use besides `pi` and the functions.
struct ExpressionScope {
  const std::map<std::string, double>* constants = nullptr;
  const Repeat* repeat = nullptr;
  bool time_allowed = false;
  const char* parameter = nullptr;                   ///< a name that stands where expressions otherwise have the time
  bool signals_allowed = false;                      ///< `sensor.*` and `control.*` become variables
  const std::vector<std::string>* states = nullptr;  ///< names that become variables: the states of a control
  std::set<std::string>* used_constants = nullptr;   ///< takes the names of the constants that are met
  const std::map<std::string, std::shared_ptr<const ValueTable>>* tables = nullptr;  ///< functions of one value
  const std::map<std::string, TableOfTwo>* tables_of_two = nullptr;                  ///< of two; names are in one list only
};

/// An expression that cannot be understood; `position` counts its characters from 0.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(std::size_t position_in, const std::string& message, std::string remedy_in = "")
      : std::runtime_error(message), position(position_in), remedy(std::move(remedy_in)) {}
  std::size_t position;
  std::string remedy;
};

/// Parses once; constants and constant parts are folded. Throws ExpressionError, also where a constant result is not finite.
Expression parse_expression(const std::string& text, const ExpressionScope& scope);

/// Parses a name with integer expressions in braces, `link{i-1}`. Throws ExpressionError.
NamePattern parse_name_pattern(const std::string& text, const ExpressionScope& scope);

/// The name with whole numbers of constants in the place of its braces. `position`: where it begins in its text, for faults.
/// Throws ExpressionError, also where a number is not whole.
std::string expand_constants(const std::string& text, const ExpressionScope& scope, std::size_t position = 0);

/// The words that cannot be names of constants, indices or states: functions, `pi`, `t`, `deg`, `sensor`, `control`.
const std::vector<std::string>& reserved_words();

}  // namespace sinew
