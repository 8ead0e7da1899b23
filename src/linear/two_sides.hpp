/// \file
/// Two right-hand sides that are solved for together: the factors come from memory once for both.
#pragma once

#include <cstddef>
#include <type_traits>

namespace sinew {

/// A number of each of two right-hand sides.
class Two {
 public:
  Two() = default;
  Two(double first, double second) : pack_{first, second} {}
  double first() const { return pack_[0]; }
  double second() const { return pack_[1]; }

  Two& operator+=(const Two& b) { return pack_ += b.pack_, *this; }
  Two& operator-=(const Two& b) { return pack_ -= b.pack_, *this; }
  Two& operator*=(double a) { return pack_ *= a, *this; }
  friend Two operator+(const Two& a, const Two& b) { return Two(a.pack_ + b.pack_); }
  friend Two operator*(double a, const Two& b) { return Two(a * b.pack_); }

 private:
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__NVCOMPILER)
  using Pack __attribute__((vector_size(2 * sizeof(double)))) = double;
#else  // nvcc takes no vectors where code might be a device's
  struct Pack {
    double numbers[2];
    double operator[](int i) const { return numbers[i]; }
    Pack& operator+=(const Pack& b) { return *this = *this + b; }
    Pack& operator-=(const Pack& b) { return *this = {{numbers[0] - b[0], numbers[1] - b[1]}}; }
    Pack& operator*=(double a) { return *this = a * *this; }
    friend Pack operator+(const Pack& a, const Pack& b) { return {{a[0] + b[0], a[1] + b[1]}}; }
    friend Pack operator*(double a, const Pack& b) { return {{a * b[0], a * b[1]}}; }
  };
#endif
  explicit Two(const Pack& pack) : pack_(pack) {}
  Pack pack_ = {};
};

/// Where the numbers of one right-hand side, or solution, stand.
template <class Scalar>
struct OneSide {
  using Number = double;
  Scalar* values;
  double operator[](std::ptrdiff_t i) const { return values[i]; }
  void set(std::ptrdiff_t i, double x) const { values[i] = x; }
};

/// Where those of two stand.
template <class Scalar>
struct TwoSides {
  using Number = Two;
  Scalar *first, *second;
  Two operator[](std::ptrdiff_t i) const { return {first[i], second[i]}; }
  void set(std::ptrdiff_t i, const Two& x) const {
    first[i] = x.first();
    second[i] = x.second();
  }
};

/// How many right-hand sides a number is of.
template <class Number>
constexpr int sides_of = sizeof(Number) / sizeof(double);

/// To where the number of the first right-hand side is to stand, that of the second `step` behind it; and from there.
inline void put(double number, double* to, std::ptrdiff_t /*step*/ = 1) { *to = number; }
inline void put(const Two& numbers, double* to, std::ptrdiff_t step = 1) {
  to[0] = numbers.first();
  to[step] = numbers.second();
}
inline void take(const double* from, double& number, std::ptrdiff_t /*step*/ = 1) { number = *from; }
inline void take(const double* from, Two& numbers, std::ptrdiff_t step = 1) { numbers = {from[0], from[step]}; }

/// The one of two that is of this kind of number.
template <class Number, class One, class Other>
auto& of_kind(One& one, Other& two) {
  if constexpr (std::is_same_v<Number, Two>)
    return two;
  else
    return one;
}

}  // namespace sinew
