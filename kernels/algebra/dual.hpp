/// \file
/// Dual numbers: a value and its derivative in one direction. Nested, Dual<Dual<double>> carries the mixed second
/// derivative. Narrow duals stay in registers, so sweeps run one of them per element and column.
#pragma once

#include "kernels/algebra/vec.hpp"

namespace sinew {

/// value + eps * grad with eps^2 = 0.
template <class T>
struct Dual {
  T value = T{};
  T grad = T{};

  KOKKOS_DEFAULTED_FUNCTION Dual() = default;
  KOKKOS_INLINE_FUNCTION Dual(double v) : value(v), grad(0.0) {}  // NOLINT: a constant is a dual
  KOKKOS_INLINE_FUNCTION Dual(const T& v, const T& g) : value(v), grad(g) {}
};

using Dual1 = Dual<double>;
using Dual2 = Dual<Dual<double>>;

template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> operator-(const Dual<T>& a) {
  return {-a.value, -a.grad};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) {
  return {a.value + b.value, a.grad + b.grad};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> operator+(const Dual<T>& a, double b) {
  return {a.value + b, a.grad};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> operator+(double a, const Dual<T>& b) {
  return {a + b.value, b.grad};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) {
  return {a.value - b.value, a.grad - b.grad};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> operator-(const Dual<T>& a, double b) {
  return {a.value - b, a.grad};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> operator-(double a, const Dual<T>& b) {
  return {a - b.value, -b.grad};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
  return {a.value * b.value, a.value * b.grad + a.grad * b.value};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> operator*(const Dual<T>& a, double b) {
  return {a.value * b, a.grad * b};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> operator*(double a, const Dual<T>& b) {
  return {a * b.value, a * b.grad};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
  const T q = a.value / b.value;
  return {q, (a.grad - q * b.grad) / b.value};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> operator/(const Dual<T>& a, double b) {
  return {a.value / b, a.grad / b};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> operator/(double a, const Dual<T>& b) {
  const T q = a / b.value;
  return {q, -(q * b.grad) / b.value};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T>& operator+=(Dual<T>& a, const Dual<T>& b) {
  return a = a + b;
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T>& operator-=(Dual<T>& a, const Dual<T>& b) {
  return a = a - b;
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T>& operator*=(Dual<T>& a, const Dual<T>& b) {
  return a = a * b;
}

/// The plain number inside a (nested) dual: what comparisons look at.
KOKKOS_INLINE_FUNCTION double value_of(double a) { return a; }
template <class T>
KOKKOS_INLINE_FUNCTION double value_of(const Dual<T>& a) {
  return value_of(a.value);
}

template <class T>
KOKKOS_INLINE_FUNCTION bool operator<(const Dual<T>& a, double b) {
  return value_of(a) < b;
}
template <class T>
KOKKOS_INLINE_FUNCTION bool operator>(const Dual<T>& a, double b) {
  return value_of(a) > b;
}

// Functions stand in `sinew`, where argument-dependent look-up finds those of duals, and are members of `math` as well, as those
// of plain numbers are: templated physics writes `using math::sqrt; sqrt(x)`. That declaration belongs into the function's own
// block. In a namespace it would stand beside the global functions of CUDA's headers, which take double too.
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> sqrt(const Dual<T>& a) {
  using math::sqrt;
  const T r = sqrt(a.value);
  return {r, a.grad / (2.0 * r)};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> sin(const Dual<T>& a) {
  using math::cos, math::sin;
  return {sin(a.value), cos(a.value) * a.grad};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> cos(const Dual<T>& a) {
  using math::cos, math::sin;
  return {cos(a.value), -(sin(a.value) * a.grad)};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> atan2(const Dual<T>& y, const Dual<T>& x) {
  using math::atan2;
  return {atan2(y.value, x.value), (x.value * y.grad - y.value * x.grad) / (x.value * x.value + y.value * y.value)};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> log(const Dual<T>& a) {
  using math::log;
  return {log(a.value), a.grad / a.value};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> exp(const Dual<T>& a) {
  using math::exp;
  const T e = exp(a.value);
  return {e, e * a.grad};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> tanh(const Dual<T>& a) {
  using math::tanh;
  const T th = tanh(a.value);
  return {th, (1.0 - th * th) * a.grad};
}
template <class T>
KOKKOS_INLINE_FUNCTION Dual<T> fabs(const Dual<T>& a) {
  return value_of(a) < 0 ? -a : a;
}

namespace math {
using sinew::atan2;
using sinew::cos;
using sinew::exp;
using sinew::fabs;
using sinew::log;
using sinew::sin;
using sinew::sqrt;
using sinew::tanh;
}  // namespace math

}  // namespace sinew
