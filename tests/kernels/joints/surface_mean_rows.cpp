// The attachment of a frame to a surface: shares of all nodes, added up.
#include "tests/catch.hpp"

#include "kernels/joints/surface_mean.hpp"
#include "tests/kernels/joints/scene.hpp"

#include <vector>

using namespace sinew;
using namespace sinew::trial;

namespace {

/// A cloud of weighted nodes about a reference frame in their mean.
struct Cloud {
  std::vector<double> weights;
  std::vector<Vec3<double>> nodes;
  Frame<double> reference;
  std::vector<SurfaceMean::Params> params;
  Mat3<double> spread;  ///< J / l^2 in the reference frame's axes

  explicit Cloud(unsigned seed) {
    Sampler sample(seed);
    double total = 0;
    for (int i = 0; i < 12; ++i) {
      nodes.push_back(sample.vector(1));
      weights.push_back(sample.uniform(0.1, 1));
      total += weights.back();
    }
    reference = random_frame(sample);
    reference.x = {};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      weights[i] /= total;
      reference.x += weights[i] * nodes[i];
    }
    double gyration2 = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Vec3<double> X = transpose_times(reference.R, nodes[i] - reference.x);
      gyration2 += weights[i] * dot(X, X);
      spread = spread - weights[i] * (skew(X) * skew(X));
    }
    spread = (1 / gyration2) * spread;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Setup setup;
      setup.places = {Place{{nodes[i]}, {}, false, false}, Place{reference, {}, false, true}};
      setup.fields.set("weight", {weights[i]});
      setup.fields.set("gyration_radius", {std::sqrt(gyration2)});
      params.push_back(SurfaceMean::make(setup));
    }
  }

  /// The 6 rows with the nodes taken along by `motion` and the reference frame where it is given.
  template <class Motion>
  Vec<double, 6> rows(const Motion& motion, const Frame<double>& frame) const {
    Vec<double, 6> sum;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Frame<double> f[2] = {{motion(nodes[i])}, frame};
      const auto part = rows_of<SurfaceMean>(params[i], f);
      for (int r = 0; r < 6; ++r) sum[r] += part.g[r];
    }
    return sum;
  }
};

}  // namespace

TEST_CASE("a frame attached to a surface follows every rigid motion of it", "[serial]") {
  const Cloud cloud(1);
  const auto stay = [](const Vec3<double>& x) { return x; };
  CHECK(norm(cloud.rows(stay, cloud.reference)) < 1e-14);
  Sampler sample(2);
  const Carry carry(sample);
  const Frame<double> carried = shifted(turned(cloud.reference, carry.axis, carry.angle, carry.centre), carry.along);
  CHECK(norm(cloud.rows([&](const Vec3<double>& x) { return carry.point(x); }, carried)) < 1e-13);
}

TEST_CASE("a surface mean reads the mean displacement and rotation of the nodes against the frame", "[serial]") {
  const Cloud cloud(3);
  const Vec3<double> d{{0.1, -0.2, 0.3}};
  const auto shift = cloud.rows([&](const Vec3<double>& x) { return x + d; }, cloud.reference);
  CHECK(gap({{shift[0], shift[1], shift[2]}}, d) < 1e-14);
  CHECK(gap({{shift[3], shift[4], shift[5]}}, {}) < 1e-14);

  const Vec3<double> phi{{2e-6, -1e-6, 3e-6}};  // in the reference frame's axes
  const Mat3<double> Q = cloud.reference.R * rotation_matrix(exp_quaternion(phi));
  const auto turn = cloud.rows(
      [&](const Vec3<double>& x) { return cloud.reference.x + Q * transpose_times(cloud.reference.R, x - cloud.reference.x); },
      cloud.reference);
  CHECK(gap({{turn[0], turn[1], turn[2]}}, {}) < 1e-14);
  CHECK(gap({{turn[3], turn[4], turn[5]}}, cloud.spread * phi) < 1e-11);
}

TEST_CASE("the multipliers of a surface mean load the frame and spread the opposite over the nodes", "[serial]") {
  const Cloud cloud(4);
  const double lambda[6] = {1, 2, 3, 4, 5, 6};
  Vec3<double> force_on_frame, moment_on_frame, force_on_nodes, moment_on_nodes;
  for (std::size_t i = 0; i < cloud.nodes.size(); ++i) {
    const Frame<double> f[2] = {{cloud.nodes[i]}, cloud.reference};
    const auto node = reaction<SurfaceMean>(cloud.params[i], f, lambda, 0),
               frame = reaction<SurfaceMean>(cloud.params[i], f, lambda, 1);
    force_on_nodes += node.force;
    moment_on_nodes += cross(cloud.nodes[i] - cloud.reference.x, node.force);
    force_on_frame += frame.force;
    moment_on_frame += frame.moment;
    CHECK(norm(node.moment) == 0.0);
  }
  CHECK(gap(force_on_frame, {{1, 2, 3}}) < 1e-13);
  CHECK(gap(force_on_nodes, {{-1, -2, -3}}) < 1e-13);
  const Vec3<double> moment = cloud.reference.R * (cloud.spread * Vec3<double>{{4, 5, 6}});
  CHECK(gap(moment_on_frame, moment) < 1e-13);
  CHECK(gap(moment_on_nodes, -moment) < 1e-13);
}
