// Closed forms of the joints that are made of coincidence, along and dot rows: what they allow, what their rows read, and the
// force and moment that each multiplier is.
#include "tests/catch.hpp"

#include "kernels/joints/cylindrical.hpp"
#include "kernels/joints/distance.hpp"
#include "kernels/joints/fixed.hpp"
#include "kernels/joints/parallel.hpp"
#include "kernels/joints/planar.hpp"
#include "kernels/joints/point_on_line.hpp"
#include "kernels/joints/point_on_plane.hpp"
#include "kernels/joints/prismatic.hpp"
#include "kernels/joints/revolute.hpp"
#include "kernels/joints/spherical.hpp"
#include "kernels/joints/universal.hpp"
#include "tests/kernels/joints/scene.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

constexpr double tiny = 1e-13;
constexpr unsigned num_seeds = 5;

/// The joint's rows after the motion, then everything carried along by a random rigid motion: no row that lives in the first
/// body's axes may notice that.
template <class J>
Rows<J> rows_after(Scene& scene, const typename J::Params& p, Pair pair) {
  Carry carry(scene.sample);
  carry(pair);
  return rows_of<J>(p, pair.f);
}

}  // namespace

TEST_CASE("a spherical joint lets bodies turn freely and reads their separation in the global frame", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    Scene scene(seed);
    const auto p = Spherical::make(scene.setup);
    Pair pair(scene);
    pair.turn(random_direction(scene.sample), 2, scene.pivot);
    CHECK(largest(rows_of<Spherical>(p, pair.f).g) < tiny);
    const Vec3<double> d = scene.sample.vector(1);
    pair.shift(d);
    const auto rows = rows_of<Spherical>(p, pair.f);
    CHECK(gap({{rows.g[0], rows.g[1], rows.g[2]}}, d) < tiny);
  }
}

TEST_CASE("the multipliers of a spherical joint are the force on the first place in the global frame", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    Scene scene(seed);
    const auto p = Spherical::make(scene.setup);
    Pair pair(scene);
    pair.turn(random_direction(scene.sample), 2, scene.pivot);
    const double lambda[3] = {3, -2, 1};
    const auto first = reaction<Spherical>(p, pair.f, lambda, 0), second = reaction<Spherical>(p, pair.f, lambda, 1);
    CHECK(gap(first.force, {{3, -2, 1}}) < tiny);
    CHECK(gap(second.force, {{-3, 2, -1}}) < tiny);
    CHECK(norm(moment_about(scene.pivot, pair.f[0], first)) < tiny);
    CHECK(norm(moment_about(scene.pivot, pair.f[1], second)) < tiny);
  }
}

TEST_CASE("a revolute joint lets the second body turn about the axis and reads every other motion", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    Scene scene(seed);
    const auto p = Revolute::make(scene.direction("axis", scene.e).setup);
    Pair about_axis(scene);
    about_axis.turn(scene.e, 2.5, scene.pivot);
    CHECK(largest(rows_after<Revolute>(scene, p, about_axis).g) < tiny);

    const auto about_u = rows_after<Revolute>(scene, p, Pair(scene).turn(scene.u, 0.3, scene.pivot));
    CHECK(about_u.g[3] == Approx(std::sin(0.3)));
    CHECK(std::abs(about_u.g[4]) < tiny);
    const auto about_v = rows_after<Revolute>(scene, p, Pair(scene).turn(scene.v, 0.3, scene.pivot));
    CHECK(std::abs(about_v.g[3]) < tiny);
    CHECK(about_v.g[4] == Approx(std::sin(0.3)));
  }
}

TEST_CASE("the multipliers of a revolute joint are force and moment on the first body", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    Scene scene(seed);
    const auto p = Revolute::make(scene.direction("axis", scene.e).setup);
    Pair pair(scene);
    pair.turn(scene.e, -1.2, scene.pivot);
    const double lambda[5] = {1, 2, 3, 4, 5};
    const auto first = reaction<Revolute>(p, pair.f, lambda, 0), second = reaction<Revolute>(p, pair.f, lambda, 1);
    const Vec3<double> force{{1, 2, 3}}, moment = 4.0 * scene.u + 5.0 * scene.v;
    CHECK(gap(first.force, force) < tiny);
    CHECK(gap(second.force, -force) < tiny);
    CHECK(gap(moment_about(scene.pivot, pair.f[0], first), moment) < tiny);
    CHECK(gap(moment_about(scene.pivot, pair.f[1], second), -moment) < tiny);
  }
}

