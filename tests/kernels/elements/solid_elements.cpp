// Every solid element by itself: derivatives, rigid motions, spectra, mass, stress.

#include "tests/catch.hpp"
#include "tests/kernels/elements/all_solids.hpp"
#include "tests/kernels/elements/element_checks.hpp"

#include <string>

namespace sinew {
namespace {

bool everywhere(int /*node*/) { return true; }

template <class E>
typename E::States moved(const typename E::Params& p, const Mat3<double>& F, const Vec3<double>& shift) {
  auto z = E::example_reference(p);
  for (auto& x : z.x) x = shift + F * x;
  return z;
}

/// Mass, centre of mass and whether the mass matrix is positive definite.
template <class E>
Matrix mass_of(const typename E::Params& p) {
  Mat<double, E::num_dofs, E::num_dofs> M;
  E::mass(p, M);
  return to_matrix(M);
}

TEMPLATE_LIST_TEST_CASE("A solid's tangent is the derivative of its force, damping included", "[serial]", AllSolids) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    auto p = TestType::example(seed);
    p.material.alpha = seed < 2 ? 0.3 : 0;
    p.material.beta = seed > 1 ? 0.2 : 0;  // seed 2 has viscosity as well
    const auto z = disturbed<typename TestType::States, TestType::N>(TestType::example_reference(p), seed, 0.05);
    const Matrix dual = dual_tangent<TestType>(p, z, 1.3, 0.7);
    CHECK(largest_difference(hand_tangent<TestType>(p, z, 1.3, 0.7), dual) < 1e-13 * largest(dual));
  }
}

TEMPLATE_LIST_TEST_CASE("A solid's force is minus the gradient of its strain energy", "[serial]", AllSolids) {
  const auto p = TestType::example(1);
  const auto z = disturbed<typename TestType::States, TestType::N>(TestType::example_reference(p), 1, 0.05);
  CHECK(energy_gradient_error<TestType>(p, z) < 1e-7 * largest(hand_tangent<TestType>(p, z, 1, 0)));
}

TEMPLATE_LIST_TEST_CASE("A solid at rest has exactly six zero eigenvalues", "[serial]", AllSolids) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    const auto p = TestType::example(seed);
    const Spectrum s = spectrum(hand_tangent<TestType>(p, TestType::example_reference(p), 1, 0));
    CHECK(s.zeros == 6);
    CHECK(s.negative == 0);
    CHECK(s.smallest_positive > 1e-4);
  }
}

TEMPLATE_LIST_TEST_CASE("A turned solid with a rigid velocity bears no force, except under the small-strain law", "[serial]",
                        AllSolids) {
  const auto p = TestType::example(2);
  auto z = moved<TestType>(p, rotation(Vec3<double>{{1, -2, 0.5}}), Vec3<double>{{3, 1, 2}});
  const Vec3<double> omega{{0.3, 2, -1}};
  for (int a = 0; a < TestType::N; ++a) z.v[a] = cross(omega, z.x[a]) + Vec3<double>{{1, 2, 3}};
  if (TestType::frame_invariant)
    CHECK(largest_force<TestType>(p, z) < 1e-11 * p.material.law.mu);
  else
    CHECK(largest_force<TestType>(p, z) > 1e-2 * p.material.law.mu);
}

TEMPLATE_LIST_TEST_CASE("Damping leaves a solid alone that spins, however it is turned and strained", "[serial]",
                        FiniteStrainSolids) {
  auto p = TestType::example(1);  // without viscosity
  const Vec3<double> omega{{0.3, 2, -1}};
  Mat3<double> F = rotation(Vec3<double>{{1, -2, 0.5}});
  F = F * Mat3<double>{{{1.1, 0.1, 0}, {0.05, 0.9, -0.1}, {0, 0.1, 1.2}}};
  auto z = moved<TestType>(p, F, Vec3<double>{{3, 1, 2}});
  for (int a = 0; a < TestType::N; ++a) z.v[a] = cross(omega, z.x[a]) + Vec3<double>{{1, 2, 3}};
  const auto undamped = forces_of<TestType>(p, Environment{}, z);
  p.material.beta = 0.7;
  p.material.viscosity = 3;
  const auto damped = forces_of<TestType>(p, Environment{}, z);
  for (int a = 0; a < TestType::N; ++a) CHECK(norm(damped.f[a] - undamped.f[a]) < 1e-11 * p.material.law.mu);
}

