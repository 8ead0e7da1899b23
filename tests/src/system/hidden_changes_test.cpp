#include "system/hidden_changes.hpp"

#include "input/expression_parser.hpp"
#include "model/time_part.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

using namespace sinew;

namespace {

Expression parsed(const std::string& text) {
  static const std::map<std::string, double> constants;
  static const Repeat repeat({{"i", 1, 10}});
  return parse_expression(text, {&constants, &repeat, true});
}

/// What steps of 1/2 are to meet between 0 and 8, in order.
std::vector<double> met(const std::string& text, double step = 0.5, double to = 8) {
  const Expression expression = parsed(text);
  std::vector<double> times;
  for (const TimePart& part : curved_time_parts(expression, {})) HiddenChanges(part, step).add_times(-1e9, 1e9, 0, to, times);
  std::sort(times.begin(), times.end());
  return times;
}

/// The integral of a function by chords between the times met and the ends of steps, over that by a million.
double part_seen(const std::string& text) {
  const Expression expression = parsed(text);
  std::vector<double> times = met(text);
  for (int k = 0; k <= 16; ++k) times.push_back(0.5 * k);
  std::sort(times.begin(), times.end());
  double sum = 0, exact = 0;
  for (std::size_t i = 1; i < times.size(); ++i)
    sum += (times[i] - times[i - 1]) * (expression.value_at(times[i]) + expression.value_at(times[i - 1])) / 2;
  constexpr int parts = 2000000;
  for (int k = 0; k < parts; ++k) exact += expression.value_at(8 * (k + 0.5) / parts) * 8 / parts;
  return sum / exact;
}

}  // namespace

TEST_CASE("Bounds over an interval contain a function and its derivatives", "[serial]") {
  for (const char* text :
       {"sin(3*t)*exp(-t^2)", "1/(1 + (3*(t-1))^2)", "tanh(t/0.1)", "atan2(t - 1, 0.5)", "sqrt(t + 2)*cos(t)^3",
        "log(t + 3)/(t + 3)", "(t + 2)^(-1.5)", "2^t - (t + 4)^t", "asin(t/9)*acos(t/10)", "sinh(t)/cosh(2*t)",
        "atan(5*t)*tan(t/3)", "abs(sin(t/2 + 1.6))", "max(t, -5)*min(exp(t), 99)"}) {
    INFO(text);
    const Expression expression = parsed(text);
    const std::vector<TimePart> parts = curved_time_parts(expression, {});
    REQUIRE(parts.size() == 1);
    for (double a = -1; a < 1; a += 0.11)
      for (const double length : {1e-3, 0.1, 0.5}) {
        const TimeRange range = parts[0].range(a, a + length);
        for (double t = a; t <= a + length; t += length / 16) {
          const TimeValue v = expression.at(t);
          const auto contains = [](const ValueInterval& i, double x) {
            const double room = 1e-12 * (1 + std::abs(x));
            return i.low <= x + room && x <= i.high + room;
          };
          CHECK(contains(range.value, v.value));
          CHECK(contains(range.rate, v.rate));
          CHECK(contains(range.acceleration, v.acceleration));
        }
      }
  }
}

TEST_CASE("Polynomials between breaks and what depends on other things than time are not looked at", "[serial]") {
  CHECK(curved_time_parts(parsed("3*t^2 - t*i/2"), {}).empty());
  CHECK(curved_time_parts(parsed("min(1,t/2)^2*(3 - 2*min(1,t/2))"), {}).empty());
  CHECK(curved_time_parts(parsed("sin(i)*t"), {}).size() == 1);
  CHECK(curved_time_parts(parsed("t^(-1)"), {}).size() == 1);
  CHECK(deciding_time_parts(parsed("exp(-t^2) > 0.5 ? sin(t) : 0"), {}).size() == 1);
}

TEST_CASE("What steps follow is left to them", "[serial]") {
  for (const char* text : {"sin(t)", "5 + sin(2*t + 1)", "exp(t)", "exp(-t)*cos(3*t)", "1/(1 + t)", "1e4*sin(t/100)",
                           "sin(4*t)*sin(t)", "exp(-((t - 4)/2)^2)", "sqrt(t + 1)", "tanh(t - 4)"}) {
    INFO(text);
    CHECK(met(text).empty());
  }
}

TEST_CASE("A wave that steps do not follow and have not followed before either is left to them", "[serial]") {
  CHECK(met("sin(1000*t)").empty());
  CHECK(met("1e-3*sin(77*t + 1)").empty());
}

TEST_CASE("A pulse however narrow is met so that chords see its area, wherever it lies between steps", "[serial]") {
  for (const double width : {0.3, 0.1, 0.01, 1e-3, 1e-4})
    for (const double time : {4.0, 4.1, 4.25, 3.9999}) {
      const std::string x = "((t - " + std::to_string(time) + ")/" + std::to_string(width) + ")";
      for (const std::string& text : {"exp(-" + x + "^2)", "1/cosh(" + x + ")", "exp(-" + x + "^2)*exp(-(t/5)^2)"}) {
        INFO(text);
        CHECK(std::abs(part_seen(text) - 1) < 0.03);
      }
    }
}

TEST_CASE("A pulse of a billionth of a step is found", "[serial]") {
  const std::vector<double> times = met("exp(-((t - 4.123456)/5e-10)^2)");
  CHECK(std::count_if(times.begin(), times.end(), [](double t) { return std::abs(t - 4.123456) < 1e-9; }) > 4);
  CHECK(times.size() < 100);
}

TEST_CASE("Pulses on a slope and of two widths are met", "[serial]") {
  CHECK(met("100*t + exp(-((t - 4.1)/0.01)^2)").size() > 5);
  const std::vector<double> two = met("exp(-((t - 2.2)/0.02)^2) + 30*exp(-((t - 3.3)/1e-4)^2)");
  for (const double time : {2.2, 3.3})
    CHECK(std::count_if(two.begin(), two.end(), [&](double t) { return std::abs(t - time) < 0.05; }) > 4);
}

TEST_CASE("What rises or fades at the beginning of a model is met, whatever the function is before", "[serial]") {
  for (const std::string rise : {"0.1", "1e-3", "1e-4"}) {
    INFO(rise);
    CHECK(met("1 - exp(-t/" + rise + ")").size() > 4);
    CHECK(met("t^2 + exp(-t/" + rise + ")*cos(t)").size() > 4);
    CHECK(std::abs(part_seen("exp(-t/" + rise + ")") - 1) < 0.05);  // 2 % of the height, beside a long tail
    CHECK(met("1 - exp(-t/" + rise + ")").back() < 0.5);
  }
  CHECK(met("1 - exp(-t/2)").empty());
}
