#include "integrate/history_terms.hpp"

#include "tests/catch.hpp"

#include <cmath>
#include <functional>
#include <numbers>

using namespace sinew;

namespace {

/// Differences of a motion at whole numbers of steps, as formulas of this order see them.
HistoryTerms watched(const std::function<double(int)>& motion, int steps, int order) {
  HistoryTerms terms;
  for (int n = HistoryTerms::highest; n < steps; ++n) {
    HistoryTerms::Terms found;
    found.known = HistoryTerms::count;
    for (int j = HistoryTerms::lowest; j <= HistoryTerms::highest; ++j) {
      double difference = 0, binomial = 1;
      for (int i = 0; i <= j; ++i) {
        difference += binomial * motion(n - i);
        binomial *= -static_cast<double>(j - i) / (i + 1);
      }
      found.sizes[j - HistoryTerms::lowest] = std::abs(difference);
    }
    terms.add(found, order, n);
  }
  return terms;
}

}  // namespace

TEST_CASE("a vibration is seen in the terms of a history long before it counts", "[serial]") {
  for (const double angle : {0.8, 1.0, 1.4})
    for (const int order : {2, 3, 5}) {
      const auto motion = [&](int n) { return std::sin(0.01 * n) + 1e-6 * std::sin(angle * n); };
      INFO("angle " << angle << " order " << order);
      CHECK(watched(motion, 40, order).vibrate());
    }
}

TEST_CASE("smooth motions, jumps and noise are no vibrations", "[serial]") {
  const auto smooth = [](int n) { return std::sin(0.3 * n); };
  const auto jump = [](int n) { return n < 20 ? 0.0 : 1.0; };
  const auto noise = [](int n) { return std::sin(0.01 * n) + 1e-9 * std::sin(12.9898 * n * n); };
  for (const int order : {2, 3, 5})
    for (int steps = 15; steps < 60; ++steps) {
      INFO("order " << order << " steps " << steps);
      CHECK_FALSE(watched(smooth, steps, order).vibrate());
      CHECK_FALSE(watched(jump, steps, order).vibrate());
      CHECK_FALSE(watched(noise, steps, order).vibrate());
    }
}

TEST_CASE("what order 5 resolves is left to it, and what it amplifies is said", "[serial]") {
  const auto slow = [](int n) { return std::sin(0.68 * n); };
  CHECK_FALSE(watched(slow, 60, 5).vibrate());
  CHECK(watched(slow, 60, 3).vibrate());
  const auto growing = [](int n) { return 1e-9 * std::exp(0.05 * n) * std::sin(1.0 * n); };
  CHECK(watched(growing, 100, 5).verdict().find("BDF of order 5 has amplified a vibration") != std::string::npos);
  CHECK(watched(growing, 100, 2).verdict().empty());
  const auto steady = [](int n) { return std::sin(1.0 * n); };
  CHECK(watched(steady, 100, 5).verdict().empty());
}
