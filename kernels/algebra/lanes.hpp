/// \file
/// A scalar of several elements at once, one in each lane of a vector register. Static functions of elements that are templated
/// on their scalars run on a block of elements so; what each lane does is what one element alone would do.
#pragma once

#include "kernels/portability.hpp"

#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace sinew {

/// As many doubles as a vector register holds, and their operations: those of the GNU extension that gcc, clang and their
/// relatives know, or of a single double.
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__NVCOMPILER)
#if defined(__AVX512F__)
inline constexpr int lane_count = 8;
#elif defined(__AVX__)
inline constexpr int lane_count = 4;
#else
inline constexpr int lane_count = 2;
#endif
using LanePack __attribute__((vector_size(lane_count * sizeof(double)))) = double;
#else
inline constexpr int lane_count = 1;
struct LanePack {
  double value;
  friend LanePack operator-(LanePack a) { return {-a.value}; }
  friend LanePack operator+(LanePack a, LanePack b) { return {a.value + b.value}; }
  friend LanePack operator-(LanePack a, LanePack b) { return {a.value - b.value}; }
  friend LanePack operator-(double a, LanePack b) { return {a - b.value}; }
  friend LanePack operator*(LanePack a, LanePack b) { return {a.value * b.value}; }
  friend LanePack operator/(LanePack a, LanePack b) { return {a.value / b.value}; }
  friend bool operator<(LanePack a, LanePack b) { return a.value < b.value; }
};
#endif

/// Sweeps take elements in blocks where that pays: on a host whose registers hold more than one double.
inline constexpr bool has_lanes = lane_count > 1 && std::is_same_v<MemorySpace, HostSpace>;

/// `lane_count` doubles. A double is the same in all lanes.
class Lanes {
 public:
  Lanes() = default;
  Lanes(double x) : pack_(x - LanePack{}) {}  // NOLINT: a constant is one in every lane
  explicit Lanes(const LanePack& pack) : pack_(pack) {}
  /// From `lane_count` numbers in a row.
  KOKKOS_INLINE_FUNCTION explicit Lanes(const double* values) { std::memcpy(&pack_, values, sizeof pack_); }

  KOKKOS_INLINE_FUNCTION void store(double* values) const { std::memcpy(values, &pack_, sizeof pack_); }
  const LanePack& pack() const { return pack_; }

  friend Lanes operator-(const Lanes& a) { return Lanes(-a.pack_); }
  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.pack_ + b.pack_); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.pack_ - b.pack_); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.pack_ * b.pack_); }
  friend Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.pack_ / b.pack_); }
  Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  Lanes& operator-=(const Lanes& b) { return *this = *this - b; }

 private:
  LanePack pack_;
};

namespace detail {

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && !defined(__NVCOMPILER)

/// Two rows that lie s apart change the parts of s numbers that are on the wrong side of the diagonal.
template <int s, int... J>
KOKKOS_FORCEINLINE_FUNCTION void exchange_parts(Lanes& a, Lanes& b, std::integer_sequence<int, J...>) {
  using Places __attribute__((vector_size(lane_count * sizeof(long long)))) = long long;
  constexpr Places upper = {((J & s) != 0 ? lane_count + J - s : J)...};
  constexpr Places lower = {((J & s) != 0 ? lane_count + J : J + s)...};
  const LanePack first = a.pack(), second = b.pack();
  a = Lanes(__builtin_shuffle(first, second, upper));
  b = Lanes(__builtin_shuffle(first, second, lower));
}

/// Halves, then quarters, ... of all rows.
template <int s, int... R>
KOKKOS_FORCEINLINE_FUNCTION void exchange_halves(Lanes (&square)[lane_count], std::integer_sequence<int, R...> rows) {
  if constexpr (s > 0) {
    (((R & s) == 0 ? exchange_parts<s>(square[R], square[R | s], rows) : void()), ...);
    exchange_halves<s / 2>(square, rows);
  }
}

#endif

#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && !defined(__NVCOMPILER)

/// What gcc, which does eight roots as twice four, has in two registers: through memory they would come together only when
/// both have been written.
template <int... J>
KOKKOS_FORCEINLINE_FUNCTION Lanes joined_halves(const double* values, std::integer_sequence<int, J...>) {
  using Half __attribute__((vector_size(lane_count / 2 * sizeof(double)))) = double;
  Half first, second;
  std::memcpy(&first, values, sizeof first);
  std::memcpy(&second, values + lane_count / 2, sizeof second);
  return Lanes(__builtin_shufflevector(first, second, J...));
}
inline Lanes joined_halves(const double* values) { return joined_halves(values, std::make_integer_sequence<int, lane_count>()); }

#else
inline Lanes joined_halves(const double* values) { return Lanes(values); }
#endif

}  // namespace detail

