/// \file
/// Shapes of vibration that are the same on any number of ranks.
#pragma once

#include "base/petsc.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinew {

/// Some of this rank's degrees of freedom: their numbers in the model, and where they stand in a vector.
struct NumberedDofs {
  std::vector<std::int64_t> numbers;
  std::vector<std::size_t> places;
};

/// Shapes `first` to `last` - 1, orthonormal in some product, of one frequency: any orthogonal mixture would do as well. They
/// become the one in which each but the first is at rest where those before it are settled, in the degree of freedom in which
/// together they are largest (of those that are nearly as large, as in other corners of a symmetric body, the first of the
/// model), and these move there along the axis. Of one shape alone this settles the sign. Collective.
void settle_shapes(MPI_Comm, const NumberedDofs&, std::vector<VecHandle>& shapes, std::size_t first, std::size_t last);

}  // namespace sinew
