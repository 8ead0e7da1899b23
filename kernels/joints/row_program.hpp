/// \file
/// A short expression as plain numbers, which a kernel can carry among its parameters and evaluate.
#pragma once

#include "kernels/algebra/expression_operation.hpp"

namespace sinew {

/// A postfix program: instructions (ExpressionOp) as numbers, `constant` followed by its value and `variable` by the number of
/// the variable.
struct RowProgram {
  static constexpr int max_words = 128;  ///< 1 kB an element; a sum of twenty products of two sensors has 120
  static constexpr int max_depth = 32;   ///< operands on the stack, as of expressions of the model file

  double size = 0;
  double words[max_words] = {};

  /// Adds a number; false if there is no room.
  bool push(double word) {
    const int n = static_cast<int>(size);
    if (n >= max_words) return false;
    words[n] = word;
    size += 1;
    return true;
  }
  bool push(ExpressionOp op) { return push(static_cast<double>(op)); }
  bool push(ExpressionOp op, double argument) { return push(op) && push(argument); }

  /// The value at time t with the values of the variables, over any scalar.
  template <class S>
  KOKKOS_INLINE_FUNCTION S evaluate(const S& t, const S* variables) const {
    S stack[max_depth];
    int top = 0;
    for (int i = 0; i < static_cast<int>(size); ++i) {
      const auto op = static_cast<ExpressionOp>(static_cast<int>(words[i]));
      if (op == ExpressionOp::constant) {
        stack[top++] = S(words[++i]);
      } else if (op == ExpressionOp::time) {
        stack[top++] = t;
      } else if (op == ExpressionOp::variable) {
        stack[top++] = variables[static_cast<int>(words[++i])];
      } else {
        top -= operands_of(op);
        stack[top] = apply_operation(op, stack + top);
        ++top;
      }
    }
    return stack[0];
  }
};

}  // namespace sinew
