/// \file
/// A mesh from a file as the expansion into records asks for it: the share that this rank holds.
#pragma once

#include "partition/mesh_faces.hpp"
#include "partition/mesh_surface.hpp"

namespace sinew {

class MeshSource final : public SolidSource {
 public:
  /// `groups`: of the groups in use, all of which exist. Throws InputError on all ranks when cells have no material, or
  /// loaded faces no outside. Collective.
  MeshSource(MPI_Comm comm, MeshSlice slice, const Model& model, const BodyItem& body, const UsedGroups& groups);
  bool is_whole() const override { return false; }
  Span points() const override { return {first_point_, static_cast<std::int64_t>(slice_.points.size())}; }
  Span cells() const override { return {0, static_cast<std::int64_t>(cells_.size())}; }
  Span surface_nodes(int g) const override;
  Span nodes_beside(int g) const override;
  Point3 point(std::int64_t n) const override { return slice_.points[static_cast<std::size_t>(n - first_point_)]; }
  SolidCell cell(std::int64_t c) const override;
  SurfaceNode surface_node(int g, std::int64_t i) const override;
  SurfaceNode node_beside(int g, std::int64_t i) const override;
  Span faces(int g) const override { return {0, static_cast<std::int64_t>(loaded_[static_cast<std::size_t>(g)].size())}; }
  SolidFace face(int g, std::int64_t i) const override {
    return loaded_[static_cast<std::size_t>(g)][static_cast<std::size_t>(i)];
  }

  const SurfaceGroup& group(int g) const { return surfaces_[static_cast<std::size_t>(g)].known; }
  const MeshSlice& slice() const { return slice_; }
  /// Groups whose material no element has, since groups behind them have all their elements.
  const std::vector<std::string>& overruled_groups() const { return overruled_; }

 private:
  /// A cell of the slice and its material.
  struct CellPlace {
    int block = 0;
    int cell = 0;
    int material = -1;
  };

  void find_materials(MPI_Comm, const Model&, const BodyItem&);
  void find_cells(int group, std::vector<SolidFace>& faces) const;

  MeshSlice slice_;
  std::int64_t first_point_;
  std::vector<CellPlace> cells_;
  std::vector<SurfaceSlice> surfaces_;
  std::vector<std::string> overruled_;
  std::vector<std::vector<SolidFace>> loaded_;  ///< this rank's faces of every loaded group
};

}  // namespace sinew
