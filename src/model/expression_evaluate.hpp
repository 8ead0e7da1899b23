/// \file
/// Evaluation of expressions over any scalar; included by expression.hpp.
#pragma once

#include "model/expression.hpp"

namespace sinew {

/// Value of a comparison or of a logical operation: 1 or 0, at rest.
template <class S>
S truth_value(ExpressionOp op, const S* a) {
  const double x = value_of(a[0]);
  const double y = op == ExpressionOp::logical_not ? 0.0 : value_of(a[1]);
  bool holds = false;
  switch (op) {
    case ExpressionOp::less: holds = x < y; break;
    case ExpressionOp::less_equal: holds = x <= y; break;
    case ExpressionOp::greater: holds = x > y; break;
    case ExpressionOp::greater_equal: holds = x >= y; break;
    case ExpressionOp::equal: holds = x == y; break;
    case ExpressionOp::not_equal: holds = x != y; break;
    case ExpressionOp::logical_and: holds = x != 0 && y != 0; break;
    case ExpressionOp::logical_or: holds = x != 0 || y != 0; break;
    default: holds = x == 0; break;  // logical_not
  }
  return S(holds ? 1.0 : 0.0);
}

/// Results of the functions.
template <class S>
S apply_function(ExpressionOp op, const S* a) {
  using functions = ExpressionFunctions;
  const double x = value_of(a[0]);
  switch (op) {
    case ExpressionOp::sin: return math::sin(a[0]);
    case ExpressionOp::cos: return math::cos(a[0]);
    case ExpressionOp::tan: return functions::tan(a[0]);
    case ExpressionOp::asin: return functions::asin(a[0]);
    case ExpressionOp::acos: return functions::acos(a[0]);
    case ExpressionOp::atan: return functions::atan(a[0]);
    case ExpressionOp::atan2: return math::atan2(a[0], a[1]);
    case ExpressionOp::sinh: return functions::sinh(a[0]);
    case ExpressionOp::cosh: return functions::cosh(a[0]);
    case ExpressionOp::tanh: return functions::tanh(a[0]);
    case ExpressionOp::exp: return math::exp(a[0]);
    case ExpressionOp::log: return math::log(a[0]);
    case ExpressionOp::sqrt: return functions::sqrt(a[0]);
    case ExpressionOp::abs: return x < 0 ? -a[0] : a[0];
    case ExpressionOp::min: return value_of(a[1]) < x ? a[1] : a[0];
    case ExpressionOp::max: return value_of(a[1]) > x ? a[1] : a[0];
    case ExpressionOp::floor: return S(std::floor(x));
    default: return S(x > 0 ? 1.0 : (x < 0 ? -1.0 : x));  // sign; not a number stays one
  }
}

template <class S>
S apply_operation(ExpressionOp op, const S* a) {
  switch (op) {
    case ExpressionOp::negate: return -a[0];
    case ExpressionOp::add: return a[0] + a[1];
    case ExpressionOp::subtract: return a[0] - a[1];
    case ExpressionOp::multiply: return a[0] * a[1];
    case ExpressionOp::divide: return a[0] / a[1];
    case ExpressionOp::power: return ExpressionFunctions::pow(a[0], a[1]);
    case ExpressionOp::select: return value_of(a[0]) != 0 ? a[1] : a[2];
    default: break;
  }
  return op >= ExpressionOp::sin ? apply_function(op, a) : truth_value(op, a);
}

template <class S, class Operate>
S Expression::evaluate_by(const S& t, const Indices& indices, const S* variables, Operate operate) const {
  if (is_constant()) return S(constant_);
  S stack[max_depth];
  stack[0] = S(0.0);
  int top = 0;
  for (std::size_t i = 0; i < program_.size(); ++i) {
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
S Expression::evaluate(const S& t, const Indices& indices, const S* variables) const {
  return evaluate_by(t, indices, variables, [this](std::size_t i, const S* a) { return apply_operation(program_[i].op, a); });
}

}  // namespace sinew
