/// \file
/// How large a shape is drawn, and which way round: the same on any number of ranks.
#pragma once

#include "system/system.hpp"

#include <complex>
#include <vector>

namespace sinew {

/// What shapes are scaled by.
struct LeadingComponent {
  double size = 0;             ///< |x_i| of the largest component that moves; where nothing moves, of the largest state
  std::complex<double> value;  ///< x_i of the leading one
};

/// The leading component of a shape x = real + i imaginary (dof layout; `imaginary` may be null) is the first, in the order of
/// the model file, of those that are as large as the largest but for a hundredth. Of a symmetric model's shape many are alike,
/// and rounding says which of them is the largest. Zeros where the shape is zero. Collective.
LeadingComponent leading_component(const System&, PetscVec real, PetscVec imaginary);

/// Shapes of one frequency, orthonormal in some product, of which any orthogonal mixture would do as well, become the mixture
/// that any number of ranks finds: each but the first is at rest where those before it are settled, in the leading one of the
/// components in which together they move, and these are positive there. Of one shape alone this settles the sign. The shapes
/// begin with the dofs. Collective.
void settle_shapes(const System&, const std::vector<PetscVec>& shapes);

/// The displacements of a motion (KKT layout, multipliers behind them), scaled by `scale_shape`. Collective.
VecHandle shape_of(const System&, PetscVec motion);

/// x <- x / (largest |x_i|), or that with the other sign, so that the leading component is positive. Collective.
void scale_shape(const System&, PetscVec x);

}  // namespace sinew
