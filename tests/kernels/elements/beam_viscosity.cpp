// What is particular to beams that are damped by component of strain: what D is made of, and where it is taken.

#include "kernels/elements/beam.hpp"

#include "tests/catch.hpp"
#include "tests/kernels/elements/element_checks.hpp"

#include <algorithm>

namespace sinew {
namespace {

/// Runs the body for two, three and four nodes; its argument carries the type.
template <class Body>
void for_every_order(Body body) {
  body(Beam<2, BeamViscosity::by_component>{});
  body(Beam<3, BeamViscosity::by_component>{});
  body(Beam<4, BeamViscosity::by_component>{});
}

/// Symmetric and positive, everything coupled.
Mat<double, 6> coupled_stiffness(Sampler& sample) {
  Mat<double, 6> A;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) A(i, j) = sample.uniform(-2, 2);
  return A * transpose(A) + identity<double, 6>();
}

Vec<double, 6> different_times(Sampler& sample) {
  Vec<double, 6> b;
  for (int i = 0; i < 6; ++i) b[i] = sample.uniform(0.01, 0.1);
  return b;
}

/// A moved and moving state near the reference.
template <class B>
typename B::States shaken(const typename B::Params& p, Sampler& sample, double size) {
  auto z = B::example_reference(p);
  for (int a = 0; a < B::num_nodes; ++a) {
    z.frame[a].x += sample.vector(size);
    z.frame[a].R = z.frame[a].R * RotationVector<double>(sample.vector(size)).matrix();
    z.twist[a] = {sample.vector(1), sample.vector(1)};
  }
  return z;
}

template <class B>
NodeForces<double, NodeKind::frame, B::num_nodes> forces(const typename B::Params& p, const typename B::States& z) {
  NodeForces<double, NodeKind::frame, B::num_nodes> f;
  B::force(p, Environment{}, nullptr, z, f);
  return f;
}

template <int N, class B>
BeamParams<BeamViscosity::even, double, N> with_one_time(const typename B::Params& p, double tau) {
  BeamParams<BeamViscosity::even, double, N> same;
  static_cast<BeamLineParams<double, N>&>(same) = p;
  same.tau = tau;
  return same;
}

}  // namespace

TEST_CASE("Six times that are alike damp a beam as one does, whatever its stiffness couples", "[serial]") {
  for_every_order([](auto beam) {
    using B = decltype(beam);
    constexpr int N = B::num_nodes;
    using Even = Beam<N>;
    Sampler sample(5);
    auto p = B::example(3);
    const double beta = 0.07;
    for (int q = 0; q < B::num_points; ++q) {
      const Mat<double, 6> C = coupled_stiffness(sample);
      B::set_stiffness(q, C, p);
      B::set_viscosity(q, C, {{beta, beta, beta, beta, beta, beta}}, p);
    }
    const auto even = with_one_time<N, B>(p, beta);
    const auto z = shaken<B>(p, sample, 0.3);
    const auto one = forces<B>(p, z);
    const auto other = forces<Even>(even, z);
    Mat<double, B::num_dofs> J, K;
    B::tangent(p, Environment{}, nullptr, z, 0.7, 1.3, J);
    Even::tangent(even, Environment{}, nullptr, z, 0.7, 1.3, K);
    double largest = 0, difference = 0;
    for (int a = 0; a < N; ++a) {
      CHECK(norm(one.f[a].force - other.f[a].force) < 1e-12 * (1 + norm(other.f[a].force)));
      CHECK(norm(one.f[a].moment - other.f[a].moment) < 1e-12 * (1 + norm(other.f[a].moment)));
    }
    for (int i = 0; i < B::num_dofs; ++i)
      for (int j = 0; j < B::num_dofs; ++j) {
        largest = std::max(largest, std::abs(K(i, j)));
        difference = std::max(difference, std::abs(J(i, j) - K(i, j)));
      }
    CHECK(difference < 1e-13 * largest);
  });
}

TEST_CASE("Of a diagonal stiffness viscosity by component is b_i C_ii, and of any it brings no power in", "[serial]") {
  Sampler sample(8);
  Mat<double, 6> diagonal;
  const Vec<double, 6> b{{0.01, 0, 0.03, 0.1, 5, 0.2}};
  for (int i = 0; i < 6; ++i) diagonal(i, i) = sample.uniform(1, 5);
  const Mat<double, 6> D = viscosity_by_component(diagonal, b);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) CHECK(D(i, j) == Approx(i == j ? b[i] * diagonal(i, i) : 0).epsilon(1e-15));
  for (int trial = 0; trial < 100; ++trial) {
    const Mat<double, 6> any = viscosity_by_component(coupled_stiffness(sample), b);
    Vec<double, 6> rate;
    for (int i = 0; i < 6; ++i) rate[i] = sample.uniform(-1, 1);
    CHECK(dot(rate, any * rate) >= 0);
    for (int i = 0; i < 6; ++i) CHECK(any(i, 1) == 0);
  }
}

