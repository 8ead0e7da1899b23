#include "model/smooth_table.hpp"
#include "kernels/algebra/dual.hpp"
#include "model/time_part.hpp"
#include "tests/catch.hpp"

#include <cmath>

using namespace sinew;

namespace {

std::vector<std::array<double, 2>> rows_of_sine(int count, double end) {
  std::vector<std::array<double, 2>> rows;
  for (int k = 0; k <= count; ++k) {
    const double x = end * k / count + (k % 3 == 1 && k < count ? 0.2 * end / count : 0.0);  // not evenly
    rows.push_back({x, std::sin(x)});
  }
  return rows;
}

struct Value {
  double value, first, second;
};

Value at(const SmoothTable& table, double x) {
  const Dual2 y = table.value(Dual2(Dual1(x, 1.0), Dual1(1.0, 0.0)));
  return {y.value.value, y.value.grad, y.grad.grad};
}

}  // namespace

TEST_CASE("A smooth table passes its rows, and the function between them by the fourth power of their distance", "[serial]") {
  constexpr double end = 3.14159265358979323846;  // where the second derivative is 0, as that of the spline
  double before = 0;
  for (const int count : {10, 20, 40, 80}) {
    const auto rows = rows_of_sine(count, end);
    const SmoothTable table(rows);
    double error = 0;
    for (const auto& [x, y] : rows) CHECK(table.value(x) == Approx(y).margin(1e-15));
    for (int k = 0; k <= 1000; ++k) error = std::max(error, std::abs(table.value(end * k / 1000) - std::sin(end * k / 1000)));
    if (before > 0) CHECK(std::log2(before / error) == Approx(4).margin(0.3));
    before = error;
  }
}

TEST_CASE("A smooth table has no kink, at its ends neither, beyond which it goes on straight", "[serial]") {
  const SmoothTable table({{-1, 4}, {0, 2}, {0.5, 2}, {2, -7}, {2.1, 3}});
  for (const double x : {-1.0, 0.0, 0.5, 2.0, 2.1}) {
    const Value left = at(table, x - 1e-9), right = at(table, x + 1e-9);
    CHECK(left.first == Approx(right.first).margin(1e-5));
    CHECK(left.second == Approx(right.second).margin(1e-4));
  }
  CHECK(at(table, -3).second == 0);
  CHECK(at(table, -3).value == Approx(4 - 2 * at(table, -1).first));
  CHECK(at(table, 5).first == at(table, 2.1).first);
  const SmoothTable line({{1, 1}, {2, 3}});
  CHECK(line.value(7.0) == Approx(13));
}

TEST_CASE("What a smooth table does between two arguments lies within its bounds", "[serial]") {
  const SmoothTable table({{-1, 4}, {0, 2}, {0.5, 2}, {2, -7}, {2.1, 3}});
  for (const auto& [from, to] : {std::pair{-3.0, 4.0}, {-0.5, 0.4}, {0.6, 0.7}, {1.9, 2.05}, {3.0, 4.0}, {-5.0, -4.0}}) {
    const SmoothTable::Bounds bounds = table.bounds(from, to);
    double most = 0;
    for (int k = 0; k <= 500; ++k) {
      const Value y = at(table, from + (to - from) * k / 500);
      CHECK((y.value >= bounds.value[0] - 1e-12 && y.value <= bounds.value[1] + 1e-12));
      CHECK((y.first >= bounds.first[0] - 1e-12 && y.first <= bounds.first[1] + 1e-12));
      CHECK((y.second >= bounds.second[0] - 1e-12 && y.second <= bounds.second[1] + 1e-12));
      most = std::max(most, std::abs(y.second));
    }
    CHECK(std::max(std::abs(bounds.second[0]), std::abs(bounds.second[1])) <= 1000 + 2 * most);
  }
}