TEST_CASE("a fixed joint welds bodies where they are and reads small rotations about the global axes", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    Scene scene(seed);
    scene.setup.places[1] = random_place(scene.sample);  // need not meet
    const auto p = Fixed::make(scene.setup);
    CHECK(largest(rows_after<Fixed>(scene, p, Pair(scene)).g) < tiny);
    for (int k = 0; k < 3; ++k) {
      Vec3<double> axis;
      axis[k] = 1;
      const auto rows = rows_of<Fixed>(p, Pair(scene).turn(axis, 1e-6, scene.pivot).f);
      for (int r = 0; r < 6; ++r) CHECK(std::abs(rows.g[r] - (r == 3 + k ? 1e-6 : 0.0)) < 1e-11);
    }
    const double lambda[6] = {1, 2, 3, 4, 5, 6};
    Pair pair(scene);
    const auto first = reaction<Fixed>(p, pair.f, lambda, 0);
    CHECK(gap(first.force, {{1, 2, 3}}) < tiny);
    CHECK(gap(moment_about(scene.pivot, pair.f[0], first), {{4, 5, 6}}) < tiny);
  }
}

TEST_CASE("a prismatic joint lets the second body slide along the axis and reads every other motion", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    Scene scene(seed);
    const auto p = Prismatic::make(scene.direction("axis", scene.e).setup);
    CHECK(largest(rows_after<Prismatic>(scene, p, Pair(scene).shift(1.7 * scene.e)).g) < tiny);
    const auto across = rows_after<Prismatic>(scene, p, Pair(scene).shift(0.2 * scene.u - 0.1 * scene.v));
    CHECK(across.g[0] == Approx(0.2));
    CHECK(across.g[1] == Approx(-0.1));
    const auto about_axis = rows_after<Prismatic>(scene, p, Pair(scene).turn(scene.e, 0.3, scene.pivot));
    CHECK(about_axis.g[4] == Approx(std::sin(0.3)));

    Pair pair(scene);
    pair.shift(1.7 * scene.e);
    const double lambda[5] = {1, 2, 3, 4, 5};
    const auto first = reaction<Prismatic>(p, pair.f, lambda, 0);
    const Vec3<double> place2 = scene.pivot + 1.7 * scene.e;
    CHECK(gap(first.force, scene.u + 2.0 * scene.v) < tiny);
    CHECK(gap(moment_about(place2, pair.f[0], first), 3.0 * scene.u + 4.0 * scene.v + 5.0 * scene.e) < tiny);
  }
}

TEST_CASE("a cylindrical joint lets the second body slide along the axis and turn about it", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    Scene scene(seed);
    const auto p = Cylindrical::make(scene.direction("axis", scene.e).setup);
    CHECK(largest(rows_after<Cylindrical>(scene, p, Pair(scene).shift(1.7 * scene.e).turn(scene.e, 2, scene.pivot)).g) < tiny);
    const auto rows = rows_after<Cylindrical>(scene, p, Pair(scene).turn(scene.u, 0.3, scene.pivot).shift(0.2 * scene.v));
    CHECK(std::abs(rows.g[0]) < tiny);
    CHECK(rows.g[1] == Approx(0.2));
    CHECK(rows.g[2] == Approx(std::sin(0.3)));
    CHECK(std::abs(rows.g[3]) < tiny);
  }
}

TEST_CASE("a planar joint lets the second body slide on the plane and turn about the normal", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    Scene scene(seed);
    const auto p = Planar::make(scene.direction("normal", scene.e).setup);
    Pair slid(scene);
    slid.shift(0.8 * scene.u - 1.5 * scene.v).turn(scene.e, 2, scene.pivot);
    CHECK(largest(rows_after<Planar>(scene, p, slid).g) < tiny);
    const auto rows = rows_after<Planar>(scene, p, Pair(scene).turn(scene.v, 0.3, scene.pivot).shift(0.2 * scene.e));
    CHECK(rows.g[0] == Approx(0.2));
    CHECK(std::abs(rows.g[1]) < tiny);
    CHECK(rows.g[2] == Approx(std::sin(0.3)));
    const double lambda[3] = {1, 2, 3};
    const auto first = reaction<Planar>(p, Pair(scene).f, lambda, 0);
    CHECK(gap(first.force, scene.e) < tiny);
    CHECK(gap(moment_about(scene.pivot, scene.place(0).frame, first), 2.0 * scene.u + 3.0 * scene.v) < tiny);
  }
}

