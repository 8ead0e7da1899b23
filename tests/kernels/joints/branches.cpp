// Where the rows of a joint hold although the joint must not be there, and what `check` says of it.
#include "tests/catch.hpp"

#include "kernels/joints/cylindrical.hpp"
#include "kernels/joints/fixed.hpp"
#include "kernels/joints/motion_angle.hpp"
#include "kernels/joints/parallel.hpp"
#include "kernels/joints/planar.hpp"
#include "kernels/joints/prismatic.hpp"
#include "kernels/joints/revolute.hpp"
#include "kernels/joints/rolling_disc.hpp"
#include "kernels/joints/skate.hpp"
#include "kernels/joints/surface_mean.hpp"
#include "tests/kernels/joints/scene.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

const double* const none = nullptr;

template <class J>
Verdict verdict_of(const typename J::Params& p, const Frame<double> (&f)[2], const double* signals = nullptr) {
  return J::check(p, f, f, signals);
}

}  // namespace

TEMPLATE_TEST_CASE("a joint that keeps axes parallel tells when they point opposite ways, where its rows hold as well",
                   "[serial]", Revolute, Cylindrical, Planar, Parallel) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Scene scene(seed);
    const auto p = TestType::make(scene.direction("axis", scene.e).direction("normal", scene.e).setup);
    for (const double angle : {0.0, 1.5, 3.0}) {
      Pair right(scene), wrong(scene);
      right.turn(scene.e, angle, scene.pivot).turn(scene.u, 0.5, scene.pivot);
      CHECK(verdict_of<TestType>(p, right.f) == Verdict::ok);
      wrong.turn(scene.e, angle, scene.pivot).turn(scene.u, M_PI, scene.pivot);
      CHECK(largest(rows_of<TestType>(p, wrong.f).g) < 1e-12);
      CHECK(verdict_of<TestType>(p, wrong.f) == Verdict::other_branch);
      Carry carry(scene.sample);
      carry(right);
      CHECK(verdict_of<TestType>(p, right.f) == Verdict::ok);
    }
  }
}

TEMPLATE_TEST_CASE("a joint that keeps an orientation tells it from the seven others at which its rows hold", "[serial]", Fixed,
                   Prismatic) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Scene scene(seed);
    const auto p = TestType::make(scene.direction("axis", scene.e).setup);
    Pair start(scene);
    CHECK(verdict_of<TestType>(p, start.f) == Verdict::ok);
    Pair tilted(scene);
    tilted.turn(scene.u + 0.5 * scene.v - 0.3 * scene.e, 0.6, scene.pivot);
    CHECK(verdict_of<TestType>(p, tilted.f) == Verdict::ok);
    // Fixed counts along the global axes, the slider along those of its own triad.
    const bool is_global = TestType::num_position_rows == 6;
    const Vec3<double> x = is_global ? Vec3<double>{{1, 0, 0}} : scene.u, y = is_global ? Vec3<double>{{0, 1, 0}} : scene.v;
    const Vec3<double> z = is_global ? Vec3<double>{{0, 0, 1}} : scene.e;
    int roots = 0;
    const auto try_turn = [&](const Vec3<double>& axis, double angle) {
      Pair wrong(scene);
      wrong.turn((1 / norm(axis)) * axis, angle, scene.pivot);
      if (largest(rows_of<TestType>(p, wrong.f).g) > 1e-12) return;
      ++roots;
      CHECK(verdict_of<TestType>(p, wrong.f) == Verdict::other_branch);
    };
    for (const auto& axis : {x, y, z}) try_turn(axis, M_PI);
    for (const double third : {2 * M_PI / 3, 4 * M_PI / 3})
      for (const auto& axis : {x + y + z, x + y - z, x - y + z, x - y - z}) try_turn(axis, third);
    CHECK(roots == 7);
  }
}

TEST_CASE("the row of a prescribed angle is the angle that is missing, up to half a turn, and does not vanish there",
          "[serial]") {
  Scene scene(4);
  const auto p = MotionAngle::make(scene.direction("axis", scene.e).setup);
  for (double angle = -20; angle < 20; angle += 1.3)
    for (const double missing : {-3.1, -2.0, -0.3, 0.4, 1.8, 3.1}) {
      Pair pair(scene);
      pair.turn(scene.e, angle, scene.pivot);
      const double phi = angle - missing;
      CHECK(rows_of<MotionAngle>(p, pair.f, &phi).g[0] == Approx(missing));
      CHECK(verdict_of<MotionAngle>(p, pair.f, &phi) == (std::abs(missing) < M_PI / 2 ? Verdict::ok : Verdict::other_branch));
    }
}

