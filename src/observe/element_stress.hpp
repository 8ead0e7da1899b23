/// \file
/// Stress of solid elements and stress resultants of shells for output.
#pragma once

#include "kernels/nodes/frame.hpp"

#include <functional>
#include <string>
#include <vector>

namespace sinew {

/// What is written of an element's stress: arrays of so many numbers. Tensors have nine components by rows in the global frame,
/// for readers disagree on the order of six.
struct StressArray {
  const char* name;
  int width;
};

/// Of cells of dimension 3 (solids): `stress`, Cauchy's in the centre, Pa, and `von_mises`, its equivalent.
/// Of dimension 2 (shells): what the wall carries per length of a cut, as means over the element: `membrane_force` n in its
/// plane, N/m, `moment` m, N, `shear_force` q across it, N/m; `von_mises`, the larger equivalent of the two faces, of
/// n/t +- 6 m/t^2, Pa. Viscous parts are left out.
const std::vector<StressArray>& stress_arrays(int dimension);
int stress_width(int dimension);

/// Sets the numbers of these arrays, one behind the other, from an element's parameters and its nodes; points have R = I.
using StressFunction = std::function<void(const double* params, const Frame<double>* nodes, double* out)>;
/// That of an element family; null for families that are neither solids nor shells.
StressFunction stress_function(const std::string& family);

}  // namespace sinew
