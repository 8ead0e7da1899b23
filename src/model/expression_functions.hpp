/// \file
/// The functions of expressions over double and (nested) dual numbers, those included that kernels have no use for. Derivatives
/// of piecewise functions are those of the piece that holds; at a kink the derivative from the right where there is one.
#pragma once

#include "kernels/algebra/dual.hpp"

#include <cmath>

namespace sinew {

/// Static members rather than free functions: argument-dependent look-up would also find those of the kernels.
struct ExpressionFunctions {
  /// True if a number and all its derivatives are zero.
  static bool is_zero(double a) { return a == 0; }
  template <class T>
  static bool is_zero(const Dual<T>& a) {
    return is_zero(a.value) && is_zero(a.grad);
  }

  static double tan(double a) { return std::tan(a); }
  static double asin(double a) { return std::asin(a); }
  static double acos(double a) { return std::acos(a); }
  static double atan(double a) { return std::atan(a); }
  static double sinh(double a) { return std::sinh(a); }
  static double cosh(double a) { return std::cosh(a); }
  static double tanh(double a) { return std::tanh(a); }
  static double sqrt(double a) { return std::sqrt(a); }
  static double pow(double a, double b) { return std::pow(a, b); }

  template <class T>
  static Dual<T> tan(const Dual<T>& a) {
    const T v = tan(a.value);
    return {v, (1.0 + v * v) * a.grad};
  }
  template <class T>
  static Dual<T> asin(const Dual<T>& a) {
    return {asin(a.value), a.grad / sqrt(1.0 - a.value * a.value)};
  }
  template <class T>
  static Dual<T> acos(const Dual<T>& a) {
    return {acos(a.value), -(a.grad / sqrt(1.0 - a.value * a.value))};
  }
  template <class T>
  static Dual<T> atan(const Dual<T>& a) {
    return {atan(a.value), a.grad / (1.0 + a.value * a.value)};
  }
  template <class T>
  static Dual<T> sinh(const Dual<T>& a) {
    return {sinh(a.value), cosh(a.value) * a.grad};
  }
  template <class T>
  static Dual<T> cosh(const Dual<T>& a) {
    return {cosh(a.value), sinh(a.value) * a.grad};
  }
  template <class T>
  static Dual<T> tanh(const Dual<T>& a) {
    const T v = tanh(a.value);
    return {v, (1.0 - v * v) * a.grad};
  }
  /// A resting argument gives a resting root: sqrt(0) of a constant has no infinite derivative.
  template <class T>
  static Dual<T> sqrt(const Dual<T>& a) {
    const T r = sqrt(a.value);
    return {r, is_zero(a.grad) ? T(0.0) : a.grad / (2.0 * r)};
  }

  /// a^b; terms whose factor is exactly zero are left out, so that t^2 at t = 0 has the derivatives 0 and 2.
  template <class T>
  static Dual<T> pow(const Dual<T>& a, const Dual<T>& b) {
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

}  // namespace sinew
