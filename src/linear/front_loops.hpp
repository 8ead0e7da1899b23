/// \file
/// LU of many dense fronts at a time, and solutions with them, where Kokkos' default execution space is: one team a front.
#pragma once

#include "kernels/portability.hpp"

#include <cstddef>

namespace sinew {

/// Dense fronts of an elimination tree, by their numbers in its heap (1: the root). The matrix of a front stands by columns; of
/// its `size` unknowns the first `eliminated` are eliminated there, the rest is left to the parent. Lists over the unknowns of
/// fronts, and what solutions come to, begin at `first`. Views of the device's memory.
struct FrontTable {
  DeviceArray<int> size, eliminated;
  DeviceArray<int> has_children;       ///< 0, 1
  DeviceArray<std::ptrdiff_t> matrix;  ///< where its numbers begin
  DeviceArray<std::ptrdiff_t> first;
  DeviceArray<int> unknown;      ///< of A
  DeviceArray<int> place_above;  ///< of the rest: where they are in the parent
};

/// What a factorisation leaves. Rows are swapped: partial pivoting among the eliminated, by what is largest over the largest
/// number of its row at the start, so that units of rows do not matter.
struct FrontNumbers {
  DeviceArray<double> matrices;  ///< [F11 F12; F21 F22] to [L\U, L^-1 F12; F21 U^-1, S]
  DeviceArray<double> scale;     ///< of rows, by unknown of the front
  DeviceArray<int> order;        ///< which row came to this place
  DeviceArray<int> row_of;       ///< where a row went: the inverse of it
  DeviceArray<double> growth;    ///< of every front: the largest number in L, negative where F11 is singular
};

/// Fronts `begin` to `end` - 1, which must be of one level. Their matrices hold the entries of A.
void factorise_fronts(const FrontTable&, const FrontNumbers&, int begin, int end);

// Solutions, of one right-hand side or two: number i of side s stands at i * sides + s. `b` and `x` are by unknowns of A,
// `work` by unknowns of fronts.

/// Takes the right-hand sides of fronts `begin` to `end` - 1 from `b` and from what their children have left, and eliminates.
void forward_fronts(const FrontTable&, const FrontNumbers&, int begin, int end, int sides, const DeviceArray<double>& b,
                    const DeviceArray<double>& work);
/// After that: their eliminated unknowns of x, given the rest of them there.
void backward_fronts(const FrontTable&, const FrontNumbers&, int begin, int end, int sides, const DeviceArray<double>& work,
                     const DeviceArray<double>& x);

/// values[places[k]] = numbers[k]
void scatter_numbers(const DeviceArray<std::ptrdiff_t>& places, const DeviceArray<double>& numbers,
                     const DeviceArray<double>& values);

}  // namespace sinew
