/// \file
/// The mesh of a solid body as the expansion into records asks for it, part by part.
#pragma once

#include "model/box_grid.hpp"
#include "model/cell_shape.hpp"
#include "model/model.hpp"
#include "model/plate_grid.hpp"

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace sinew {

/// A surface, a curve or points that a joint, force or sensor takes hold of. In the axes of the mesh.
struct SurfaceGroup {
  std::string name;
  int num_nodes = 0;
  double area = 0;               ///< of a curve its length, of points how many they are
  Vec3<double> mean;             ///< weighted mean of the nodes
  double gyration_radius = 0;    ///< sqrt(sum w |X - mean|^2 / area); of curves and points with what turns beside them
  Mat3<double> spread;           ///< sum w (X - mean) (X - mean)^T / area; of groups of nodes that turn
  bool is_only_clamped = false;  ///< nothing but clamps takes hold of it: nobody asks for its mean motion
  bool is_carried = false;       ///< one of them by a body, which may move
};

struct SolidCell {
  std::int64_t number = 0;  ///< among all cells of the mesh
  CellShape shape = CellShape::hex8;
  std::vector<int> nodes;
  std::vector<Point3> x;  ///< of the nodes
  int material = -1;      ///< index into Model::materials
};

/// A node of a group and the integrals of its shape function over the surface or curve, by itself and times the place less the
/// group's mean (of nodes that do not turn). Of curves and points of a solid the moment has the turn of the material as well (see
/// turn_at), for which nodes beside the group have one too.
struct SurfaceNode {
  int node = -1;
  double weight = 0;
  Vec3<double> moment = {};
};

/// A face of a surface group that is loaded.
struct SolidFace {
  std::int64_t number = 0;  ///< among those of its shape in the mesh
  CellShape shape = CellShape::quad4;
  double side = 1;         ///< 1 where the nodes go round counter-clockwise seen from outside, or -1
  std::vector<int> nodes;  ///< of the mesh
  std::vector<Point3> x;   ///< of the nodes
};

/// A run of points, cells, faces or surface nodes.
struct Span {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

class SolidSource {
 public:
  virtual ~SolidSource() = default;
  /// Can this rank ask for everything, or only for what it holds, and no other rank holds?
  virtual bool is_whole() const = 0;
  /// What may be asked for here.
  virtual Span points() const = 0;
  virtual Span cells() const = 0;
  virtual Span surface_nodes(int g) const = 0;
  virtual Point3 point(std::int64_t n) const = 0;
  virtual SolidCell cell(std::int64_t c) const = 0;
  /// Its point is among points(). `g`: of the groups that it was made with.
  virtual SurfaceNode surface_node(int g, std::int64_t i) const = 0;
  /// The same for nodes beside the group by which its frame turns, with a weight of 0; there are none of surfaces.
  virtual Span nodes_beside(int /*g*/) const { return {}; }
  virtual SurfaceNode node_beside(int /*g*/, std::int64_t /*i*/) const { return {}; }
  /// Faces of the loaded groups that it was made with.
  virtual Span faces(int g) const = 0;
  virtual SolidFace face(int g, std::int64_t i) const = 0;
};

/// The groups of a mesh that a model names: those that are places, those whose faces are loaded, which of all are named by more
/// than clamps, which hold nodes and ask for no mean motion, and those that a body carries by a clamp.
struct UsedGroups {
  std::vector<std::string> places, loaded;
  std::set<std::string> beside_clamps, carried;

  std::vector<std::string> all() const {
    std::vector<std::string> names = places;
    names.insert(names.end(), loaded.begin(), loaded.end());
    return names;
  }
};

/// A generated box.
class BoxSource final : public SolidSource {
 public:
  BoxSource(const BoxShape&, int material, const UsedGroups& groups);
  bool is_whole() const override { return true; }
  Span points() const override { return {0, grid_.num_points()}; }
  Span cells() const override { return {0, grid_.num_cells()}; }
  Span surface_nodes(int g) const override;
  Span nodes_beside(int g) const override;
  Point3 point(std::int64_t n) const override { return grid_.point(static_cast<int>(n)); }
  SolidCell cell(std::int64_t c) const override;
  SurfaceNode surface_node(int g, std::int64_t i) const override;
  SurfaceNode node_beside(int g, std::int64_t i) const override;
  Span faces(int g) const override { return {0, grid_.num_side_cells(loaded_[static_cast<std::size_t>(g)])}; }
  SolidFace face(int g, std::int64_t i) const override;
  /// Of the groups that are places.
  SurfaceGroup group(int g) const;

 private:
  /// An edge or a corner.
  struct Outline {
    SurfaceGroup known;
    std::vector<SurfaceNode> nodes, beside;
  };
  void make_outline(const std::string& name);

  BoxGrid grid_;
  CellShape cell_;
  int material_;
  std::vector<std::string> names_;
  std::vector<int> sides_, loaded_;  ///< -1: no side
  std::vector<Outline> outlines_;    ///< of all groups that are places; empty for sides
};

/// A generated plate.
class PlateSource final : public SolidSource {
 public:
  PlateSource(const PlateShape&, int material, const UsedGroups& groups);
  bool is_whole() const override { return true; }
  Span points() const override { return {0, grid_.num_points()}; }
  Span cells() const override { return {0, grid_.num_cells()}; }
  Span surface_nodes(int g) const override { return {0, static_cast<std::int64_t>(nodes_of(g).size())}; }
  Point3 point(std::int64_t n) const override { return grid_.point(static_cast<int>(n)); }
  SolidCell cell(std::int64_t c) const override;
  SurfaceNode surface_node(int g, std::int64_t i) const override { return nodes_of(g)[static_cast<std::size_t>(i)]; }
  Span faces(int /*g*/) const override { return {0, grid_.num_cells()}; }
  SolidFace face(int g, std::int64_t i) const override;
  /// Of the groups that are places.
  SurfaceGroup group(int g) const;

 private:
  const std::vector<SurfaceNode>& nodes_of(int g) const { return groups_[static_cast<std::size_t>(g)]; }

  PlateGrid grid_;
  int material_;
  std::vector<std::string> names_;
  std::vector<std::vector<SurfaceNode>> groups_;
};

/// Measures a group whose weights have the sum `area`: mean, radius of gyration and spread. `sum`: over the group, of all ranks.
template <class Sum>
void measure_group(const Sum& sum, SurfaceGroup& group) {
  group.area = sum([](double w, const Point3&) { return w; });
  for (std::size_t k = 0; k < 3; ++k)
    group.mean[static_cast<int>(k)] = sum([&](double w, const Point3& x) { return w / group.area * x[k]; });
  const auto arm = [&](const Point3& x, int k) { return x[static_cast<std::size_t>(k)] - group.mean[k]; };
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      group.spread(i, j) = group.spread(j, i) =
          sum([&](double w, const Point3& x) { return w / group.area * arm(x, i) * arm(x, j); });
  group.gyration_radius = std::sqrt(group.spread(0, 0) + group.spread(1, 1) + group.spread(2, 2));
}

}  // namespace sinew
