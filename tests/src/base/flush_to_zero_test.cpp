#include "base/flush_to_zero.hpp"

#include "tests/catch.hpp"

#include <limits>

using namespace sinew;

TEST_CASE("numbers too small for full precision become zero, and those a little larger stay", "[serial]") {
  flush_to_zero();
  volatile double smallest = std::numeric_limits<double>::min(), half = 0.5;
#if defined(__SSE2__) || defined(__aarch64__)
  CHECK(smallest * half == 0.0);
#endif
  CHECK(smallest / half == 2 * std::numeric_limits<double>::min());
}
