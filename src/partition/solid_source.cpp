#include "partition/solid_source.hpp"

#include "model/cell_faces.hpp"

namespace sinew {

BoxSource::BoxSource(const BoxShape& box, int material, const UsedGroups& groups)
    : grid_({box.size[0], box.size[1], box.size[2]}, box.elements, box.cell),
      cell_(box.cell),
      material_(material),
      names_(groups.places) {
  for (const std::string& name : groups.places) sides_.push_back(BoxGrid::side(name));
  for (const std::string& name : groups.loaded) loaded_.push_back(BoxGrid::side(name));
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
  const Point3 centre = grid_.side_centre(side);
  return {names_[static_cast<std::size_t>(g)],
          grid_.num_side_points(side),
          grid_.side_area(side),
          Vec3<double>{{centre[0], centre[1], centre[2]}},
          grid_.side_gyration_radius(side),
          {}};
}

SurfaceNode BoxSource::surface_node(int g, std::int64_t i) const {
  const int side = sides_[static_cast<std::size_t>(g)];
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
