#include "model/expression_breaks.hpp"

#include "input/expression_parser.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace sinew;

namespace {

using Breaks = std::vector<std::pair<double, double>>;

Breaks breaks_of(const std::string& text, double to = 2, const Indices& indices = {}) {
  static const std::map<std::string, double> constants{{"T", 0.1}};
  static const Repeat repeat({{"i", 1, 10}});
  return find_breaks(parse_expression(text, {&constants, &repeat, true}), indices, 0, to);
}

/// With a table of that name.
Breaks breaks_of_table(const std::string& text, const std::vector<std::array<double, 2>>& rows, double to) {
  const std::map<std::string, std::shared_ptr<const ValueTable>> tables{
      {"road", std::make_shared<const ValueTable>(StraightTable(rows))}};
  ExpressionScope scope{nullptr, nullptr, true};
  scope.tables = &tables;
  return find_breaks(parse_expression(text, scope), {}, 0, to);
}

/// With sensors.
Breaks breaks_beside_sensors(const std::string& text, double to = 2) {
  ExpressionScope scope{nullptr, nullptr, true};
  scope.signals_allowed = true;
  return find_breaks(parse_expression(text, scope), {}, 0, to);
}

/// Rows whose slope changes at every one, 1/n apart.
std::vector<std::array<double, 2>> zigzag(int n) {
  std::vector<std::array<double, 2>> rows;
  for (int k = 0; k <= n; ++k) rows.push_back({static_cast<double>(k) / n, k % 2 == 0 ? 0.0 : 1.0});
  return rows;
}

/// With a smooth one, whose rows count where they are met no faster than every `apart`.
Breaks breaks_of_smooth_table(const std::string& text, const std::vector<std::array<double, 2>>& rows, double to, double apart) {
  const std::map<std::string, std::shared_ptr<const ValueTable>> tables{
      {"cam", std::make_shared<const ValueTable>(SmoothTable(rows))}};
  ExpressionScope scope{nullptr, nullptr, true};
  scope.tables = &tables;
  return find_breaks(parse_expression(text, scope), {}, 0, to, {}, apart);
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

TEST_CASE("Rows of a smooth table are breaks where they lie far enough apart in time", "[serial]") {
  const std::vector<std::array<double, 2>> rows{{0.25, 0}, {0.5, 1}, {1, 0}, {1.5, 2}};
  constexpr double never = std::numeric_limits<double>::infinity();
  CHECK(breaks_of_smooth_table("cam(t)", rows, 2, never).empty());
  check_times(breaks_of_smooth_table("3*cam(t) + 1", rows, 2, 0.1), {0.25, 0.5, 1, 1.5});
  check_times(breaks_of_smooth_table("cam(2*t)", rows, 2, 0.1), {0.125, 0.25, 0.5, 0.75});
  // the piece from 0.25 to 0.5 is too short, and has no end of its own but where longer ones begin
  check_times(breaks_of_smooth_table("cam(t)", rows, 2, 0.3), {0.25, 0.5, 1, 1.5});
  CHECK(breaks_of_smooth_table("cam(10*t)", rows, 0.14, 0.1).size() <= 1);
  // to and fro
  check_times(breaks_of_smooth_table("cam(1.2 - 4*(t - 0.5)^2)", rows, 1, 0.01),
              {0.5 - std::sqrt(0.95) / 2, 0.5 - std::sqrt(0.7) / 2, 0.5 - std::sqrt(0.2) / 2, 0.5 + std::sqrt(0.2) / 2,
               0.5 + std::sqrt(0.7) / 2, 0.5 + std::sqrt(0.95) / 2});
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
  check_times(breaks_of("abs(t - 1)*(t < 1.25 ? -1 : 1)"), {1, 1.25});
  check_times(breaks_of("t - floor(t/0.25)*0.25", 0.9), {0.25, 0.5, 0.75});
}

TEST_CASE("Conditions that are not linear in time are found as well", "[serial]") {
  const double pi = std::acos(-1.0);
  check_times(breaks_of("sin(10*t + 0.5) > 0 ? 1 : 0", 1), {(pi - 0.5) / 10, (2 * pi - 0.5) / 10, (3 * pi - 0.5) / 10});
}

TEST_CASE("An angle breaks at its cut, where y = 0 and x < 0, and not where x > 0", "[serial]") {
  const double pi = std::acos(-1.0);
  const std::vector<double> half_turns{pi / 8, 3 * pi / 8, 5 * pi / 8};
  check_times(breaks_of("atan2(sin(8*t), cos(8*t))"), half_turns);
  check_times(breaks_of("1 - 3*atan2(-sin(8*t), cos(8*t))"), half_turns);
  check_times(breaks_of("atan2(t - 1.25, -0.5)"), {1.25});
  check_times(breaks_of("atan2(t - 1.25, 0.5 - t)"), {1.25});
  check_times(breaks_of("t < 1 ? 0 : atan2(sin(8*t), cos(8*t))"), {1, half_turns[1], half_turns[2]});
  for (const char* text : {"atan2(t - 1.25, 0.5)", "atan2(t - 1.25, t - 0.5)", "atan2(sin(8*t), 2 + cos(8*t))",
                           "atan2(t - 1.2, 1)", "atan2(cos(8*t), 1e-3)", "0*atan2(sin(8*t), cos(8*t))"}) {
    INFO(text);
    CHECK(breaks_of(text).empty());
  }
}

TEST_CASE("An angle that swings across its cut between two samples breaks there and back", "[serial]") {
  check_times(breaks_of("atan2((t - 1.0013)^2 - 1e-8, -1)"), {1.0012, 1.0014});
  check_times(breaks_of("atan2(1e-8 - (t - 1.0013)^2, -1)"), {1.0012, 1.0014});
  CHECK(breaks_of("atan2((t - 1.0013)^2 - 1e-8, 1)").empty());
}

TEST_CASE("Every turn of a fast angle breaks, a few or many of them between two samples", "[serial]") {
  for (const int per_second : {100, 1000, 2000}) {
    const std::string phase = std::to_string(per_second) + "*2*pi*t + 0.3";
    const Breaks found = breaks_of("atan2(sin(" + phase + "), cos(" + phase + "))");
    REQUIRE(found.size() == 2 * static_cast<std::size_t>(per_second));
    for (std::size_t i = 0; i < found.size(); i += 7)
      CHECK(found[i].first == Approx((static_cast<double>(i) + 0.5 - 0.3 / (2 * std::acos(-1.0))) / per_second).margin(1e-12));
  }
}

TEST_CASE("Where (x, y) goes straight through the origin its angle breaks", "[serial]") {
  for (const char* text : {"atan2(2*(t - 1.25), t - 1.25)", "atan2(1.25 - t, t - 1.25)", "atan2(0*t, t - 1.25)"}) {
    INFO(text);
    const Breaks found = breaks_of(text);
    REQUIRE(found.size() == 1);
    CHECK(found[0].first == Approx(1.25).margin(1e-12));
  }
}

TEST_CASE("The instant in which sign is 0 is no piece: breaks go across it", "[serial]") {
  const Breaks found = breaks_of("sign(t - 1.25)");
  REQUIRE(found.size() == 1);
  CHECK(found[0].first == std::nextafter(1.25, 0.0));
  CHECK(found[0].second == std::nextafter(1.25, 2.0));
  CHECK(breaks_of("abs(t - 1)*sign(t - 1.25)").size() == 2);
  // 1.2 is a sample, from which the search goes on
  CHECK(breaks_of("sign(t - 1.2)").size() == 1);
  CHECK(breaks_of("t == 1.2 ? 5 : 0").size() == 1);
  CHECK(breaks_of("t != 1.25 ? 5 : 0").size() == 1);
}

TEST_CASE("What has no part in the value has no breaks", "[serial]") {
  const double half_wave = std::acos(-1.0) / 31;
  check_times(breaks_of("t < 1.8 ? 0 : abs(sin(31*t))"), {1.8, 18 * half_wave, 19 * half_wave});
  check_times(breaks_of("(t > 1 && t < 1.01)*floor(1000*t)", 1.0025), {1, 1.001, 1.002});
  check_times(breaks_of("max(t < 1 ? 3 : t, 2 + sign(t - 0.5)/2)"), {1});
}

TEST_CASE("A power that is too small for a double near its zero has no break where it begins to be one", "[serial]") {
  check_times(breaks_of("min(1,t/2)^2*(3-2*min(1,t/2))", 3), {2});
  check_times(breaks_of("(t - 1)^30*(t < 1.5 ? 2 : min(t, 1.75))"), {1.5, 1.75});
  check_times(breaks_of("max(0,t-0.5)^2*max(0,t-0.25)"), {0.5});
  check_times(breaks_of("(t < 1)*(t > 0.5)*min(t, 0.75)"), {0.5, 0.75, 1});
  CHECK(breaks_of("exp(-((t-1)/0.01)^2)*abs(t+1)").empty());
}

TEST_CASE("Conditions that hold for an instant between two samples are found", "[serial]") {
  // for some microseconds around every crest, while a sample lies every 4 ms
  const double pi = std::acos(-1.0);
  const auto check = [pi](const Breaks& found, double height) {
    const double half = std::acos(height) / (2 * pi);
    REQUIRE(found.size() == 4);
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(found[i].first == Approx((i < 2 ? 0.25 : 1.25) + (i % 2 == 0 ? -half : half)).margin(1e-10));
  };
  check(breaks_of("sin(2*pi*t) > 1 - 1e-9 ? 1 : 0"), 1 - 1e-9);
  check(breaks_of("floor(0.5 + 0.4999999999*sin(2*pi*t) + 1e-9)"), (0.5 - 1e-9) / 0.4999999999);
}

TEST_CASE("Where breaks are many the search looks closer", "[serial]") {
  const double pi = std::acos(-1.0);
  const Breaks found = breaks_of("sin(2*pi*1000*t + 0.3) > 0 ? 1 : 0");  // two samples a wave would show next to nothing
  REQUIRE(found.size() == 4000);
  for (std::size_t i = 0; i < found.size(); i += 7)
    CHECK(found[i].first == Approx((static_cast<double>(i + 1) * pi - 0.3) / (2000 * pi)).margin(1e-12));
  CHECK(breaks_of("sin(2*pi*5000*t + 0.3) > 0 ? 1 : 0").size() == 10000);
  CHECK(breaks_of("t - floor(t/1e-5)*1e-5 < 5e-6 ? 1 : 0").size() == 10000);
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

TEST_CASE("Every kink of a long table is met, on its row to the last bit", "[serial]") {
  constexpr int n = 1000;
  const auto rows = zigzag(n);
  const Breaks found = breaks_of_table("road(t)", rows, 2);
  REQUIRE(found.size() == n);  // the search begins at the first one
  for (std::size_t k = 0; k < found.size(); ++k) {
    CHECK(found[k].second == rows[k + 1][0]);
    CHECK(found[k].first == std::nextafter(rows[k + 1][0], 0.0));
  }
  std::vector<double> times;  // towards the middle row, a little beyond it within less than a sample, and back
  for (int k = 0; k <= n / 2; ++k)
    for (const double side : {-1.0, 1.0}) times.push_back(1.0013 + side * std::sqrt(0.5000001 - static_cast<double>(k) / n));
  std::sort(times.begin(), times.end());
  check_times(breaks_of_table("road(0.5000001 - (t - 1.0013)^2)", rows, 2), times);
}

TEST_CASE("Of a table all kinks are found that its argument passes between two samples and comes back from", "[serial]") {
  const std::vector<std::array<double, 2>> rows{{0, 0}, {0.5, 1}, {0.5000001, 0}, {0.5000002, 1}, {1, 0}};
  std::vector<double> times;
  for (const double way : {-3e-7, -2e-7, -1e-7, 1e-7, 2e-7, 3e-7})
    times.push_back(1.0013 + std::copysign(std::sqrt(std::abs(way)), way));
  times.insert(times.begin(), 1.0013 - std::sqrt(0.5000003));  // from before the first row
  check_times(breaks_of_table("road(0.5000003 - (t - 1.0013)^2)", rows, 1.6), times);
  times.front() = 1.0013 - std::sqrt(0.5000001);  // from beyond the last one
  check_times(breaks_of_table("road(0.4999999 + (t - 1.0013)^2)", rows, 1.6), times);
}

TEST_CASE("Where a table is level its argument has no part, and where it is 0 so that nothing else has", "[serial]") {
  const std::vector<std::array<double, 2>> rows{{0.5, 0}, {1, 1}, {1.5, 0}, {2, 0}};
  check_times(breaks_of_table("road(t)*(t < 1.75 ? 1 : 2)", rows, 2), {0.5, 1, 1.5});
  check_times(breaks_of_table("road(t)*(t < 1.25 ? 1 : 2)", rows, 2), {0.5, 1, 1.25, 1.5});
  check_times(breaks_of_table("1 + road(min(t, 1.75))", rows, 2), {0.5, 1, 1.5});
}

TEST_CASE("What time alone changes is found wherever sensors decide whether it has a part", "[serial]") {
  const std::string z = "sensor.w.position.z", pulse = "(t > 0.5 && t < 0.75 ? sin(t) : 0)";
  for (const std::string& text : std::vector<std::string>{
           "max(0, 3 - 50*(" + z + " - " + pulse + ")) - 3", "max(3 - " + z + " + " + pulse + ", 0)",
           "min(" + z + ", " + pulse + ")", "max(0, max(" + z + ", " + pulse + "))", "abs(" + z + " - " + pulse + ")",
           z + " > 1 ? " + pulse + " : 0", z + " > 1 ? 0 : " + pulse, "(" + z + " > 1)*" + pulse, "!(" + z + " > 1)*" + pulse,
           z + " > 1 && t > 0.5 && t < 0.75 ? 1 : 0", z + " > 1 || (t > 0.5 && t < 0.75) ? 1 : 0",
           "floor(" + z + " + " + pulse + ")", "sign(" + z + ")*" + pulse, "atan2(" + z + ", " + pulse + ")"}) {
    INFO(text);
    check_times(breaks_beside_sensors(text), {0.5, 0.75});
  }
  // what has no part whatever the sensor says has none still
  check_times(breaks_beside_sensors("t < 1 ? max(0, " + z + ") : abs(t - 1.5)*" + z), {1, 1.5});
  check_times(breaks_beside_sensors("t > 0.5 && " + z + " > 1 ? max(abs(t - 0.25), abs(t - 1)) : 0"), {0.5, 0.625});
  check_times(breaks_beside_sensors("(t > 0.5)*(" + z + " > 1)*abs(t - 0.25)*abs(t - 1)"), {0.5, 1});
}

TEST_CASE("What is straight between its pieces is followed from break to break, however close these are", "[serial]") {
  const Breaks ramp = breaks_of("step(t, 0.3, 0, 0.300001, 1)");  // at its upper end for an instant neither piece holds
  REQUIRE(ramp.size() == 2);
  CHECK(ramp[0].first == Approx(0.3).margin(1e-12));
  CHECK(ramp[1].first == Approx(0.300001).margin(1e-12));
  check_times(breaks_of("abs(abs(t - 1) - 0.5)"), {0.5, 1, 1.5});
  check_times(breaks_of("min(max(mod(t, 0.5) - 0.2, 0), 0.1)", 0.9), {0.2, 0.3, 0.5, 0.7, 0.8});
  check_times(breaks_of("(t < 1 ? 1 : 2)*t < 3 ? 1 : 0"), {1, 1.5});
  check_times(breaks_of("abs(t) < 1e-9 ? 1 : 0"), {1e-9});
  check_times(breaks_of("t < 1 ? max(0, t - 1.5) : max(0, 1.25 - t)"), {1, 1.25});
  CHECK(breaks_of("floor(1e3*t)", 1.9995).size() == 1999);
}
