// Lines from cells of a mesh: their order and direction, tangents and lengths, and what is no line.
#include "model/line_path.hpp"
#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/src/input/check_contains.hpp"

#include <array>
#include <cmath>
#include <numbers>

using namespace sinew;

namespace {

/// A mesh of points and lines between them, with a middle node where three nodes are given; its cells are numbered from 11, one
/// on each line of the file from 21.
struct Curve {
  Mesh mesh;
  std::vector<CellRef> cells;

  Curve(std::vector<Point3> points, const std::vector<std::vector<int>>& lines) {
    mesh.origin = {"net.msh", false, false};
    mesh.points = std::move(points);
    for (const CellShape shape : {CellShape::line2, CellShape::line3}) {
      CellBlock block{shape, {}, {}, {}};
      for (std::size_t k = 0; k < lines.size(); ++k) {
        if (static_cast<int>(lines[k].size()) != shape_info(shape).num_nodes) continue;
        cells.push_back({static_cast<int>(mesh.edges.size()), block.size()});
        block.nodes.insert(block.nodes.end(), lines[k].begin(), lines[k].end());
        block.tags.push_back(static_cast<std::int64_t>(11 + k));
        block.places.push_back(static_cast<std::int64_t>(21 + k));
      }
      if (block.size() > 0) mesh.edges.push_back(std::move(block));
    }
  }

  LinePath path(LineEnds ends = LineEnds::open) const { return order_path(mesh, cells, "group \"rope\"", ends); }

  /// What is wrong with it; "a line" if nothing is.
  std::string fault(LineEnds ends = LineEnds::open) const {
    try {
      path(ends);
    } catch (const InputError& error) {
      return error.what();
    }
    return "a line";
  }
};

/// The x of the places, one behind the other.
std::vector<double> along_x(const LinePath& path) {
  std::vector<double> found;
  for (const Vec3<double>& x : path.places()) found.push_back(x[0]);
  return found;
}

/// A circle of radius R with so many cells of second order.
Curve circle(double R, int count) {
  std::vector<Point3> points;
  std::vector<std::vector<int>> lines;
  for (int k = 0; k < 2 * count; ++k) {
    const double angle = std::numbers::pi * k / count;
    points.push_back({R * std::cos(angle), R * std::sin(angle), 0});
  }
  for (int k = 0; k < count; ++k) lines.push_back({2 * k, (2 * k + 2) % (2 * count), 2 * k + 1});
  return {points, lines};
}

}  // namespace

TEST_CASE("cells in any order and direction become a line in the direction of the first one", "[serial]") {
  const std::vector<Point3> points{{3, 0, 0}, {0, 0, 0}, {2, 1, 0}, {4, 0, 0}, {1, 0, 0}};
  const Curve forward(points, {{4, 2}, {3, 0}, {4, 1}, {0, 2}});
  CHECK(along_x(forward.path()) == std::vector<double>{0, 1, 2, 3, 4});
  CHECK(forward.path().corners() == std::vector<int>{0, 1, 2, 3, 4});
  const Curve backward(points, {{2, 4}, {3, 0}, {4, 1}, {0, 2}});
  CHECK(along_x(backward.path()) == std::vector<double>{4, 3, 2, 1, 0});
  CHECK(along_x(Curve(points, {{1, 4}}).path()) == std::vector<double>{0, 1});
}

TEST_CASE("a closed line begins with the first cell and goes its way", "[serial]") {
  const std::vector<Point3> points{{0, 0, 0}, {1, 0, 0}, {2, 2, 0}, {3, 5, 0}};
  const LinePath path = Curve(points, {{2, 1}, {0, 1}, {3, 0}, {2, 3}}).path(LineEnds::closed);
  CHECK(along_x(path) == std::vector<double>{2, 1, 0, 3});
  CHECK(path.corners() == std::vector<int>{0, 1, 2, 3, 4});
  CHECK(path.corner(4)[0] == 2);
  CHECK(path.num_elements() == 4);
  CHECK(path.middle()[0] == Approx(1.5));
}

TEST_CASE("a line passes the middle nodes of its cells, alone or among cells without", "[serial]") {
  const std::vector<Point3> points{{0, 0, 0}, {2, 0, 0}, {1, 0.1, 0}, {3, 0, 0}, {5, 0, 0}, {4, 0.1, 0}};
  const LinePath path = Curve(points, {{4, 3, 5}, {1, 3}, {0, 1, 2}}).path();
  CHECK(along_x(path) == std::vector<double>{0, 1, 2, 3, 4, 5});  // cells of first order come first: {1, 3} runs from 2 to 3
  CHECK(path.corners() == std::vector<int>{0, 2, 3, 5});
}

