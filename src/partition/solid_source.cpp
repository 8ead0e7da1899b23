#include "partition/solid_source.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sinew {

namespace {

/// Material of every volume cell, in the order of `cells`; later entries of the model file overrule earlier ones.
std::vector<int> materials_of(const Mesh& mesh, const std::vector<SolidMaterial>& materials) {
  std::vector<std::vector<int>> of(mesh.volumes.size());
  for (std::size_t b = 0; b < of.size(); ++b) of[b].assign(static_cast<std::size_t>(mesh.volumes[b].size()), -1);
  for (const SolidMaterial& m : materials) {
    if (m.group.empty()) {
      for (auto& block : of) std::fill(block.begin(), block.end(), m.material);
    } else if (const PhysicalGroup* group = find_group(mesh, m.group, 3)) {
      for (const CellRef& cell : group->cells)
        of[static_cast<std::size_t>(cell.block)][static_cast<std::size_t>(cell.cell)] = m.material;
    }
  }
  std::vector<int> all;
  for (const auto& block : of) all.insert(all.end(), block.begin(), block.end());
  return all;
}

}  // namespace

MeshSource::MeshSource(Mesh mesh, const Model& model, const BodyItem& body, const std::vector<std::string>& groups)
    : mesh_(std::move(mesh)) {
  for (std::size_t b = 0; b < mesh_.volumes.size(); ++b)
    for (int c = 0; c < mesh_.volumes[b].size(); ++c) cells_.push_back({static_cast<int>(b), c});
  materials_ = materials_of(mesh_, std::get<SolidItem>(body.shape).materials);
  for (const int m : materials_)
    if (m < 0)
      throw InputError(fmt::format("{}: error: '{}' has elements without a material; name their volume groups ({})",
                                   model.source.locate(body.mark), body.name.text(), list_groups(mesh_)));
  for (const std::string& name : groups)
    if (const PhysicalGroup* found = find_group(mesh_, name, 2)) {
      names_.push_back(name);
      weights_.push_back(node_weights(mesh_, *found));
    }
}

SolidCell MeshSource::cell(std::int64_t c) const {
  const CellRef ref = cells_[static_cast<std::size_t>(c)];
  const CellBlock& block = mesh_.volumes[static_cast<std::size_t>(ref.block)];
  const auto nodes = block.cell(ref.cell);
  return {block.shape, {nodes.begin(), nodes.end()}, materials_[static_cast<std::size_t>(c)]};
}

SurfaceGroup MeshSource::group(int g) const {
  const NodeWeights& w = weights_[static_cast<std::size_t>(g)];
  SurfaceGroup group;
  group.name = names_[static_cast<std::size_t>(g)];
  group.num_nodes = static_cast<int>(w.nodes.size());
  group.area = w.total;
  for (std::size_t i = 0; i < w.nodes.size(); ++i)
    for (int c = 0; c < 3; ++c) group.mean[c] += w.weights[i] / w.total * point(w.nodes[i])[static_cast<std::size_t>(c)];
  double square = 0;
  for (std::size_t i = 0; i < w.nodes.size(); ++i)
    for (int c = 0; c < 3; ++c)
      square += w.weights[i] / w.total * std::pow(point(w.nodes[i])[static_cast<std::size_t>(c)] - group.mean[c], 2);
  group.gyration_radius = std::sqrt(square);
  return group;
}

SurfaceNode MeshSource::surface_node(int g, int i) const {
  const NodeWeights& w = weights_[static_cast<std::size_t>(g)];
  return {w.nodes[static_cast<std::size_t>(i)], w.weights[static_cast<std::size_t>(i)]};
}

BoxSource::BoxSource(const BoxShape& box, int material, const std::vector<std::string>& groups)
    : grid_({box.size[0], box.size[1], box.size[2]}, box.elements, box.order), material_(material), names_(groups) {
  for (const std::string& name : groups) sides_.push_back(BoxGrid::side(name));
}

SolidCell BoxSource::cell(std::int64_t c) const {
  const auto nodes = grid_.cell(c);
  return {CellShape::hex8, {nodes.begin(), nodes.end()}, material_};
}

SurfaceGroup BoxSource::group(int g) const {
  const int side = sides_[static_cast<std::size_t>(g)];
  const Point3 centre = grid_.side_centre(side);
  return {names_[static_cast<std::size_t>(g)], grid_.num_side_points(side), grid_.side_area(side),
          Vec3<double>{{centre[0], centre[1], centre[2]}}, grid_.side_gyration_radius(side)};
}

SurfaceNode BoxSource::surface_node(int g, int i) const {
  const int side = sides_[static_cast<std::size_t>(g)];
  return {grid_.side_point(side, i), grid_.side_weight(side, i)};
}

}  // namespace sinew
