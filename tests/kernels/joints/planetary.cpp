// The row of three shafts of a planetary gear against the speeds and torques of the field's books.
#include "tests/catch.hpp"

#include "kernels/joints/shaft_gear.hpp"
#include "kernels/joints/shaft_planetary.hpp"
#include "kernels/sweep/joint_family.hpp"
#include "tests/kernels/generic/one_element.hpp"

using namespace sinew;
using namespace sinew::trial;

namespace {

/// Shafts at these angles.
Setup shafts(std::initializer_list<double> angles, double ratio) {
  Setup setup;
  for (const double angle : angles)
    setup.places.push_back(Place{{Vec3<double>{{angle, 0, 0}}, identity<double, 3>()}, {}, false, false, true});
  setup.fields.set("ratio", {ratio});
  return setup;
}

/// The row of a joint with the shafts turned on by so much.
template <class J>
double row(const Setup& setup, std::initializer_list<double> turns) {
  Frame<double> f[J::num_nodes];
  int k = 0;
  for (const double turn : turns) {
    f[k].x[0] = setup.places[static_cast<std::size_t>(k)].frame.x[0] + turn;
    ++k;
  }
  double g[1];
  J::position(J::make(setup), f, static_cast<const double*>(nullptr), g);
  return g[0];
}

}  // namespace

TEST_CASE("the wheels of a planetary gear turn by its ratio as seen from the carrier, from where they start", "[serial]") {
  for (const double ratio : {-3.0, -1.0, 0.4, 1.0}) {
    const Setup setup = shafts({0.2, -1.0, 0.7}, ratio);
    CHECK(row<ShaftPlanetary>(setup, {0, 0, 0}) == Approx(0).margin(1e-15));
    CHECK(row<ShaftPlanetary>(setup, {5, 5 + ratio * 2, 5 + 2}) == Approx(0).margin(1e-14));
    CHECK(row<ShaftPlanetary>(setup, {2, 2, 2}) == Approx(0).margin(1e-14));  // all as one
    CHECK(row<ShaftPlanetary>(setup, {0, 0.3, -0.4}) == Approx(row<ShaftGear>(shafts({-1.0, 0.7}, ratio), {0.3, -0.4})));
  }
  CHECK(row<ShaftPlanetary>(shafts({0, 0, 0}, -1), {(3.0 + 8.0) / 2, 3, 8}) == Approx(0).margin(1e-14));  // the differential
}

TEST_CASE("the torques of a planetary gear are in proportion to its row and add up to none", "[serial]") {
  const FamilyEntry& entry = *find_entry(registered_joints(), ShaftPlanetary::name);
  for (int k = 0; k < 3; ++k) CHECK(entry.shape.is_scalar(k));
  for (const double ratio : {-3.0, -1.0, 0.4, 1.0}) {
    Frame<double> f[3];
    Mat<double, 1, 18> G;
    ShaftPlanetary::gradient(ShaftPlanetary::make(shafts({0, 0, 0}, ratio)), f, nullptr, G);
    CHECK(G(0, 0) == ratio - 1);
    CHECK(G(0, 6) == 1);
    CHECK(G(0, 12) == -ratio);
    CHECK(G(0, 0) + G(0, 6) + G(0, 12) == Approx(0).margin(1e-15));
  }
}

TEST_CASE("a planetary gear needs three places and a ratio that turns its first wheel", "[serial]") {
  CHECK_THROWS_WITH(ShaftPlanetary::make(shafts({0, 0, 0}, 0)), Catch::Contains("the ratio is zero"));
  CHECK_THROWS_WITH(ShaftPlanetary::make(shafts({0, 0}, 2)), Catch::Contains("connects 3 places, not 2"));
}
