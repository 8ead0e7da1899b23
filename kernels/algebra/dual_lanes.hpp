/// \file
/// Duals of several elements at once, beside numbers of these elements that have no derivative.
#pragma once

#include "kernels/algebra/dual.hpp"
#include "kernels/algebra/lanes.hpp"

#include <concepts>

namespace sinew {

// templates, so that a double beside Lanes is no dual
template <std::same_as<Lanes> T>
Dual<T> operator+(const Dual<T>& a, const T& b) {
  return {a.value + b, a.grad};
}
template <std::same_as<Lanes> T>
Dual<T> operator*(const Dual<T>& a, const T& b) {
  return {a.value * b, a.grad * b};
}
template <std::same_as<Lanes> T>
Dual<T> operator*(const T& a, const Dual<T>& b) {
  return {a * b.value, a * b.grad};
}

}  // namespace sinew
