/// \file
/// What is said of names that an expression does not know, or knows in two ways.
#pragma once

#include "input/expression_parser.hpp"

#include <string>
#include <vector>

namespace sinew {

/// Does a word name a sensor's number or a control's?
inline bool is_signal(const std::string& word) { return word.rfind("sensor.", 0) == 0 || word.rfind("control.", 0) == 0; }

/// All functions that an expression knows there, tables among them.
std::vector<std::string> names_of_functions(const ExpressionScope& scope);

/// Throws ExpressionError: why it is not known, or what it was meant to be. `position`: in its text.
[[noreturn]] void fail_unknown_name(const std::string& word, const ExpressionScope& scope, std::size_t position);

/// What is to be said of an expression in which a word that has a meaning of its own there is a constant or an index as well, so
/// that the other one may be meant; empty: there is none.
std::string second_meaning(const std::string& text, const ExpressionScope& scope);

}  // namespace sinew
