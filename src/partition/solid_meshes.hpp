/// \file
/// The meshes of the solid bodies: whole on the rank that reads them, on the others only what numbering needs.
#pragma once

#include "model/mesh.hpp"
#include "model/model.hpp"

#include <mpi.h>

#include <map>
#include <string>
#include <vector>

namespace sinew {

/// A surface group that a joint, force or sensor takes hold of. In the axes of the mesh.
struct SurfaceGroup {
  std::string name;
  int num_nodes = 0;
  double area = 0;
  Vec3<double> mean;            ///< area-weighted mean of the nodes
  double gyration_radius = 0;   ///< sqrt(sum w |X - mean|^2 / area)
};

/// What every rank knows of a solid body's mesh.
struct SolidMesh {
  int num_points = 0;
  std::int64_t num_cells = 0;
  std::vector<SurfaceGroup> groups;  ///< those that are used as places, in the order of their names

  /// Index of a group, -1 if it is not there.
  int group(const std::string& name) const;
};

/// The meshes of a model's solids by body template. `whole` is filled on rank 0 only.
struct SolidMeshes {
  std::map<int, SolidMesh> known;
  std::map<int, Mesh> whole;
};

/// Rank 0 reads or makes every mesh, checks it, and tells the others; faults are thrown on all ranks. Collective.
SolidMeshes read_solid_meshes(MPI_Comm, const Model&);

}  // namespace sinew
