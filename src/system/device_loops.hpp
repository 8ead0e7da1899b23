/// \file
/// Loops that the system runs beside the sweeps, where those run. All pointers are device pointers. They are functions of their
/// own for CUDA's sake, which takes device code neither from private functions nor from within other lambdas.
#pragma once

#include "base/petsc.hpp"
#include "kernels/sweep/slots.hpp"
#include "kernels/sweep/state.hpp"

namespace sinew {

/// Multiplies numbers by a factor.
void scale_numbers(double* values, std::ptrdiff_t count, double factor);

void copy_numbers(const double* from, std::ptrdiff_t count, double* to);
/// to[stride k] = from[places[k]].
void pick_numbers(const double* from, const DeviceArray<PetscInt>& places, std::size_t stride, double* to);
/// to[k] = from[stride k].
void put_numbers(const double* from, std::size_t stride, std::ptrdiff_t count, double* to);

void zero_numbers(double* values, std::ptrdiff_t count);
/// Those of the list.
void zero_numbers(double* values, const DeviceArray<int>& places);

/// T(w) of every local frame, 9 numbers each by rows; w: increments of the local degrees of freedom.
void find_tangent_operators(const NodeTable&, int num_nodes, const double* w, const DeviceArray<double>& T);

/// Tangents of a family whose constraint rows are to hold another derivative than the gradient.
struct CurvatureRows {
  int rows = 0, dofs = 0;       ///< of an element
  SlotLayout found, entries;    ///< of the curvature, and of the tangent
  double factor = 1;            ///< of the curvature
  bool keeps_gradient = false;  ///< the sum of both, G without T, which stands in the columns of the multipliers
};

/// The rows of the gradient, which stand behind the square block and the columns of the multipliers, give way to the curvature:
/// rows x dofs numbers of each element.
void put_curvature_rows(const CurvatureRows&, const DeviceArray<double>& curvature, double* values);

}  // namespace sinew
