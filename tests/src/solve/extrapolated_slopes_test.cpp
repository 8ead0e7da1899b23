#include "solve/extrapolated_slopes.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <functional>

using namespace sinew;

namespace {

/// The slopes of functions at 0 from steps of 1e-4, 1e-5, ... 1e-10.
std::vector<double> slopes_of(const std::vector<std::function<double(double)>>& functions) {
  ExtrapolatedSlopes slopes(std::vector<double>(functions.size(), 2e-13), 10);
  double h = 1e-4;
  for (int k = 0; k < 7; ++k, h /= 10) {
    std::vector<double> above, below;
    for (const auto& f : functions) {
      above.push_back(f(h));
      below.push_back(f(-h));
    }
    slopes.add(h, above, below);
  }
  return slopes.slopes();
}

}  // namespace

TEST_CASE("Every function is differenced over the step that serves it", "[serial]") {
  const double narrow = 1e-8;
  const std::vector<double> found = slopes_of(
      {[](double x) { return std::sin(1 + x); }, [](double x) { return 1e3 + 2 * x; },
       [=](double x) { return std::hypot(narrow, x + narrow); }, [=](double x) { return std::max(0.0, 3 * (x + 2e-8)); },
       [](double x) { return std::abs(x); }, [](double x) { return std::abs(x - 1e-9); }});
  CHECK(found[0] == Approx(std::cos(1.0)).epsilon(1e-10));
  CHECK(found[1] == Approx(2).epsilon(1e-8));
  CHECK(found[2] == Approx(std::sqrt(0.5)).epsilon(1e-4));
  CHECK(found[3] == Approx(3).epsilon(1e-9));
  CHECK(found[4] == 0);  // the mean of both sides
  CHECK(found[5] == Approx(-1).epsilon(1e-3));
}

TEST_CASE("Slopes that are known well enough stay as they are", "[serial]") {
  ExtrapolatedSlopes slopes({1e-16, 1e-16}, 10);
  slopes.add(1e-1, {1.0, 1.0}, {-1.0, -1.0});
  slopes.settle({1e-6, 1e-6});
  CHECK_FALSE(slopes.are_settled());  // one difference tells nothing of its error
  slopes.add(1e-2, {0.1, 0.2}, {-0.1, -0.2});
  slopes.settle({1e-6, 1e-6});
  CHECK_FALSE(slopes.are_settled());
  slopes.add(1e-3, {0.5, 0.02}, {-0.5, -0.02});
  slopes.settle({1e-6, 1e-6});
  CHECK(slopes.slopes()[0] == Approx(10));
  slopes.add(1e-4, {0.5, 0.002}, {-0.5, -0.002});
  slopes.settle({1e-6, 1e-6});
  CHECK(slopes.are_settled());
  CHECK(slopes.slopes()[1] == Approx(20));
}