TEMPLATE_LIST_TEST_CASE("Rayleigh's beta is beta K v in a body that is turned but not strained", "[serial]", FiniteStrainSolids) {
  auto p = TestType::example(1);
  const Mat3<double> R = rotation(Vec3<double>{{1, -2, 0.5}});
  const auto reference = TestType::example_reference(p);
  const Matrix K = hand_tangent<TestType>(p, reference, 1, 0);
  auto z = moved<TestType>(p, R, Vec3<double>{{3, 1, 2}});
  const auto disturbance = disturbed<typename TestType::States, TestType::N>(reference, 5, 0.05);
  for (int a = 0; a < TestType::N; ++a) z.v[a] = R * disturbance.v[a];
  p.material.beta = 0.7;
  const auto f = forces_of<TestType>(p, Environment{}, z);
  for (std::size_t a = 0; a < TestType::N; ++a) {
    Vec3<double> expected;
    for (std::size_t b = 0; b < TestType::N; ++b)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) expected.data[i] -= 0.7 * K[3 * a + i][3 * b + k] * disturbance.v[b].data[k];
    CHECK(norm(f.f[a] - R * expected) < 1e-11 * largest(K));
  }
}

TEMPLATE_LIST_TEST_CASE("A solid's forces turn with it", "[serial]", FiniteStrainSolids) {
  auto p = TestType::example(2);
  p.material.beta = 0.3;
  const auto z = disturbed<typename TestType::States, TestType::N>(TestType::example_reference(p), 5, 0.05);
  const Mat3<double> Q = rotation(Vec3<double>{{0.4, -1.1, 2.0}});
  auto turned = z;
  for (int a = 0; a < TestType::N; ++a) {
    turned.x[a] = Q * z.x[a];
    turned.v[a] = Q * z.v[a];
  }
  const auto f = forces_of<TestType>(p, Environment{}, z), g = forces_of<TestType>(p, Environment{}, turned);
  for (int a = 0; a < TestType::N; ++a) CHECK(norm(g.f[a] - Q * f.f[a]) < 1e-12 * largest_force<TestType>(p, z));
}

TEMPLATE_LIST_TEST_CASE("A solid's internal forces are in equilibrium, those of damping included", "[serial]",
                        FiniteStrainSolids) {
  auto p = TestType::example(2);
  p.material.beta = 0.3;
  const auto z = disturbed<typename TestType::States, TestType::N>(TestType::example_reference(p), 5, 0.05);
  CHECK(imbalance<TestType>(p, z, everywhere) < 1e-11 * largest_force<TestType>(p, z));
}

TEMPLATE_LIST_TEST_CASE("Viscosity and Rayleigh damping take power away", "[serial]", AllSolids) {
  auto p = TestType::example(1);
  for (int kind = 0; kind < 3; ++kind) {
    p.material.alpha = kind == 0 ? 0.5 : 0;
    p.material.beta = kind == 1 ? 0.5 : 0;
    p.material.viscosity = kind == 2 ? 0.5 : 0;
    const auto z = disturbed<typename TestType::States, TestType::N>(TestType::example_reference(p), 5, 0.05);
    auto resting = z;
    for (auto& v : resting.v) v = Vec3<double>{};
    const auto with = forces_of<TestType>(p, Environment{}, z), without = forces_of<TestType>(p, Environment{}, resting);
    double power = 0;
    for (int a = 0; a < TestType::N; ++a) power += dot(with.f[a] - without.f[a], z.v[a]);
    CHECK(power < 0);
  }
}

