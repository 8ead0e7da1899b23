// Closed forms of the force elements between two bodies.
#include "tests/catch.hpp"

#include "kernels/loads/bushing.hpp"
#include "kernels/loads/spring_damper.hpp"
#include "kernels/loads/torsional_spring.hpp"
#include "tests/kernels/joints/scene.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

using States = NodeStates<double, NodeKind::frame, 2>;

States at_rest(const Pair& pair) {
  States s;
  for (int k = 0; k < 2; ++k) s.frame[k] = pair.f[k];
  return s;
}

/// The force element's wrench on node k, force and moment global.
template <class F>
Wrench<double> wrench(const typename F::Params& p, const States& s, int k) {
  NodeForces<double, NodeKind::frame, 2> f;
  F::force(p, {}, nullptr, s, f);
  return {f.f[k].force, s.frame[k].R * f.f[k].moment};
}

Setup& with(Scene& scene, std::initializer_list<std::pair<const char*, double>> numbers) {
  for (const auto& [key, value] : numbers) scene.number(key, value);
  return scene.setup;
}

}  // namespace

TEST_CASE("a spring-damper pulls with stiffness times lengthening plus damping times its rate", "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Scene scene(seed);
    scene.setup.places[1] = random_place_at(scene.sample, scene.pivot + 2.0 * scene.e);
    const auto p = SpringDamper::make(with(scene, {{"stiffness", 10}, {"damping", 3}}));
    States s = at_rest(Pair(scene).shift(0.5 * scene.e));
    CHECK(norm(wrench<SpringDamper>(p, at_rest(Pair(scene)), 0).force) < 1e-13);
    CHECK(SpringDamper::strain_energy(p, s) == Approx(0.5 * 10 * 0.25));
    const Vec3<double> turning = scene.sample.vector(1);  // the second body turns about its place: no rate
    const Vec3<double> place2 = place_of(s.frame[1], p.point2);
    s.twist[1].omega = transpose_times(s.frame[1].R, turning);
    s.twist[1].v = 0.7 * scene.e + 2.0 * scene.u - cross(turning, place2 - s.frame[1].x);
    const double tension = 10 * 0.5 + 3 * 0.7;
    const auto first = wrench<SpringDamper>(p, s, 0), second = wrench<SpringDamper>(p, s, 1);
    CHECK(gap(first.force, tension * scene.e) < 1e-12);
    CHECK(gap(second.force, -tension * scene.e) < 1e-12);
    CHECK(norm(moment_about(scene.pivot, s.frame[0], first)) < 1e-12);
    CHECK(norm(moment_about(place2, s.frame[1], second)) < 1e-12);
  }
}

TEST_CASE("a spring-damper without a length starts without force and with one it has that length", "[serial]") {
  Scene scene(7);
  scene.setup.places[1] = random_place_at(scene.sample, scene.pivot + 2.0 * scene.e);
  CHECK(SpringDamper::make(scene.setup).length == Approx(2.0));
  CHECK(SpringDamper::make(with(scene, {{"length", 1.2}})).length == 1.2);
}

TEST_CASE("a spring-damper whose places coincide has no length, and is refused with one", "[serial]") {
  Scene scene(7);
  const auto p = SpringDamper::make(scene.setup);
  CHECK(p.length == 0);
  CHECK(SpringDamper::check(p, at_rest(Pair(scene))) == Verdict::ok);
  CHECK(SpringDamper::make(with(scene, {{"length", 0}})).length == 0);
  CHECK_THROWS_WITH(SpringDamper::make(with(scene, {{"length", 0.3}})), Catch::Contains("leave `length` out"));
  const States in_one_place{};
  CHECK(SpringDamper::check({{}, {}, 10, 3, 0.5}, in_one_place) == Verdict::degenerate);
  CHECK(SpringDamper::check({{}, {}, 10, 3, 0}, in_one_place) == Verdict::ok);
}