TEST_CASE("Viscosity by component is that of the section's own line, wherever the nodes lie", "[serial]") {
  // Two descriptions of one beam, the nodes on its line or at c from there, where sections stand alike: then both lines, and
  // their motions, are interpolated alike, and forces are the same about the same places.
  for_every_order([](auto beam) {
    using B = decltype(beam);
    Sampler sample(17);
    auto first = B::example(1);
    first.alpha = 0;
    for (int a = 0; a < B::num_nodes; ++a) first.mass[a] = 0, first.inertia[a] = {};
    auto z = B::example_reference(first);
    const Vec3<double> c{{0.05, 0.4, -0.3}};
    Vec3<double> centre[B::num_nodes];
    for (auto& one : centre) one = c;
    for (auto& frame : z.frame) frame.R = z.frame[0].R;  // a line whose sections are not turned along it
    B::set_reference(z.frame, first);
    auto second = first;
    B::set_reference(z.frame, centre, second);
    for (int q = 0; q < B::num_points; ++q) {
      const Mat<double, 6> C = coupled_stiffness(sample);
      const Vec<double, 6> b = different_times(sample);
      B::set_stiffness(q, C, first);
      B::set_stiffness(q, C, second);
      B::set_viscosity(q, C, b, first);
      B::set_viscosity(q, C, b, second);
    }
    const Mat3<double> Q = RotationVector<double>(sample.vector(2)).matrix();
    for (int a = 0; a < B::num_nodes; ++a) {
      z.frame[a] = {Q * z.frame[a].x + sample.vector(0.2), Q * z.frame[a].R};
      z.twist[a] = {sample.vector(1), sample.vector(1)};
    }
    auto y = z;
    for (int a = 0; a < B::num_nodes; ++a) {
      y.frame[a].x += z.frame[a].R * c;
      y.twist[a].v += z.frame[a].R * cross(z.twist[a].omega, c);
    }
    const auto on_line = forces<B>(first, z), on_centre = forces<B>(second, y);
    for (int a = 0; a < B::num_nodes; ++a) {
      CHECK(norm(on_line.f[a].force - on_centre.f[a].force) < 1e-12 * (1 + norm(on_line.f[a].force)));
      const Vec3<double> moved = on_line.f[a].moment - cross(c, transpose_times(z.frame[a].R, on_line.f[a].force));
      CHECK(norm(moved - on_centre.f[a].moment) < 1e-12 * (1 + norm(moved)));
    }
  });
}

TEST_CASE("The sections of a beam that is damped by component tell elastic and viscous stress together", "[serial]") {
  using B = Beam<2, BeamViscosity::by_component>;
  Sampler sample(23);
  typename B::Params p;
  typename B::States z;
  for (int a = 0; a < 2; ++a) z.frame[a].x[0] = 2.0 * a;
  B::set_reference(z.frame, p);
  const Mat<double, 6> C = coupled_stiffness(sample);
  const Vec<double, 6> b = different_times(sample);
  B::set_stiffness(0, C, p);
  B::set_viscosity(0, C, b, p);
  // the second end stretches, shears, twists and bends the straight element; nothing has moved yet but by a stretch of 1/10
  z.frame[1].x[0] = 2.2;
  z.twist[1] = {{{0.3, -0.4, 0.5}}, {{0.6, 0.8, -0.2}}};
  // in the middle Gamma' = v/L + e1 x (omega/2) stretched, K' = omega/L
  const Vec3<double> half = 0.5 * z.twist[1].omega;
  const Vec3<double> sheared = 0.5 * z.twist[1].v + cross(Vec3<double>{{1.1, 0, 0}}, half);
  const Vec<double, 6> rate{{sheared[0], sheared[1], sheared[2], half[0], half[1], half[2]}};
  const Vec<double, 6> strain{{0.1, 0, 0, 0, 0, 0}};
  const Vec<double, 6> expected = C * strain + viscosity_by_component(C, b) * rate;
  double out[13];
  B::measure_section(p, z, 0.5, out);
  for (int i = 0; i < 6; ++i) CHECK(out[i] == Approx(expected[i]).epsilon(1e-12));
  CHECK(out[6] == Approx(expected[0]).epsilon(1e-12));
}

}  // namespace sinew
