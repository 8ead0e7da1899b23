// The hand-written gradients and geometric stiffnesses against dual numbers, at configurations far from those of the start.
#include "tests/catch.hpp"

#include "kernels/joints/clamp.hpp"
#include "kernels/joints/coordinate_fixed.hpp"
#include "kernels/joints/cylindrical.hpp"
#include "kernels/joints/distance.hpp"
#include "kernels/joints/fixed.hpp"
#include "kernels/joints/motion_angle.hpp"
#include "kernels/joints/motion_displacement.hpp"
#include "kernels/joints/motion_position.hpp"
#include "kernels/joints/parallel.hpp"
#include "kernels/joints/planar.hpp"
#include "kernels/joints/point_on_line.hpp"
#include "kernels/joints/point_on_plane.hpp"
#include "kernels/joints/prismatic.hpp"
#include "kernels/joints/revolute.hpp"
#include "kernels/joints/rolling_sphere.hpp"
#include "kernels/joints/spherical.hpp"
#include "kernels/joints/surface_mean.hpp"
#include "kernels/joints/universal.hpp"
#include "tests/kernels/joints/joint_checks.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

/// Params filled with numbers of every size; what they mean does not matter to a derivative.
template <class J>
typename J::Params random_params(Sampler& sample) {
  typename J::Params p;
  double* words = reinterpret_cast<double*>(&p);
  for (std::size_t i = 0; i < sizeof(p) / sizeof(double); ++i) words[i] = sample.uniform(0.2, 1.5);
  return p;
}

}  // namespace

TEMPLATE_TEST_CASE("a hand-written gradient and stiffness of a joint agree with dual numbers", "[serial]", Clamp, CoordinateFixed,
                   Cylindrical, Distance, Fixed, MotionAngle, MotionDisplacement, MotionPosition, Parallel, Planar, PointOnLine,
                   PointOnPlane, Prismatic, Revolute, RollingSphere, Spherical, SurfaceMean, Universal) {
  constexpr int rows = TestType::num_position_rows, dofs = 6 * TestType::num_nodes;
  STATIC_REQUIRE(JointSweep<TestType>::has_gradient);
  STATIC_REQUIRE(JointSweep<TestType>::has_stiffness);
  for (unsigned seed = 0; seed < 10; ++seed) {
    Sampler sample(seed);
    const auto p = random_params<TestType>(sample);
    Frame<double> f[TestType::num_nodes];
    for (auto& frame : f) frame = random_frame(sample);
    double signals[TestType::num_signals + 1], lambda[rows];
    for (double& value : signals) value = sample.uniform(-2, 2);
    for (double& value : lambda) value = sample.uniform(-2, 2);

    Mat<double, rows, dofs> G;
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < dofs; ++j) G(r, j) = 1e10;  // `gradient` sets every entry
    TestType::gradient(p, f, signals, G);
    CHECK(largest_difference(G, dual_gradient<TestType>(p, f, signals)) < 1e-13);

    Mat<double, dofs> K;
    K(0, 0) = 3;  // `geometric_stiffness` adds
    TestType::geometric_stiffness(p, f, signals, lambda, K);
    K(0, 0) -= 3;
    CHECK(largest_difference(K, dual_stiffness<TestType>(p, f, signals, lambda)) < 1e-13);
  }
}
