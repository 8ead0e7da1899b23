/// \file
/// Stress of solid elements for output.
#pragma once

#include "kernels/contract.hpp"

#include <array>
#include <functional>
#include <string>

namespace sinew {

/// Cauchy stress in the centre of an element, Pa, nine components by rows (readers disagree on the order of six), and its
/// equivalent of von Mises.
struct CellStress {
  std::array<double, 9> sigma{};
  double von_mises = 0;
};

/// The function that computes an element's stress from its parameters and the positions of its nodes; null for families that are
/// no solids.
using StressFunction = std::function<CellStress(const double* params, const Vec3<double>* x)>;
StressFunction stress_function(const std::string& family);

}  // namespace sinew
