#include "input/box_mesh.hpp"

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "base/error.hpp"
#include "model/mesh_measure.hpp"
#include "tests/catch.hpp"
#include "tests/src/input/mesh_files.hpp"

using namespace sinew;

namespace {

/// The message of the InputError that `make_box` throws; empty if it throws none.
std::string complaint(const BoxSpec& spec) {
  try {
    make_box(spec);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("A box has the volume, the points and the cells that its description says", "[serial]") {
  const auto mesh = make_box({{2, 0.5, 0.25}, {4, 3, 2}, 1});
  CHECK(mesh.points.size() == 5 * 4 * 3);
  CHECK(count_cells(mesh, 3) == 24);
  CHECK(count_cells(mesh, 2) == 2 * (12 + 8 + 6));
  CHECK(total_volume(mesh) == Approx(0.25).epsilon(1e-14));
  CHECK(mesh.points.front() == Point3{0, 0, 0});
  CHECK(mesh.points.back() == Point3{2, 0.5, 0.25});
  CHECK(mesh.volumes[0].tags.back() == 24);
  CHECK_NOTHROW(require_solid_mesh(mesh));
}

TEST_CASE("The six sides of a box are surface groups that lie in their planes and have their areas", "[serial]") {
  const Point3 size{2, 0.5, 0.25};
  const auto mesh = make_box({size, {4, 3, 2}, 1});
  CHECK(mesh.groups.size() == 7);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const bool upper : {false, true}) {
      const auto name = std::string{"xyz"[axis]} + (upper ? "+" : "-");
      CAPTURE(name);
      const auto* group = find_group(mesh, name, 2);
      REQUIRE(group != nullptr);
      for (const int node : group_nodes(mesh, *group)) {
        CHECK(mesh.points[static_cast<std::size_t>(node)][axis] == (upper ? size[axis] : 0));
      }
      CHECK(node_weights(mesh, *group).total == Approx(size[(axis + 1) % 3] * size[(axis + 2) % 3]).epsilon(1e-14));
    }
  }
  REQUIRE(find_group(mesh, "volume") != nullptr);
  CHECK(node_weights(mesh, *find_group(mesh, "volume")).total == Approx(0.25).epsilon(1e-14));
}

TEST_CASE("The faces of a box look outward", "[serial]") {
  const auto mesh = make_box({{1, 1, 1}, {2, 2, 2}, 1});
  for (int face = 0; face < mesh.faces[0].size(); ++face) {
    const auto nodes = mesh.faces[0].cell(face);
    const auto x = [&](std::size_t a, std::size_t k) { return mesh.points[static_cast<std::size_t>(nodes[a])][k]; };
    double outward = 0;  // (x1 - x0) x (x3 - x0) . (x0 + x2 - 2 centre)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t u = (k + 1) % 3;
      const std::size_t v = (k + 2) % 3;
      const double normal = (x(1, u) - x(0, u)) * (x(3, v) - x(0, v)) - (x(1, v) - x(0, v)) * (x(3, u) - x(0, u));
      outward += normal * (x(0, k) + x(2, k) - 1);
    }
    CHECK(outward > 0);
  }
}

TEST_CASE("The nodes of a box's groups weigh a quarter, a half or a whole face", "[serial]") {
  const auto mesh = make_box({{1, 1, 1}, {2, 2, 1}, 1});
  const auto weights = node_weights(mesh, *find_group(mesh, "z-"));
  REQUIRE(weights.nodes.size() == 9);
  CHECK(weights.weights[0] == Approx(1. / 16));
  CHECK(weights.weights[1] == Approx(1. / 8));
  CHECK(weights.weights[4] == Approx(1. / 4));
}

TEST_CASE("An impossible box is refused with the reason", "[serial]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(test::text_without(complaint({{1, -1, 1}, {1, 1, 1}, 1}), "size along y is -1") == "");
  CHECK(test::text_without(complaint({{1, 1, nan}, {1, 1, 1}, 1}), "size along z") == "");
  CHECK(test::text_without(complaint({{1, 1, 1}, {0, 1, 1}, 1}), "0 elements along x") == "");
  CHECK(test::text_without(complaint({{1, 1, 1}, {1, 1, 1}, 2}), "order 2 is not offered yet") == "");
  CHECK(test::text_without(complaint({{1, 1, 1}, {1, 1, 1}, 3}), "expected 1") == "");
  CHECK(test::text_without(complaint({{1, 1, 1}, {2000, 2000, 2000}, 1}), "too many") == "");
}
