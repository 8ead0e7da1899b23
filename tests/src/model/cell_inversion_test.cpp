#include "model/cell_inversion.hpp"

#include "kernels/shape/hex8.hpp"
#include "kernels/shape/prism.hpp"
#include "kernels/shape/tet10.hpp"
#include "model/mesh_measure.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <random>

using namespace sinew;

namespace {

/// Positive at corners and points of quadrature, det = -0.13 in the centre.
const std::vector<Point3> twisted_hex = {{-1.2, -1.9, -0.2}, {2.0, -0.9, -0.7}, {2.0, -1.4, 2.0}, {-1.3, 1.3, -0.3},
                                         {-0.8, 0.4, 0.7},   {1.6, -2.0, -1.1}, {1.2, -1.5, 0.3}, {-1.0, 2.0, 0.9}};
/// The same with det = -0.70 within a face.
const std::vector<Point3> bent_tet = {{0, 0, 0},
                                      {1, 0, 0},
                                      {0, 1, 0},
                                      {0, 0, 1},
                                      {0.64, -0.21, 0.05},
                                      {0.71, 0.57, -0.25},
                                      {-0.19, 0.45, -0.14},
                                      {0.3, 0.29, 0.25},
                                      {-0.06, 0.72, 0.75},
                                      {0.84, 0.09, 0.84}};

template <class Shape>
double determinant_at(const std::vector<Point3>& nodes, const Vec3<double>& xi) {
  double dN[3][Shape::num_nodes];
  Shape::gradients(xi, dN);
  Mat3<double> J;
  for (int a = 0; a < Shape::num_nodes; ++a)
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) J(i, k) += dN[k][a] * nodes[static_cast<std::size_t>(a)][static_cast<std::size_t>(i)];
  return determinant(J);
}

/// The smallest det over a grid of 1/n.
template <class Shape>
double least_on_grid(const std::vector<Point3>& nodes, int n) {
  const bool is_hex = Shape::num_nodes == 8, is_prism = Shape::num_nodes == 6;
  double least = HUGE_VAL;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= (is_hex ? n : n - i); ++j)
      for (int k = 0; k <= (is_hex || is_prism ? n : n - i - j); ++k) {
        const double x = double(i) / n, y = double(j) / n, z = double(k) / n;
        const Vec3<double> xi =
            is_hex ? Vec3<double>{{2 * x - 1, 2 * y - 1, 2 * z - 1}} : Vec3<double>{{x, y, is_prism ? 2 * z - 1 : z}};
        least = std::min(least, determinant_at<Shape>(nodes, xi));
      }
  return least;
}

/// Random cells of all kinds of distortion, judged as a fine grid judges them.
template <class Shape>
void compare_with_grid(CellShape shape, double most) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  int inverted = 0, sound = 0;
  for (int n = 0; n < 400; ++n) {
    const double size = most * (n % 20 + 1) / 20;
    std::vector<Point3> nodes;
    for (int a = 0; a < Shape::num_nodes; ++a) {
      const Vec3<double> x = Shape::node(a);
      nodes.push_back({x[0] + size * unit(random), x[1] + size * unit(random), x[2] + size * unit(random)});
    }
    const double least = least_on_grid<Shape>(nodes, 12);
    const auto found = inverted_quality(nodes, shape);
    INFO("distorted by " << size << ", least on the grid " << least);
    if (least <= 0) CHECK(found);
    if (least > 0.05) CHECK(!found);
    if (found) CHECK(*found <= 0);
    ++(found ? inverted : sound);
  }
  CHECK(inverted > 50);
  CHECK(sound > 50);
}

}  // namespace

TEST_CASE("A cell that is inside out between the points of integration is found", "[serial]") {
  CHECK(worst_quality(twisted_hex, check_table(CellShape::hex8)) > 0);
  CHECK(determinant_at<Hex8>(twisted_hex, {}) < 0);
  REQUIRE(inverted_quality(twisted_hex, CellShape::hex8));
  CHECK(*inverted_quality(twisted_hex, CellShape::hex8) < 0);
  CHECK(worst_quality(bent_tet, check_table(CellShape::tet10)) > 0);
  CHECK(least_on_grid<Tet10>(bent_tet, 12) < 0);
  REQUIRE(inverted_quality(bent_tet, CellShape::tet10));
}

TEST_CASE("Cells are inside out where a fine grid of points says so", "[serial]") {
  compare_with_grid<Hex8>(CellShape::hex8, 1.8);
  compare_with_grid<Tet10>(CellShape::tet10, 0.4);
  compare_with_grid<Tet4>(CellShape::tet4, 1.2);
  compare_with_grid<Prism6>(CellShape::prism6, 1.2);
}

TEST_CASE("Flat cells count as inside out, and undistorted ones do not however thin they are", "[serial]") {
  std::vector<Point3> plate;
  for (int a = 0; a < 8; ++a) {
    const Vec3<double> x = Hex8::node(a);
    plate.push_back({x[0], x[1], 1e-9 * x[2]});
  }
  CHECK(!inverted_quality(plate, CellShape::hex8));
  for (Point3& x : plate) x[2] = 0;
  CHECK(inverted_quality(plate, CellShape::hex8));
}
