// The cable against closed forms: bars, arcs, the elastica, rigid motions.

#include "kernels/elements/cable.hpp"

#include "tests/catch.hpp"
#include "tests/kernels/elements/element_checks.hpp"

namespace sinew {
namespace {

bool is_position(int node) { return !Cable::is_slope(node); }

Cable::Params plain_cable() {
  Cable::Params p;
  p.length = 0.7;
  p.axial_stiffness = 50;
  p.bending_stiffness = 3;
  p.mass_per_length = 1.3;
  return p;
}

/// A straight cable of the given stretch through a random point in a random direction.
Cable::States stretched_bar(const Cable::Params& p, double stretch, unsigned seed) {
  Sampler sample(seed);
  const Vec3<double> start = sample.vector(2);
  const Vec3<double> t = rotation(sample.vector(2)) * Vec3<double>{{1, 0, 0}};
  Cable::States z;
  z.x[0] = start;
  z.x[2] = start + (stretch * p.length) * t;
  z.x[1] = z.x[3] = stretch * t;
  return z;
}

/// n elements on a circular arc of curvature 1/R, slopes of length 1: strain energy of all.
double arc_energy(double R, double length, int n, double EA) {
  Cable::Params p = plain_cable();
  p.length = length / n;
  p.axial_stiffness = EA;
  double energy = 0;
  for (int e = 0; e < n; ++e) {
    Cable::States z;
    for (int end = 0; end < 2; ++end) {
      const double angle = (e + end) * p.length / R;
      z.x[2 * end] = Vec3<double>{{R * std::sin(angle), R * (1 - std::cos(angle)), 0}};
      z.x[2 * end + 1] = Vec3<double>{{std::cos(angle), std::sin(angle), 0}};
    }
    energy += Cable::strain_energy(p, z);
  }
  return energy;
}

/// Tip of a cantilever of length 1 and EI = 1 in the x-z plane under a dead end force in z, by n elements.
Vec3<double> elastica_tip(int n, double EA, double end_force) {
  const std::size_t size = 6 * (static_cast<std::size_t>(n) + 1);
  Cable::Params p;
  p.length = 1.0 / n;
  p.axial_stiffness = EA;
  p.bending_stiffness = 1;
  Vector q(size, 0.0);
  for (std::size_t k = 0; k < size; k += 6) {
    q[k] = p.length * static_cast<double>(k / 6);
    q[k + 3] = 1;
  }
  for (int iteration = 0; iteration < 60; ++iteration) {
    Matrix K = zero_matrix(size);
    Vector r(size, 0.0);
    r[size - 4] = end_force * std::min(1.0, 0.2 * (iteration + 1));
    for (std::size_t e = 0; e + 6 < size; e += 6) {
      Cable::States z;
      for (std::size_t i = 0; i < 12; ++i) z.x[i / 3].data[i % 3] = q[e + i];
      const auto f = forces_of<Cable>(p, Environment{}, z);
      const Matrix J = hand_tangent<Cable>(p, z, 1, 0);
      for (std::size_t i = 0; i < 12; ++i) {
        r[e + i] += f.f[i / 3].data[i % 3];
        for (std::size_t j = 0; j < 12; ++j) K[e + i][e + j] += J[i][j];
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      const bool held = i < 3 || i == 4 || i == 5 || i % 3 == 1;
      if (!held) continue;
      for (std::size_t j = 0; j < size; ++j) K[i][j] = K[j][i] = 0;
      K[i][i] = 1;
      r[i] = 0;
    }
    const Vector step = solve(K, r);
    double size_of_step = 0;
    for (double s : step) size_of_step = std::max(size_of_step, std::abs(s));
    for (std::size_t i = 0; i < size; ++i) q[i] += std::min(1.0, 0.5 / size_of_step) * step[i];
    if (iteration > 5 && size_of_step < 1e-11) break;
  }
  return Vec3<double>{{q[size - 6], q[size - 5], q[size - 4]}};
}

TEST_CASE("The cable's tangent is the derivative of its force", "[serial]") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Cable::Params p = Cable::example(seed);
    p.alpha = 0.3;
    const auto z = disturbed<Cable::States, 4>(Cable::example_reference(p), seed, 0.3);
    const Matrix dual = dual_tangent<Cable>(p, z, 1.3, 0.7);
    CHECK(largest_difference(hand_tangent<Cable>(p, z, 1.3, 0.7), dual) < 1e-13 * largest(dual));
  }
}

TEST_CASE("The cable's force is minus the gradient of its energy", "[serial]") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const auto p = Cable::example(seed);
    const auto z = disturbed<Cable::States, 4>(Cable::example_reference(p), seed, 0.2);
    CHECK(energy_gradient_error<Cable>(p, z) < 1e-7 * largest(hand_tangent<Cable>(p, z, 1, 0)));
  }
}

