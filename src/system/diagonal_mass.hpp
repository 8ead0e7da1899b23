/// \file
/// Masses that couple nothing, without lists of rows and columns.
#pragma once

#include "base/petsc.hpp"

namespace sinew {

/// The same square matrix, which has its diagonal only on all ranks, as a vector: it knows its product with a vector, to the same
/// bits, and its diagonal. Where it has other entries it is returned as it is. Collective.
MatHandle as_diagonal(MatHandle A);

}  // namespace sinew
