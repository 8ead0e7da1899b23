// The curve through a table: its points, its shape, its integral, and what it refuses.
#include "tests/catch.hpp"

#include "kernels/loads/monotone_curve.hpp"

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

const std::vector<double> rows{0.2, -90, 0.6, -20, 1, 0, 1.4, 30, 1.6, 120, 1.7, 120, 2, 40};

}  // namespace

TEST_CASE("a curve through a table passes its points, without a jump of value or slope", "[serial]") {
  const MonotoneCurve curve = MonotoneCurve::through(rows, "lengths");
  for (std::size_t k = 0; k + 1 < rows.size(); k += 2) {
    CHECK(curve.value(rows[k]) == Approx(rows[k + 1]).margin(1e-12));
    constexpr double h = 1e-7;
    const double left = curve.value(Dual1(rows[k] - h, 1)).grad, right = curve.value(Dual1(rows[k] + h, 1)).grad;
    CHECK(left == Approx(right).epsilon(1e-4).margin(1e-2));
  }
}

TEST_CASE("a curve through a table has no other extrema than the table", "[serial]") {
  const MonotoneCurve curve = MonotoneCurve::through(rows, "lengths");
  for (std::size_t k = 0; k + 3 < rows.size(); k += 2)
    for (int i = 0; i <= 50; ++i) {
      const double value = curve.value(rows[k] + (rows[k + 2] - rows[k]) * i / 50);
      CHECK(value >= std::min(rows[k + 1], rows[k + 3]) - 1e-12);
      CHECK(value <= std::max(rows[k + 1], rows[k + 3]) + 1e-12);
    }
}

TEST_CASE("a straight table is a straight line, beyond its ends too", "[serial]") {
  const MonotoneCurve curve = MonotoneCurve::through({1, 3, 2, 5, 4, 9}, "lengths");
  for (const double x : {-2.0, 0.0, 1.5, 3.0, 7.0}) CHECK(curve.value(x) == Approx(2 * x + 1));
}

TEST_CASE("the integral of a curve has its value as slope, and is zero where the curve first is", "[serial]") {
  const MonotoneCurve curve = MonotoneCurve::through(rows, "lengths");
  CHECK(curve.integral(1) == Approx(0).margin(1e-12));
  for (double x = -0.1; x < 2.4; x += 0.0731) {
    constexpr double h = 1e-6;
    CHECK((curve.integral(x + h) - curve.integral(x - h)) / (2 * h) == Approx(curve.value(x)).epsilon(1e-6).margin(1e-6));
  }
  CHECK(MonotoneCurve::through({1, 3, 2, 5}, "lengths").integral(1) == 0);  // never zero: from the first point
}

TEST_CASE("a table that does not rise, or has one row, is refused", "[serial]") {
  CHECK_THROWS_WITH(MonotoneCurve::through({1, 3, 1, 5}, "lengths"),
                    Catch::Contains("lengths must rise from row to row, but row 2"));
  CHECK_THROWS_WITH(MonotoneCurve::through({1, 3}, "lengths"), Catch::Contains("from 2 to 32"));
}