TEST_CASE("a place on a line or a plane of another body may turn and slide along it", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    Scene scene(seed);
    const Vec3<double> any = random_direction(scene.sample);
    scene.direction("axis", scene.e).direction("normal", scene.e);
    const auto line = PointOnLine::make(scene.setup);
    CHECK(largest(rows_after<PointOnLine>(scene, line, Pair(scene).turn(any, 2, scene.pivot).shift(3.0 * scene.e)).g) < tiny);
    const auto plane = PointOnPlane::make(scene.setup);
    CHECK(largest(rows_after<PointOnPlane>(scene, plane, Pair(scene).turn(any, 2, scene.pivot).shift(3.0 * scene.u)).g) < tiny);
    const auto off = rows_after<PointOnPlane>(scene, plane, Pair(scene).shift(0.4 * scene.e));
    CHECK(off.g[0] == Approx(0.4));
  }
}

TEST_CASE("a place on a line loads the line's body where the place is", "[serial]") {
  Scene scene(3);
  const auto p = PointOnLine::make(scene.direction("axis", scene.e).setup);
  Pair pair(scene);
  pair.shift(2.0 * scene.e);
  const double lambda[2] = {3, -4};
  const auto first = reaction<PointOnLine>(p, pair.f, lambda, 0);
  CHECK(gap(first.force, 3.0 * scene.u - 4.0 * scene.v) < tiny);
  CHECK(norm(moment_about(scene.pivot + 2.0 * scene.e, pair.f[0], first)) < tiny);
}

TEST_CASE("a parallel joint keeps an axis and leaves translations and the turn about it free", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    Scene scene(seed);
    const auto p = Parallel::make(scene.direction("axis", scene.e).setup);
    Pair pair(scene);
    pair.turn(scene.e, 2, scene.pivot).shift(scene.sample.vector(2));
    CHECK(largest(rows_after<Parallel>(scene, p, pair).g) < tiny);
    const double lambda[2] = {3, -4};
    const auto first = reaction<Parallel>(p, pair.f, lambda, 0);
    CHECK(norm(first.force) < tiny);
    CHECK(gap(first.moment, 3.0 * scene.u - 4.0 * scene.v) < tiny);
  }
}

TEST_CASE("a universal joint turns about both axes of its cross", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    Scene scene(seed);
    const Vec3<double> b = std::cos(0.7) * scene.u + std::sin(0.7) * scene.v;
    const auto p = Universal::make(scene.direction("axis", scene.e).direction("axis2", b).setup);
    Pair pair(scene);
    pair.turn(b, 0.6, scene.pivot).turn(scene.e, 1.1, scene.pivot);
    CHECK(largest(rows_after<Universal>(scene, p, pair).g) < tiny);
    const Vec3<double> c = cross(scene.e, b);
    const auto twisted = rows_after<Universal>(scene, p, Pair(scene).turn(c, 0.2, scene.pivot));
    CHECK(std::abs(twisted.g[3]) == Approx(std::sin(0.2)));
    const double lambda[4] = {0, 0, 0, 5};
    CHECK(gap(reaction<Universal>(p, Pair(scene).f, lambda, 0).moment, -5.0 * c) < tiny);
  }
}

TEST_CASE("a distance joint reads the lengthening of its rod and its multiplier is the tension", "[serial]") {
  Scene scene(1);
  scene.setup.places[1] = random_place_at(scene.sample, scene.pivot + 2.0 * scene.e);
  const auto p = Distance::make(scene.setup);
  CHECK(p.distance == Approx(2.0));
  CHECK(largest(rows_of<Distance>(p, Pair(scene).turn(scene.u, 1.3, scene.pivot).f).g) < tiny);
  CHECK(rows_of<Distance>(p, Pair(scene).shift(1e-7 * scene.e).f).g[0] == Approx(1e-7).epsilon(1e-6));
  const double tension[1] = {7};
  const auto first = reaction<Distance>(p, Pair(scene).f, tension, 0), second = reaction<Distance>(p, Pair(scene).f, tension, 1);
  CHECK(gap(first.force, 7.0 * scene.e) < tiny);
  CHECK(gap(second.force, -7.0 * scene.e) < tiny);
  CHECK(norm(moment_about(scene.pivot, scene.place(0).frame, first)) < tiny);

  const auto given = Distance::make(scene.number("distance", 1.5).setup);
  CHECK(rows_of<Distance>(given, Pair(scene).f).g[0] == Approx((4.0 - 2.25) / 3.0));
}
