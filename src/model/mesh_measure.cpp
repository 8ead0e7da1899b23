/// \file
/// Quadrature over the cells of a mesh.
#include "model/mesh_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "model/cell_inversion.hpp"

namespace sinew {

namespace {

/// Columns of a cell's Jacobian, J[k] = dx/dxi_k.
using Jacobian = std::array<Point3, 3>;

/// The Jacobian of a cell at a row of a table of its shape.
Jacobian jacobian(std::span<const Point3> x, const ShapeTable& table, std::size_t row) {
  Jacobian J{};
  for (std::size_t a = 0; a < x.size(); ++a) {
    const auto& gradient = table.gradients[row * x.size() + a];
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < 3; ++i) J[k][i] += gradient[k] * x[a][i];
    }
  }
  return J;
}

std::vector<Point3> places(const Mesh& mesh, std::span<const int> nodes) {
  std::vector<Point3> x;
  for (const int node : nodes) x.push_back(mesh.points[static_cast<std::size_t>(node)]);
  return x;
}

Point3 cross(const Point3& a, const Point3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Point3& a, const Point3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double norm(const Point3& a) { return std::sqrt(dot(a, a)); }

double determinant(const Jacobian& J) { return dot(J[0], cross(J[1], J[2])); }

/// Length, area or signed volume of a unit of the reference cell.
double measure(const Jacobian& J, int dimension) {
  switch (dimension) {
    case 0: return 1;
    case 1: return norm(J[0]);
    case 2: return norm(cross(J[0], J[1]));
    default: return determinant(J);
  }
}

}  // namespace

double worst_quality(std::span<const Point3> nodes, const ShapeTable& table) {
  double worst = std::numeric_limits<double>::infinity();
  for (int p = 0; p < table.num_points; ++p) {
    const auto J = jacobian(nodes, table, static_cast<std::size_t>(p));
    const double scale = norm(J[0]) * norm(J[1]) * norm(J[2]);
    const double det = determinant(J);
    worst = std::min(worst, scale > 0 ? det / scale : 0.0);
  }
  return worst;
}

std::vector<double> shape_integrals(std::span<const Point3> nodes, CellShape shape) {
  const auto& table = quadrature_table(shape);
  std::vector<double> integrals(nodes.size(), 0.0);
  for (std::size_t p = 0; p < static_cast<std::size_t>(table.num_points); ++p) {
    const double w = table.weights[p] * measure(jacobian(nodes, table, p), shape_info(shape).dimension);
    for (std::size_t a = 0; a < nodes.size(); ++a) integrals[a] += w * table.values[p * nodes.size() + a];
  }
  return integrals;
}

std::vector<Point3> shape_moments(std::span<const Point3> nodes, CellShape shape) {
  const auto& table = quadrature_table(shape);
  std::vector<Point3> moments(nodes.size(), Point3{});
  for (std::size_t p = 0; p < static_cast<std::size_t>(table.num_points); ++p) {
    const double w = table.weights[p] * measure(jacobian(nodes, table, p), shape_info(shape).dimension);
    const double* const values = table.values.data() + p * nodes.size();
    for (std::size_t k = 0; k < 3; ++k) {
      double place = 0;
      for (std::size_t a = 0; a < nodes.size(); ++a) place += values[a] * nodes[a][k];
      for (std::size_t a = 0; a < nodes.size(); ++a) moments[a][k] += w * place * values[a];
    }
  }
  return moments;
}

NodeWeights node_weights(const Mesh& mesh, const PhysicalGroup& group) {
  NodeWeights result{group_nodes(mesh, group), {}, 0};
  result.weights.assign(result.nodes.size(), 0.0);
  for (const auto& ref : group.cells) {
    const auto& block = mesh.cells(group.dimension)[static_cast<std::size_t>(ref.block)];
    const auto nodes = block.cell(ref.cell);
    const auto x = places(mesh, nodes);
    const auto integrals = shape_integrals(x, block.shape);
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      const auto at = std::ranges::lower_bound(result.nodes, nodes[a]) - result.nodes.begin();
      result.weights[static_cast<std::size_t>(at)] += integrals[a];
      result.total += integrals[a];
    }
  }
  return result;
}

