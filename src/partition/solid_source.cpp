#include "partition/solid_source.hpp"

#include "model/cell_faces.hpp"
#include "model/mesh_measure.hpp"
#include "partition/group_turns.hpp"

#include <algorithm>
#include <map>

namespace sinew {

BoxSource::BoxSource(const BoxShape& box, int material, const UsedGroups& groups)
    : grid_({box.size[0], box.size[1], box.size[2]}, box.elements, box.cell),
      cell_(box.cell),
      material_(material),
      names_(groups.places) {
  for (const std::string& name : groups.places) {
    sides_.push_back(BoxGrid::side(name));
    make_outline(name);
  }
  for (const std::string& name : groups.loaded) loaded_.push_back(BoxGrid::side(name));
}

/// The nodes of an edge or a corner with what they weigh and how they turn its frame; nothing of a side.
void BoxSource::make_outline(const std::string& name) {
  std::map<int, SurfaceNode> nodes;
  for (const std::vector<int>& line : grid_.outline(name)) {
    std::vector<Point3> x;
    for (const int n : line) x.push_back(grid_.point(n));
    const CellShape shape = line.size() == 1 ? CellShape::point1 : grid_.line_shape();
    const std::vector<double> integrals = shape_integrals(x, shape);
    const std::vector<Point3> moments = shape_moments(x, shape);
    for (std::size_t a = 0; a < line.size(); ++a) {
      SurfaceNode& node = nodes[line[a]];
      node.weight += integrals[a];
      node.moment += vec3_at(moments[a].data());
    }
  }
  Outline& outline = outlines_.emplace_back();
  outline.known.name = name;
  outline.known.num_nodes = static_cast<int>(nodes.size());
  if (nodes.empty()) return;
  const auto sum = [&](auto term) {
    double total = 0;
    for (const auto& [n, node] : nodes) total += term(node.weight, grid_.point(n));
    return total;
  };
  measure_group(sum, outline.known);
  std::map<int, Vec3<double>> turns;
  double square = 0;
  for (auto& [n, node] : nodes) {
    node.moment -= node.weight * outline.known.mean;
    const std::vector<std::int64_t> cells = grid_.cells_at(n);
    const double share = node.weight / static_cast<double>(cells.size());
    for (const std::int64_t c : cells) {
      const SolidCell around = cell(c);
      const auto a = std::find(around.nodes.begin(), around.nodes.end(), n) - around.nodes.begin();
      const CellTurn turn = turn_at(around.shape, around.x, static_cast<int>(a));
      square += share / outline.known.area * turn.square;
      for (std::size_t b = 0; b < around.nodes.size(); ++b) turns[around.nodes[b]] += share * turn.moments[b];
    }
  }
  add_turn(square, outline.known);
  for (const auto& [n, moment] : turns) {
    const auto inside = nodes.find(n);
    if (inside == nodes.end())
      outline.beside.push_back({n, 0, moment});
    else
      outline.nodes.push_back({n, inside->second.weight, inside->second.moment + moment});
  }
}

SolidCell BoxSource::cell(std::int64_t c) const {
  const auto nodes = grid_.cell(c);
  SolidCell cell{c, cell_, nodes, {}, material_};
  for (const int n : nodes) cell.x.push_back(grid_.point(n));
  return cell;
}

SolidFace BoxSource::face(int g, std::int64_t i) const {
  const int side = loaded_[static_cast<std::size_t>(g)];
  const SolidCell cell = this->cell(grid_.side_cell(side, i));
  const CellFace& face = cell_faces(cell_)[static_cast<std::size_t>(side)];
  SolidFace found{grid_.num_side_cells(side) * side + i, face.shape, 1, {}, {}};
  for (const int a : face.nodes) {
    found.nodes.push_back(cell.nodes[static_cast<std::size_t>(a)]);
    found.x.push_back(cell.x[static_cast<std::size_t>(a)]);
  }
  return found;
}

SurfaceGroup BoxSource::group(int g) const {
  const int side = sides_[static_cast<std::size_t>(g)];
  if (side < 0) return outlines_[static_cast<std::size_t>(g)].known;
  const Point3 centre = grid_.side_centre(side);
  return {names_[static_cast<std::size_t>(g)],
          grid_.num_side_points(side),
          grid_.side_area(side),
          Vec3<double>{{centre[0], centre[1], centre[2]}},
          grid_.side_gyration_radius(side),
          {}};
}

Span BoxSource::surface_nodes(int g) const {
  const int side = sides_[static_cast<std::size_t>(g)];
  return {0, side < 0 ? outlines_[static_cast<std::size_t>(g)].known.num_nodes : grid_.num_side_points(side)};
}

Span BoxSource::nodes_beside(int g) const {
  return {0, static_cast<std::int64_t>(outlines_[static_cast<std::size_t>(g)].beside.size())};
}

SurfaceNode BoxSource::node_beside(int g, std::int64_t i) const {
  return outlines_[static_cast<std::size_t>(g)].beside[static_cast<std::size_t>(i)];
}

SurfaceNode BoxSource::surface_node(int g, std::int64_t i) const {
  const int side = sides_[static_cast<std::size_t>(g)];
  if (side < 0) return outlines_[static_cast<std::size_t>(g)].nodes[static_cast<std::size_t>(i)];
  const int n = static_cast<int>(i);
  const Point3 moment = grid_.side_moment(side, n);
  return {grid_.side_point(side, n), grid_.side_weight(side, n), vec3_at(moment.data())};
}

PlateSource::PlateSource(const PlateShape& plate, int material, const UsedGroups& groups)
    : grid_(plate.size, plate.elements, plate.cell), material_(material), names_(groups.places) {
  for (const std::string& name : groups.places) {
    groups_.emplace_back();
    for (const PlateGrid::WeightedPoint& point : grid_.group(name)) groups_.back().push_back({point.number, point.weight, {}});
  }
}

SolidCell PlateSource::cell(std::int64_t c) const {
  SolidCell cell{c, grid_.shape(), grid_.cell(c), {}, material_};
  for (const int n : cell.nodes) cell.x.push_back(grid_.point(n));
  return cell;
}

SolidFace PlateSource::face(int /*g*/, std::int64_t i) const {
  SolidCell cell = this->cell(i);
  return {i, cell.shape, 1, std::move(cell.nodes), std::move(cell.x)};
}

SurfaceGroup PlateSource::group(int g) const {
  const std::vector<SurfaceNode>& nodes = nodes_of(g);
  SurfaceGroup group;
  group.name = names_[static_cast<std::size_t>(g)];
  group.num_nodes = static_cast<int>(nodes.size());
  measure_group(
      [&](auto term) {
        double total = 0;
        for (const SurfaceNode& n : nodes) total += term(n.weight, grid_.point(n.node));
        return total;
      },
      group);
  return group;
}

}  // namespace sinew
