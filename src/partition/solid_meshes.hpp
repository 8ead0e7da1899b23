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

/// A point inside an element that has a frame of its own, in the axes of the mesh.
struct AttachedPoint {
  int number = -1;  ///< among the body's named points
  Vec3<double> place;
  std::vector<int> nodes;               ///< of the element
  std::vector<double> weights;          ///< shape functions of these in the point
  std::vector<Vec3<double>> gradients;  ///< their derivatives by the place
};

/// What every rank knows of a solid body's mesh.
struct SolidMesh {
  int num_points = 0;
  std::int64_t num_cells = 0;
  std::vector<SurfaceGroup> groups;   ///< those that are used as places, in the order of their names
  std::vector<std::string> loaded;    ///< groups whose faces are loaded, likewise
  std::vector<AttachedPoint> points;  ///< those that have frames, in the order of the model file
  std::map<int, Point3> nodes;        ///< those that the model names by their numbers

  /// Index of a group, -1 if it is not there.
  int group(const std::string& name) const;
  /// Index among the loaded ones.
  int loaded_group(const std::string& name) const;
  /// Frames that are attached to the mesh: of groups, then of points.
  int num_attachments() const { return static_cast<int>(groups.size() + points.size()); }
  /// The number of a place's frame among these, -1 if it has none.
  int attachment(const PlaceRef& place) const;
  /// The place of a frame at the start.
  Vec3<double> attachment_place(int attachment) const;
};

/// The meshes of a model's solids by body template. Sources of meshes from files hold this rank's slice.
struct SolidMeshes {
  std::map<int, SolidMesh> known;
  std::map<int, std::unique_ptr<SolidSource>> sources;  ///< may be given up once the model is distributed
  std::vector<std::string> warnings;                    ///< of meshes that do not hang together, with the line of their bodies
};

/// All ranks read every mesh file together and check it; faults are thrown on all ranks. Collective.
SolidMeshes read_solid_meshes(MPI_Comm, const Model&);

}  // namespace sinew
