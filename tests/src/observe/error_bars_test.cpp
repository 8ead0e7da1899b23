// Bars of recorded numbers, from series whose errors are known.
#include "observe/error_bars.hpp"
#include "tests/catch.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

using namespace sinew;

namespace {

constexpr int rows = 400;
constexpr double duration = 10;

/// cos(t), wrong by error(t) of a run with this part of the coarsest steps.
SensorSeries series(const std::function<double(double)>& error) {
  SensorSeries result(MPI_COMM_SELF, {});
  for (int k = 0; k <= rows; ++k) {
    const double t = duration * k / rows;
    result.add(t, {std::cos(t) + error(t)});
  }
  return result;
}

struct Found {
  double below = 0;   ///< part of the rows whose error is at most its bar
  double median = 0;  ///< of bar over the amplitude of the error
};

/// Runs with steps of 1, 1/2, 1/4: errors(t, part) each.
Found compare(const std::function<double(double, double)>& errors) {
  const auto of = [&](double part) { return series([&](double t) { return errors(t, part); }); };
  const SensorSeries coarsest = of(1), other = of(0.5), judged = of(0.25);
  ErrorBars bars({"x"}, ErrorRule{});
  bars.compare(judged, other, &coarsest, {1, 2, 4});
  Found found;
  std::vector<double> sizes;
  for (int k = 0; k <= rows; ++k) {
    const double t = judged.times()[static_cast<std::size_t>(k)], bar = bars.at(t)[0];
    found.below += std::abs(errors(t, 0.25)) <= bar ? 1.0 / (rows + 1) : 0.0;
    sizes.push_back(bar);
  }
  std::sort(sizes.begin(), sizes.end());
  found.median = sizes[sizes.size() / 2];
  return found;
}

}  // namespace

TEST_CASE("Bars of errors that fall with h^2 row by row are 1.25 times as large", "[serial]") {
  const auto error = [](double t, double part) { return 1e-3 * part * part * std::sin(0.7 * t); };
  const Found found = compare(error);
  CHECK(found.below > 0.99);
  const Found alike = compare([](double, double part) { return 1e-3 * part * part; });
  CHECK(alike.median == Approx(1.25 * 1e-3 / 16).epsilon(1e-6));
}

TEST_CASE("Where errors fall with h^2 in the mean only, out of phase from run to run, bars are cautious and hold", "[serial]") {
  // A vibration a quarter of a turn later in each run: differences fall by 4, and the first is at right angles to the second.
  const auto error = [](double t, double part) {
    return 1e-3 * part * part * std::sin(10 * t + std::acos(0.0) * std::log2(part));
  };
  CHECK(compare(error).below >= 0.95);
}

TEST_CASE("A vibration out of phase beside errors that fall with h^2 widens the bars by what it is", "[serial]") {
  // A fifth of the error of the finest run, as large in the others, and later in each of them.
  const auto vibration = [](double t, double part) { return 1.25e-5 * std::sin(10 * t + 2 * std::log2(part)); };
  const auto error = [&](double t, double part) { return 1e-3 * part * part * std::sin(0.7 * t) + vibration(t, part); };
  const Found found = compare(error);
  CHECK(found.below >= 0.95);  // 0.70 by the differences of two runs alone
  CHECK(found.median < 1.5e-3 / 16);
}