TEST_CASE("A straight cable under constant strain carries EA times it, exactly", "[serial]") {
  const auto p = plain_cable();
  for (double stretch : {0.5, 0.999, 1.001, 1.7}) {
    const auto z = stretched_bar(p, stretch, 3);
    const auto f = forces_of<Cable>(p, Environment{}, z);
    const double N = p.axial_stiffness * (stretch - 1);
    const Vec3<double> t = (1 / stretch) * z.x[1];
    CHECK(norm(f.f[0] - N * t) < 1e-13 * p.axial_stiffness);
    CHECK(norm(f.f[2] + N * t) < 1e-13 * p.axial_stiffness);
    CHECK(norm(f.f[1]) + norm(f.f[3]) < 1e-13 * p.axial_stiffness);
    CHECK(Cable::strain_energy(p, z) == Approx(0.5 * p.axial_stiffness * p.length * (stretch - 1) * (stretch - 1)));
    for (const double xi : {0.0, 0.3, 1.0}) {
      double m[11];
      Cable::measure_section(p, z, xi, m);
      CHECK(norm(Vec3<double>{{m[0], m[1], m[2]}} - N * t) < 1e-12 * p.axial_stiffness);
      CHECK(norm(Vec3<double>{{m[3], m[4], m[5]}}) < 1e-12);
      CHECK(m[6] == Approx(N));
      CHECK(m[7] == Approx(stretch - 1));
    }
  }
}

TEST_CASE("A slightly and evenly bent cable carries EI times its curvature, exactly", "[serial]") {
  const auto p = plain_cable();
  const Matrix K = hand_tangent<Cable>(p, Cable::example_reference(p), 1, 0);
  const double L = p.length;
  Vector bent(12, 0.0);  // v = S^2/2
  bent[7] = 0.5 * L * L;
  bent[10] = L;
  for (std::size_t i = 0; i < 12; ++i) {
    double f = 0;
    for (std::size_t j = 0; j < 12; ++j) f += K[i][j] * bent[j];
    const double exact = i == 4 ? -p.bending_stiffness : (i == 10 ? p.bending_stiffness : 0.0);
    CHECK(std::abs(f - exact) < 1e-12 * p.bending_stiffness);
  }
}

TEST_CASE("A straight cable has five zero eigenvalues, a bent one six rigid motions", "[serial]") {
  const auto p = plain_cable();
  const Spectrum one = spectrum(hand_tangent<Cable>(p, stretched_bar(p, 1, 5), 1, 0));
  CHECK(one.zeros == 5);
  CHECK(one.negative == 0);
  CHECK(one.smallest_positive > 1e-4);
  Matrix chain = zero_matrix(24);
  for (std::size_t e = 0; e < 18; e += 6) {
    const Matrix K = hand_tangent<Cable>(p, Cable::example_reference(p), 1, 0);
    for (std::size_t i = 0; i < 12; ++i)
      for (std::size_t j = 0; j < 12; ++j) chain[e + i][e + j] += K[i][j];
  }
  const Spectrum three = spectrum(chain);
  CHECK(three.zeros == 5);
  CHECK(three.negative == 0);
}

TEST_CASE("Rigid motions of a straight cable strain nothing and meet no viscosity", "[serial]") {
  auto p = plain_cable();
  p.axial_viscosity = 2;
  for (unsigned seed = 0; seed < 5; ++seed) {
    auto z = stretched_bar(p, 1, seed);
    Sampler sample(seed);
    const Vec3<double> v = sample.vector(3), omega = sample.vector(3);
    for (int k = 0; k < 4; ++k) z.v[k] = cross(omega, z.x[k]) + (is_position(k) ? 1.0 : 0.0) * v;
    CHECK(largest_force<Cable>(p, z) < 1e-13 * p.axial_stiffness);
    CHECK(Cable::strain_energy(p, z) < 1e-26);
  }
}

TEST_CASE("The cable's internal forces are in equilibrium and dissipate power", "[serial]") {
  for (unsigned seed = 0; seed < 10; seed += 2) {
    const auto p = Cable::example(seed);
    auto z = disturbed<Cable::States, 4>(Cable::example_reference(p), seed, 0.3);
    CHECK(imbalance<Cable>(p, z, is_position) < 1e-12 * largest_force<Cable>(p, z));
    const auto moving = forces_of<Cable>(p, Environment{}, z);
    auto resting_state = z;
    for (auto& v : resting_state.v) v = Vec3<double>{};
    const auto resting = forces_of<Cable>(p, Environment{}, resting_state);
    double power = 0;
    for (int k = 0; k < 4; ++k) power += dot(moving.f[k] - resting.f[k], z.v[k]);
    CHECK(power < 0);
  }
}

