// Rows that are expressions: their leaves, what the hand-written derivatives make of them, and the turns of their angles.
#include "tests/catch.hpp"

#include "kernels/joints/expression_coordinate.hpp"
#include "kernels/joints/expression_velocity.hpp"
#include "tests/kernels/joints/joint_checks.hpp"

#include <cmath>
#include <numbers>

using namespace sinew;
using namespace sinew::trial;

namespace {

using Kind = RowLeaf::Kind;

RowLeaf random_leaf(Sampler& sample, Kind kind, int first, int second) {
  RowLeaf leaf;
  leaf.kind = static_cast<int>(kind);
  leaf.node[0] = first;
  leaf.node[1] = second;
  leaf.component = std::floor(sample.uniform(0, 3));
  leaf.start = sample.uniform(-1, 1);
  for (Vec3<double>& s : leaf.place) s = sample.vector(1);
  const Vec3<double> e = random_direction(sample);
  const auto across = complete_triad(e);
  leaf.u = across[0];
  leaf.v = across[1];
  leaf.m = random_direction(sample);
  return leaf;
}

/// l0 l1 / (2 + sin(l2)) + l3^2 l4 - t l5: every leaf kind of positions, the ground among the nodes.
ExpressionRow mixed_row(Sampler& sample) {
  ExpressionRow row;
  row.add(random_leaf(sample, Kind::position, 2, -1));
  row.add(random_leaf(sample, Kind::angle, 1, 0));
  row.add(random_leaf(sample, Kind::along, -1, 3));
  row.add(random_leaf(sample, Kind::distance, 0, 2));
  row.add(random_leaf(sample, Kind::position, 0, -1));
  row.add(random_leaf(sample, Kind::angle, -1, 3));
  RowProgram& p = row.program;
  p.push(ExpressionOp::variable, 0);
  p.push(ExpressionOp::variable, 1);
  p.push(ExpressionOp::multiply);
  p.push(ExpressionOp::constant, 2);
  p.push(ExpressionOp::variable, 2);
  p.push(ExpressionOp::sin);
  p.push(ExpressionOp::add);
  p.push(ExpressionOp::divide);
  p.push(ExpressionOp::variable, 3);
  p.push(ExpressionOp::constant, 2);
  p.push(ExpressionOp::power);
  p.push(ExpressionOp::variable, 4);
  p.push(ExpressionOp::multiply);
  p.push(ExpressionOp::add);
  p.push(ExpressionOp::time);
  p.push(ExpressionOp::variable, 5);
  p.push(ExpressionOp::multiply);
  p.push(ExpressionOp::subtract);
  return row;
}

}  // namespace

TEST_CASE("the gradient and the stiffness of an expression of positions agree with dual numbers", "[serial]") {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Sampler sample(seed);
    const ExpressionRow row = mixed_row(sample);
    Frame<double> f[6];
    for (Frame<double>& frame : f) frame = random_frame(sample);
    const double signals[2] = {sample.uniform(-2, 2), 0}, lambda[1] = {sample.uniform(-2, 2)};
    Mat<double, 1, 36> G;
    for (int j = 0; j < 36; ++j) G(0, j) = 1e10;
    ExpressionCoordinate::gradient(row, f, signals, G);
    CHECK(largest_difference(G, dual_gradient<ExpressionCoordinate>(row, f, signals)) < 1e-12);
    Mat<double, 36> K;
    ExpressionCoordinate::geometric_stiffness(row, f, signals, lambda, K);
    CHECK(largest_difference(K, dual_stiffness<ExpressionCoordinate>(row, f, signals, lambda)) < 1e-11);
  }
}

TEST_CASE("the rates that an expression may read are those of its positions", "[serial]") {
  for (unsigned seed = 0; seed < 10; ++seed)
    for (const auto& [value, rate] : {std::pair{Kind::position, Kind::velocity}, std::pair{Kind::angle, Kind::angle_rate},
                                      std::pair{Kind::along, Kind::along_rate}, std::pair{Kind::distance, Kind::distance_rate}}) {
      Sampler sample(seed);
      RowLeaf leaf = random_leaf(sample, value, 0, 1);
      const Frame<double> f[2] = {random_frame(sample), random_frame(sample)};
      const Twist<double> z[2] = {random_twist(sample), random_twist(sample)};
      Frame<Dual1> moving[2];
      for (int k = 0; k < 2; ++k) moving[k] = perturbed(f[k], z[k].v, z[k].omega);
      const double expected = leaf.value(moving).grad;
      leaf.kind = static_cast<int>(rate);
      INFO("kind " << static_cast<int>(value) << ", seed " << seed);
      CHECK(leaf.rate(f, z) == Approx(expected).epsilon(1e-12));
    }
}

TEST_CASE("an angle in an expression goes on beyond a turn, and a turn too fast is noticed", "[serial]") {
  const Vec3<double> e{{0, 0, 1}};
  const Frame<double> still;
  Place place;
  const Setup setup{{place, place}, {}};
  const Vec3<double> none[2];
  ExpressionRow row;
  row.add(RowLeaf::relative(angle_about(setup, e), -1, 0, none, false));
  row.program.push(ExpressionOp::variable, 0);
  for (int k = 1; k <= 20; ++k) {
    const Frame<double> f[6] = {turned(still, e, 0.7 * k, {}), still, still, still};
    const double t[2] = {};
    double g[1];
    ExpressionCoordinate::position(row, f, t, g);
    CHECK(g[0] == Approx(0.7 * k));
    CHECK(ExpressionCoordinate::check(row, f, f, t) == Verdict::ok);
    ExpressionCoordinate::commit(row, f);
  }
  const Frame<double> far[6] = {turned(still, e, 14 + 0.9 * std::numbers::pi, {})};
  CHECK(ExpressionCoordinate::check(row, far, far, nullptr) == Verdict::other_branch);
}

TEST_CASE("two places whose distance an expression reads must not meet", "[serial]") {
  ExpressionRow row;
  const Vec3<double> none[2];
  row.add(RowLeaf::relative({}, 0, 1, none, true));
  row.program.push(ExpressionOp::variable, 0);
  const Frame<double> together[6];
  CHECK(ExpressionVelocity::check(row, together, together, nullptr) == Verdict::singular);
}
