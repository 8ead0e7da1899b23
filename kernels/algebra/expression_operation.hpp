/// \file
/// What the instructions of expressions do, over plain and (nested) dual numbers, on hosts and devices.
#pragma once

#include "kernels/algebra/dual.hpp"

#include <cstdint>

namespace sinew {

/// What an instruction does: pushes a value, or replaces the topmost operands by its result.
enum class ExpressionOp : std::uint8_t {
  constant,
  time,
  index0,
  index1,
  variable,
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  logical_not,
  select,  ///< condition, value if not zero, value if zero; both values are computed and one is dropped
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  min,
  max,
  floor,
  sign,
  table,          ///< a smooth table, which lies in the expression: Expression::operate, not apply_operation
  straight_table  ///< one that is straight between its rows
};

/// Number of operands that an operation replaces.
KOKKOS_INLINE_FUNCTION constexpr int operands_of(ExpressionOp op) {
  switch (op) {
    case ExpressionOp::constant:
    case ExpressionOp::time:
    case ExpressionOp::index0:
    case ExpressionOp::index1:
    case ExpressionOp::variable: return 0;
    case ExpressionOp::select: return 3;
    case ExpressionOp::atan2:
    case ExpressionOp::min:
    case ExpressionOp::max: return 2;
    case ExpressionOp::negate:
    case ExpressionOp::logical_not: return 1;
    default: return op >= ExpressionOp::sin ? 1 : 2;
  }
}

/// The functions of expressions, those included that no other kernel has a use for. Derivatives of piecewise functions are those
/// of the piece that holds; at a kink the derivative from the right where there is one.
///
/// Static members rather than free functions: argument-dependent look-up would also find those of the kernels.
struct ExpressionFunctions {
  /// True if a number and all its derivatives are zero.
  KOKKOS_INLINE_FUNCTION static bool is_zero(double a) { return a == 0; }
  template <class T>
  KOKKOS_INLINE_FUNCTION static bool is_zero(const Dual<T>& a) {
    return is_zero(a.value) && is_zero(a.grad);
  }

  KOKKOS_INLINE_FUNCTION static double tan(double a) { return math::tan(a); }
  KOKKOS_INLINE_FUNCTION static double asin(double a) { return math::asin(a); }
  KOKKOS_INLINE_FUNCTION static double acos(double a) { return math::acos(a); }
  KOKKOS_INLINE_FUNCTION static double atan(double a) { return math::atan(a); }
  KOKKOS_INLINE_FUNCTION static double sinh(double a) { return math::sinh(a); }
  KOKKOS_INLINE_FUNCTION static double cosh(double a) { return math::cosh(a); }
  KOKKOS_INLINE_FUNCTION static double tanh(double a) { return math::tanh(a); }
  KOKKOS_INLINE_FUNCTION static double sqrt(double a) { return math::sqrt(a); }
  KOKKOS_INLINE_FUNCTION static double pow(double a, double b) { return math::pow(a, b); }

  template <class T>
  KOKKOS_INLINE_FUNCTION static Dual<T> tan(const Dual<T>& a) {
    const T v = tan(a.value);
    return {v, (1.0 + v * v) * a.grad};
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static Dual<T> asin(const Dual<T>& a) {
    return {asin(a.value), a.grad / sqrt(1.0 - a.value * a.value)};
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static Dual<T> acos(const Dual<T>& a) {
    return {acos(a.value), -(a.grad / sqrt(1.0 - a.value * a.value))};
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static Dual<T> atan(const Dual<T>& a) {
    return {atan(a.value), a.grad / (1.0 + a.value * a.value)};
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static Dual<T> sinh(const Dual<T>& a) {
    return {sinh(a.value), cosh(a.value) * a.grad};
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static Dual<T> cosh(const Dual<T>& a) {
    return {cosh(a.value), sinh(a.value) * a.grad};
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static Dual<T> tanh(const Dual<T>& a) {
    const T v = tanh(a.value);
    return {v, (1.0 - v * v) * a.grad};
  }
  /// A resting argument gives a resting root: sqrt(0) of a constant has no infinite derivative.
  template <class T>
  KOKKOS_INLINE_FUNCTION static Dual<T> sqrt(const Dual<T>& a) {
    const T r = sqrt(a.value);
    return {r, is_zero(a.grad) ? T(0.0) : a.grad / (2.0 * r)};
  }

  /// a^b; terms whose factor is exactly zero are left out, so that t^2 at t = 0 has the derivatives 0 and 2.
  template <class T>
  KOKKOS_INLINE_FUNCTION static Dual<T> pow(const Dual<T>& a, const Dual<T>& b) {
    const T value = pow(a.value, b.value);
    T grad(0.0);
    if (!is_zero(a.grad) && !is_zero(b.value)) grad = grad + b.value * pow(a.value, b.value - 1.0) * a.grad;
    if (!is_zero(b.grad)) {
      using math::log;
      grad = grad + log(a.value) * value * b.grad;
    }
    return {value, grad};
  }
};

/// Value of a comparison or of a logical operation: 1 or 0, at rest.
template <class S>
KOKKOS_INLINE_FUNCTION S truth_value(ExpressionOp op, const S* a) {
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
KOKKOS_INLINE_FUNCTION S apply_function(ExpressionOp op, const S* a) {
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
    case ExpressionOp::floor: return S(math::floor(x));
    default: return S(x > 0 ? 1.0 : (x < 0 ? -1.0 : x));  // sign; not a number stays one
  }
}

/// The result of one operation on its operands `a[0]`, `a[1]` ...; not for constants and variables.
template <class S>
KOKKOS_INLINE_FUNCTION S apply_operation(ExpressionOp op, const S* a) {
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

}  // namespace sinew
