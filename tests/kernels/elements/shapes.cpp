// Shape functions and quadratures against their definitions.

#include "kernels/shape/hermite.hpp"
#include "kernels/shape/hex27.hpp"
#include "kernels/shape/hex8.hpp"
#include "kernels/shape/prism.hpp"
#include "kernels/shape/tet10.hpp"

#include "tests/catch.hpp"
#include "tests/kernels/elements/element_checks.hpp"

namespace sinew {
namespace {

double factorial(int n) { return n < 2 ? 1.0 : n * factorial(n - 1); }
double power(double x, int n) { return n == 0 ? 1.0 : x * power(x, n - 1); }

/// Integral of x^i y^j z^k over the reference domain.
double exact_moment(const Tet4&, int i, int j, int k) {
  return factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + 3);
}
double exact_moment(const Tet10&, int i, int j, int k) { return exact_moment(Tet4{}, i, j, k); }
double exact_moment(const Hex8&, int i, int j, int k) {
  return i % 2 || j % 2 || k % 2 ? 0.0 : 8.0 / ((i + 1) * (j + 1) * (k + 1));
}

double exact_moment(const TriangularPrism&, int i, int j, int k) {
  return k % 2 ? 0.0 : factorial(i) * factorial(j) / factorial(i + j + 2) * 2 / (k + 1);
}

double exact_moment(const QuadraticHexahedron&, int i, int j, int k) { return exact_moment(Hex8{}, i, j, k); }

/// Largest error of a quadrature over all monomials of that total degree and lower ones.
template <class Shape, class Point>
double quadrature_error(int degree, int num_points, Point point) {
  double error = 0;
  for (int i = 0; i <= degree; ++i)
    for (int j = 0; i + j <= degree; ++j)
      for (int k = 0; i + j + k <= degree; ++k) {
        double sum = 0;
        for (int q = 0; q < num_points; ++q) {
          double weight;
          const Vec3<double> xi = point(q, weight);
          sum += weight * power(xi[0], i) * power(xi[1], j) * power(xi[2], k);
        }
        error = std::max(error, std::abs(sum - exact_moment(Shape{}, i, j, k)));
      }
  return error;
}

template <class Shape>
double stiffness_error(int degree) {
  return quadrature_error<Shape>(degree, Shape::num_stiffness_points,
                                 [](int q, double& w) { return Shape::stiffness_point(q, w); });
}
template <class Shape>
double mass_error(int degree) {
  return quadrature_error<Shape>(degree, Shape::num_mass_points, [](int q, double& w) { return Shape::mass_point(q, w); });
}

TEMPLATE_TEST_CASE("A shape function is one at its node, zero at the others, and they add up to one", "[serial]", Hex8, Hex20,
                   Hex27, Tet4, Tet10, Prism6, Prism15, Prism18) {
  constexpr int N = TestType::num_nodes;
  double values[N];
  for (int b = 0; b < N; ++b) {
    TestType::values(TestType::node(b), values);
    for (int a = 0; a < N; ++a) CHECK(values[a] == Approx(a == b ? 1.0 : 0.0).margin(1e-15));
  }
  TestType::values(Vec3<double>{{0.2, 0.3, 0.1}}, values);
  double sum = 0;
  for (double v : values) sum += v;
  CHECK(sum == Approx(1).epsilon(1e-14));
}

TEMPLATE_TEST_CASE("Gradients of shape functions agree with differences", "[serial]", Hex8, Hex20, Hex27, Tet4, Tet10, Prism6,
                   Prism15, Prism18) {
  constexpr int N = TestType::num_nodes;
  const Vec3<double> xi{{0.17, 0.31, 0.23}};
  double dN[3][N], plus[N], minus[N];
  TestType::gradients(xi, dN);
  for (int i = 0; i < 3; ++i) {
    Vec3<double> a = xi, b = xi;
    a[i] += 1e-5;
    b[i] -= 1e-5;
    TestType::values(a, plus);
    TestType::values(b, minus);
    for (int k = 0; k < N; ++k) CHECK(dN[i][k] == Approx((plus[k] - minus[k]) / 2e-5).margin(1e-9));
  }
}

TEMPLATE_TEST_CASE("Gradients at the points of the quadrature are sums over the nodes", "[serial]", Hex8, Hex20, Hex27, Tet4,
                   Tet10, Prism6, Prism15, Prism18) {
  Sampler sample(5);
  double u[3][TestType::num_nodes];
  for (auto& component : u)
    for (double& value : component) value = sample.uniform(-1, 1);
  const typename TestType::template PointGradients<double> gradients(u);
  for (int q = 0; q < TestType::num_stiffness_points; ++q) {
    double weight, dN[3][TestType::num_nodes];
    TestType::gradients(TestType::stiffness_point(q, weight), dN);
    const Mat3<double> D = gradients.at(q);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        double sum = 0;
        for (int a = 0; a < TestType::num_nodes; ++a) sum += u[i][a] * dN[k][a];
        CHECK(D(i, k) == Approx(sum).margin(1e-14));
      }
  }
}

