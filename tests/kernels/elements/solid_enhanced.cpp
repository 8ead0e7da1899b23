// Hexahedra with enhanced strains: bending, nearly incompressible material, stability, against closed forms.

#include "tests/catch.hpp"
#include "tests/kernels/elements/all_solids.hpp"
#include "tests/kernels/elements/element_checks.hpp"

#include <array>
#include <cstring>
#include <functional>

namespace sinew {
namespace {

using EnhancedSolids = std::tuple<Hex8SaintVenant, Hex8Linear, Hex8NeoHookean>;
using EnhancedFiniteStrainSolids = std::tuple<Hex8SaintVenant, Hex8NeoHookean>;

/// A block of elements, numbered along x first, then y, then z, and mapped to where `place` puts them.
struct Block {
  std::array<std::size_t, 3> cells;
  std::vector<Vec3<double>> x;
  std::vector<std::array<std::size_t, 8>> elements;

  Block(std::array<std::size_t, 3> count, const std::function<Vec3<double>(const Vec3<double>&)>& place) : cells(count) {
    const auto [nx, ny, nz] = count;
    for (std::size_t k = 0; k <= nz; ++k)
      for (std::size_t j = 0; j <= ny; ++j)
        for (std::size_t i = 0; i <= nx; ++i)
          x.push_back(place(Vec3<double>{{double(i) / double(nx), double(j) / double(ny), double(k) / double(nz)}}));
    for (std::size_t k = 0; k < nz; ++k)
      for (std::size_t j = 0; j < ny; ++j)
        for (std::size_t i = 0; i < nx; ++i) {
          const std::size_t n = node(i, j, k), row = nx + 1, layer = row * (ny + 1);
          elements.push_back({n, n + 1, n + 1 + row, n + row, n + layer, n + 1 + layer, n + 1 + row + layer, n + row + layer});
        }
  }
  std::size_t node(std::size_t i, std::size_t j, std::size_t k) const { return i + (cells[0] + 1) * (j + (cells[1] + 1) * k); }
};

/// Small displacements under `load`; degrees of freedom in `held` do not move.
template <class E>
Vector displacements(const Block& block, double youngs, double nu, const std::vector<std::size_t>& held, const Vector& load) {
  typename E::Material material;
  material.law = LameConstants::from_youngs(youngs, nu);
  material.density = 1;
  Matrix K = zero_matrix(load.size());
  Vector f = load;
  for (const auto& nodes : block.elements) {
    Vec3<double> x[8];
    for (std::size_t a = 0; a < 8; ++a) x[a] = block.x[nodes[a]];
    const auto p = E::make(x, material);
    const Matrix k = hand_tangent<E>(p, E::example_reference(p), 1, 0);
    for (std::size_t i = 0; i < 24; ++i)
      for (std::size_t j = 0; j < 24; ++j) K[3 * nodes[i / 3] + i % 3][3 * nodes[j / 3] + j % 3] += k[i][j];
  }
  for (const std::size_t n : held) {
    for (std::size_t m = 0; m < f.size(); ++m) K[n][m] = K[m][n] = 0;
    K[n][n] = 1;
    f[n] = 0;
  }
  return solve(K, f);
}

/// How far a node between the ends of a cantilever lies off, along the beam, in m; r: its place in the unit cube.
using Shift = std::function<double(const Vec3<double>& r)>;

/// Up to `size`, by chance.
Shift irregular(double size) {
  return [size](const Vec3<double>& r) { return size * std::sin(37 * 2 * r[0] + 91 * 0.1 * r[1] + 50 * 0.1 * r[2]); };
}
/// Faces inclined the same way, or by turns.
Shift parallelograms(double size) {
  return [size](const Vec3<double>& r) { return size * (2 * r[2] - 1); };
}
Shift trapezoids(double size) {
  return [size](const Vec3<double>& r) { return (std::lround(20 * r[0]) % 2 == 1 ? size : -size) * (2 * r[2] - 1); };
}

/// The tip of a cantilever of 20 x 1 x 1 elements, 2 x 0.1 x 0.1, under a transverse force, over that of beam theory with shear.
template <class E>
double tip_ratio(double nu, const Shift& shift = parallelograms(0)) {
  const Block block({20, 1, 1}, [&shift](const Vec3<double>& r) {
    Vec3<double> x{{2 * r[0], 0.1 * r[1], 0.1 * r[2]}};
    if (r[0] > 0 && r[0] < 1) x[0] += shift(r);
    return x;
  });
  std::vector<std::size_t> held;
  Vector load(3 * block.x.size(), 0.0);
  for (std::size_t c = 0; c < 4; ++c) {
    for (std::size_t i = 0; i < 3; ++i) held.push_back(3 * block.node(0, c % 2, c / 2) + i);
    load[3 * block.node(20, c % 2, c / 2) + 2] = 0.25;
  }
  const Vector u = displacements<E>(block, 1, nu, held, load);
  const double inertia = 1e-4 / 12, area = 0.01, shear = 0.5 / (1 + nu);
  return u[3 * block.node(20, 0, 0) + 2] / (8.0 / 3 / inertia + 2 / (5.0 / 6 * shear * area));
}

/// The inner radial displacement of a thick cylinder under inner pressure in plane strain over Lame's, mesh of MacNeal and Harder
/// (1985), Finite Elements in Analysis and Design 1, 3-20: radii 3 to 9, ten degrees an element.
template <class E>
double cylinder_ratio(double nu) {
  constexpr double radii[] = {3, 3.5, 4.2, 5.2, 6.75, 9};
  const double step = std::acos(-1.0) / 18;
  const Block block({5, 9, 1}, [&](const Vec3<double>& r) {
    const double radius = radii[std::lround(5 * r[0])], angle = 9 * step * r[1];
    return Vec3<double>{{radius * std::cos(angle), radius * std::sin(angle), r[2]}};
  });
  std::vector<std::size_t> held;
  Vector load(3 * block.x.size(), 0.0);
  for (std::size_t n = 0; n < block.x.size(); ++n) {
    held.push_back(3 * n + 2);
    if (block.x[n][1] < 1e-9) held.push_back(3 * n + 1);
    if (block.x[n][0] < 1e-9) held.push_back(3 * n);
  }
  for (std::size_t j = 0; j < 9; ++j)
    for (std::size_t c = 0; c < 4; ++c) {
      const double angle = (double(j) + 0.5) * step, force = 3 * 2 * std::sin(step / 2) / 4;
      load[3 * block.node(0, j + c % 2, c / 2)] += force * std::cos(angle);
      load[3 * block.node(0, j + c % 2, c / 2) + 1] += force * std::sin(angle);
    }
  const double youngs = 1000;
  const Vector u = displacements<E>(block, youngs, nu, held, load);
  return u[3 * block.node(0, 0, 0)] / ((1 + nu) * 9 / (youngs * 72) * (81.0 / 3 + (1 - 2 * nu) * 3));
}

template <class E>
typename E::Params box_element(const Vec3<double>& size, double nu, double distortion = 0) {
  typename E::Material material;
  material.law = LameConstants::from_youngs(1, nu);
  material.density = 1;
  Sampler sample(5);
  Vec3<double> x[8];
  for (int a = 0; a < 8; ++a) {
    x[a] = Hex8::node(a) + sample.vector(distortion);
    for (int i = 0; i < 3; ++i) x[a][i] *= 0.5 * size[i];
  }
  return E::make(x, material);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("One enhanced hexahedron over the thickness bends as a beam does", "[serial]", EnhancedSolids) {
  CHECK(tip_ratio<TestType>(0.0) == Approx(1).epsilon(0.01));
  CHECK(tip_ratio<TestType>(0.3) == Approx(1).epsilon(0.01));
  CHECK(tip_ratio<TestType>(0.499) == Approx(1).epsilon(0.015));
  CHECK(tip_ratio<PlainHex8Linear>(0.3) == Approx(0.646).epsilon(0.01));  // what it is there for
}

TEST_CASE("Distorted hexahedra bend less, enhanced or not", "[serial]") {
  CHECK(tip_ratio<Hex8Linear>(0.3, irregular(0.02)) == Approx(0.926).epsilon(0.002));
  CHECK(tip_ratio<Hex8Linear>(0.3, irregular(0.04)) == Approx(0.774).epsilon(0.002));
  CHECK(tip_ratio<Hex8Linear>(0.499, irregular(0.04)) == Approx(0.772).epsilon(0.002));
  CHECK(tip_ratio<PlainHex8Linear>(0.3, irregular(0.02)) == Approx(0.608).epsilon(0.005));
  CHECK(tip_ratio<Hex8Linear>(0.3, trapezoids(0.01)) == Approx(0.920).epsilon(0.002));
  CHECK(tip_ratio<Hex8Linear>(0.3, trapezoids(0.025)) == Approx(0.661).epsilon(0.002));
  CHECK(tip_ratio<Hex8Linear>(0.3, parallelograms(0.05)) == Approx(0.979).epsilon(0.002));
  CHECK(tip_ratio<PlainHex8Linear>(0.3, parallelograms(0.05)) == Approx(0.194).epsilon(0.005));
}

TEMPLATE_LIST_TEST_CASE("A nearly incompressible thick cylinder does not lock", "[serial]", EnhancedSolids) {
  for (const double nu : {0.3, 0.49, 0.499, 0.4999}) {
    CAPTURE(nu);
    CHECK(cylinder_ratio<TestType>(nu) == Approx(1).epsilon(0.02));
  }
  CHECK(cylinder_ratio<PlainHex8Linear>(0.499) < 0.4);
}

TEMPLATE_LIST_TEST_CASE("An enhanced brick holds the energy of pure bending exactly", "[serial]", EnhancedSolids) {
  const double nu = 0.3, kappa = 1e-4, L = 2, b = 1, h = 0.5;
  const auto p = box_element<TestType>(Vec3<double>{{L, b, h}}, nu);
  auto z = TestType::example_reference(p);
  for (auto& r : z.x) {
    const double X = r[0], Y = r[1], Z = r[2];
    r += kappa * Vec3<double>{{-X * Z, nu * Y * Z, 0.5 * (X * X + nu * (Z * Z - Y * Y))}};
  }
  CHECK(TestType::strain_energy(p, z) == Approx(0.5 * (b * h * h * h / 12) * kappa * kappa * L).epsilon(1e-3));
}

TEMPLATE_LIST_TEST_CASE("Enhanced hexahedra have six rigid motions and no others without energy, flat and distorted", "[serial]",
                        EnhancedSolids) {
  for (const Vec3<double>& size : {Vec3<double>{{1, 1, 1}}, Vec3<double>{{10, 10, 1}}, Vec3<double>{{10, 1, 1}}})
    for (const double distortion : {0.0, 0.3})
      for (const double nu : {0.0, 0.3, 0.499}) {
        CAPTURE(size[0], size[1], distortion, nu);
        const auto p = box_element<TestType>(size, nu, distortion);
        const Spectrum s = spectrum(hand_tangent<TestType>(p, TestType::example_reference(p), 1, 0));
        CHECK(s.zeros == 6);
        CHECK(s.negative == 0);
      }
}

TEMPLATE_LIST_TEST_CASE("At large strains forces of enhanced hexahedra are the gradient of the energy, and the tangent theirs",
                        "[serial]", EnhancedFiniteStrainSolids) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const auto p = box_element<TestType>(Vec3<double>{{2, 2, 2}}, 0.45, 0.2);
    auto z = disturbed<typename TestType::States, 8>(TestType::example_reference(p), seed, 0.25);
    CHECK(energy_gradient_error<TestType>(p, z) < 1e-7 * largest(hand_tangent<TestType>(p, z, 1, 0)));
    const Matrix dual = dual_tangent<TestType>(p, z, 1, 0);
    CHECK(largest_difference(hand_tangent<TestType>(p, z, 1, 0), dual) < 1e-12 * largest(dual));
  }
}

/// Hooke's law without what is known of it in closed form: its elements iterate.
struct IteratedSaintVenant : SaintVenantKirchhoff {
  static constexpr EnergyForm energy_form = EnergyForm::other;
  template <class P, class S>
  KOKKOS_INLINE_FUNCTION static StrainModuli<S> strain_moduli(const LameConstantsOf<P>& m, const Mat3<S>& E) {
    return {S(m.lambda), S(m.mu), identity<S, 3>(), hooke(m, E)};
  }
};

TEST_CASE("The closed form of enhanced hexahedra is the minimum that others iterate for", "[serial]") {
  using Closed = Hex8SaintVenant;
  using Iterated = EnhancedSolid<IteratedSaintVenant>;
  for (unsigned seed = 0; seed < 4; ++seed)
    for (const double viscosity : {0.0, 0.3}) {
      CAPTURE(seed, viscosity);
      auto p = box_element<Closed>(Vec3<double>{{2, 3, 1}}, 0.45, 0.2);
      p.material.viscosity = viscosity;
      Iterated::Params other;
      static_assert(sizeof other == sizeof p);
      std::memcpy(static_cast<void*>(&other), &p, sizeof p);
      auto z = disturbed<Closed::States, 8>(Closed::example_reference(p), seed, 0.25);
      for (auto& v : z.v) v = 0.1 * z.x[seed % 8];
      CHECK(Iterated::strain_energy(other, z) == Approx(Closed::strain_energy(p, z)).epsilon(1e-13));
      const Matrix K = hand_tangent<Closed>(p, z, 1, 0.3);
      CHECK(largest_difference(hand_tangent<Iterated>(other, z, 1, 0.3), K) < 1e-12 * largest(K));
      const Environment none{};
      Closed::ForcesOf<double> f, g;
      Closed::force(p, none, nullptr, z, f);
      Iterated::force(other, none, nullptr, z, g);
      for (int a = 0; a < 8; ++a) CHECK(norm(f.f[a] - g.f[a]) < 1e-13);
    }
}

/// The neo-Hookean law without its closed form.
struct IteratedNeoHookean : NeoHookean {
  static constexpr EnergyForm energy_form = EnergyForm::other;
};

TEST_CASE("The neo-Hookean closed form is the law to the third order of strains that are not even", "[serial]") {
  using Closed = Hex8NeoHookean;
  using Iterated = EnhancedSolid<IteratedNeoHookean>;
  const auto other = [](const Closed::Params& p) {
    Iterated::Params q;
    static_assert(sizeof q == sizeof p);
    std::memcpy(static_cast<void*>(&q), &p, sizeof p);
    return q;
  };
  for (const double nu : {0.0, 0.3, 0.499}) {
    CAPTURE(nu);
    const auto p = box_element<Closed>(Vec3<double>{{2, 3, 1}}, nu, 0.2);
    const auto rest = Closed::example_reference(p);
    const Matrix K = hand_tangent<Closed>(p, rest, 1, 0);
    CHECK(largest_difference(hand_tangent<Iterated>(other(p), rest, 1, 0), K) < 1e-12 * largest(K));
    // Displaced by chance a third order is left, in pure bending of a brick none.
    const auto difference = [&](double size, bool bent) {
      const auto element = box_element<Closed>(Vec3<double>{{2, 3, 1}}, nu, bent ? 0 : 0.2);
      auto z = Closed::example_reference(element);
      if (!bent) z = disturbed<Closed::States, 8>(z, 3, size);
      if (bent)
        for (auto& r : z.x) r += (size * r[0]) * Vec3<double>{{-r[2], 0, 0.5 * r[0]}};
      const double energy = Closed::strain_energy(element, z);
      return std::abs(Iterated::strain_energy(other(element), z) - energy) / energy;
    };
    CHECK(difference(0.01, false) / difference(0.005, false) == Approx(2).epsilon(0.25));
    CHECK(difference(0.01, false) < 0.003);
    CHECK(difference(0.05, true) < 5e-4);
    if (nu < 0.4) CHECK(difference(0.1, true) / difference(0.05, true) == Approx(4).epsilon(0.02));
  }
}

TEST_CASE("The vectors of an enhanced hexahedron: the mean gradient, and what no linear motion moves", "[serial]") {
  const auto p = box_element<Hex8Linear>(Vec3<double>{{2, 3, 1}}, 0.3, 0.3);
  const EnhancedGeometry<double>& geometry = p.geometry;
  Vec3<double> axis[3], f[7];
  EnhancedGeometry<double>::axes(p.x, axis);
  Sampler sample(11);
  Mat3<double> F;
  for (int k = 0; k < 9; ++k) F(k / 3, k % 3) = sample.uniform(-1, 1);
  double moved[3][8], field[3][8], weights[7][8], taken[3][8] = {};
  for (int a = 0; a < 8; ++a) {
    const Vec3<double> x = F * Vec3<double>{{p.x[0][a], p.x[1][a], p.x[2][a]}};
    for (int i = 0; i < 3; ++i) {
      moved[i][a] = x[i] + 5;
      field[i][a] = sample.uniform(-1, 1);
    }
  }
  geometry.gather(moved, f);
  for (int k = 0; k < 3; ++k) CHECK(norm(f[k] - F * axis[k]) < 1e-13);
  for (int k = 3; k < 7; ++k) CHECK(norm(f[k]) < 1e-13);
  // One matrix, and its transpose.
  geometry.gather(field, f);
  geometry.weights(weights);
  Vec3<double> t[7];
  for (auto& x : t) x = sample.vector(1);
  geometry.subtract(t, taken);
  double work = 0;
  for (int i = 0; i < 3; ++i)
    for (int A = 0; A < 7; ++A) {
      double sum = 0;
      for (int a = 0; a < 8; ++a) sum += weights[A][a] * field[i][a];
      CHECK(f[A][i] == Approx(sum).margin(1e-14));
      work += t[A][i] * sum;
    }
  for (int i = 0; i < 3; ++i)
    for (int a = 0; a < 8; ++a) work += taken[i][a] * field[i][a];
  CHECK(work == Approx(0).margin(1e-13));
}

/// The smallest eigenvalue of a brick stretched along z between plates without friction, its sides free.
template <class E>
double stability(const Vec3<double>& size, double stretch) {
  const auto p = box_element<E>(size, 0.3);
  double low = 0.3, high = 3;  // the sides' stretch, by bisection
  for (int n = 0; n < 60; ++n) {
    const double middle = 0.5 * (low + high);
    Mat3<double> H;
    H(0, 0) = H(1, 1) = middle - 1;
    H(2, 2) = stretch - 1;
    (E::LawType::stress(p.material.law, H)(0, 0) > 0 ? high : low) = middle;
  }
  auto z = E::example_reference(p);
  for (auto& r : z.x) r = Vec3<double>{{low * r[0], low * r[1], stretch * r[2]}};
  Matrix K = hand_tangent<E>(p, z, 1, 0);
  for (std::size_t n = 2; n < 24; n += 3) {
    for (std::size_t m = 0; m < 24; ++m) K[n][m] = K[m][n] = 0;
    K[n][n] = 1;
  }
  for (std::size_t i = 0; i < 24; ++i)  // rigid motions between the plates
    for (std::size_t j = 0; j < 24; ++j) {
      const auto rotation = [&](std::size_t k) { return k % 3 == 0 ? -z.x[k / 3][1] : k % 3 == 1 ? z.x[k / 3][0] : 0.0; };
      K[i][j] += (i % 3 == j % 3 && i % 3 < 2 ? 1.0 : 0.0) + rotation(i) * rotation(j);
    }
  return eigenvalues(K).front();
}

TEMPLATE_LIST_TEST_CASE("An enhanced cube is stable to two thirds of its height, a flat brick until compressed by (h/L)^2/2",
                        "[serial]", EnhancedFiniteStrainSolids) {
  for (const double stretch : {2.0, 1.5, 1.2, 0.9, 0.8, 0.7}) {
    CAPTURE(stretch);
    CHECK(stability<TestType>(Vec3<double>{{1, 1, 1}}, stretch) > 0);
    CHECK(stability<TestType>(Vec3<double>{{1, 1, 4}}, stretch) > 0);
  }
  for (const double slenderness : {4.0, 10.0}) {
    const Vec3<double> size{{slenderness, slenderness, 1}};
    CHECK(stability<TestType>(size, 1 - 0.5 / (slenderness * slenderness)) > 0);
    CHECK(stability<TestType>(size, 1 - 2 / (slenderness * slenderness)) < 0);  // known: see docs/elements/solid.md
  }
}

TEST_CASE("The stress of an enhanced hexahedron in bending is that of the beam", "[serial]") {
  const double nu = 0.3, kappa = 1e-3;
  const auto p = box_element<Hex8Linear>(Vec3<double>{{2, 1, 0.5}}, nu);
  auto z = Hex8Linear::example_reference(p);
  for (auto& r : z.x) {
    const double X = r[0], Z = r[2] + 0.25;  // the neutral axis is the lower face
    r += kappa * Vec3<double>{{-X * Z, nu * r[1] * Z, 0.5 * (X * X + nu * (Z * Z - r[1] * r[1]))}};
  }
  double sigma[6];
  Hex8Linear::stress(p, z, sigma);
  CHECK(sigma[0] == Approx(-kappa * 0.25));
  for (int k = 1; k < 6; ++k) CHECK(sigma[k] == Approx(0).margin(1e-12));
}

}  // namespace sinew
