// Shells: constant strains in distorted elements, how many ways an element can go without energy, masses, drilling.

#include "tests/catch.hpp"
#include "tests/kernels/elements/element_checks.hpp"

#include "kernels/elements/shell.hpp"
#include "kernels/lie/rotation_vector.hpp"

#include <array>
#include <cmath>

namespace sinew {
namespace {

const ShellSection section{0.05, 1e3, 0.3, 2.0};

/// Corners of a flat element that is no parallelogram.
template <int N>
std::array<Vec3<double>, 4> corners() {
  return {Vec3<double>{{0, 0, 0}}, Vec3<double>{{1.1, 0.1, 0}}, Vec3<double>{{0.9, 1.2, 0}}, Vec3<double>{{-0.2, 0.8, 0}}};
}

template <int N>
typename Shell<N>::Params flat(const ShellSection& of = section) {
  const auto x = corners<N>();
  Vec3<double> X[N];
  for (std::size_t a = 0; a < N; ++a) X[a] = x[a];
  return Shell<N>::make(X, of);
}

template <int N>
double area() {
  double sum = 0;
  const auto p = flat<N>();
  for (int q = 0; q < Shell<N>::num_points; ++q) sum += p.weight[q];
  return sum;
}

/// The nodes displaced by u(X) and turned by the rotation vector theta(X).
template <int N, class Move>
typename Shell<N>::States moved(const Move& move) {
  typename Shell<N>::States z;
  const auto X = corners<N>();
  for (std::size_t a = 0; a < N; ++a) {
    Vec3<double> u, theta;
    move(X[a], u, theta);
    z.frame[a].x = X[a] + u;
    z.frame[a].R = RotationVector<double>(theta).matrix();
  }
  return z;
}

/// Strains that are the same everywhere have the energy of the law, to the second order of small ones.
template <int N>
void check_constant_strains() {
  constexpr double s = 1e-5;
  const double E = section.youngs_modulus, nu = section.poissons_ratio, t = section.thickness, G = E / (2 * (1 + nu));
  const double C = E * t / (1 - nu * nu), D = C * t * t / 12;
  const auto energy = [](const auto& move) { return Shell<N>::strain_energy(flat<N>(), moved<N>(move)) / (s * s * area<N>()); };
  using V = Vec3<double>;
  CHECK(energy([](const V& X, V& u, V&) { u[0] = s * X[0]; }) == Approx(C / 2).epsilon(1e-4));
  CHECK(energy([](const V& X, V& u, V&) {
          u[0] = s * X[0];
          u[1] = 0.5 * s * X[1];
        }) == Approx(C / 2 * (1 + 0.25 + nu)).epsilon(1e-4));
  // shear without rotation of the midsurface against the nodes
  CHECK(energy([](const V& X, V& u, V&) {
          u[0] = 0.5 * s * X[1];
          u[1] = 0.5 * s * X[0];
        }) == Approx(G * t / 2).epsilon(1e-4));
  // across: the surface tilts, or the nodes do
  CHECK(energy([](const V& X, V& u, V&) { u[2] = s * X[0]; }) == Approx(5.0 / 12 * G * t).epsilon(1e-4));
  CHECK(energy([](const V&, V&, V& theta) { theta[0] = s; }) == Approx(5.0 / 12 * G * t).epsilon(1e-4));
  // curvature and twist: w of second order, nodes along its slopes; the shears along all edges are nothing
  const auto bent = [](double xx, double yy, double xy) {
    return [=](const V& X, V& u, V& theta) {
      u[2] = s * (0.5 * xx * X[0] * X[0] + 0.5 * yy * X[1] * X[1] + xy * X[0] * X[1]);
      theta[0] = s * (yy * X[1] + xy * X[0]);
      theta[1] = -s * (xx * X[0] + xy * X[1]);
    };
  };
  CHECK(energy(bent(1, 0, 0)) == Approx(D / 2).epsilon(1e-4));
  CHECK(energy(bent(1, 1, 0)) == Approx(D * (1 + nu)).epsilon(1e-4));
  CHECK(energy(bent(0, 0, 1)) == Approx(D * (1 - nu)).epsilon(1e-4));
}

TEST_CASE("constant strains of distorted shells have the energy of the law", "[serial][elements][shell]") {
  check_constant_strains<3>();
  check_constant_strains<4>();
}

/// -df/dq about the start by central differences, in the parameters of the nodes.
template <int N>
Matrix stiffness(const typename Shell<N>::Params& p, const typename Shell<N>::States& start) {
  constexpr int D = Shell<N>::num_dofs;
  constexpr double h = 1e-6;
  Matrix K = zero_matrix(D);
  for (int j = 0; j < D; ++j)
    for (const double sign : {1.0, -1.0}) {
      auto z = start;
      const int a = j / 6, i = j % 6;
      if (i < 3) z.frame[a].x[i] += sign * h;
      Vec3<double> turn;
      if (i >= 3) turn[i - 3] = sign * h;
      z.frame[a].R = z.frame[a].R * RotationVector<double>(turn).matrix();
      typename Shell<N>::template ForcesOf<double> f;
      Shell<N>::force(p, Environment{}, nullptr, z, f);
      for (int b = 0; b < N; ++b)
        for (int k = 0; k < 3; ++k) {
          K[static_cast<std::size_t>(6 * b + k)][static_cast<std::size_t>(j)] -= sign * f.f[b].force[k] / (2 * h);
          K[static_cast<std::size_t>(6 * b + 3 + k)][static_cast<std::size_t>(j)] -= sign * f.f[b].moment[k] / (2 * h);
        }
    }
  for (std::size_t i = 0; i < D; ++i)
    for (std::size_t j = 0; j < i; ++j) K[i][j] = K[j][i] = 0.5 * (K[i][j] + K[j][i]);
  return K;
}

template <int N>
void check_rank() {
  const auto rest = moved<N>([](const Vec3<double>&, Vec3<double>&, Vec3<double>&) {});
  const Vector values = eigenvalues(stiffness<N>(flat<N>(), rest));
  const double largest_value = values.back();
  INFO(values[5] << " " << values[6] << " " << largest_value);
  CHECK(std::abs(values[5]) < 1e-8 * largest_value);
  CHECK(values[6] > 1e-7 * largest_value);  // bending: (t/h)^2
}

TEST_CASE("six motions of a shell's element have no energy, and no more", "[serial][elements][shell]") {
  check_rank<3>();
  check_rank<4>();
}

/// A distorted patch about an inner node, of quadrilaterals or of two triangles for each: where all nodes move as a constant
/// strain or curvature has it, nothing is left at the inner one.
template <int N>
void check_patch() {
  constexpr double s = 1e-5;
  std::vector<Vec3<double>> X;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) X.push_back({{double(i), double(j), 0}});
  X[4] = {{1.15, 0.8, 0}};
  X[1][0] = 0.9;
  X[3][1] = 1.2;
  std::vector<std::vector<std::size_t>> elements;
  for (const std::size_t n : {0, 1, 3, 4}) {
    if (N == 4)
      elements.push_back({n, n + 1, n + 4, n + 3});
    else
      elements.insert(elements.end(), {{n, n + 1, n + 4}, {n + 4, n + 3, n}});
  }
  using V = Vec3<double>;
  const auto left = [&](const auto& move) {
    Wrench<double> sum;
    double scale = 0;
    for (const double sign : {1.0, -1.0})  // the difference has no terms of the second order
      for (const auto& nodes : elements) {
        V x[N];
        typename Shell<N>::States z;
        for (std::size_t a = 0; a < N; ++a) {
          V u, theta;
          x[a] = X[nodes[a]];
          move(x[a], u, theta);
          z.frame[a].x = x[a] + sign * u;
          z.frame[a].R = RotationVector<double>(sign * theta).matrix();
        }
        typename Shell<N>::template ForcesOf<double> f;
        Shell<N>::force(Shell<N>::make(x, section), Environment{}, nullptr, z, f);
        for (std::size_t a = 0; a < N; ++a)
          if (nodes[a] == 4) {
            sum.force += sign * f.f[a].force;
            sum.moment += sign * f.f[a].moment;
            scale = std::max(scale, norm(f.f[a].force) + norm(f.f[a].moment));
          }
      }
    return (norm(sum.force) + norm(sum.moment)) / scale;
  };
  CHECK(left([](const V& x, V& u, V&) { u = V{{s * x[0], -0.4 * s * x[1], 0}}; }) < 1e-5);
  CHECK(left([](const V& x, V& u, V&) { u = V{{s * x[1], s * x[0], 0}}; }) < 1e-5);
  CHECK(left([](const V& x, V& u, V& theta) {
          u[2] = 0.5 * s * (x[0] * x[0] - x[1] * x[1] + x[0] * x[1]);
          theta = V{{s * (0.5 * x[0] - x[1]), -s * (x[0] + 0.5 * x[1]), 0}};
        }) < 1e-5);
}

TEST_CASE("a distorted patch of shells passes the patch test", "[serial][elements][shell]") {
  check_patch<3>();
  check_patch<4>();
}

template <int N>
void check_mass() {
  const auto p = flat<N>();
  Mat<double, 6 * N> M;
  Shell<N>::mass(p, M);
  double mass = 0, inertia = 0;
  for (int a = 0; a < N; ++a) {
    for (int b = 0; b < N; ++b) mass += M(6 * a, 6 * b);
    inertia += M(6 * a + 3, 6 * a + 3);
  }
  const double t = section.thickness;
  CHECK(mass == Approx(section.density * t * area<N>()));
  CHECK(inertia == Approx(section.density * t * t * t / 12 * area<N>()));
}

namespace {

/// Laid right round about an edge while its nodes do not turn, as an end that is pushed past its neighbours; and stood upright
/// between them, nearly.
template <int N>
void check_folding() {
  const auto p = flat<N>();
  const auto laid = [](double angle) {
    return moved<N>([angle](const Vec3<double>& X, Vec3<double>& u, Vec3<double>&) {
      u = {{X[0] * (std::cos(angle) - 1), 0, X[0] * std::sin(angle)}};
    });
  };
  constexpr double pi = 3.141592653589793;
  CHECK(Shell<N>::check(p, laid(0)) == Verdict::ok);
  CHECK(Shell<N>::check(p, laid(0.49 * pi)) == Verdict::ok);
  CHECK(Shell<N>::check(p, laid(0.51 * pi)) == Verdict::inverted);
  CHECK(Shell<N>::check(p, laid(pi)) == Verdict::inverted);
  // a motion as a whole is none of this
  const auto turned = moved<N>([](const Vec3<double>& X, Vec3<double>& u, Vec3<double>& theta) {
    theta = {{0, 3, 0}};
    u = RotationVector<double>(theta).matrix() * X - X;
  });
  CHECK(Shell<N>::check(p, turned) == Verdict::ok);
}

}  // namespace

TEST_CASE("a shell's element that faces against its directors is folded", "[serial][elements][shell]") {
  check_folding<3>();
  check_folding<4>();
}

TEST_CASE("a shell's element has the mass and rotary inertia of its volume", "[serial][elements][shell]") {
  check_mass<3>();
  check_mass<4>();
  CHECK(area<3>() == Approx(0.5 * (1.1 * 1.2 - 0.9 * 0.1)));
}

/// A turn of all nodes about the normal, far from the start, and bending in the plane: a rectangle goes along without the energy
/// of shear that places alone would have.
TEST_CASE("a quadrilateral bends in its plane without shear", "[serial][elements][shell]") {
  const Vec3<double> X[4] = {{{-1, -0.1, 0}}, {{1, -0.1, 0}}, {{1, 0.1, 0}}, {{-1, 0.1, 0}}};
  const auto p = Shell<4>::make(X, section);
  constexpr double k = 1e-5;
  Shell<4>::States z;
  for (int a = 0; a < 4; ++a) {
    const double x = X[a][0], y = X[a][1];
    z.frame[a].x = Vec3<double>{{x - k * x * y, y + 0.5 * k * (x * x - 1), 0}};
    z.frame[a].R = RotationVector<double>(Vec3<double>{{0, 0, k * x}}).matrix();
  }
  const double second_moment = section.thickness * std::pow(0.2, 3) / 12;
  const double exact = 0.5 * section.youngs_modulus * second_moment * k * k * 2;
  // beside the exact energy there is that of the drilling curvature, 7/10 D (1 - nu)/2 k^2 per area
  const double drilling = 0.5 * p.twisting * k * k * 0.4;
  CHECK(Shell<4>::strain_energy(p, z) == Approx(exact + drilling).epsilon(1e-3));
}

}  // namespace
}  // namespace sinew
