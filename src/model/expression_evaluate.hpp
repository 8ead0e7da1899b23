/// \file
/// Evaluation of expressions over any scalar; included by expression.hpp.
#pragma once

#include "model/expression.hpp"

namespace sinew {

template <class S, class Operate>
S Expression::evaluate_by(const S& t, const Indices& indices, const S* variables, Operate operate) const {
  return is_constant() ? S(constant_) : evaluate_part(0, program_.size(), t, indices, variables, operate);
}

template <class S, class Operate>
S Expression::evaluate_part(std::size_t begin, std::size_t end, const S& t, const Indices& indices, const S* variables,
                            Operate operate) const {
  S stack[max_depth];
  stack[0] = S(0.0);
  int top = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const ExpressionInstruction& instruction = program_[i];
    switch (instruction.op) {
      case ExpressionOp::constant: stack[top++] = S(instruction.constant); break;
      case ExpressionOp::time: stack[top++] = t; break;
      case ExpressionOp::index0: stack[top++] = S(static_cast<double>(indices[0])); break;
      case ExpressionOp::index1: stack[top++] = S(static_cast<double>(indices[1])); break;
      case ExpressionOp::variable: stack[top++] = variables[instruction.variable]; break;
      default:
        top -= operands_of(instruction.op);
        stack[top] = operate(i, stack + top);
        ++top;
    }
  }
  return stack[0];
}

template <class S>
S Expression::operate(std::size_t i, const S* a) const {
  switch (program_[i].op) {
    case ExpressionOp::table: return smooth_table(i).value(a[0]);
    case ExpressionOp::straight_table: return straight_table(i).value(a[0]);
    default: return apply_operation(program_[i].op, a);
  }
}

template <class S>
S Expression::evaluate(const S& t, const Indices& indices, const S* variables) const {
  return evaluate_by(t, indices, variables, [this](std::size_t i, const S* a) { return operate(i, a); });
}

}  // namespace sinew
