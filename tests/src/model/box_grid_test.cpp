#include "model/box_grid.hpp"

#include "base/error.hpp"
#include "model/mesh_measure.hpp"
#include "tests/catch.hpp"
#include "tests/mesh_volume.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

using namespace sinew;

namespace {

/// The grid as a mesh with one group, so that it can be measured by what measures meshes from files.
Mesh as_mesh(const BoxGrid& grid, CellShape shape) {
  Mesh mesh;
  for (int n = 0; n < grid.num_points(); ++n) mesh.points.push_back(grid.point(n));
  CellBlock block{shape, {}, {}, {}};
  for (std::int64_t c = 0; c < grid.num_cells(); ++c) {
    const auto nodes = grid.cell(c);
    block.nodes.insert(block.nodes.end(), nodes.begin(), nodes.end());
    block.tags.push_back(c + 1);
  }
  mesh.volumes.push_back(std::move(block));
  return mesh;
}

/// The message of the InputError that the box gives; empty if it gives none.
std::string complaint(const std::array<double, 3>& size, const std::array<int, 3>& elements) {
  try {
    BoxGrid(size, elements, CellShape::hex8);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("A box has the volume, the points and the cells that its description says", "[serial]") {
  const auto check = [](CellShape shape, int num_points) {
    CAPTURE(shape_info(shape).name);
    const BoxGrid grid({2, 0.5, 0.25}, {4, 3, 2}, shape);
    CHECK(grid.num_points() == num_points);
    CHECK(grid.num_cells() == 24);
    CHECK(grid.point(0) == Point3{0, 0, 0});
    CHECK(grid.point(num_points - 1) == Point3{2, 0.5, 0.25});
    const Mesh mesh = as_mesh(grid, shape);
    CHECK(test::total_volume(mesh) == Approx(0.25).epsilon(1e-14));
    CHECK_NOTHROW(require_solid_mesh(mesh));
  };
  check(CellShape::hex8, 5 * 4 * 3);
  check(CellShape::hex27, 9 * 7 * 5);
  check(CellShape::hex20, 5 * 4 * 3 + 4 * 4 * 3 + 5 * 3 * 3 + 5 * 4 * 2);  // vertices and middles of edges
}

TEST_CASE("The six sides of a box lie in their planes, and their weights give area, centre and radius of gyration", "[serial]") {
  const std::array<double, 3> size{2, 0.5, 0.25};
  const CellShape shape = GENERATE(CellShape::hex8, CellShape::hex20, CellShape::hex27);
  const BoxGrid grid(size, {4, 3, 2}, shape);
  for (int side = 0; side < 6; ++side) {
    const auto axis = static_cast<std::size_t>(side / 2);
    const std::string name = std::string{"xyz"[axis]} + (side % 2 == 1 ? "+" : "-");
    CAPTURE(name);
    CHECK(BoxGrid::side(name) == side);
    double area = 0, square = 0;
    Point3 centre{};
    for (int i = 0; i < grid.num_side_points(side); ++i) {
      const Point3 x = grid.point(grid.side_point(side, i));
      CHECK(x[axis] == (side % 2 == 1 ? size[axis] : 0));
      if (i > 0) CHECK(grid.side_point(side, i) > grid.side_point(side, i - 1));
      const double w = grid.side_weight(side, i);
      area += w;
      for (std::size_t k = 0; k < 3; ++k) {
        centre[k] += w * x[k];
        square += w * std::pow(x[k] - grid.side_centre(side)[k], 2);
      }
    }
    CHECK(grid.side_area(side) == Approx(area).epsilon(1e-14));
    CHECK(area == Approx(size[(axis + 1) % 3] * size[(axis + 2) % 3]).epsilon(1e-14));
    for (std::size_t k = 0; k < 3; ++k) CHECK(grid.side_centre(side)[k] == Approx(centre[k] / area).margin(1e-15));
    CHECK(grid.side_gyration_radius(side) == Approx(std::sqrt(square / area)).epsilon(1e-14));
  }
  CHECK(BoxGrid::side("x") == -1);
}

namespace {

/// The names of a box's groups: with no, a lower or an upper side across each axis, and all of it.
std::vector<std::string> box_groups() {
  std::vector<std::string> names{"volume"};
  for (const char* x : {"", "x-", "x+"})
    for (const char* y : {"", "y-", "y+"})
      for (const char* z : {"", "z-", "z+"})
        if (const std::string name = std::string(x) + y + z; !name.empty()) names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("Edges and corners of a box are called by the sides that meet there", "[serial]") {
  const std::array<double, 3> size{2, 0.5, 0.25};
  const CellShape shape = GENERATE(CellShape::hex8, CellShape::hex20, CellShape::hex27);
  const std::array<int, 3> elements{4, 3, 2};
  const BoxGrid grid(size, elements, shape);
  CHECK(box_groups().size() == 6 + 12 + 8 + 1);
  for (const std::string& name : box_groups()) {
    CAPTURE(name);
    const int dimension = BoxGrid::group_dimension(name);
    CHECK(dimension == (name == "volume" ? 3 : 3 - static_cast<int>(name.size()) / 2));
    const auto lines = grid.outline(name);
    if (dimension > 1) {
      CHECK(lines.empty());
      continue;
    }
    std::size_t along = 3;
    for (std::size_t k = 0; k < 3; ++k)
      if (name.find("xyz"[k]) == std::string::npos) along = k;
    REQUIRE(lines.size() == (dimension == 0 ? 1 : static_cast<std::size_t>(elements[along])));
    double reached = 0;  // lines follow one another, the middle of each behind its ends
    for (const std::vector<int>& line : lines) {
      for (const int n : line)
        for (std::size_t k = 0; k < 3; ++k)
          if (k != along) CHECK(grid.point(n)[k] == (name.find(std::string{"xyz"[k]} + "+") != std::string::npos ? size[k] : 0));
      if (dimension == 0) continue;
      CHECK(line.size() == (shape == CellShape::hex8 ? 2 : 3));
      const double end = grid.point(line[1])[along];
      CHECK(grid.point(line[0])[along] == reached);
      CHECK(end > reached);
      if (line.size() == 3) CHECK(grid.point(line[2])[along] == Approx(0.5 * (reached + end)).epsilon(1e-15));
      reached = end;
    }
    if (dimension == 1) CHECK(reached == size[along]);
  }
  for (const char* name : {"", "x", "x-x+", "y-x-", "x-y", "x-y-z-z-", "edge"}) CHECK(BoxGrid::group_dimension(name) == -1);
  for (int n = 0; n < grid.num_points(); ++n) {  // what is said of a point is what its cells say
    std::vector<std::int64_t> cells;
    for (std::int64_t c = 0; c < grid.num_cells(); ++c) {
      const std::vector<int> nodes = grid.cell(c);
      if (std::find(nodes.begin(), nodes.end(), n) != nodes.end()) cells.push_back(c);
    }
    CHECK(grid.cells_at(n) == cells);
  }
}

TEST_CASE("The nodes of a box's sides weigh a quarter, a half or a whole face", "[serial]") {
  const BoxGrid grid({1, 1, 1}, {2, 2, 1}, CellShape::hex8);
  const int bottom = BoxGrid::side("z-");
  REQUIRE(grid.num_side_points(bottom) == 9);
  CHECK(grid.side_weight(bottom, 0) == Approx(1. / 16));
  CHECK(grid.side_weight(bottom, 1) == Approx(1. / 8));
  CHECK(grid.side_weight(bottom, 4) == Approx(1. / 4));
}

TEST_CASE("The numbers of a box's points are those of their places, and neighbours share them", "[serial]") {
  for (const CellShape shape : {CellShape::hex8, CellShape::hex20, CellShape::hex27}) {
    const BoxGrid grid({2, 3, 4}, {2, 3, 4}, shape);
    std::vector<int> uses(static_cast<std::size_t>(grid.num_points()), 0);
    for (std::int64_t c = 0; c < grid.num_cells(); ++c) {
      const auto nodes = grid.cell(c);
      const auto places = reference_nodes(shape);
      REQUIRE(nodes.size() == places.size());
      const Point3 first = grid.point(nodes[0]);
      for (std::size_t a = 0; a < nodes.size(); ++a) {
        ++uses[static_cast<std::size_t>(nodes[a])];
        for (std::size_t k = 0; k < 3; ++k) CHECK(grid.point(nodes[a])[k] == Approx(first[k] + (places[a][k] + 1) / 2));
      }
    }
    for (const int count : uses) CHECK(count > 0);
  }
}

TEST_CASE("An impossible box is refused with the reason", "[serial]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(contains(complaint({1, -1, 1}, {1, 1, 1}), "size along y is -1"));
  CHECK(contains(complaint({1, 1, nan}, {1, 1, 1}), "size along z"));
  CHECK(contains(complaint({1, 1, 1}, {0, 1, 1}), "0 elements along x"));
  CHECK(contains(complaint({1, 1, 1}, {2000, 2000, 2000}), "too many"));
}