TEMPLATE_TEST_CASE("A solid's mass matrix is positive definite and holds its mass, centre and weight", "[serial]",
                   Hex8SaintVenant, Tet4SaintVenant, Tet10SaintVenant, Prism6SaintVenant, Prism15SaintVenant,
                   Prism18SaintVenant) {
  const auto p = TestType::example(3);
  const Matrix M = mass_of<TestType>(p);
  CHECK(eigenvalues(M).front() > 1e-4 * eigenvalues(M).back());
  Environment env;
  env.gravity = Vec3<double>{{1, -2, -9.81}};
  const auto z = TestType::example_reference(p);
  const auto f = forces_of<TestType>(p, env, z);
  for (std::size_t a = 0; a < TestType::N; ++a)
    for (std::size_t k = 0; k < 3; ++k) {
      double weight = 0;
      for (std::size_t b = 0; b < TestType::N; ++b) weight += M[3 * a + k][3 * b + k] * env.gravity.data[k];
      CHECK(f.f[a].data[k] == Approx(weight).margin(1e-12));
    }
  double work = 0;
  for (int a = 0; a < TestType::N; ++a) work -= dot(f.f[a], z.x[a]);
  CHECK(TestType::potential_energy(p, env, z) == Approx(work).epsilon(1e-12));
}

TEST_CASE("A sheared block of hexahedra, a tetrahedron or a prism weighs what it should and where it should", "[serial]") {
  Mat3<double> T = identity<double, 3>();
  T(0, 1) = 0.4;
  T(2, 0) = -0.3;
  T(1, 1) = 2;
  const Vec3<double> shift{{1, 2, 3}};
  const auto check = [&](auto element, double volume, double mean_square) {
    using E = decltype(element);
    auto reference = E::example(1);
    Vec3<double> x[E::N];
    auto material = reference.material;
    material.density = 2.5;
    using Shape = typename E::ShapeType;
    Vec3<double> centre = shift + T * Shape::centre();
    for (int a = 0; a < E::N; ++a) x[a] = shift + T * Shape::node(a);
    const auto p = E::make(x, material);
    double mass = 0, inertia = 0;
    Vec3<double> moment;
    const Matrix M = mass_of<E>(p);
    for (int a = 0; a < E::N; ++a) {
      mass += p.nodal_mass[a];
      moment += p.nodal_mass[a] * x[a];
      for (int b = 0; b < E::N; ++b)
        inertia += M[static_cast<std::size_t>(3 * a)][static_cast<std::size_t>(3 * b)] * (x[a] - centre)[1] * (x[b] - centre)[1];
    }
    CHECK(mass == Approx(2.5 * 2 * volume).epsilon(1e-13));
    CHECK(norm((1 / mass) * moment - centre) < 1e-13);
    CHECK(inertia == Approx(mass * 4 * mean_square).epsilon(1e-12));
  };
  // Of y^2 about the centre: (T_11)^2 <eta^2>, 1/3 in the cube [-1, 1]^3, 3/80 in the tetrahedron, 1/18 in the triangle.
  check(Hex8SaintVenant{}, 8.0, 1.0 / 3);
  check(Tet4SaintVenant{}, 1.0 / 6, 3.0 / 80);
  check(Tet10SaintVenant{}, 1.0 / 6, 3.0 / 80);
  check(Prism6SaintVenant{}, 1.0, 1.0 / 18);
  check(Prism15SaintVenant{}, 1.0, 1.0 / 18);
  check(Prism18SaintVenant{}, 1.0, 1.0 / 18);
}

