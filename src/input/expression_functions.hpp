/// \file
/// The functions that expressions know by name.
#pragma once

#include "model/expression.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace sinew {

/// A name and the operation behind it.
struct ExpressionFunction {
  const char* name;
  ExpressionOp op;
};

inline constexpr ExpressionFunction expression_functions[] = {
    {"if", ExpressionOp::select}, {"sin", ExpressionOp::sin},     {"cos", ExpressionOp::cos},   {"tan", ExpressionOp::tan},
    {"asin", ExpressionOp::asin}, {"acos", ExpressionOp::acos},   {"atan", ExpressionOp::atan}, {"atan2", ExpressionOp::atan2},
    {"sinh", ExpressionOp::sinh}, {"cosh", ExpressionOp::cosh},   {"tanh", ExpressionOp::tanh}, {"exp", ExpressionOp::exp},
    {"log", ExpressionOp::log},   {"sqrt", ExpressionOp::sqrt},   {"abs", ExpressionOp::abs},   {"min", ExpressionOp::min},
    {"max", ExpressionOp::max},   {"floor", ExpressionOp::floor}, {"sign", ExpressionOp::sign}};

/// A function that is written out where it stands, every value as often as its formula uses it. It is one before a bracket only,
/// where no table has its name: constants and indices may be called so.
struct ComposedFunction {
  const char* name;
  std::vector<std::string> values;
  const char* formula;
  /// Two of the values, of which the second one may not be below the first; -1: none.
  int lower = -1, upper = -1;
  bool may_be_alike = false;  ///< the two

  /// What is wrong with the values of these two; empty: nothing.
  std::string fault_of_bounds(double low, double high) const {
    if (low < high || (may_be_alike && low == high)) return {};
    return fmt::format("{} of {} is {:.6g}, and {} is {:.6g}: it must lie {}", values[static_cast<std::size_t>(lower)], name, low,
                       values[static_cast<std::size_t>(upper)], high, may_be_alike ? "no lower" : "higher");
  }
};

/// `step` is the cubic 3 s^2 - 2 s^3 from y0 to y1, s = (x - x0) / (x1 - x0) within 0 and 1: slopes are 0 at both ends.
inline const std::vector<ComposedFunction>& composed_functions() {
  static const std::vector<ComposedFunction> all = {
      {"ceil", {"x"}, "-floor(-x)"},
      {"round", {"x"}, "floor(x + 0.5)"},
      {"mod", {"x", "y"}, "x - y*floor(x/y)"},
      {"clip", {"x", "low", "high"}, "min(max(x, low), high)", 1, 2, true},
      {"step",
       {"x", "x0", "y0", "x1", "y1"},
       "y0 + (y1 - y0)*clip((x - x0)/(x1 - x0), 0, 1)^2*(3 - 2*clip((x - x0)/(x1 - x0), 0, 1))",
       1,
       3,
       false}};
  return all;
}

}  // namespace sinew
