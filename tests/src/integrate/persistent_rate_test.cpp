#include "integrate/persistent_rate.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <random>

using namespace sinew;

namespace {

constexpr double h = 1e-3, T = 1;

/// The largest result over the last half of a series of 1000 values.
template <class Series>
double largest_of(Series series) {
  PersistentRate persistent;
  double largest = 0;
  for (int n = 0; n < 1000; ++n) {
    const double r = series(n), result = persistent.measure(r, h, T);
    persistent.accept();
    CHECK(result <= std::abs(r));
    if (n >= 500) largest = std::max(largest, result);
  }
  return largest;
}

}  // namespace

TEST_CASE("Of a steady rate all persists", "[serial]") {
  CHECK(largest_of([](int) { return -2.0; }) == Approx(2.0).epsilon(1e-3));
}

TEST_CASE("Of noise nothing but an outlier persists", "[serial]") {
  std::mt19937 generator(1);
  std::normal_distribution<double> noise;
  CHECK(largest_of([&](int) { return noise(generator); }) < 0.15);
}

TEST_CASE("Noise does not hide a steady rate", "[serial]") {
  std::mt19937 generator(1);
  std::normal_distribution<double> noise(1, 0.3);
  CHECK(largest_of([&](int) { return noise(generator); }) == Approx(1.0).margin(0.3));
}

TEST_CASE("A rate that swings counts with what it adds up to before it turns", "[serial]") {
  const double w = 100;
  const double amount = largest_of([&](int n) { return std::sin(w * n * h); });
  CHECK(amount > 1 / w);
  CHECK(amount < 0.2);
}

TEST_CASE("An attempt that is not accepted leaves no trace", "[serial]") {
  PersistentRate once, twice;
  for (int n = 0; n < 50; ++n) {
    const double r = std::sin(0.3 * n) + 0.5;
    twice.measure(17.0, 2 * h, T);
    CHECK(once.measure(r, h, T) == twice.measure(r, h, T));
    once.accept();
    twice.accept();
  }
}