TEST_CASE("The cable's forces turn with it", "[serial]") {
  const auto p = Cable::example(2);
  const auto z = disturbed<Cable::States, 4>(Cable::example_reference(p), 7, 0.3);
  const Mat3<double> Q = rotation(Vec3<double>{{0.4, -1.1, 2.0}});
  auto turned = z;
  for (int k = 0; k < 4; ++k) {
    turned.x[k] = Q * z.x[k];
    turned.v[k] = Q * z.v[k];
  }
  const auto f = forces_of<Cable>(p, Environment{}, z), g = forces_of<Cable>(p, Environment{}, turned);
  for (int k = 0; k < 4; ++k) CHECK(norm(g.f[k] - Q * f.f[k]) < 1e-12 * largest_force<Cable>(p, z));
}

TEST_CASE("The energy of a bent arc converges with order four", "[serial]") {
  const double R = 1.5, length = 3, exact = 0.5 * plain_cable().bending_stiffness * length / (R * R);
  const double coarse = std::abs(arc_energy(R, length, 4, 1e3) - exact), fine = std::abs(arc_energy(R, length, 8, 1e3) - exact);
  CHECK(fine < 1e-2 * exact);
  CHECK(std::log2(coarse / fine) > 3.7);
}

TEST_CASE("The elastica is met with order four, however stiff the cable is against stretching", "[serial]") {
  // Tip of the cantilever under P = EI/L^2: Mattiasson (1981), elliptic integrals.
  const Vec3<double> exact{{1 - 0.056433236283, 0, 0.301720773800}};
  for (double EA : {1e7, 1e10}) {
    const double e4 = norm(elastica_tip(4, EA, 1) - exact), e8 = norm(elastica_tip(8, EA, 1) - exact);
    CHECK(e4 < 2e-4);
    CHECK(std::log2(e4 / e8) > 3.5);
    CHECK(std::log2(e4 / e8) < 5);
  }
}

TEST_CASE("The cable's mass matrix is positive definite and holds its mass and moment of inertia", "[serial]") {
  const auto p = plain_cable();
  Mat<double, 12, 12> M;
  Cable::mass(p, M);
  CHECK(eigenvalues(to_matrix(M)).front() > 0);
  const auto z = Cable::example_reference(p);
  double mass = 0, first = 0, second = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const double shift_i = is_position(i) ? 1 : 0, shift_j = is_position(j) ? 1 : 0;
      mass += shift_i * M(3 * i + 1, 3 * j + 1) * shift_j;
      first += shift_i * M(3 * i, 3 * j) * z.x[j][0];
      second += z.x[i][0] * M(3 * i, 3 * j) * z.x[j][0];
    }
  const double m = p.mass_per_length * p.length;
  CHECK(mass == Approx(m).epsilon(1e-13));
  CHECK(first == Approx(0.5 * m * p.length).epsilon(1e-13));
  CHECK(second == Approx(m * p.length * p.length / 3).epsilon(1e-13));
}

TEST_CASE("A cable in free fall feels no internal force", "[serial]") {
  const auto p = plain_cable();
  Environment env;
  env.gravity = Vec3<double>{{1, -2, -9.81}};
  const auto z = Cable::example_reference(p);
  const auto f = forces_of<Cable>(p, env, z);
  Mat<double, 12, 12> M;
  Cable::mass(p, M);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k)
      CHECK(f.f[i][k] == Approx((M(3 * i + k, k) + M(3 * i + k, 6 + k)) * env.gravity[k]).margin(1e-13));
  CHECK(Cable::potential_energy(p, env, z) == Approx(-p.mass_per_length * p.length * 0.5 * p.length));
}

TEST_CASE("A cable folded to a point is reported", "[serial]") {
  const auto p = plain_cable();
  auto z = Cable::example_reference(p);
  CHECK(Cable::check(p, z) == Verdict::ok);
  z.x[1] = z.x[3] = Vec3<double>{};
  z.x[2] = z.x[0];
  CHECK(Cable::check(p, z) == Verdict::degenerate);
  z.x[2][0] = std::nan("");
  CHECK(Cable::check(p, z) == Verdict::not_finite);
}

}  // namespace
}  // namespace sinew
