// Stress is the derivative of energy, moduli that of stress; all laws agree at small strains.

#include "kernels/material/linear_elastic.hpp"
#include "kernels/material/neo_hookean.hpp"
#include "kernels/material/saint_venant_kirchhoff.hpp"
#include "kernels/material/stress.hpp"

#include "tests/catch.hpp"
#include "tests/kernels/elements/element_checks.hpp"

namespace sinew {
namespace {

const LameConstants rubber{17, 11};

Mat3<double> random_gradient(unsigned seed, double size) {
  Sampler sample(seed);
  Mat3<double> H;
  for (int i = 0; i < 9; ++i) H(i / 3, i % 3) = sample.uniform(-size, size);
  return H;
}

TEMPLATE_TEST_CASE("Stress is the gradient of the strain energy", "[serial]", SaintVenantKirchhoff, LinearElastic, NeoHookean) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Mat3<double> H = random_gradient(seed, 0.2);
    const Mat3<double> P = TestType::stress(rubber, H);
    for (int i = 0; i < 9; ++i) {
      Mat3<double> plus = H, minus = H;
      plus(i / 3, i % 3) += 1e-5;
      minus(i / 3, i % 3) -= 1e-5;
      const double slope = (TestType::energy(rubber, plus) - TestType::energy(rubber, minus)) / 2e-5;
      CHECK(P(i / 3, i % 3) == Approx(slope).margin(1e-7));
    }
  }
}

TEMPLATE_TEST_CASE("Moduli are the derivative of the stress", "[serial]", SaintVenantKirchhoff, LinearElastic, NeoHookean) {
  const Mat3<double> H = random_gradient(3, 0.2);
  const Moduli<double> m = TestType::moduli(rubber, H);
  for (int k = 0; k < 3; ++k)
    for (int L = 0; L < 3; ++L) {
      Mat3<Dual1> seeded;
      for (int i = 0; i < 9; ++i) seeded(i / 3, i % 3) = Dual1(H(i / 3, i % 3), i == 3 * k + L ? 1.0 : 0.0);
      const Mat3<Dual1> P = TestType::stress(rubber, seeded);
      for (int i = 0; i < 3; ++i)
        for (int J = 0; J < 3; ++J) {
          const double products = m.lambda * m.N(i, J) * m.N(k, L) + m.mu * m.N(i, L) * m.N(k, J);
          const double rest = (J == L ? m.B(i, k) : 0) + (i == k ? m.S(J, L) : 0);
          CHECK(products + rest == Approx(P(i, J).grad).margin(1e-12));
        }
    }
}

TEMPLATE_TEST_CASE("Moduli are what their law says of them", "[serial]", SaintVenantKirchhoff, LinearElastic, NeoHookean) {
  const Mat3<double> H = random_gradient(3, 0.2);
  const Moduli<double> m = TestType::moduli(rubber, H);
  CHECK(m.lambda == rubber.lambda);
  CHECK((m.mu == rubber.mu) == TestType::constant_mu);
  const auto same = [](const Mat3<double>& a, const Mat3<double>& b) { return contract(a - b, a - b) == 0; };
  CHECK((same(m.B, rubber.mu * identity<double, 3>()) && same(m.S, Mat3<double>{})) == TestType::isotropic_rest);
  CHECK(same(m.N, deformation_gradient(H)) == TestType::follows_body);
  CHECK(same(m.N, identity<double, 3>()) != TestType::finite_strain);
}

TEMPLATE_TEST_CASE("Every law is Hooke's at small strains", "[serial]", SaintVenantKirchhoff, LinearElastic, NeoHookean) {
  const Mat3<double> H = random_gradient(5, 1e-6);
  const Mat3<double> P = TestType::stress(rubber, H), hooke_stress = LinearElastic::stress(rubber, H);
  for (int i = 0; i < 9; ++i) CHECK(P(i / 3, i % 3) == Approx(hooke_stress(i / 3, i % 3)).margin(1e-9));
}

TEST_CASE("Lame's constants give back Young's modulus in a tension test", "[serial]") {
  const double E = 210, nu = 0.3, strain = 1e-3;
  Mat3<double> H;
  H(0, 0) = strain;
  H(1, 1) = H(2, 2) = -nu * strain;
  const Mat3<double> P = LinearElastic::stress(LameConstants::from_youngs(E, nu), H);
  CHECK(P(0, 0) == Approx(E * strain).epsilon(1e-12));
  CHECK(P(1, 1) == Approx(0).margin(1e-12));
}

TEST_CASE("The equivalent stress is the tension in tension, sqrt(3) times the shear in shear, and blind to pressure",
          "[serial]") {
  CHECK(von_mises({5, 0, 0, 0, 0, 0}) == Approx(5));
  CHECK(von_mises({0, 0, 0, 0, 2, 0}) == Approx(2 * std::sqrt(3.0)));
  CHECK(von_mises({7, 7, 7, 0, 0, 0}) == Approx(0).margin(1e-14));
}

}  // namespace
}  // namespace sinew
