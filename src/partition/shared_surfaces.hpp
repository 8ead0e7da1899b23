/// \file
/// Surfaces of rigid bodies, which rank 0 has read, on the ranks that have such bodies.
#pragma once

#include "model/model.hpp"
#include "model/rigid_shape.hpp"

#include <mpi.h>

#include <array>
#include <cstdint>
#include <map>

namespace sinew {

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
