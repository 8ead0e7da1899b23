// Nodes as manifolds: what every one of them must fulfil, those of the model and others.
#include "kernels/elements/sample.hpp"
#include "kernels/nodes/node_kind.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

using namespace sinew;

namespace {

template <class M>
using Numbers = std::array<double, M::config_size>;
template <class M>
using Rates = std::array<double, M::dofs>;

template <class M>
Rates<M> random_rates(Sampler& sample, double size) {
  Rates<M> w;
  for (double& x : w) x = sample.uniform(-size, size);
  return w;
}

template <class M>
Numbers<M> moved(const Numbers<M>& q, const Rates<M>& w) {
  Numbers<M> result;
  M::retract(q.data(), w.data(), result.data());
  return result;
}

template <class M>
Numbers<M> random_configuration(Sampler& sample) {
  Numbers<M> q;
  M::set_origin(q.data());
  return moved<M>(q, random_rates<M>(sample, 1.0));
}

template <class M>
Rates<M> between(const Numbers<M>& a, const Numbers<M>& b) {
  Rates<M> w;
  M::difference(a.data(), b.data(), w.data());
  return w;
}

template <class M>
Rates<M> sum(const Rates<M>& a, double factor, const Rates<M>& b) {
  Rates<M> c = a;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] += factor * b[i];
  return c;
}

template <class M>
void check_near(const Rates<M>& a, const Rates<M>& b, double margin) {
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == Approx(b[i]).margin(margin));
}

}  // namespace

TEMPLATE_TEST_CASE("A node's motion and the difference of two configurations are each other's inverse", "[serial]",
                   VectorSpace<3>, Pose, VectorSpace<1>, VectorSpace<8>) {
  Sampler sample(1);
  for (int round = 0; round < 10; ++round) {
    const auto q = random_configuration<TestType>(sample);
    const auto w = random_rates<TestType>(sample, 1.5);
    check_near<TestType>(between<TestType>(q, moved<TestType>(q, w)), w, 1e-13);
    auto in_place = q;
    TestType::retract(in_place.data(), w.data(), in_place.data());
    CHECK(in_place == moved<TestType>(q, w));
  }
}

TEMPLATE_TEST_CASE("A node's tangent operator is the derivative of its motion", "[serial]", VectorSpace<3>, Pose, VectorSpace<1>,
                   VectorSpace<8>) {
  Sampler sample(2);
  constexpr double step = 1e-5;
  for (int round = 0; round < 10; ++round) {
    const auto q = random_configuration<TestType>(sample);
    const auto w = random_rates<TestType>(sample, 1.5), v = random_rates<TestType>(sample, 1.0);
    const auto ahead = between<TestType>(moved<TestType>(q, w), moved<TestType>(q, sum<TestType>(w, step, v)));
    const auto behind = between<TestType>(moved<TestType>(q, w), moved<TestType>(q, sum<TestType>(w, -step, v)));
    Rates<TestType> slope, exact;
    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] = (ahead[i] - behind[i]) / (2 * step);
    TestType::tangent_times(w.data(), v.data(), exact.data());
    check_near<TestType>(exact, slope, 1e-9);
  }
}

TEMPLATE_TEST_CASE("A node's step in a chart solves its equation", "[serial]", VectorSpace<3>, Pose, VectorSpace<1>,
                   VectorSpace<8>) {
  Sampler sample(3);
  for (int round = 0; round < 10; ++round) {
    const auto start = random_rates<TestType>(sample, 0.5), v = random_rates<TestType>(sample, 1.0);
    const double b = 0.3;
    Rates<TestType> w, left;
    TestType::chart_step(start.data(), b, v.data(), w.data());
    const auto change = sum<TestType>(w, -1.0, start);
    TestType::tangent_times(w.data(), change.data(), left.data());  // T(w) (w - w0) = b v
    check_near<TestType>(left, sum<TestType>({}, b, v), 1e-12);
  }
}

TEMPLATE_TEST_CASE("A node's commutator is what is left of two motions in either order", "[serial]", VectorSpace<3>, Pose,
                   VectorSpace<1>, VectorSpace<8>) {
  Sampler sample(4);
  constexpr double step = 1e-4;
  for (int round = 0; round < 10; ++round) {
    const auto q = random_configuration<TestType>(sample);
    const auto a = random_rates<TestType>(sample, 1.0), b = random_rates<TestType>(sample, 1.0);
    const auto ea = sum<TestType>({}, step, a), eb = sum<TestType>({}, step, b);
    const auto left = between<TestType>(moved<TestType>(moved<TestType>(q, eb), ea), moved<TestType>(moved<TestType>(q, ea), eb));
    Rates<TestType> c;
    TestType::commutator(a.data(), b.data(), c.data());
    check_near<TestType>(c, sum<TestType>({}, 1 / (step * step), left), 1e-3);
  }
}

TEST_CASE("Every kind of node has a manifold, and joints see it as a frame", "[serial]") {
  static_assert(manifold_size(NodeKind::point).dofs == 3 && manifold_size(NodeKind::point).first_turn == -1);
  static_assert(manifold_size(NodeKind::frame).dofs == 6 && manifold_size(NodeKind::frame).first_turn == 3);
  static_assert(manifold_size(NodeKind::scalar).dofs == 1 && manifold_size(NodeKind::scalar).config == 1);
  static_assert(max_config_size == 7 && max_node_dofs == 6);
  const double config[7] = {1, 2, 3, 0.5, 0.5, 0.5, 0.5}, velocity[6] = {4, 5, 6, 7, 8, 9};
  for (const NodeKind kind : {NodeKind::point, NodeKind::frame, NodeKind::scalar}) {
    Frame<double> frame;
    Twist<double> twist;
    on_manifold(kind, PutFrame{config, &frame});
    on_manifold(kind, PutTwist{velocity, &twist});
    CHECK(frame.x[0] == 1);
    CHECK(frame.x[2] == (kind == NodeKind::scalar ? 0 : 3));
    CHECK(frame.R(0, 0) == (kind == NodeKind::frame ? 0 : 1));
    CHECK(twist.v[2] == (kind == NodeKind::scalar ? 0 : 6));
    CHECK(twist.omega[2] == (kind == NodeKind::frame ? 9 : 0));
  }
}