TEMPLATE_TEST_CASE("An evenly stretched solid shows the law's stress", "[serial]", Hex8SaintVenant, Tet4SaintVenant,
                   Tet10SaintVenant, Prism6SaintVenant, Prism15SaintVenant, Prism18SaintVenant) {
  const auto p = TestType::example(1);
  const double s = 1.2;
  Mat3<double> F = identity<double, 3>();
  F(0, 0) = s;
  double sigma[6];
  TestType::stress(p, moved<TestType>(p, F, Vec3<double>{{1, 1, 1}}), sigma);
  const double E = 0.5 * (s * s - 1), lambda = p.material.law.lambda, mu = p.material.law.mu;
  CHECK(sigma[0] == Approx((lambda + 2 * mu) * E * s));
  CHECK(sigma[1] == Approx(lambda * E / s));
  CHECK(sigma[2] == Approx(lambda * E / s));
  for (int k = 3; k < 6; ++k) CHECK(sigma[k] == Approx(0).margin(1e-10));
}

TEST_CASE("The Cauchy stress turns with the solid", "[serial]") {
  const auto p = Hex8NeoHookean::example(1);
  Mat3<double> F = identity<double, 3>();
  F(0, 0) = 1.2;
  F(0, 1) = 0.1;
  const Mat3<double> Q = rotation(Vec3<double>{{0.4, -1.1, 2.0}});
  double a[6], b[6];
  Hex8NeoHookean::stress(p, moved<Hex8NeoHookean>(p, F, Vec3<double>{}), a);
  Hex8NeoHookean::stress(p, moved<Hex8NeoHookean>(p, Q * F, Vec3<double>{}), b);
  CHECK(von_mises(a) == Approx(von_mises(b)));
  CHECK(a[0] + a[1] + a[2] == Approx(b[0] + b[1] + b[2]));
  CHECK(std::abs(a[0] - b[0]) > 1e-3);
}

TEST_CASE("The quadratic tetrahedron carries quadratic displacements exactly", "[serial]") {
  Vec3<double> x[10];
  for (int a = 0; a < 10; ++a) x[a] = Tet10::node(a);
  Tet10Linear::Material m;
  m.law = LameConstants{3, 2};
  m.density = 1;
  const auto p = Tet10Linear::make(x, m);
  auto z = Tet10Linear::example_reference(p);
  for (auto& r : z.x) r += Vec3<double>{{r[0] * r[0] + r[1] * r[2], r[0] * r[1], r[2] * r[2] - 2 * r[0] * r[2]}};
  double exact = 0;
  for (int q = 0; q < Tet10::num_mass_points; ++q) {
    double weight;
    const Vec3<double> r = Tet10::mass_point(q, weight);
    Mat3<double> H;
    H(0, 0) = 2 * r[0];
    H(0, 1) = r[2];
    H(0, 2) = r[1];
    H(1, 0) = r[1];
    H(1, 1) = r[0];
    H(2, 0) = -2 * r[2];
    H(2, 2) = 2 * r[2] - 2 * r[0];
    exact += weight * LinearElastic::energy(m.law, H);
  }
  CHECK(Tet10Linear::strain_energy(p, z) == Approx(exact).epsilon(1e-13));
}

TEMPLATE_LIST_TEST_CASE("An inverted solid is reported, deformed or from the start", "[serial]", AllSolids) {
  auto p = TestType::example(1);
  auto z = TestType::example_reference(p);
  CHECK(TestType::check(p, z) == Verdict::ok);
  for (auto& x : z.x) x[0] = -x[0];
  CHECK(TestType::check(p, z) == Verdict::inverted);
  z.x[0][0] = std::nan("");
  CHECK(TestType::check(p, z) == Verdict::not_finite);
  for (double& x : p.x[0]) x = -x;
  CHECK(TestType::check(p, TestType::example_reference(p)) == Verdict::inverted);
}

TEST_CASE("A solid's name is its shape and its law", "[serial]") {
  CHECK(std::string(Hex8SaintVenant::name) == "hex8-st-venant-kirchhoff");
  CHECK(std::string(PlainHex8SaintVenant::name) == "hex8-displacement-st-venant-kirchhoff");
  CHECK(std::string(Tet10NeoHookean::name) == "tet10-neo-hookean");
  CHECK(std::string(Tet4Linear::name) == "tet4-linear-elastic");
}

}  // namespace
}  // namespace sinew
