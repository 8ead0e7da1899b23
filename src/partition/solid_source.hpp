/// \file
/// The mesh of a solid body as the expansion into records asks for it, part by part.
#pragma once

#include "model/box_grid.hpp"
#include "model/mesh.hpp"
#include "model/mesh_measure.hpp"
#include "model/model.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

/// A surface group that a joint, force or sensor takes hold of. In the axes of the mesh.
struct SurfaceGroup {
  std::string name;
  int num_nodes = 0;
  double area = 0;
  Vec3<double> mean;           ///< area-weighted mean of the nodes
  double gyration_radius = 0;  ///< sqrt(sum w |X - mean|^2 / area)
};

struct SolidCell {
  CellShape shape = CellShape::hex8;
  std::vector<int> nodes;
  int material = -1;  ///< index into Model::materials
};

/// A node of a surface group and the integral of its shape function over the surface.
struct SurfaceNode {
  int node = -1;
  double weight = 0;
};

class SolidSource {
 public:
  virtual ~SolidSource() = default;
  /// Can every rank ask for its share, or is there one rank that holds all?
  virtual bool is_on_every_rank() const = 0;
  virtual int num_points() const = 0;
  virtual std::int64_t num_cells() const = 0;
  virtual Point3 point(int n) const = 0;
  virtual SolidCell cell(std::int64_t c) const = 0;
  /// Of the groups that it was made with.
  virtual SurfaceGroup group(int g) const = 0;
  virtual SurfaceNode surface_node(int g, int i) const = 0;
};

/// A mesh that one rank has read. `groups`: the surface groups in use.
class MeshSource final : public SolidSource {
 public:
  /// Throws InputError when cells have no material.
  MeshSource(Mesh mesh, const Model& model, const BodyItem& body, const std::vector<std::string>& groups);
  bool is_on_every_rank() const override { return false; }
  int num_points() const override { return static_cast<int>(mesh_.points.size()); }
  std::int64_t num_cells() const override { return static_cast<std::int64_t>(materials_.size()); }
  Point3 point(int n) const override { return mesh_.points[static_cast<std::size_t>(n)]; }
  SolidCell cell(std::int64_t c) const override;
  SurfaceGroup group(int g) const override;
  SurfaceNode surface_node(int g, int i) const override;

 private:
  Mesh mesh_;
  std::vector<CellRef> cells_;  ///< of dimension 3, block by block
  std::vector<int> materials_;
  std::vector<std::string> names_;
  std::vector<NodeWeights> weights_;
};

/// A generated box.
class BoxSource final : public SolidSource {
 public:
  BoxSource(const BoxShape&, int material, const std::vector<std::string>& groups);
  bool is_on_every_rank() const override { return true; }
  int num_points() const override { return grid_.num_points(); }
  std::int64_t num_cells() const override { return grid_.num_cells(); }
  Point3 point(int n) const override { return grid_.point(n); }
  SolidCell cell(std::int64_t c) const override;
  SurfaceGroup group(int g) const override;
  SurfaceNode surface_node(int g, int i) const override;

 private:
  BoxGrid grid_;
  int material_;
  std::vector<std::string> names_;
  std::vector<int> sides_;
};

}  // namespace sinew
