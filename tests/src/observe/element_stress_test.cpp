// Stress resultants of shells as they are written: constant strains of an element that is no parallelogram, turned as a whole.
#include "tests/catch.hpp"

#include "kernels/elements/shell.hpp"
#include "kernels/elements/solid_entry.hpp"
#include "kernels/lie/rotation_vector.hpp"
#include "observe/element_stress.hpp"

#include <array>
#include <string>

namespace sinew {
namespace {

constexpr double thickness = 0.05, youngs = 1e3, poisson = 0.3, small = 1e-5;
constexpr double stretching = youngs * thickness / (1 - poisson * poisson), bending = stretching * thickness * thickness / 12,
                 shearing = youngs / (2 * (1 + poisson)) * thickness;
using V = Vec3<double>;

/// Numbers of an element whose nodes are displaced by u(X) and turned by theta(X), and then turned by Q as a whole.
template <int N, class Move>
std::array<double, 22> resultants(const Mat3<double>& Q, const Move& move) {
  const V corner[4] = {{{0, 0, 0}}, {{1.1, 0.1, 0}}, {{0.9, 1.2, 0}}, {{-0.2, 0.8, 0}}};
  V X[N];
  for (int a = 0; a < N; ++a) X[a] = corner[a];
  const auto params = Shell<N>::make(X, ShellSection{thickness, youngs, poisson, 2.0});
  Frame<double> nodes[N];
  for (int a = 0; a < N; ++a) {
    V u, theta;
    move(X[a], u, theta);
    nodes[a] = {Q * (X[a] + u), Q * RotationVector<double>(theta).matrix()};
  }
  std::array<double, 22> numbers{};
  REQUIRE(stress_width(2) == 22);
  stress_function(Shell<N>::name)(reinterpret_cast<const double*>(&params), nodes, numbers.data());
  return numbers;
}

/// Q T Q^T at the tensor's place among the numbers.
void check_tensor(const std::array<double, 22>& numbers, int first, const Mat3<double>& Q, const Mat3<double>& T, double scale) {
  const Mat3<double> turned = Q * T * transpose(Q);
  for (int i = 0; i < 9; ++i)
    CHECK(numbers[static_cast<std::size_t>(first + i)] == Approx(turned(i / 3, i % 3)).margin(1e-3 * scale));
}

template <int N>
void check_resultants() {
  const Mat3<double> Q = RotationVector<double>(V{{0.4, -1.1, 0.7}}).matrix(), none;
  // stretched along x and half as much along y, sheared by .4
  const auto stretched = resultants<N>(Q, [](const V& X, V& u, V&) {
    u = small * V{{X[0] + 0.2 * X[1], 0.2 * X[0] + 0.5 * X[1], 0}};
  });
  Mat3<double> n;
  n(0, 0) = stretching * (1 + 0.5 * poisson);
  n(1, 1) = stretching * (0.5 + poisson);
  n(0, 1) = n(1, 0) = shearing * 0.4;
  check_tensor(stretched, 0, Q, small * n, small * stretching);
  check_tensor(stretched, 9, Q, none, small * bending);
  const double xx = n(0, 0), yy = n(1, 1), xy = n(0, 1);
  CHECK(stretched[21] == Approx(small / thickness * std::sqrt(xx * xx - xx * yy + yy * yy + 3 * xy * xy)).epsilon(1e-3));
  // w = x^2/2 + xy/5, nodes along its slopes: stretched on the lower face, where z < 0, by a positive w,xx
  const auto bent = resultants<N>(Q, [](const V& X, V& u, V& theta) {
    u[2] = small * (0.5 * X[0] * X[0] + 0.2 * X[0] * X[1]);
    theta = small * V{{0.2 * X[0], -(X[0] + 0.2 * X[1]), 0}};
  });
  Mat3<double> m;
  m(0, 0) = -bending;
  m(1, 1) = -bending * poisson;
  m(0, 1) = m(1, 0) = -bending * (1 - poisson) * 0.2;
  check_tensor(bent, 9, Q, small * m, small * bending);
  const double face = 6 / (thickness * thickness) * small;
  CHECK(
      bent[21] ==
      Approx(face * std::sqrt(m(0, 0) * m(0, 0) - m(0, 0) * m(1, 1) + m(1, 1) * m(1, 1) + 3 * m(0, 1) * m(0, 1))).epsilon(1e-3));
  // the surface tilts against its nodes along x and, half as much, along y
  const auto tilted = resultants<N>(Q, [](const V& X, V& u, V&) { u[2] = small * (X[0] + 0.5 * X[1]); });
  const V q = small * 5.0 / 6 * shearing * (Q * V{{1, 0.5, 0}});
  for (int i = 0; i < 3; ++i) CHECK(tilted[static_cast<std::size_t>(18 + i)] == Approx(q[i]).margin(1e-3 * small * shearing));
}

TEST_CASE("what a shell carries is written as forces, moments and shears per length, in global axes", "[serial][shell]") {
  SECTION("quadrilaterals") { check_resultants<4>(); }
  SECTION("triangles") { check_resultants<3>(); }
}

TEST_CASE("families that are neither solids nor shells have no stress to write", "[serial]") {
  CHECK(stress_function(registered_solids().front().family) != nullptr);
  CHECK(stress_function("cable") == nullptr);
}

}  // namespace
}  // namespace sinew
