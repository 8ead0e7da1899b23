/// \file
/// Where the numbers that a sweep writes lie among its slots.
///
/// A core writes the numbers of an element one after the other. A GPU's threads, each with an element of its own, write number i
/// of neighbouring elements in the same instant: where those are neighbours in memory a few accesses take them all, where each
/// element has a stretch of its own there is one for every thread. So elements stand in blocks of B, and in a block one number of
/// all its elements after the other. Of n numbers each, number i of element e of a range of m is
///   slot(e, i) = n (e - e % B) + i min(B, m - (e - e % B)) + e % B,
/// which is n e + i for B = 1, on the host. No slot is left empty, whatever m is.
#pragma once

#include "kernels/algebra/vec.hpp"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace sinew {

/// Elements of a block: as many as a GPU has threads in step, whose numbers of 8 bytes then fill two lines of its cache.
constexpr int slot_block = std::is_same_v<MemorySpace, HostSpace> ? 1 : 32;

/// `width` slots for each of `count` elements.
struct SlotLayout {
  int count = 0, width = 0, block = 1;

  /// From one number of element e to its next one.
  KOKKOS_INLINE_FUNCTION int step(int e) const {
    const int left = count - (e - e % block);
    return left < block ? left : block;
  }
  KOKKOS_INLINE_FUNCTION std::ptrdiff_t place(int e, int i) const {
    return static_cast<std::ptrdiff_t>(e - e % block) * width + static_cast<std::ptrdiff_t>(i) * step(e) + e % block;
  }
  std::size_t size() const { return static_cast<std::size_t>(count) * static_cast<std::size_t>(width); }
  /// Element after element, from the slots' copy on the host.
  std::vector<double> by_element(const double* slots) const {
    if (block == 1) return std::vector<double>(slots, slots + size());
    std::vector<double> numbers;
    numbers.reserve(size());
    for (int e = 0; e < count; ++e)
      for (int i = 0; i < width; ++i) numbers.push_back(slots[place(e, i)]);
    return numbers;
  }
};

/// The slots of one element, for a loop to fill.
template <bool in_blocks>
class ElementSlots {
 public:
  KOKKOS_INLINE_FUNCTION ElementSlots(double* first, int step) : first_(first), step_(step) {}
  KOKKOS_INLINE_FUNCTION double& operator[](int i) const {
    if constexpr (in_blocks) return first_[static_cast<std::ptrdiff_t>(i) * step_];
    return first_[i];
  }
  /// Those from the i-th on.
  KOKKOS_INLINE_FUNCTION ElementSlots from(int i) const { return {&(*this)[i], step_}; }

 private:
  double* first_;
  int step_;
};

/// Those of element e.
KOKKOS_INLINE_FUNCTION ElementSlots<true> element_slots(double* slots, const SlotLayout& layout, int e) {
  return {slots + layout.place(e, 0), layout.step(e)};
}
/// Of `count` elements with `width` numbers each, in blocks of so many.
template <int block>
KOKKOS_INLINE_FUNCTION ElementSlots<(block > 1)> element_slots(double* slots, int count, int width, int e) {
  const SlotLayout layout{count, width, block};
  return {slots + layout.place(e, 0), layout.step(e)};
}

/// A matrix, zero at first, whose entries by rows are the slots from a place on. Where slots lie one after the other it is made
/// in them: a core that copies numbers waits for those that it has only just written.
template <int R, int C, bool in_blocks>
class SlotMatrix {
 public:
  using Matrix = Mat<double, R, C>;

  KOKKOS_INLINE_FUNCTION explicit SlotMatrix(const ElementSlots<in_blocks>& slots) : slots_(slots) {
    if constexpr (!in_blocks) matrix() = {};
  }
  KOKKOS_INLINE_FUNCTION Matrix& matrix() {
    if constexpr (in_blocks)
      return beside_;
    else
      return *reinterpret_cast<Matrix*>(&slots_[0]);
  }
  /// To the slots, if it is not there.
  KOKKOS_INLINE_FUNCTION void finish() const {
    if constexpr (in_blocks)
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < C; ++j) slots_[i * C + j] = beside_(i, j);
  }

 private:
  struct Nothing {};
  ElementSlots<in_blocks> slots_;
  std::conditional_t<in_blocks, Matrix, Nothing> beside_;
};

}  // namespace sinew
