// What joints leave free, as numbers: zero at the start, what the bodies were moved by afterwards, whatever carries both along.
#include "kernels/sweep/registry.hpp"
#include "tests/catch.hpp"
#include "tests/kernels/joints/scene.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

constexpr double tiny = 1e-13;
constexpr unsigned num_seeds = 5;

/// The coordinates of a registered joint after a motion of the second body, and after everything has been carried along.
std::vector<double> coordinates_after(const std::string& joint, Scene& scene, Pair pair) {
  const FamilyEntry* entry = find_entry(registered_joints(), joint);
  REQUIRE(entry);
  REQUIRE(entry->coordinates);
  const Carry carry(scene.sample);
  carry(pair);
  std::vector<double> values;
  const Vec3<double> places[2] = {scene.place(0).point, scene.place(1).point};
  for (const RelativeCoordinate& c : entry->coordinates(scene.setup)) values.push_back(coordinate_of(c, places, pair.f));
  CHECK(values.size() == entry->coordinate_names.size());
  return values;
}

}  // namespace

TEST_CASE("the angle of a hinge is what the second body has turned by about its axis", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed)
    for (const double angle : {0.0, 0.4, -2.9, 3.1}) {
      Scene scene(seed);
      scene.direction("axis", scene.e);
      for (const char* joint : {"revolute", "parallel"}) {
        Pair pair(scene);
        pair.turn(scene.e, angle, scene.pivot);
        CHECK(coordinates_after(joint, scene, pair).at(0) == Approx(angle).margin(tiny));
      }
    }
}

TEST_CASE("a slider has moved by its distance, a sleeve has turned as well", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    Scene scene(seed);
    scene.direction("axis", scene.e);
    Pair pair(scene);
    pair.shift(-0.7 * scene.e);
    for (const char* joint : {"prismatic", "point-on-line"})
      CHECK(coordinates_after(joint, scene, pair).at(0) == Approx(-0.7).margin(tiny));
    pair.turn(scene.e, 2.5, scene.pivot);
    const std::vector<double> sleeve = coordinates_after("cylindrical", scene, pair);
    CHECK(sleeve.at(0) == Approx(2.5).margin(tiny));
    CHECK(sleeve.at(1) == Approx(-0.7).margin(tiny));
  }
}

TEST_CASE("a rod has its length, a face the angle that it has turned by on its plane", "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed) {
    Scene scene(seed);
    scene.direction("normal", scene.e);
    Pair pair(scene);
    pair.turn(scene.e, -1.2, scene.pivot).shift(0.4 * scene.u - 0.3 * scene.v);
    CHECK(coordinates_after("planar", scene, pair).at(0) == Approx(-1.2).margin(tiny));
    CHECK(coordinates_after("distance", scene, pair).at(0) == Approx(0.5).margin(tiny));
  }
}

TEST_CASE("the angles of a universal joint are the turn of its cross and the turn of the second body against the cross",
          "[serial]") {
  for (unsigned seed = 0; seed < num_seeds; ++seed)
    for (const double first : {0.0, 0.8, -2.6})
      for (const double second : {0.0, -0.5, 3.0}) {
        Scene scene(seed);
        scene.direction("axis", scene.e).direction("axis2", scene.u);
        Pair pair(scene);
        pair.turn(scene.u, second, scene.pivot).turn(scene.e, first, scene.pivot);
        const std::vector<double> angles = coordinates_after("universal", scene, pair);
        CHECK(angles.at(0) == Approx(first).margin(tiny));
        CHECK(angles.at(1) == Approx(second).margin(tiny));
      }
}
