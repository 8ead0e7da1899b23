/// \file
/// Surfaces of rigid bodies: one rank reads them, those that have such bodies hold them.
#pragma once

#include "input/surface_reader.hpp"

#include <mpi.h>

#include <array>
#include <cstdint>
#include <map>

namespace sinew {

/// Reads on rank 0, which keeps the surfaces; the others learn what they enclose. For a model that all ranks read together: every
/// call is collective.
SurfaceReader reader_on_first_rank(MPI_Comm);

/// The surfaces of bodies that have a shape, on the ranks that want them.
class BodySurfaces {
 public:
  /// `is_wanted`: by body template. The model must outlive it. Collective.
  BodySurfaces(MPI_Comm, const Model&, const std::vector<char>& is_wanted);
  /// Sizes of one instance's surface, the same on all ranks; 0 for bodies without a shape.
  std::int64_t num_points(int body) const { return sizes_[static_cast<std::size_t>(body)][0]; }
  std::int64_t num_triangles(int body) const { return sizes_[static_cast<std::size_t>(body)][1]; }
  /// Of a body that has a shape and is wanted here.
  const TriangleSurface& of(int body) const;

 private:
  const Model& model_;
  std::vector<std::array<std::int64_t, 2>> sizes_;
  std::map<int, TriangleSurface> fetched_;
};

}  // namespace sinew
