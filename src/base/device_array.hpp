/// \file
/// Arrays where sweeps run, made from the host.
#pragma once

#include "kernels/portability.hpp"

#include <cstddef>
#include <string>
#include <type_traits>

namespace sinew {

/// Numbers on the host that someone else owns.
template <class T>
using HostNumbers = Kokkos::View<T*, HostSpace, Kokkos::MemoryUnmanaged>;

/// `count` numbers that mean nothing yet. The label is for Kokkos' tools.
template <class T>
DeviceArray<T> uninitialised(const std::string& label, std::ptrdiff_t count) {
  return DeviceArray<T>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), static_cast<std::size_t>(count));
}

/// A copy of `count` numbers of the host.
template <class T>
DeviceArray<T> copied_to_device(const std::string& label, const T* host, std::ptrdiff_t count) {
  DeviceArray<T> copy = uninitialised<T>(label, count);
  Kokkos::deep_copy(copy, HostNumbers<const T>(host, static_cast<std::size_t>(count)));
  return copy;
}

}  // namespace sinew
