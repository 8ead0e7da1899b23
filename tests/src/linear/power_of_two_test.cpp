#include "linear/power_of_two.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <limits>

using namespace sinew;

TEST_CASE("powers of two are exact over the range of normal numbers, and stay in it", "[serial]") {
  for (int exponent = -1022; exponent <= 1023; ++exponent) REQUIRE(double(PowerOfTwo(exponent)) == std::ldexp(1.0, exponent));
  CHECK(double(PowerOfTwo()) == 1.0);
  CHECK(double(PowerOfTwo(5000)) == std::ldexp(1.0, 1023));
  CHECK(double(PowerOfTwo(-5000)) == std::numeric_limits<double>::min());
  CHECK(sizeof(PowerOfTwo) == 2);
}
