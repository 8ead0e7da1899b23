/// \file
/// How much redundant joints give way in a shape.
#pragma once

#include "system/dynamic_system.hpp"

namespace sinew {

/// Redundant rows are held by a regularisation R of the multipliers, in proportion to the masses: beside members that are far
/// stiffer than heavy they are springs, 1/R. Of the strain energy of a shape w the part that is in them, sum (G w)_r^2 / R_r over
/// that and w^T K w; 0 without regularisation. Frequencies and load factors are too low by about that part (frequencies by half).
/// `K`: a tangent [K G^T; G -R]; `w`: its largest component is 1; `is_free`: its frequency has been taken for zero, so that only
/// a gap that is no rounding counts. Collective.
double yielding_share(const DynamicSystem&, PetscMat K, PetscVec w, bool is_free = false);

/// From here on a result is called wrong: a frequency is a thousandth too low.
constexpr double largest_yielding_share = 2e-3;

}  // namespace sinew
