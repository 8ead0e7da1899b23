#include "model/straight_table.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <limits>

using namespace sinew;

TEST_CASE("A straight table has the values of its rows, their slopes between them and none beyond", "[serial]") {
  const StraightTable table({{-1, 4}, {0, 2}, {0.5, 2}, {0.75, 2}, {2, -3}, {2.25, -4}, {2.5, -4.5}});
  // the rows at 0.75 and 2.25 change the slope, the one at 0.5 does not
  CHECK(table.num_kinks() == 5);
  CHECK(table.first_value() == 4);
  const double rows[][3] = {{-9, 4, 0},  {-1, 4, -2},    {0, 2, 0},      {0.5, 2, 0}, {0.75, 2, -4},
                            {2, -3, -4}, {2.25, -4, -2}, {2.5, -4.5, 0}, {9, -4.5, 0}};
  for (const auto& [x, value, slope] : rows) {
    INFO("at " << x);
    const Dual1 y = table.value(Dual1(x, 1.0));
    CHECK(y.value == value);
    CHECK(y.grad == slope);  // from the right
  }
  CHECK(std::isnan(table.value(std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("A piece of a straight table goes on beyond its ends, and begins on its kink", "[serial]") {
  const StraightTable table({{0, 0}, {1, 2}, {2, 0}});
  CHECK(table.value_on(1, 3.0) == 6);
  CHECK(table.value_on(2, 0.0) == 4);
  for (std::size_t k = 0; k < table.num_kinks(); ++k) {
    CHECK(table.piece(table.kink(k)) == k + 1);
    CHECK(table.piece(std::nextafter(table.kink(k), -1.0)) == k);
  }
  CHECK(StraightTable({{0, 3}, {1, 3}}).num_kinks() == 0);
}
