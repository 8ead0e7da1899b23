// The hand-written tangents of forces and of the rigid body against dual numbers.
#include "tests/catch.hpp"

#include "kernels/elements/rigid_body.hpp"
#include "kernels/loads/follower_force.hpp"
#include "kernels/loads/follower_torque.hpp"
#include "kernels/loads/force.hpp"
#include "kernels/loads/spring_damper.hpp"
#include "kernels/loads/torque.hpp"
#include "kernels/sweep/element_family.hpp"
#include "tests/kernels/joints/random_frames.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

/// By how much the tangent of F differs from that by dual numbers, at most.
template <class F>
double tangent_error(const typename F::Params& p, const NodeStates<double, NodeKind::frame, F::num_nodes>& s, Sampler& sample) {
  constexpr int N = F::num_nodes, D = 6 * N;
  STATIC_REQUIRE(ElementFamily<F>::has_tangent);
  const Environment env{sample.uniform(0, 1), sample.vector(10)};
  double signals[F::num_signals + 1];
  for (double& value : signals) value = sample.uniform(-2, 2);
  const double cq = sample.uniform(0.1, 2), cv = sample.uniform(0.1, 2);

  Mat3<double> T[N];
  for (auto& operator_of_node : T) operator_of_node = identity<double, 3>();
  Mat<double, D> expected, J;
  for (int j = 0; j < D; ++j) {
    NodeForces<Dual1, NodeKind::frame, N> f;
    F::force(p, env, signals, seeded_states<NodeKind::frame, N>(s, T, j, cq, cv), f);
    Dual1 components[D];
    flatten<Dual1, NodeKind::frame, N>(f, components);
    for (int i = 0; i < D; ++i) expected(i, j) = -components[i].grad;
  }
  F::tangent(p, env, signals, s, cq, cv, J);
  double largest = 0;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) largest = std::max(largest, std::abs(J(i, j) - expected(i, j)));
  return largest;
}

}  // namespace

TEMPLATE_TEST_CASE("a hand-written tangent over frames agrees with dual numbers", "[serial]", RigidBody, SpringDamper, Force,
                   FollowerForce, FollowerTorque, Torque) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Sampler sample(seed);
    typename TestType::Params p;
    double* words = reinterpret_cast<double*>(&p);
    for (std::size_t i = 0; i < sizeof(p) / sizeof(double); ++i) words[i] = sample.uniform(0.2, 1.5);
    const auto s = random_states<TestType::num_nodes>(sample);
    CHECK(tangent_error<TestType>(p, s, sample) < 1e-12);
  }
}

TEST_CASE("the tangent of a spring-damper without length agrees with dual numbers, where its places meet too", "[serial]") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Sampler sample(seed);
    const SpringDamper::Params p{sample.vector(1), sample.vector(1), sample.uniform(0.2, 5), sample.uniform(0.2, 2), 0};
    auto s = random_states<2>(sample);
    CHECK_FALSE(SpringDamper::has_met(p, s));
    CHECK(tangent_error<SpringDamper>(p, s, sample) < 1e-12);
    s.frame[1].x = place_of(s.frame[0], p.point1) - s.frame[1].R * p.point2;
    CHECK(SpringDamper::has_met(p, s));
    CHECK(tangent_error<SpringDamper>(p, s, sample) < 1e-12);
    s.twist[0] = s.twist[1] = {};
    CHECK(tangent_error<SpringDamper>(p, s, sample) < 1e-12);
  }
}

TEST_CASE("the pattern of a spring-damper holds all entries of its tangent where its places meet", "[serial]") {
  for (unsigned seed = 0; seed < 8; ++seed) {
    Sampler sample(seed);  // places in the centres of none, one or both of the bodies
    const Vec3<double> point1 = seed % 2 == 0 ? Vec3<double>() : sample.vector(1);
    const Vec3<double> point2 = seed / 2 % 2 == 0 ? Vec3<double>() : sample.vector(1);
    const SpringDamper::Params p{point1, point2, sample.uniform(0.2, 5), sample.uniform(0.2, 2), 0};
    auto apart = random_states<2>(sample);
    auto met = apart;
    met.frame[1].x = place_of(met.frame[0], p.point1) - met.frame[1].R * p.point2;
    Mat<double, 12> J_apart, J_met;
    SpringDamper::tangent(p, {}, nullptr, apart, 1.0, 0.5, J_apart);
    SpringDamper::tangent(p, {}, nullptr, met, 1.0, 0.5, J_met);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) CHECK((J_apart(i, j) != 0 || J_met(i, j) == 0));
  }
}
