/// \file
/// What is said of an expression that gives no number.
#pragma once

#include "model/expression.hpp"
#include "model/source_mark.hpp"

#include <fmt/format.h>

#include <string>

namespace sinew {

/// `when`: "at t = 0.3"; `before`: what stands between the place in the file and the text of the expression.
inline std::string no_number(const SourceNames& source, const Expression& expression, const std::string& when,
                             const char* before = "") {
  return fmt::format(
      "{}: {}'{}' is not a finite number {} (look for a division by zero, a root of a negative number, here or in what it uses)",
      source.locate(expression.mark()), before, expression.text(), when);
}

}  // namespace sinew
