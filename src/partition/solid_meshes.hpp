/// \file
/// The meshes of the solid bodies: of those from files every rank holds its slice, and of all what numbering needs.
#pragma once

#include "partition/solid_source.hpp"

#include <mpi.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sinew {

/// What every rank knows of a solid body's mesh.
struct SolidMesh {
  int num_points = 0;
  std::int64_t num_cells = 0;
  std::vector<SurfaceGroup> groups;  ///< those that are used as places, in the order of their names
  std::vector<std::string> loaded;   ///< groups whose faces are loaded, likewise

  /// Index of a group, -1 if it is not there.
  int group(const std::string& name) const;
  /// Index among the loaded ones.
  int loaded_group(const std::string& name) const;
};

/// The meshes of a model's solids by body template. Sources of meshes from files hold this rank's slice.
struct SolidMeshes {
  std::map<int, SolidMesh> known;
  std::map<int, std::unique_ptr<SolidSource>> sources;  ///< may be given up once the model is distributed
};

/// All ranks read every mesh file together and check it; faults are thrown on all ranks. Collective.
SolidMeshes read_solid_meshes(MPI_Comm, const Model&);

}  // namespace sinew
