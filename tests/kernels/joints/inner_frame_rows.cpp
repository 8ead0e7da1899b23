// The attachment of a frame to a point inside an element: shares of all nodes, added up.
#include "tests/catch.hpp"

#include "kernels/joints/inner_frame.hpp"
#include "kernels/material/isotropic.hpp"
#include "kernels/shape/hex8.hpp"
#include "tests/kernels/joints/scene.hpp"

#include <vector>

using namespace sinew;
using namespace sinew::trial;

namespace {

/// The reference cube of Hex8 and a point in it.
struct Cube {
  Vec3<double> point;
  std::vector<InnerFrame::Params> params;

  explicit Cube(const Vec3<double>& p) : point(p) {
    double N[8], dN[3][8];
    Hex8::values(p, N);
    Hex8::gradients(p, dN);
    for (int a = 0; a < 8; ++a) {
      Setup setup;
      setup.places.resize(2);
      setup.fields.set("weight", {N[a]});
      setup.fields.set("gradient", {dN[0][a], dN[1][a], dN[2][a]});
      params.push_back(InnerFrame::make(setup));
    }
  }

  /// The 6 rows with the nodes taken along by `motion`.
  template <class Motion>
  Vec<double, 6> rows(const Motion& motion, const Frame<double>& frame) const {
    Vec<double, 6> sum;
    for (int a = 0; a < 8; ++a) {
      const Frame<double> f[2] = {{motion(Hex8::node(a))}, frame};
      const auto part = rows_of<InnerFrame>(params[static_cast<std::size_t>(a)], f);
      for (int r = 0; r < 6; ++r) sum[r] += part.g[r];
    }
    return sum;
  }
};

/// A stretch U, of principal values 0.8 to 1.4, a rotation R and a displacement d.
struct Deformation {
  Mat3<double> R, U;
  Vec3<double> d;

  explicit Deformation(unsigned seed) {
    Sampler sample(seed);
    R = random_frame(sample).R;
    d = sample.vector(1);
    const Mat3<double> axes = random_frame(sample).R;
    Mat3<double> stretch;
    for (int k = 0; k < 3; ++k) stretch(k, k) = 0.8 + 0.3 * k;
    U = axes * stretch * transpose(axes);
  }
  Vec3<double> operator()(const Vec3<double>& X) const { return d + R * (U * X); }
};

}  // namespace

TEST_CASE("the frame of a point is the rotation of the polar decomposition there", "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Cube cube(Vec3<double>{{0.3, -0.7, 0.9}});
    const Deformation move(seed);
    const Frame<double> frame{move(cube.point), move.R};
    CHECK(norm(cube.rows(move, frame)) < 1e-13);

    const Vec3<double> phi{{2e-6, -1e-6, 3e-6}};  // by which the frame leads
    const auto turned = cube.rows(move, {frame.x, move.R * rotation_matrix(exp_quaternion(phi))});
    const Vec3<double> expected = trace(move.U) * phi - move.U * phi;
    CHECK(gap({{turned[0], turned[1], turned[2]}}, {}) < 1e-13);
    CHECK(gap({{turned[3], turned[4], turned[5]}}, -expected) < 1e-10);
  }
}

TEST_CASE("the multipliers of a point's frame load it and spread the opposite over the nodes", "[serial]") {
  const Cube cube(Vec3<double>{{-0.4, 0.2, 0.6}});
  const Deformation move(7);
  const Frame<double> frame{move(cube.point), move.R};
  const double lambda[6] = {1, 2, 3, 4, 5, 6};
  Vec3<double> force_on_nodes, moment_on_nodes, moment_on_frame;
  for (int a = 0; a < 8; ++a) {
    const InnerFrame::Params& p = cube.params[static_cast<std::size_t>(a)];
    const Vec3<double> x = move(Hex8::node(a));
    const Frame<double> f[2] = {{x}, frame};
    const Vec3<double> force = reaction<InnerFrame>(p, f, lambda, 0).force;
    force_on_nodes += force;
    moment_on_nodes += cross(x - frame.x, force);
    moment_on_frame += reaction<InnerFrame>(p, f, lambda, 1).moment;
  }
  const Vec3<double> turning{{4, 5, 6}};
  CHECK(gap(force_on_nodes, {{-1, -2, -3}}) < 1e-13);
  CHECK(gap(moment_on_frame, move.R * (trace(move.U) * turning - move.U * turning)) < 1e-12);
  CHECK(gap(moment_on_nodes, -moment_on_frame) < 1e-12);
}

TEST_CASE("a point's frame tells when it has turned over, where its rows hold as well", "[serial]") {
  const Cube cube(Vec3<double>{{1, -1, 1}});  // a node: that one tells nothing
  const auto stay = [](const Vec3<double>& x) { return x; };
  const Frame<double> right{cube.point, identity<double, 3>()};
  for (int k = 0; k < 3; ++k) {
    Vec3<double> axis;
    axis[k] = 1;
    const Frame<double> over = turned(right, axis, 3.14159265358979323846, cube.point);
    CHECK(norm(cube.rows(stay, over)) < 1e-13);
    int wrong = 0;
    for (int a = 0; a < 8; ++a) {
      const Frame<double> before[2] = {{Hex8::node(a)}, right}, now[2] = {{Hex8::node(a)}, over};
      const InnerFrame::Params& p = cube.params[static_cast<std::size_t>(a)];
      CHECK(InnerFrame::check(p, before, before, nullptr) == Verdict::ok);
      if (InnerFrame::check(p, before, now, nullptr) == Verdict::other_branch) ++wrong;
    }
    CHECK(wrong == 2);  // of the three nodes beside it, in which the gradient is taken, that along the axis stays
  }
}
