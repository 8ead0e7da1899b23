#include "solve/quadratic_rate.hpp"

#include "tests/catch.hpp"

#include <cmath>

using namespace sinew;

TEST_CASE("What a new tangent leaves is believed once it was measured often enough, and not for ever", "[serial]") {
  QuadraticRate rate;
  for (int k = 0; k < QuadraticRate::memory; ++k) {
    CHECK(std::isinf(rate.left_of(1e-3)));
    rate.grow_older();
    rate.measure(1e-4, k == 3 ? 5e-9 : 1e-9);
  }
  CHECK(rate.left_of(1e-3) == Approx(0.5e-3));  // the worst that was measured, times the correction
  CHECK(rate.left_of(1e-6) == Approx(0.5e-6));
  for (int k = 0; k < QuadraticRate::memory; ++k) {
    CHECK(std::isfinite(rate.left_of(1e-3)));
    rate.grow_older();
  }
  rate.grow_older();
  CHECK(std::isinf(rate.left_of(1e-3)));
  rate.measure(1e-4, 1e-9);
  CHECK(std::isfinite(rate.left_of(1e-3)));
  rate.forget();
  CHECK(std::isinf(rate.left_of(1e-3)));
}