TEST_CASE("a disc that lies flat, or has passed through its plane, says so", "[serial]") {
  const auto disc_at = [](double tilt) {
    Frame<double> f;
    f.R = rotation_matrix(exp_quaternion(Vec3<double>{{tilt, 0, 0}}));
    f.x = {{0, 0, std::abs(std::sin(tilt))}};
    return f;
  };
  Setup setup;
  setup.places = {Place{}, Place{}};
  setup.places[0].is_ground = true;
  setup.places[1].frame = disc_at(0.8);
  setup.fields.set("radius", {1});
  setup.fields.set("normal", {0, 0, 1});
  setup.fields.set("axis_local", {0, 0, 1});
  const auto p = RollingDisc::make(setup);
  const auto verdict = [&](double before, double now) {
    const Frame<double> was[2] = {{}, disc_at(before)}, is[2] = {{}, disc_at(now)};
    return RollingDisc::check(p, was, is, none);
  };
  CHECK(verdict(0.8, 0.7) == Verdict::ok);
  CHECK(verdict(0.8, 0.01) == Verdict::ok);
  CHECK(verdict(0.01, -0.01) == Verdict::singular);
  CHECK(verdict(0.01, 1e-8) == Verdict::singular);
  CHECK(verdict(1.5, 1.7) == Verdict::ok);  // over the upright position
}

TEST_CASE("a skate on end, or past it, says so", "[serial]") {
  Setup setup;
  setup.places = {Place{}, Place{}};
  setup.places[0].is_ground = true;
  setup.fields.set("direction_local", {1, 0, 0});
  setup.fields.set("normal", {0, 0, 1});
  const auto p = Skate::make(setup);
  const auto pitched = [](double angle) {
    Frame<double> f;
    f.R = rotation_matrix(exp_quaternion(Vec3<double>{{0, angle, 0}}));
    return f;
  };
  const auto verdict = [&](double before, double now) {
    const Frame<double> was[2] = {{}, pitched(before)}, is[2] = {{}, pitched(now)};
    return Skate::check(p, was, is, none);
  };
  CHECK(verdict(0, 0.3) == Verdict::ok);
  CHECK(verdict(1.4, 1.5) == Verdict::ok);
  CHECK(verdict(1.4, M_PI / 2) == Verdict::singular);
  CHECK(verdict(1.5, 1.7) == Verdict::singular);
}

TEST_CASE("a surface's mean frame half a turn off is told by the nodes of its rim", "[serial]") {
  Setup setup;
  setup.places = {Place{}, Place{}};
  setup.places[0].frame.x = {{2, 0, 0}};
  setup.fields.set("weight", {0.25});
  setup.fields.set("gyration_radius", {1.0});
  const auto p = SurfaceMean::make(setup);
  const auto verdict = [&](double angle) {
    const Frame<double> f[2] = {setup.places[0].frame, turned(setup.places[1].frame, {{0, 0, 1}}, angle, {})};
    return SurfaceMean::check(p, f, f, none);
  };
  CHECK(verdict(0.5) == Verdict::ok);
  CHECK(verdict(M_PI) == Verdict::other_branch);
  setup.places[0].frame.x = {{0.3, 0, 0}};  // near the centre a node says nothing
  const auto near = SurfaceMean::make(setup);
  const Frame<double> f[2] = {setup.places[0].frame, turned(setup.places[1].frame, {{0, 0, 1}}, M_PI, {})};
  CHECK(SurfaceMean::check(near, f, f, none) == Verdict::ok);
}

TEST_CASE("a node without a share but for rounding says nothing of a surface's mean frame", "[serial]") {
  for (const double rounding : {1e-20, -1e-20, 3e-18})
    for (const double side : {1.0, -1.0}) {
      Setup setup;
      setup.places = {Place{}, Place{}};
      setup.places[0].frame.x = {{2, 0, 0}};
      setup.fields.set("weight", {rounding});  // a corner of a flat tri6
      setup.fields.set("moment", {side * 0.1, 0, 0});
      setup.fields.set("gyration_radius", {1.0});
      const Frame<double> f[2] = {setup.places[0].frame, setup.places[1].frame};
      CHECK(SurfaceMean::check(SurfaceMean::make(setup), f, f, none) == Verdict::ok);
    }
}
