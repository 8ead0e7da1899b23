// What `make` refuses, with a sentence for the user.
#include "tests/catch.hpp"

#include "kernels/joints/clamp.hpp"
#include "kernels/joints/distance.hpp"
#include "kernels/joints/fixed.hpp"
#include "kernels/joints/planar.hpp"
#include "kernels/joints/point_on_line.hpp"
#include "kernels/joints/revolute.hpp"
#include "kernels/joints/rolling_disc.hpp"
#include "kernels/joints/skate.hpp"
#include "kernels/joints/spherical.hpp"
#include "kernels/joints/universal.hpp"
#include "tests/kernels/joints/scene.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

/// The message of what `make` throws, empty where it does not.
template <class J>
std::string refusal(const Setup& setup) {
  try {
    J::make(setup);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Place point_at(const Vec3<double>& x) { return Place{{x}, {}, false, false}; }

}  // namespace

TEST_CASE("a joint that needs orientation refuses a point and names the joint that suits", "[serial]") {
  Scene scene(1);
  scene.direction("axis", scene.e).direction("normal", scene.e);
  scene.setup.places[1] = point_at(scene.pivot);
  const std::string revolute = refusal<Revolute>(scene.setup);
  CHECK(mentions(revolute, "a revolute needs two places that can turn"));
  CHECK(mentions(revolute, "its second place is a point"));
  CHECK(mentions(revolute, "`spherical`"));
  CHECK(mentions(refusal<Fixed>(scene.setup), "`spherical`"));
  CHECK(mentions(refusal<Planar>(scene.setup), "`point-on-plane`"));
  CHECK(refusal<Spherical>(scene.setup).empty());
  CHECK(refusal<PointOnLine>(scene.setup).empty());
}

TEST_CASE("a line is carried by a body or the ground, not by a point", "[serial]") {
  Scene scene(2);
  scene.direction("axis", scene.e);
  scene.setup.places[0] = point_at(scene.pivot);
  CHECK(mentions(refusal<PointOnLine>(scene.setup), "name the place of a body that can turn, or the ground, first"));
  scene.setup.places[1] = Place{{}, scene.pivot, true, true};
  CHECK(refusal<PointOnLine>(scene.setup).empty());
}

TEST_CASE("a clamp refuses a body that can turn", "[serial]") {
  Scene scene(3);
  scene.setup.places.pop_back();
  CHECK(mentions(refusal<Clamp>(scene.setup), "`fixed`"));
  scene.setup.places[0] = point_at(scene.pivot);
  CHECK(refusal<Clamp>(scene.setup).empty());
}

TEST_CASE("a joint refuses a wrong number of places", "[serial]") {
  Scene scene(4);
  scene.setup.places.pop_back();
  CHECK(mentions(refusal<Spherical>(scene.setup), "a spherical connects 2 places, not 1"));
}

TEST_CASE("a joint refuses directions and places that leave it undefined", "[serial]") {
  Scene scene(5);
  CHECK(mentions(refusal<Distance>(scene.setup), "coincide"));
  scene.direction("axis", scene.e).direction("axis2", scene.e);
  CHECK(mentions(refusal<Universal>(scene.setup), "perpendicular"));
  scene.number("radius", 1).direction("normal", scene.e).direction("axis_local", scene.place(1).local(scene.e));
  CHECK(mentions(refusal<RollingDisc>(scene.setup), "flat"));
  scene.direction("direction_local", scene.place(1).local(scene.e));
  CHECK(mentions(refusal<Skate>(scene.setup), "sideways"));
}
