#include "model/expression_breaks.hpp"

#include "input/expression_parser.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <map>
#include <string>

using namespace sinew;

namespace {

using Breaks = std::vector<std::pair<double, double>>;

Breaks breaks_of(const std::string& text, double to = 2, const Indices& indices = {}) {
  static const std::map<std::string, double> constants{{"T", 0.1}};
  static const Repeat repeat({{"i", 1, 10}});
  return find_breaks(parse_expression(text, {&constants, &repeat, true}), indices, 0, to);
}

void check_times(const Breaks& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i].first == Approx(expected[i]).margin(1e-12));
    CHECK(found[i].second == std::nextafter(found[i].first, 10.0));
  }
}

}  // namespace

TEST_CASE("Smooth functions of time have no breaks", "[serial]") {
  CHECK(breaks_of("sin(t)*exp(-t)").empty());
  CHECK(breaks_of("3 > 2 ? 1 : 0").empty());
}

TEST_CASE("A step is found to the last bit, on the side that the comparison says", "[serial]") {
  const Breaks closed = breaks_of("t < 0.3 ? 0 : 1"), open = breaks_of("t <= 0.3 ? 0 : 1");
  check_times(closed, {0.3});
  check_times(open, {0.3});
  CHECK(closed[0].second == 0.3);
  CHECK(open[0].first == 0.3);
}

TEST_CASE("Ramps, pulses, tables and absolute values break where their pieces meet", "[serial]") {
  check_times(breaks_of("min(max((t-0.7)/T,0),1)"), {0.7, 0.8});
  check_times(breaks_of("t > 1 && t < 1 + 1e-7 ? 5 : 0"), {1, 1 + 1e-7});
  check_times(breaks_of("t < 0.5 ? t : t < 1 ? 0.5 : t < 1.5 ? 1.5 - t : 0"), {0.5, 1, 1.5});
  check_times(breaks_of("abs(t - 1)*sign(t - 1.25)"), {1, 1.25});
  check_times(breaks_of("t - floor(t/0.25)*0.25", 0.9), {0.25, 0.5, 0.75});
}

TEST_CASE("Conditions that are not linear in time are found as well", "[serial]") {
  const double pi = std::acos(-1.0);
  check_times(breaks_of("sin(10*t + 0.5) > 0 ? 1 : 0", 1), {(pi - 0.5) / 10, (2 * pi - 0.5) / 10, (3 * pi - 0.5) / 10});
}

TEST_CASE("A load that comes on after the start breaks there", "[serial]") {
  const Breaks found = breaks_of("t > 0 ? 1 : 0");
  REQUIRE(found.size() == 1);
  CHECK(found[0].first == 0);
  CHECK(found[0].second > 0);
}

TEST_CASE("Breaks follow the index of a repeat", "[serial]") {
  check_times(breaks_of("t < i*T ? 0 : 1", 2, {3, 0}), {0.3});
  check_times(breaks_of("t < i*T ? 0 : 1", 2, {7, 0}), {0.7});
}