TEST_CASE("The quadratures are exact to the degree they promise and no further", "[serial]") {
  CHECK(stiffness_error<Hex8>(3) < 1e-14);
  CHECK(stiffness_error<Hex8>(4) > 1e-3);
  CHECK(stiffness_error<Hex27>(5) < 1e-14);
  CHECK(stiffness_error<Hex27>(6) > 1e-3);
  CHECK(mass_error<Hex20>(5) < 1e-14);
  CHECK(stiffness_error<Tet4>(1) < 1e-15);
  CHECK(mass_error<Tet4>(2) < 1e-15);
  CHECK(stiffness_error<Tet10>(2) < 1e-15);
  CHECK(mass_error<Tet10>(5) < 1e-15);
  CHECK(mass_error<Tet10>(6) > 1e-6);
  CHECK(stiffness_error<Prism6>(2) < 1e-15);
  CHECK(stiffness_error<Prism6>(3) > 1e-3);
  CHECK(stiffness_error<Prism15>(4) < 1e-15);
  CHECK(mass_error<Prism18>(4) < 1e-15);
  CHECK(mass_error<Prism18>(5) > 1e-5);
}

TEST_CASE("The nodes of hexahedra, of prisms and of the quadratic tetrahedron stand in Gmsh's order", "[serial]") {
  const double hex[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
  for (int a = 0; a < 8; ++a)
    for (int i = 0; i < 3; ++i) CHECK(Hex8::node(a)[i] == hex[a][i]);
  const int hex_edges[12][2] = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {2, 6}, {3, 7}, {4, 5}, {4, 7}, {5, 6}, {6, 7}};
  const int hex_faces[6][2] = {{0, 2}, {0, 5}, {0, 7}, {1, 6}, {2, 7}, {4, 6}};  // opposite vertices
  for (int a = 0; a < 8; ++a) CHECK(norm(Hex27::node(a) - Hex8::node(a)) == 0);
  for (int k = 0; k < 12; ++k)
    CHECK(norm(Hex20::node(8 + k) - 0.5 * (Hex8::node(hex_edges[k][0]) + Hex8::node(hex_edges[k][1]))) == 0);
  for (int k = 0; k < 6; ++k)
    CHECK(norm(Hex27::node(20 + k) - 0.5 * (Hex8::node(hex_faces[k][0]) + Hex8::node(hex_faces[k][1]))) == 0);
  CHECK(norm(Hex27::node(26)) == 0);
  const double prism[6][3] = {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  for (int a = 0; a < 6; ++a)
    for (int i = 0; i < 3; ++i) CHECK(Prism6::node(a)[i] == prism[a][i]);
  // The middles of edges, and of the upright faces as those of opposite vertices.
  const int prism_middles[12][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 4}, {2, 5},
                                    {3, 4}, {3, 5}, {4, 5}, {0, 4}, {0, 5}, {1, 5}};
  for (int k = 0; k < 12; ++k)
    CHECK(norm(Prism18::node(6 + k) - 0.5 * (Prism6::node(prism_middles[k][0]) + Prism6::node(prism_middles[k][1]))) == 0);
  const int edges[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {2, 3}, {1, 3}};
  for (int k = 0; k < 6; ++k) CHECK(norm(Tet10::node(4 + k) - 0.5 * (Tet10::node(edges[k][0]) + Tet10::node(edges[k][1]))) == 0);
}

TEST_CASE("Hermite's functions carry any cubic, with its slope, curvature and integral", "[serial]") {
  const double L = 1.7;
  auto cubic = [](double S) { return 2 + S * (1 + S * (-3 + 0.5 * S)); };
  auto slope = [](double S) { return 1 + S * (-6 + 1.5 * S); };
  const double nodal[4] = {cubic(0), slope(0), cubic(L), slope(L)};
  double H[4], D[4], C[4], I[4], value = 0, first = 0, second = 0, integral = 0;
  const double xi = 0.37, S = xi * L;
  CubicHermite::values(xi, L, H);
  CubicHermite::slopes(xi, L, D);
  CubicHermite::curvatures(xi, L, C);
  CubicHermite::integrals(L, I);
  for (int i = 0; i < 4; ++i) {
    value += H[i] * nodal[i];
    first += D[i] * nodal[i];
    second += C[i] * nodal[i];
    integral += I[i] * nodal[i];
  }
  CHECK(value == Approx(cubic(S)).epsilon(1e-13));
  CHECK(first == Approx(slope(S)).epsilon(1e-13));
  CHECK(second == Approx(-6 + 3 * S).epsilon(1e-13));
  CHECK(integral == Approx(L * (2 + L * (0.5 + L * (-1 + 0.125 * L)))).epsilon(1e-13));
}

}  // namespace
}  // namespace sinew