TEST_CASE("along a circle tangents are its own, and elements are not stretched", "[serial]") {
  const double R = 0.4;
  const int count = 9;
  const LinePath path = circle(R, count).path(LineEnds::closed);
  const double x = std::numbers::pi / count;
  for (int k = 0; k < count; ++k) {
    const Vec3<double>&p = path.corner(k), t = path.tangent(k);
    CHECK(dot(p, t) == Approx(0).margin(1e-15));
    CHECK(cross(p, t)[2] == Approx(R));
    const double length = path.element_length(k);
    CHECK(length == Approx(3 * R * std::sin(x) / (1 + 0.5 * std::cos(x))).epsilon(1e-14));
    const Vec3<double> slope =
        (1.5 / length) * (path.corner(k + 1) - p) - 0.25 * (t + path.tangent((k + 1) % count));  // of the cubic in its middle
    CHECK(norm(slope) == Approx(1).epsilon(1e-14));
  }
}

TEST_CASE("without middle nodes elements are as long as their chords, and parts of the length are found", "[serial]") {
  const LinePath path = Curve({{0, 0, 0}, {1, 0, 0}, {1, 3, 0}, {5, 3, 0}}, {{0, 1}, {1, 2}, {2, 3}}).path();
  CHECK(path.element_length(1) == 3);
  CHECK(path.length() == 8);
  CHECK(path.part_before(2) == 0.5);
  CHECK(path.turn(1) == Approx(std::numbers::pi / 2));
  for (const auto& [part, element, xi] : {std::tuple{0.0, 0, 0.0},
                                          {0.0625, 0, 0.5},
                                          {0.25, 1, 1.0 / 3},
                                          {0.75, 2, 0.5},
                                          {1.0, 2, 1.0},
                                          {2.0, 2, 1.0},
                                          {-1.0, 0, 0.0}}) {
    const CableStation found = path.station(part);
    INFO(part);
    CHECK(found.element == element);
    CHECK(found.xi == Approx(xi).margin(1e-15));
  }
}

TEST_CASE("what is no line is refused by file, line and element", "[serial]") {
  const std::vector<Point3> points{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0.5, 0, 0}};
  struct Row {
    std::vector<std::vector<int>> lines;
    LineEnds ends;
    std::vector<std::string> said;
  };
  constexpr LineEnds open = LineEnds::open, closed = LineEnds::closed;
  const std::vector<Row> rows{
      {{{0, 1}, {1, 2}, {1, 4}},
       open,
       {"net.msh:23: element 13 (line2): a third element of group \"rope\" at (1, 0, 0)", "element 11 (line2) and element 12",
        "no branches (take a physical group and a body for each branch)"}},
      {{{0, 1}, {2, 3}}, open, {"net.msh:22: element 12 (line2)", "falls into pieces", "of 1 of 2 elements", "(2, 0, 0)"}},
      {{{0, 1}, {5, 2}}, open, {"net.msh:22:", "falls into pieces", "`Coherence Mesh`"}},
      {{{0, 1}, {2, 3}, {3, 4}, {4, 2}}, open, {"net.msh:22:", "falls into pieces", "of 1 of 4 elements"}},
      {{{0, 1}, {1, 4}, {4, 0}}, open, {"net.msh:21: element 11 (line2)", "comes back to where it starts", "type: ring"}},
      {{{1, 2}, {0, 1}}, closed, {"net.msh:21: element 11", "does not close: it ends here, at (2, 0, 0)", "type: cable"}},
      {{{0, 1}, {1, 0}}, closed, {"net.msh:22: element 12", "joins the same two nodes", "element 11 (line2)"}},
      {{{0, 1}, {1, 2}, {2, 1, 4}}, open, {"net.msh:23: element 13 (line3)", "joins the same two nodes", "element 12 (line2)"}},
      {{{0, 1}, {1, 5}}, open, {"net.msh:22: element 12 (line2): it has no length", "(1, 0, 0)"}},
      {{{0, 1}, {2, 2}}, open, {"net.msh:22: element 12 (line2): it has no length"}},
      {{{0, 1, 5}}, open, {"net.msh:21: element 11 (line3): its middle node lies at one of its ends"}},
      {{{0, 1}, {1, 6}}, open, {"net.msh:22: element 12 (line2)", "turns right round at (1, 0, 0)"}},
      {{{0, 2, 3}}, open, {"net.msh:21: element 11 (line3)", "turns right round at (3, 0, 0)"}},
      {{}, open, {"net.msh: group \"rope\" has no elements"}},
  };
  for (const Row& row : rows) {
    const std::string fault = Curve(points, row.lines).fault(row.ends);
    INFO(fault);
    for (const std::string& fragment : row.said) test::check_contains(fault, fragment);
  }
}
