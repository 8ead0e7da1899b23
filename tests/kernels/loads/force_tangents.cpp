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

TEMPLATE_TEST_CASE("a hand-written tangent over frames agrees with dual numbers", "[serial]", RigidBody, SpringDamper, Force,
                   FollowerForce, FollowerTorque, Torque) {
  constexpr int N = TestType::num_nodes, D = 6 * N;
  STATIC_REQUIRE(ElementFamily<TestType>::has_tangent);
  for (unsigned seed = 0; seed < 10; ++seed) {
    Sampler sample(seed);
    typename TestType::Params p;
    double* words = reinterpret_cast<double*>(&p);
    for (std::size_t i = 0; i < sizeof(p) / sizeof(double); ++i) words[i] = sample.uniform(0.2, 1.5);
    NodeStates<double, NodeKind::frame, N> s;
    for (int k = 0; k < N; ++k) {
      s.frame[k] = random_frame(sample);
      s.twist[k] = random_twist(sample);
    }
    const Environment env{sample.uniform(0, 1), sample.vector(10)};
    double signals[TestType::num_signals + 1];
    for (double& value : signals) value = sample.uniform(-2, 2);
    const double cq = sample.uniform(0.1, 2), cv = sample.uniform(0.1, 2);

    Mat3<double> T[N];
    for (auto& operator_of_node : T) operator_of_node = identity<double, 3>();
    Mat<double, D> expected, J;
    for (int j = 0; j < D; ++j) {
      NodeForces<Dual1, NodeKind::frame, N> f;
      TestType::force(p, env, signals, seeded_states<NodeKind::frame, N>(s, T, j, cq, cv), f);
      Dual1 components[D];
      flatten<Dual1, NodeKind::frame, N>(f, components);
      for (int i = 0; i < D; ++i) expected(i, j) = -components[i].grad;
    }
    TestType::tangent(p, env, signals, s, cq, cv, J);
    double largest = 0;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) largest = std::max(largest, std::abs(J(i, j) - expected(i, j)));
    CHECK(largest < 1e-12);
  }
}
