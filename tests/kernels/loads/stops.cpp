// Stops of joints: their law, and that they push the coordinate of the joint.
#include "kernels/loads/stop_angle.hpp"
#include "kernels/loads/stop_distance.hpp"
#include "kernels/sweep/registry.hpp"
#include "tests/catch.hpp"
#include "tests/kernels/joints/scene.hpp"

#include <array>

using namespace sinew;
using namespace sinew::trial;

namespace {

FieldValues limits(double lower, double upper) {
  FieldValues fields;
  fields.set("lower", {lower});
  fields.set("upper", {upper});
  fields.set("stiffness", {1000});
  fields.set("damping", {0.5});
  fields.set("exponent", {1.5});
  return fields;
}

template <class F>
NodeForces<double, NodeKind::frame, 2> forces(const typename F::Params& p, const NodeStates<double, NodeKind::frame, 2>& s) {
  NodeForces<double, NodeKind::frame, 2> f;
  F::force(p, Environment{}, nullptr, s, f);
  return f;
}

}  // namespace

TEST_CASE("a stop pushes back beyond its limits, never pulls, and stores what it gives back", "[serial]") {
  const StopLaw law = make_stop_law(limits(-1, 2));
  CHECK(stop_force(law, 0.5, 9.0) == 0);
  CHECK(stop_force(law, 2.04, 0.0) == Approx(-1000 * 0.008));
  CHECK(stop_force(law, -1.04, 0.0) == Approx(1000 * 0.008));
  CHECK(stop_force(law, 2.04, 0.4) == Approx(-8 * 1.2));
  CHECK(stop_force(law, -1.04, -0.4) == Approx(8 * 1.2));
  CHECK(stop_force(law, 2.04, -2.5) == 0);
  CHECK(stop_force(law, -1.04, 2.5) == 0);
  CHECK(stop_energy(law, 0) == 0);
  CHECK(stop_energy(law, 2.04) == Approx(1000 * std::pow(0.04, 2.5) / 2.5));
  CHECK(stop_energy(law, -1.04) == Approx(stop_energy(law, 2.04)));
}

TEST_CASE("kinks of a stop are its limits, and where its damping has used up the push", "[serial]") {
  const StopLaw law = make_stop_law(limits(-1, 2));
  const auto kinks = [&law](double coordinate, double rate) {
    std::array<double, num_stop_kinks> g{};
    stop_kinks(law, coordinate, rate, g.data());
    return g;
  };
  using Kinks = std::array<double, num_stop_kinks>;
  CHECK(kinks(0.5, -9.0) == Kinks{1.5, 1.5, 1});
  CHECK(kinks(2.5, 1.0) == Kinks{-0.5, 3.5, 1.5});
  CHECK(kinks(2.5, -3.0) == Kinks{-0.5, 3.5, -0.5});
  CHECK(kinks(-1.5, -1.0) == Kinks{3.5, -0.5, 1.5});
  CHECK(kinks(-1.5, 3.0) == Kinks{3.5, -0.5, -0.5});
}

TEST_CASE("a stop without a limit, with limits the wrong way round or of infinite stiffness is refused", "[serial]") {
  CHECK_THROWS_WITH(make_stop_law(limits(2, 1)), Catch::Contains("must be below"));
  FieldValues none;
  none.set("stiffness", {1});
  CHECK_THROWS_WITH(make_stop_law(none), Catch::Contains("a stop has a limit"));
  FieldValues soft = limits(0, 1);
  soft.set("exponent", {0.5});
  CHECK_THROWS_WITH(make_stop_law(soft), Catch::Contains("1 or more"));
}

TEST_CASE("stops act along and about the axis, and measure the coordinate of the joint", "[serial]") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    Scene scene(seed);
    scene.direction("axis", scene.e).number("upper", 0.1).number("stiffness", 50);
    NodeStates<double, NodeKind::frame, 2> s;
    const Frame<double> first = scene.place(0).frame, second = scene.place(1).frame;
    for (int k = 0; k < 2; ++k) s.twist[k] = random_twist(scene.sample);
    s.frame[0] = first;

    s.frame[1] = shifted(second, 0.3 * scene.e);
    const auto way = StopDistance::make(scene.setup);
    CHECK(gap(forces<StopDistance>(way, s).f[1].force, (-50 * 0.2) * scene.e) < 1e-12);
    const auto by_way =
        find_entry(registered_forces(), StopDistance::name)->measure({packed(way).data(), nullptr, s.frame, s.twist});
    CHECK(by_way[0] == Approx(-10));
    CHECK(by_way[1] == Approx(0.3));

    s.frame[1] = turned(second, scene.e, 0.3, scene.pivot);
    const auto turn = StopAngle::make(scene.setup);
    const auto f = forces<StopAngle>(turn, s);
    CHECK(gap(s.frame[1].R * f.f[1].moment, (-50 * 0.2) * scene.e) < 1e-12);
    CHECK(gap(s.frame[0].R * f.f[0].moment, (50 * 0.2) * scene.e) < 1e-12);
    const auto by_turn =
        find_entry(registered_forces(), StopAngle::name)->measure({packed(turn).data(), nullptr, s.frame, s.twist});
    CHECK(by_turn[0] == Approx(-10));
    CHECK(by_turn[1] == Approx(0.3));
  }
}