TEST_CASE("a spring-damper without length pulls with k r and c (n . r') n, and goes on through r = 0", "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Scene scene(seed);
    const auto p = SpringDamper::make(with(scene, {{"stiffness", 10}, {"damping", 3}, {"length", 0}}));
    const Vec3<double> parting = 0.7 * scene.e + 0.4 * scene.u;
    const Vec3<double> along = (1 / norm(parting)) * parting;
    for (const double way : {-0.5, -1e-3, -1e-9, 0.0, 1e-9, 1e-3, 0.5}) {  // along r', behind the meeting or before it
      States s = at_rest(Pair(scene).shift(way * along));
      s.twist[1].omega = scene.sample.vector(1);
      s.twist[1].v = parting - s.frame[1].R * cross(s.twist[1].omega, p.point2);
      const auto first = wrench<SpringDamper>(p, s, 0), second = wrench<SpringDamper>(p, s, 1);
      CHECK(gap(first.force, 10 * way * along + 3.0 * parting) < 1e-5);  // at 1e-9 m n has lost nine digits
      CHECK(gap(first.force, -second.force) == 0);
      CHECK(norm(moment_about(place_of(s.frame[1], p.point2), s.frame[1], second)) < 1e-12);
      CHECK(SpringDamper::strain_energy(p, s) == Approx(5 * way * way).margin(1e-15));
      double measured[3];
      SpringDamper::measure(p, nullptr, s, measured);
      const double rate = way < 0 ? -norm(parting) : norm(parting);
      CHECK(measured[1] == Approx(std::abs(way)).margin(1e-15));
      CHECK(measured[2] == Approx(rate).epsilon(1e-6));
      CHECK(measured[0] == Approx(10 * std::abs(way) + 3 * rate).epsilon(1e-6));
    }
    States across = at_rest(Pair(scene).shift(0.2 * scene.u));
    across.twist[1].v = 5.0 * scene.e;  // no rate, no damping
    CHECK(gap(wrench<SpringDamper>(p, across, 0).force, 2.0 * scene.u) < 1e-12);
    CHECK(norm(wrench<SpringDamper>(p, at_rest(Pair(scene)), 0).force) < 1e-13);
  }
}

TEST_CASE("a torsional spring turns bodies back about their common axis", "[serial]") {
  for (const double angle : {-2.8, -0.4, 0.0, 1.3, 3.0}) {
    Scene scene(8);
    scene.direction("axis", scene.e);
    const auto p = TorsionalSpring::make(with(scene, {{"stiffness", 5}, {"damping", 2}, {"angle", 0.25}}));
    Pair pair(scene);
    pair.turn(scene.e, angle, scene.pivot);
    Carry carry(scene.sample);
    carry(pair);
    const Vec3<double> e = carry.direction(scene.e);
    States s = at_rest(pair);
    s.twist[0].omega = transpose_times(s.frame[0].R, 0.3 * e);
    s.twist[1].omega = transpose_times(s.frame[1].R, 1.0 * e);
    const Vec3<double> moment = (5 * (angle - 0.25) + 2 * 0.7) * e;
    CHECK(gap(wrench<TorsionalSpring>(p, s, 0).moment, moment) < 1e-12);
    CHECK(gap(wrench<TorsionalSpring>(p, s, 1).moment, -moment) < 1e-12);
    CHECK(TorsionalSpring::strain_energy(p, s) == Approx(2.5 * (angle - 0.25) * (angle - 0.25)));
  }
}

