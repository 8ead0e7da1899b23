#include "model/cell_shape.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/shape/hex27.hpp"
#include "kernels/shape/hex8.hpp"
#include "kernels/shape/prism.hpp"
#include "kernels/shape/tet10.hpp"
#include "kernels/shape/tet4.hpp"
#include "tests/catch.hpp"

using namespace sinew;

namespace {

/// Every shape, in order.
std::vector<CellShape> all_shapes() {
  std::vector<CellShape> shapes(num_cell_shapes);
  for (std::size_t i = 0; i < shapes.size(); ++i) shapes[i] = static_cast<CellShape>(i);
  return shapes;
}

/// The largest distance between the nodes of `shape` and those of the element that the kernels compute with.
template <class Element>
double distance_from_kernel(CellShape shape) {
  double largest = shape_info(shape).num_nodes == Element::num_nodes ? 0 : 1;
  const auto nodes = reference_nodes(shape);
  for (int a = 0; a < Element::num_nodes; ++a) {
    const auto node = Element::node(a);
    for (int k = 0; k < 3; ++k) {
      largest = std::max(largest, std::abs(node[k] - nodes[static_cast<std::size_t>(a)][static_cast<std::size_t>(k)]));
    }
  }
  return largest;
}

}  // namespace

TEST_CASE("Meshes and kernels agree about the order of nodes", "[serial]") {
  CHECK(distance_from_kernel<Tet4>(CellShape::tet4) == 0);
  CHECK(distance_from_kernel<Tet10>(CellShape::tet10) == 0);
  CHECK(distance_from_kernel<Hex8>(CellShape::hex8) == 0);
  CHECK(distance_from_kernel<Hex20>(CellShape::hex20) == 0);
  CHECK(distance_from_kernel<Hex27>(CellShape::hex27) == 0);
  CHECK(distance_from_kernel<Prism6>(CellShape::prism6) == 0);
  CHECK(distance_from_kernel<Prism15>(CellShape::prism15) == 0);
  CHECK(distance_from_kernel<Prism18>(CellShape::prism18) == 0);
}

TEST_CASE("Shape functions add up to one and reproduce the reference cell", "[serial]") {
  for (const auto shape : all_shapes()) {
    CAPTURE(shape_info(shape).name);
    const auto n = static_cast<std::size_t>(shape_info(shape).num_nodes);
    const auto nodes = reference_nodes(shape);
    REQUIRE(nodes.size() == n);
    const auto& table = check_table(shape);
    for (std::size_t p = 0; p < static_cast<std::size_t>(table.num_points); ++p) {
      double sum = 0;
      double gradient_error = 0;  // sum_a x_a[i] dN_a/dxi_k is the identity
      for (std::size_t a = 0; a < n; ++a) sum += table.values[p * n + a];
      for (std::size_t i = 0; i < static_cast<std::size_t>(shape_info(shape).dimension); ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
          double slope = 0;
          for (std::size_t a = 0; a < n; ++a) slope += nodes[a][i] * table.gradients[p * n + a][k];
          gradient_error = std::max(gradient_error, std::abs(slope - (i == k ? 1 : 0)));
        }
      }
      CHECK(std::abs(sum - 1) < 1e-13);
      CHECK(gradient_error < 1e-13);
    }
  }
}

TEST_CASE("Quadrature weights add up to the reference cell's length, area or volume", "[serial]") {
  for (const auto shape : all_shapes()) {
    CAPTURE(shape_info(shape).name);
    const auto& facts = shape_info(shape);
    double expected = std::pow(2, facts.dimension);
    if (facts.reference == ReferenceCell::simplex) expected = facts.dimension == 2 ? 1. / 2 : 1. / 6;
    if (facts.reference == ReferenceCell::prism) expected = 1;
    double sum = 0;
    for (const double weight : quadrature_table(shape).weights) sum += weight;
    CHECK(sum == Approx(expected).epsilon(1e-14));
  }
}

TEST_CASE("Quadrature integrates the squares of a shape's coordinates exactly", "[serial]") {
  for (const auto shape : all_shapes()) {
    CAPTURE(shape_info(shape).name);
    const auto& facts = shape_info(shape);
    if (facts.dimension == 0) continue;
    double expected = std::pow(2, facts.dimension) / 3;
    if (facts.reference == ReferenceCell::simplex) expected = facts.dimension == 2 ? 1. / 12 : 1. / 60;
    if (facts.reference == ReferenceCell::prism) expected = 1. / 6;
    const auto& table = quadrature_table(shape);
    const auto n = static_cast<std::size_t>(facts.num_nodes);
    double integral = 0;
    for (std::size_t p = 0; p < static_cast<std::size_t>(table.num_points); ++p) {
      double x = 0;
      for (std::size_t a = 0; a < n; ++a) x += table.values[p * n + a] * reference_nodes(shape)[a][0];
      integral += table.weights[p] * x * x;
    }
    CHECK(integral == Approx(expected).epsilon(1e-13));
  }
}

TEST_CASE("In VTK's order the nodes of edges and faces are where VTK has them", "[serial]") {
  struct Case {
    CellShape shape;
    std::vector<std::string> middles;  // the corners between which VTK's nodes behind the corners lie
  };
  const std::vector<Case> cases{
      {CellShape::tri6, {"01", "12", "20"}},
      {CellShape::tet10, {"01", "12", "20", "03", "13", "23"}},
      {CellShape::hex20, {"01", "12", "23", "30", "45", "56", "67", "74", "04", "15", "26", "37"}},
      {CellShape::hex27,
       {"01", "12", "23", "30", "45", "56", "67", "74", "04", "15", "26", "37", "0473", "1265", "0154", "3267", "0321", "4567",
        "01234567"}},
      {CellShape::prism15, {"01", "12", "20", "34", "45", "53", "03", "14", "25"}},
      {CellShape::prism18, {"01", "12", "20", "34", "45", "53", "03", "14", "25", "0143", "1254", "2035"}}};
  for (const auto& [shape, middles] : cases) {
    const auto nodes = reference_nodes(shape);
    const auto order = vtk_order(shape);
    const auto corners = static_cast<std::size_t>(shape_info(shape).num_corners);
    REQUIRE(order.size() == corners + middles.size());
    for (std::size_t m = 0; m < middles.size(); ++m) {
      CAPTURE(shape_info(shape).name, middles[m]);
      const auto& node = nodes[static_cast<std::size_t>(order[corners + m])];
      for (std::size_t k = 0; k < 3; ++k) {
        double mean = 0;
        for (const char c : middles[m]) mean += nodes[static_cast<std::size_t>(c - '0')][k];
        CHECK(node[k] == mean / static_cast<double>(middles[m].size()));
      }
    }
  }
}