/// Exchanges rows and columns of a square of numbers: what was number i of lane l becomes number l of lane i.
KOKKOS_FORCEINLINE_FUNCTION void transpose_lanes(Lanes (&square)[lane_count]) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && !defined(__NVCOMPILER)
  detail::exchange_halves<lane_count / 2>(square, std::make_integer_sequence<int, lane_count>());
#else
  double values[lane_count][lane_count], row[lane_count];
  for (int r = 0; r < lane_count; ++r) {
    square[r].store(row);
    for (int j = 0; j < lane_count; ++j) values[j][r] = row[j];
  }
  for (int r = 0; r < lane_count; ++r) square[r] = Lanes(values[r]);
#endif
}

inline Lanes sqrt(const Lanes& a) {
  double values[lane_count];
  a.store(values);
  for (double& x : values) x = math::sqrt(x);
  return detail::joined_halves(values);
}

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__NVCOMPILER)
/// Natural logarithms, to one unit in the last place; not a number where a is less than the smallest normal number, or none.
/// a = 2^k (1 + f), 1/sqrt(2) <= 1 + f < sqrt(2); with s = f/(2 + f)
///   log(1 + f) = 2 artanh s = f - s (f - R),   R = 2 (s^2/3 + s^4/5 + ... + s^20/21),   |s| < 0.172.
inline Lanes log(const Lanes& a) {
  using Bits __attribute__((vector_size(lane_count * sizeof(double)))) = unsigned long long;
  constexpr double log2_high = 0x1.62e42feep-1, log2_low = 0x1.a39ef35793c76p-33;  // 32 bits, so that k log2_high is exact
  constexpr unsigned long long root = 0x3fe6a09e667f3bcdULL, one = 0x3ff0000000000000ULL;  // sqrt(1/2) and 1
  const Bits bits = reinterpret_cast<Bits>(a.pack());
  const Bits biased = (bits - root + one) >> 52;  // k + 1023
  const LanePack f = reinterpret_cast<LanePack>(bits - (biased << 52) + one) - 1.0;
  const LanePack k = reinterpret_cast<LanePack>(biased | 0x4330000000000000ULL) - (0x1p52 + 1023);
  const LanePack s = f / (2.0 + f), z = s * s;
  LanePack R = z * (2.0 / 21);
  for (int n = 19; n >= 3; n -= 2) R = z * (2.0 / n + R);
  const LanePack sum = k * log2_high + (f - (s * (f - R) - k * log2_low));
  const LanePack none = Lanes(std::numeric_limits<double>::quiet_NaN()).pack();
  return Lanes(a.pack() >= std::numeric_limits<double>::min() && a.pack() <= std::numeric_limits<double>::max() ? sum : none);
}
#else
inline Lanes log(const Lanes& a) {
  double values[lane_count];
  a.store(values);
  for (double& x : values) x = math::log(x);
  return Lanes(values);
}
#endif

/// a where a < b, else b.
KOKKOS_INLINE_FUNCTION double smaller(double a, double b) { return a < b ? a : b; }
inline Lanes smaller(const Lanes& a, const Lanes& b) { return Lanes(a.pack() < b.pack() ? a.pack() : b.pack()); }

/// Device code may read the constant, but not call the function that it comes from.
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// x where a < limit, else not a number: also where a is none.
KOKKOS_INLINE_FUNCTION double number_below(double limit, double a, double x) { return a < limit ? x : double(not_a_number); }
inline Lanes number_below(double limit, const Lanes& a, const Lanes& x) {
  const Lanes none(not_a_number);
  return Lanes(a.pack() < Lanes(limit).pack() ? x.pack() : none.pack());
}

/// x where a < limit, else y.
inline Lanes where_below(const Lanes& a, double limit, const Lanes& x, const Lanes& y) {
  return Lanes(a.pack() < Lanes(limit).pack() ? x.pack() : y.pack());
}

/// Does a < b hold in every lane? Of other scalars: does it hold?
template <class S, class T>
KOKKOS_INLINE_FUNCTION bool all_below(const S& a, const T& b) {
  return a < b;
}
inline bool all_below(const Lanes& a, const Lanes& b) {
  double difference[lane_count];
  (b - a).store(difference);
  bool below = true;
  for (const double d : difference) below = below && d > 0;
  return below;
}
inline bool all_below(const Lanes& a, double b) { return all_below(a, Lanes(b)); }

/// Is there a lane where a is not zero?
KOKKOS_INLINE_FUNCTION bool differs_from_zero(double a) { return a != 0; }
inline bool differs_from_zero(const Lanes& a) {
  double values[lane_count];
  a.store(values);
  bool differs = false;
  for (const double x : values) differs = differs || x != 0;
  return differs;
}

}  // namespace sinew
