/// \file
/// The meshes of the solid bodies: those from files whole on the rank that reads them, on the others only what numbering needs.
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

  /// Index of a group, -1 if it is not there.
  int group(const std::string& name) const;
};

/// The meshes of a model's solids by body template. Meshes from files have their source on rank 0 only, boxes on every rank.
struct SolidMeshes {
  std::map<int, SolidMesh> known;
  std::map<int, std::unique_ptr<SolidSource>> sources;
};

/// Rank 0 reads every mesh file, checks it, and tells the others; faults are thrown on all ranks. Collective.
SolidMeshes read_solid_meshes(MPI_Comm, const Model&);

}  // namespace sinew