TEST_CASE("a bushing resists small displacements and rotations with its matrix", "[serial]") {
  Scene scene(9);
  std::vector<double> stiffness(36), damping(36);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      stiffness[6 * i + j] = stiffness[6 * j + i] = scene.sample.uniform(-1, 1) + (i == j ? 5 : 0);
      damping[6 * i + j] = damping[6 * j + i] = scene.sample.uniform(-1, 1) + (i == j ? 5 : 0);
    }
  scene.setup.fields.set("stiffness", stiffness);
  scene.setup.fields.set("damping", damping);
  const auto p = Bushing::make(scene.setup);
  const double small = 1e-6;
  for (int k = 0; k < 6; ++k) {
    Vec3<double> axis;
    axis[k % 3] = 1;
    States s = at_rest(k < 3 ? Pair(scene).shift(small * axis) : Pair(scene).turn(axis, small, scene.pivot));
    if (k < 3) s.twist[1].v = 2 * small * axis;
    if (k >= 3) {
      s.twist[1].omega = transpose_times(s.frame[1].R, 2 * small * axis);
      s.twist[1].v = cross(2 * small * axis, s.frame[1].x - scene.pivot);
    }
    const auto first = wrench<Bushing>(p, s, 0), second = wrench<Bushing>(p, s, 1);
    const Vec3<double> moment = moment_about(scene.pivot, s.frame[0], first);
    CHECK(gap(first.force, -second.force) < 1e-15);
    for (int i = 0; i < 3; ++i) {
      const auto column = static_cast<std::size_t>(k), force_row = static_cast<std::size_t>(i), moment_row = force_row + 3;
      CHECK(first.force[i] ==
            Approx(small * (stiffness[6 * force_row + column] + 2 * damping[6 * force_row + column])).epsilon(1e-4));
      CHECK(moment[i] ==
            Approx(small * (stiffness[6 * moment_row + column] + 2 * damping[6 * moment_row + column])).epsilon(1e-4));
    }
  }
}

TEST_CASE("a bushing with axes is one with the turned matrix along the global ones", "[serial]") {
  const Vec3<double> axis = (1 / std::sqrt(14.0)) * Vec3<double>{{1, 2, 3}}, toward{{0, 1, 0}};
  const Vec3<double> across = toward - dot(toward, axis) * axis, x = (1 / norm(across)) * across,
                     columns[3] = {x, cross(axis, x), axis};
  Scene scene(11);
  std::vector<double> own(36), turned(36);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j <= i; ++j) own[6 * i + j] = own[6 * j + i] = scene.sample.uniform(-1, 1) + (i == j ? 5 : 0);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
          const int row = i / 3 * 3 + k, column = j / 3 * 3 + l;
          turned[static_cast<std::size_t>(6 * i + j)] +=
              columns[k][i % 3] * own[static_cast<std::size_t>(6 * row + column)] * columns[l][j % 3];
        }
  scene.setup.fields.set("stiffness", turned);
  scene.setup.fields.set("damping", turned);
  const auto along_global = Bushing::make(scene.setup);
  scene.setup.fields.set("stiffness", own);
  scene.setup.fields.set("damping", own);
  scene.setup.fields.set("axis", {axis[0], axis[1], axis[2]});
  scene.setup.fields.set("x_axis", {toward[0], toward[1], toward[2]});
  const auto along_own = Bushing::make(scene.setup);
  States s = at_rest(Pair(scene).turn(Vec3<double>{{0.3, -0.2, 0.5}}, 0.7, scene.pivot));
  s.twist[1].v = Vec3<double>{{0.4, -0.1, 0.2}};
  s.twist[0].omega = Vec3<double>{{-0.3, 0.6, 0.1}};
  for (const int side : {0, 1}) {
    const auto one = wrench<Bushing>(along_own, s, side), other = wrench<Bushing>(along_global, s, side);
    CHECK(gap(one.force, other.force) < 1e-13);
    CHECK(gap(one.moment, other.moment) < 1e-13);
  }
  CHECK(Bushing::strain_energy(along_own, s) == Approx(Bushing::strain_energy(along_global, s)));
  scene.setup.fields.set("x_axis", {axis[0], axis[1], axis[2]});
  CHECK_THROWS_AS(Bushing::make(scene.setup), std::invalid_argument);
}

TEST_CASE("a bushing's matrix is symmetric", "[serial]") {
  Scene scene(10);
  std::vector<double> stiffness(36);
  stiffness[1] = 1;
  scene.setup.fields.set("stiffness", stiffness);
  CHECK_THROWS_AS(Bushing::make(scene.setup), std::invalid_argument);
}