namespace {

/// The same of a surface cell: 0 degenerate, < 0 folded.
double worst_surface_quality(std::span<const Point3> nodes, const ShapeTable& table) {
  Point3 mean{};
  const auto rows = static_cast<std::size_t>(table.num_points);
  for (std::size_t p = 0; p < rows; ++p) {
    const auto J = jacobian(nodes, table, p);
    const auto normal = cross(J[0], J[1]);
    for (std::size_t i = 0; i < 3; ++i) mean[i] += normal[i];
  }
  double worst = std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < rows; ++p) {
    const auto J = jacobian(nodes, table, p);
    const auto normal = cross(J[0], J[1]);
    const double scale = norm(J[0]) * norm(J[1]) * norm(mean);
    double along = 0;
    for (std::size_t i = 0; i < 3; ++i) along += normal[i] * mean[i];
    worst = std::min(worst, scale > 0 ? along / scale : 0.0);
  }
  return worst;
}

}  // namespace

std::optional<double> bad_quality(std::span<const Point3> nodes, CellShape shape) {
  if (shape_info(shape).dimension == 2) {
    const double quality = worst_surface_quality(nodes, check_table(shape));
    return quality > 1e-10 ? std::nullopt : std::optional<double>(quality);
  }
  double quality = worst_quality(nodes, check_table(shape));
  if (quality > 0) quality = std::min(quality, inverted_quality(nodes, shape).value_or(quality));
  return quality > 1e-10 ? std::nullopt : std::optional<double>(quality);
}

std::vector<BadCell> find_bad_cells(const Mesh& mesh) {
  std::vector<BadCell> bad;
  for (std::size_t b = 0; b < mesh.volumes.size(); ++b) {
    const auto& block = mesh.volumes[b];
    for (int cell = 0; cell < block.size(); ++cell) {
      const auto quality = bad_quality(places(mesh, block.cell(cell)), block.shape);
      if (quality) bad.push_back({{static_cast<int>(b), cell}, *quality});
    }
  }
  return bad;
}

std::string no_surface_cells(const std::string& file, const std::string& groups) {
  return fmt::format(
      "{}: no surface elements (groups: {}). Mesh in 2D (gmsh -2); if there are physical curves, the surface needs a physical "
      "group too, as in Physical Surface(\"skin\") = {{1}}; else Gmsh does not save it",
      file, groups);
}

std::string no_volume_cells(const std::string& file, const std::string& groups) {
  return fmt::format(
      "{}: no volume elements (groups: {}). Mesh in 3D (gmsh -3); if there are physical surfaces, the volume needs a "
      "physical group too, as in Physical Volume(\"body\") = {{1}}; else Gmsh does not save it",
      file, groups);
}

std::string bad_cell_line(const std::string& cell, double quality) {
  return fmt::format("{} is {} (relative Jacobian {:.3g})\n", cell, quality < -1e-10 ? "inverted" : "flat", quality);
}

std::string bad_cells_text(const std::string& file, const std::vector<std::string>& lines, std::size_t total) {
  std::string text;
  for (const std::string& line : lines) text += line;
  if (total > lines.size()) text += fmt::format("{}: {} more such elements\n", file, total - lines.size());
  return text +
         "improve the mesh: smaller elements at curved faces, Mesh.HighOrderOptimize = 1 (second order), Mesh.Optimize = 1, "
         "or correct the order of the elements' nodes";
}

void require_solid_mesh(const Mesh& mesh) {
  if (count_cells(mesh, 3) == 0) throw InputError(no_volume_cells(mesh.origin.file, list_groups(mesh.groups)));
  const auto bad = find_bad_cells(mesh);
  if (bad.empty()) return;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(bad_cells_shown, bad.size()); ++i)
    lines.push_back(bad_cell_line(describe_cell(mesh, 3, bad[i].cell), bad[i].quality));
  throw InputError(bad_cells_text(mesh.origin.file, lines, bad.size()));
}

}  // namespace sinew
