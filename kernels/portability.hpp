/// \file
/// The only place that knows which Kokkos it is compiled against (3.4 to 5.x).
#pragma once

#include <Kokkos_Core.hpp>

#include <cmath>

namespace sinew {

/// Where sweeps run, and where the data they read lives.
using ExecutionSpace = Kokkos::DefaultExecutionSpace;
using MemorySpace = ExecutionSpace::memory_space;
using HostSpace = Kokkos::HostSpace;

/// One-dimensional device array.
template <class T>
using DeviceArray = Kokkos::View<T*, MemorySpace>;

/// Table of rows on the device; one row per element. The memory space chooses the layout, so that
/// neighbouring threads read neighbouring words on a GPU and one element's data is contiguous on a CPU.
template <class T>
using DeviceTable = Kokkos::View<T**, MemorySpace>;

/// The same as loops take them in: what owns the numbers outlives a loop, so none counts its copies. Counting them was 5 % of
/// the time of one rigid body.
template <class T>
using LentArray = Kokkos::View<T*, MemorySpace, Kokkos::MemoryUnmanaged>;
template <class T>
using LentTable = Kokkos::View<T**, MemorySpace, Kokkos::MemoryUnmanaged>;

namespace math {
// Kokkos:: has no math functions before 3.7; the global ones are callable from device code everywhere.
KOKKOS_INLINE_FUNCTION double sqrt(double x) { return ::sqrt(x); }
KOKKOS_INLINE_FUNCTION double sin(double x) { return ::sin(x); }
KOKKOS_INLINE_FUNCTION double cos(double x) { return ::cos(x); }
KOKKOS_INLINE_FUNCTION double tan(double x) { return ::tan(x); }
KOKKOS_INLINE_FUNCTION double asin(double x) { return ::asin(x); }
KOKKOS_INLINE_FUNCTION double acos(double x) { return ::acos(x); }
KOKKOS_INLINE_FUNCTION double atan(double x) { return ::atan(x); }
KOKKOS_INLINE_FUNCTION double atan2(double y, double x) { return ::atan2(y, x); }
KOKKOS_INLINE_FUNCTION double sinh(double x) { return ::sinh(x); }
KOKKOS_INLINE_FUNCTION double cosh(double x) { return ::cosh(x); }
KOKKOS_INLINE_FUNCTION double pow(double x, double y) { return ::pow(x, y); }
KOKKOS_INLINE_FUNCTION double floor(double x) { return ::floor(x); }
KOKKOS_INLINE_FUNCTION double log(double x) { return ::log(x); }
KOKKOS_INLINE_FUNCTION double exp(double x) { return ::exp(x); }
KOKKOS_INLINE_FUNCTION double tanh(double x) { return ::tanh(x); }
KOKKOS_INLINE_FUNCTION double fabs(double x) { return ::fabs(x); }
}  // namespace math

}  // namespace sinew
