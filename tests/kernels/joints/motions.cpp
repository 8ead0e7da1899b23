// Closed forms of the joints that prescribe a motion, and of the clamps.
#include "tests/catch.hpp"

#include "kernels/joints/clamp.hpp"
#include "kernels/joints/coordinate_fixed.hpp"
#include "kernels/joints/motion_angle.hpp"
#include "kernels/joints/motion_angular_velocity.hpp"
#include "kernels/joints/motion_displacement.hpp"
#include "kernels/joints/motion_position.hpp"
#include "kernels/joints/motion_velocity.hpp"
#include "tests/kernels/joints/scene.hpp"

using namespace sinew;
using namespace sinew::trial;

TEST_CASE("a prescribed angle is met through any number of turns, whichever way both bodies lie", "[serial]") {
  Scene scene(4);
  const auto p = MotionAngle::make(scene.direction("axis", scene.e).setup);
  for (double angle = -20; angle < 20; angle += 0.7) {
    Pair pair(scene);
    pair.turn(scene.e, angle, scene.pivot).shift(scene.sample.vector(1));
    Carry carry(scene.sample);
    carry(pair);
    CHECK(std::abs(rows_of<MotionAngle>(p, pair.f, &angle).g[0]) < 1e-12);
    const double behind = angle + 0.2;
    CHECK(rows_of<MotionAngle>(p, pair.f, &behind).g[0] == Approx(-0.2));
    const double lambda[1] = {3};
    const auto first = reaction<MotionAngle>(p, pair.f, lambda, 0, &angle);
    CHECK(norm(first.force) < 1e-12);
    CHECK(gap(first.moment, 3.0 * carry.direction(scene.e)) < 1e-12);
  }
}

TEST_CASE("the rate of a prescribed angle's row is the rate of theta minus that of the signal", "[serial]") {
  Scene scene(5);
  const auto p = MotionAngle::make(scene.direction("axis", scene.e).setup);
  const double angle = 7;
  Pair pair(scene);
  pair.turn(scene.e, angle, scene.pivot);
  Frame<Dual1> moving[2];
  const Vec3<double> none, spin = transpose_times(pair.f[1].R, 4.0 * scene.e);
  moving[0] = perturbed(pair.f[0], none, none);
  moving[1] = perturbed(pair.f[1], none, spin);
  const Dual1 signal(angle, 1.5);
  Dual1 g[1];
  MotionAngle::position(p, moving, &signal, g);
  CHECK(g[0].grad == Approx(4.0 - 1.5));
}

TEST_CASE("a prescribed position counts from the first place, a displacement from the start", "[serial]") {
  Scene scene(6);
  scene.setup.places[1] = random_place_at(scene.sample, scene.pivot + 0.5 * scene.e + scene.u);
  scene.direction("axis", scene.e);
  Pair pair(scene);
  pair.shift(0.3 * scene.e - scene.v);
  Carry carry(scene.sample);
  carry(pair);
  const double position = 0.8, displacement = 0.3;
  const auto absolute = MotionPosition::make(scene.setup), relative = MotionDisplacement::make(scene.setup);
  CHECK(std::abs(rows_of<MotionPosition>(absolute, pair.f, &position).g[0]) < 1e-13);
  CHECK(std::abs(rows_of<MotionDisplacement>(relative, pair.f, &displacement).g[0]) < 1e-13);
  const double lambda[1] = {2};
  const auto first = reaction<MotionPosition>(absolute, pair.f, lambda, 0, &position);
  const Vec3<double> place2 = place_of(pair.f[1], scene.place(1).point);
  CHECK(gap(first.force, 2.0 * carry.direction(scene.e)) < 1e-13);
  CHECK(norm(moment_about(place2, pair.f[0], first)) < 1e-13);
}

TEST_CASE("a prescribed velocity is that of the place seen from the first body", "[serial]") {
  Scene scene(7);
  const auto p = MotionVelocity::make(scene.direction("axis", scene.e).setup);
  Pair pair(scene);
  pair.turn(scene.u, 1, scene.pivot).shift(0.4 * scene.e + 0.2 * scene.u);
  Twist<double> z[2] = {random_twist(scene.sample), random_twist(scene.sample)};

  const auto coordinate = MotionPosition::make(scene.setup);
  Frame<Dual1> moving[2];
  for (int k = 0; k < 2; ++k) moving[k] = perturbed(pair.f[k], z[k].v, z[k].omega);
  const Dual1 still(0.0);
  Dual1 along[1];
  MotionPosition::position(coordinate, moving, &still, along);

  const double signal = 0.25;
  double k[1];
  MotionVelocity::velocity(p, pair.f, z, &signal, k);
  CHECK(k[0] == Approx(along[0].grad - 0.25));
}

TEST_CASE("a prescribed angular velocity is that about the axis of the first body", "[serial]") {
  Scene scene(8);
  const auto p = MotionAngularVelocity::make(scene.direction("axis", scene.e).setup);
  const Frame<double> f[2] = {scene.place(0).frame, scene.place(1).frame};
  Twist<double> z[2] = {random_twist(scene.sample), random_twist(scene.sample)};
  z[1].omega = transpose_times(f[1].R, f[0].R * z[0].omega + 3.0 * scene.e + scene.u);
  const double signal = 3;
  double k[1];
  MotionAngularVelocity::velocity(p, f, z, &signal, k);
  CHECK(std::abs(k[0]) < 1e-13);
}

TEST_CASE("a clamp holds a point where it starts and takes the node's force", "[serial]") {
  Sampler sample(9);
  Setup setup;
  setup.places = {Place{{sample.vector(1)}, {}, false, false}};
  const auto p = Clamp::make(setup);
  Frame<double> f[1] = {setup.places[0].frame};
  CHECK(largest(rows_of<Clamp>(p, f).g) == 0.0);
  const Vec3<double> d = sample.vector(1);
  f[0] = shifted(f[0], d);
  const auto rows = rows_of<Clamp>(p, f);
  CHECK(gap({{rows.g[0], rows.g[1], rows.g[2]}}, d) < 1e-15);
  const double lambda[3] = {1, 2, 3};
  CHECK(gap(reaction<Clamp>(p, f, lambda, 0).force, {{-1, -2, -3}}) == 0.0);
}

TEST_CASE("a fixed coordinate holds a place along its direction only", "[serial]") {
  Scene scene(10);
  scene.setup.places.pop_back();
  const auto p = CoordinateFixed::make(scene.direction("direction", scene.e).setup);
  Frame<double> f[1] = {shifted(turned(scene.place(0).frame, scene.u, 1, scene.pivot), scene.u - 2.0 * scene.v)};
  CHECK(std::abs(rows_of<CoordinateFixed>(p, f).g[0]) < 1e-13);
  f[0] = shifted(f[0], 0.3 * scene.e);
  CHECK(rows_of<CoordinateFixed>(p, f).g[0] == Approx(0.3));
}
