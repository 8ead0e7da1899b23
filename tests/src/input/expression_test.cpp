#include "input/expression_parser.hpp"
#include "tests/catch.hpp"
#include "tests/src/input/check_contains.hpp"

#include <cmath>

using namespace sinew;
using sinew::test::check_contains;

namespace {

constexpr double pi = 3.14159265358979323846;
const std::map<std::string, double> constants{{"L", 0.3}, {"omega", 150}, {"zero", 0}};
const Repeat two_indices({{"i", 1, 10}, {"j", -2, 2}});

double value_of_text(const std::string& text) { return parse_expression(text, {&constants, nullptr, false}).value(); }
Expression timed(const std::string& text) { return parse_expression(text, {&constants, &two_indices, true}); }

/// The message, remedy and position of an expression that must not be understood.
std::string refusal(const std::string& text, const ExpressionScope& scope = {&constants, nullptr, false}) {
  try {
    parse_expression(text, scope);
  } catch (const ExpressionError& error) {
    return std::to_string(error.position) + ": " + error.what() + " (" + error.remedy + ")";
  }
  return "understood";
}

}  // namespace

TEST_CASE("expressions follow the usual rules of precedence", "[serial]") {
  const std::pair<const char*, double> cases[] = {{"2+3*4", 14},
                                                  {"-2^2", -4},
                                                  {"2^3^2", 512},
                                                  {"2^-1", 0.5},
                                                  {"(2+3)*4", 20},
                                                  {"2*pi*L/3", 0.2 * pi},
                                                  {"7-4-2", 1},
                                                  {"8/4/2", 1},
                                                  {"1e-3*2", 2e-3},
                                                  {".5+1.", 1.5},
                                                  {"30 deg", pi / 6},
                                                  {"2*45deg", pi / 2},
                                                  {"(40+50) deg", pi / 2},
                                                  {"-90 deg", -pi / 2},
                                                  {"1<2", 1},
                                                  {"2<=1", 0},
                                                  {"3>=3", 1},
                                                  {"1==2", 0},
                                                  {"1!=2", 1},
                                                  {"1<2 && 2<1", 0},
                                                  {"1<2 || 2<1", 1},
                                                  {"!0", 1},
                                                  {"!1 == 0", 1},
                                                  {"1 ? 2 : 3", 2},
                                                  {"0 ? 1 : 0 ? 2 : 3", 3},
                                                  {"if(1<2, 5, 6)", 5},
                                                  {"1+1 ? 7 : 8", 7},
                                                  {"--3", 3},
                                                  {"+3", 3},
                                                  {"2 - -3", 5},
                                                  {"zero ? 1/zero : 4", 4}};
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(value_of_text(text) == Approx(expected).epsilon(1e-15));
  }
}

TEST_CASE("functions that are written out have their values and derivatives", "[serial]") {
  const std::pair<const char*, double> cases[] = {{"ceil(1.2)", 2},
                                                  {"ceil(-1.2)", -1},
                                                  {"round(2.5)", 3},
                                                  {"round(-2.6)", -3},
                                                  {"mod(7.5, 2)", 1.5},
                                                  {"mod(-1, 3)", 2},
                                                  {"clip(5, -1, 2)", 2},
                                                  {"clip(-5, -1, 2)", -1},
                                                  {"2*clip(L, 0, 1)^2", 0.18},
                                                  {"step(0.5, 1, 3, 2, 7)", 3},
                                                  {"step(1.25, 1, 3, 2, 7)", 3 + 4 * 0.15625},
                                                  {"step(9, 1, 3, 2, 7)", 7},
                                                  {"step(step(1.5, 1, 0, 2, 2), 0, 1, 2, 5)", 3}};
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(value_of_text(text) == Approx(expected).epsilon(1e-15));
  }
  const Expression turn = timed("step(t, 1, i, 3, 10) + mod(t, 0.75)");
  const Indices indices{4, 0};
  const TimeValue at = turn.at(1.5, indices);  // s = 1/4
  CHECK(at.value == Approx(4 + 6 * 0.15625 + 0).epsilon(1e-15));
  CHECK(at.rate == Approx(6 * 6 * 0.25 * 0.75 / 2 + 1).epsilon(1e-14));
  CHECK(at.acceleration == Approx(6 * (6 - 12 * 0.25) / 4).epsilon(1e-14));
}

TEST_CASE("constants and tables may be called as functions that are written out", "[serial]") {
  const std::map<std::string, double> called{{"step", 2}, {"x", 5}, {"low", -100}};
  CHECK(parse_expression("step*clip(x, 0, step) + low", {&called, nullptr, false}).value() == -96);
  check_contains(refusal("1 + clip(2, 3)"), "13: clip takes 3 values, not 2");
  check_contains(refusal("mod(1, zero)"), "not a finite number");
  check_contains(refusal("cilp(1, 2, 3)"), "did you mean 'clip'?");
}

TEST_CASE("every function of the model file has its value", "[serial]") {
  const std::pair<const char*, double> cases[] = {{"sin(0.3)", std::sin(0.3)},
                                                  {"cos(0.3)", std::cos(0.3)},
                                                  {"tan(0.3)", std::tan(0.3)},
                                                  {"asin(0.3)", std::asin(0.3)},
                                                  {"acos(0.3)", std::acos(0.3)},
                                                  {"atan(0.3)", std::atan(0.3)},
                                                  {"atan2(1, -2)", std::atan2(1, -2)},
                                                  {"sinh(0.3)", std::sinh(0.3)},
                                                  {"cosh(0.3)", std::cosh(0.3)},
                                                  {"tanh(0.3)", std::tanh(0.3)},
                                                  {"exp(0.3)", std::exp(0.3)},
                                                  {"log(0.3)", std::log(0.3)},
                                                  {"sqrt(0.3)", std::sqrt(0.3)},
                                                  {"abs(-0.3)", 0.3},
                                                  {"min(3, 1, 2)", 1},
                                                  {"max(3, 4, 2)", 4},
                                                  {"floor(-1.5)", -2},
                                                  {"sign(-3)", -1},
                                                  {"sign(0)", 0}};
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(value_of_text(text) == Approx(expected).epsilon(1e-15));
  }
}

TEST_CASE("time derivatives of expressions are exact", "[serial]") {
  const double t = 0.37;
  const double w = 150;
  const auto check = [&](const char* text, double value, double rate, double acceleration) {
    INFO(text);
    const TimeValue found = timed(text).at(t);
    CHECK(found.value == Approx(value).epsilon(1e-14));
    CHECK(found.rate == Approx(rate).epsilon(1e-13).margin(1e-13));
    CHECK(found.acceleration == Approx(acceleration).epsilon(1e-13).margin(1e-13));
  };
  check("omega*t", w * t, w, 0);
  check("t^3", t * t * t, 3 * t * t, 6 * t);
  check("sin(omega*t)", std::sin(w * t), w * std::cos(w * t), -w * w * std::sin(w * t));
  check("exp(-2*t)*t", std::exp(-2 * t) * t, std::exp(-2 * t) * (1 - 2 * t), std::exp(-2 * t) * (4 * t - 4));
  check("1/(1+t)", 1 / (1 + t), -std::pow(1 + t, -2), 2 * std::pow(1 + t, -3));
  check("sqrt(t)", std::sqrt(t), 0.5 / std::sqrt(t), -0.25 * std::pow(t, -1.5));
  check("log(t)", std::log(t), 1 / t, -1 / (t * t));
  check("tan(t)", std::tan(t), 1 / std::pow(std::cos(t), 2), 2 * std::tan(t) / std::pow(std::cos(t), 2));
  check("asin(t)", std::asin(t), std::pow(1 - t * t, -0.5), t * std::pow(1 - t * t, -1.5));
  check("acos(t)", std::acos(t), -std::pow(1 - t * t, -0.5), -t * std::pow(1 - t * t, -1.5));
  check("atan(t)", std::atan(t), 1 / (1 + t * t), -2 * t / std::pow(1 + t * t, 2));
  check("atan2(t, 2)", std::atan2(t, 2), 2 / (4 + t * t), -4 * t / std::pow(4 + t * t, 2));
  check("sinh(t)", std::sinh(t), std::cosh(t), std::sinh(t));
  check("cosh(t)", std::cosh(t), std::sinh(t), std::cosh(t));
  check("tanh(t)", std::tanh(t), 1 - std::pow(std::tanh(t), 2), -2 * std::tanh(t) * (1 - std::pow(std::tanh(t), 2)));
  check("2^t", std::pow(2, t), std::log(2) * std::pow(2, t), std::log(2) * std::log(2) * std::pow(2, t));
  check("t^t", std::pow(t, t), std::pow(t, t) * (1 + std::log(t)), std::pow(t, t) * (std::pow(1 + std::log(t), 2) + 1 / t));
  check("abs(-t^2)", t * t, 2 * t, 2);
  check("min(t, t^2)", t * t, 2 * t, 2);
  check("max(t, t^2)", t, 1, 0);
  check("t<1 ? t^2 : 7", t * t, 2 * t, 2);
  check("if(t>1, 7, 3*t)", 3 * t, 3, 0);
  check("floor(3*t)*t", t, 1, 0);
}

TEST_CASE("powers of time have their derivatives at time zero", "[serial]") {
  CHECK(timed("t^2").at(0).rate == 0);
  CHECK(timed("t^2").at(0).acceleration == 2);
  CHECK(timed("t^1").at(0).rate == 1);
  CHECK(timed("t^3").at(0).acceleration == 0);
  CHECK(timed("t^0").at(0).rate == 0);
  CHECK(timed("if(t > 0, 1/t, 0)").at(0).rate == 0);
}

TEST_CASE("expressions use the indices of their repeat", "[serial]") {
  const Expression expression = timed("10*i + j + 0*t");
  CHECK(expression.uses_indices());
  CHECK(expression.value({3, -1}) == 29);
  CHECK_FALSE(timed("2*L").uses_indices());
  CHECK(timed("2*L").is_constant());
  CHECK(timed("sin(i*t)").at(0, {5, 0}).rate == 5);
}

TEST_CASE("linear forms of the indices are recognised", "[serial]") {
  const auto form = timed("2*(i-1) + 3*j/1 - 4").linear_form();
  REQUIRE(form.has_value());
  CHECK(form->constant == -6);
  CHECK(form->slope == Indices{2, 3});
  for (const char* text : {"i*j", "i^2", "i/2", "t+i", "sin(i)", "i+0.5"}) {
    INFO(text);
    CHECK_FALSE(timed(text).linear_form().has_value());
  }
}

TEST_CASE("an expression that is wrong is refused with its position and a remedy", "[serial]") {
  const std::pair<const char*, const char*> cases[] = {
      {"", "0: an expression is missing"},
      {"2*", "2: the expression ends too early"},
      {"2*(3+4", "6: ')' expected"},
      {"2)", "1: this ')' closes nothing"},
      {"1,2", "1: a ',' does not belong here"},
      {"2 x", "2: an operator is missing before 'x'"},
      {"lenght", "0: unknown name 'lenght'"},
      {"2*omgea", "2: unknown name 'omgea' (did you mean 'omega'?)"},
      {"sine(1)", "0: unknown function 'sine' (did you mean 'sin'?)"},
      {"sin(1,2)", "sin takes 1 value, not 2"},
      {"if(1,2)", "if takes 3 values, not 2"},
      {"min(1)", "min takes 2 or more values, not 1"},
      {"sin 3", "4: '(' expected after a function's name"},
      {"a = 3", "2: '=' does not belong"},
      {"1 & 0", "2: a single '&'"},
      {"1 < 2 < 3", "6: comparisons cannot be chained"},
      {"2 # 3", "2: unexpected character '#'"},
      {"t", "0: the time t cannot be used here"},
      {"i", "0: 'i' is not an index here (a body, joint, force, control or sensor with repeat: {i: 1..N} has one)"},
      {"sensor.speed",
       "'sensor.speed' cannot be used here (they may stand in controls, stop, actuators, shaft-torques, laws of springs, joints "
       "coordinate and velocity)"},
      {"1/0", "'1/0' is not a finite number"},
      {"sqrt(-1)", "is not a finite number"},
      {"log(0)", "is not a finite number"},
      {"1e999", "0: this number cannot be represented"},
      {"1 ? 2", "5: ':' expected"},
      {"45 deg deg", "'deg' stands twice"},
      {"deg", "'deg' needs a number before it"}};
  for (const auto& [text, expected] : cases) {
    INFO(text);
    test::check_contains(refusal(text), expected);
  }
}

TEST_CASE("hostile expressions are refused, not crashed on", "[serial]") {
  test::check_contains(refusal(std::string(100000, '(')), "nested too deeply");
  test::check_contains(refusal(std::string(100000, '-') + "1"), "nested too deeply");
  std::string deep = "t";
  for (int k = 0; k < 60; ++k) deep = "t+(" + deep + ")";
  test::check_contains(refusal(deep, {&constants, nullptr, true}), "unfinished operations");
  std::string sum = "0";
  for (int k = 0; k < 5000; ++k) sum += "+t";
  CHECK(parse_expression(sum, {&constants, nullptr, true}).value_at(1.0) == 5000);
}

TEST_CASE("a smooth table is a function like others, with its derivatives", "[serial]") {
  const std::vector<std::array<double, 2>> rows{{-1, 4}, {0, 2}, {0.5, 2}, {2, -7}};
  const std::map<std::string, std::shared_ptr<const ValueTable>> tables{
      {"curve", std::make_shared<const ValueTable>(SmoothTable(rows))}};
  ExpressionScope scope{&constants, nullptr, true};
  scope.tables = &tables;
  CHECK(parse_expression("3*curve(0.5)", scope).is_constant());
  CHECK(parse_expression("3*curve(0.5)", scope).value() == Approx(6));
  const Expression expression = parse_expression("curve(t)*curve(2*t)", scope);
  CHECK(expression.tables().size() == 1);
  const double t = 0.4, d = 1e-4;
  const TimeValue middle = expression.at(t), left = expression.at(t - d), right = expression.at(t + d);
  CHECK(middle.value == Approx(SmoothTable(rows).value(t) * SmoothTable(rows).value(2 * t)));
  CHECK(middle.rate == Approx((right.value - left.value) / (2 * d)).epsilon(1e-6));
  CHECK(middle.acceleration == Approx((right.rate - left.rate) / (2 * d)).epsilon(1e-6));
}

TEST_CASE("a table of two values is bilinear within its lattice and goes on as on its edge", "[serial]") {
  const TableGrid grid{{0, 1, 3}, {0, 0.5, 2}, {{0, 1, 4}, {1, -1, 2}, {3, 3, 5}}};
  const std::map<std::string, TableOfTwo> tables{{"map", table_of(grid, false)}};
  ExpressionScope scope{&constants, nullptr, true};
  scope.tables_of_two = &tables;
  const auto at = [&](double x, double y) {
    return parse_expression("map(t*" + std::to_string(x) + ", t*" + std::to_string(y) + ")", scope).value_at(1.0);
  };
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(at(grid.x[i], grid.y[j]) == Approx(grid.values[i][j]).margin(1e-14));
      if (i == 2 || j == 2) continue;
      const double middle = (grid.values[i][j] + grid.values[i + 1][j] + grid.values[i][j + 1] + grid.values[i + 1][j + 1]) / 4;
      CHECK(at((grid.x[i] + grid.x[i + 1]) / 2, (grid.y[j] + grid.y[j + 1]) / 2) == Approx(middle));
    }
  CHECK(at(-4, 9) == Approx(4));
  CHECK(at(2, -1) == Approx(2));
  CHECK(parse_expression("2*map(1, 0.5)", scope).value() == Approx(-2));
  CHECK(parse_expression("map(t, 1)", scope).at(0.5).rate == Approx(-2));
  CHECK(refusal("map(t)", scope).find("the table map takes 2 values") != std::string::npos);
  CHECK(refusal("map(1, 2, 3)", scope).find("the table map takes 2 values") != std::string::npos);
  CHECK(refusal("map", scope).find("write map(x, y)") != std::string::npos);
}

TEST_CASE("a smooth table of two values meets its lattice and what is linear in either direction", "[serial]") {
  TableGrid grid{{-1, 0, 0.5, 2}, {0, 1, 3}, {}};
  TableGrid plane = grid;
  for (const double x : grid.x) {
    grid.values.emplace_back();
    plane.values.emplace_back();
    for (const double y : grid.y) {
      grid.values.back().push_back(std::sin(3 * x + y));
      plane.values.back().push_back(2 - x + 3 * y - 0.5 * x * y);
    }
  }
  const std::map<std::string, TableOfTwo> tables{{"wave", table_of(grid, true)}, {"plane", table_of(plane, true)}};
  ExpressionScope scope{&constants, nullptr, true};
  scope.tables_of_two = &tables;
  const auto at = [&](const std::string& name, double x, double y) {
    return parse_expression(name + "(t*" + std::to_string(x) + ", t*" + std::to_string(y) + ")", scope).value_at(1.0);
  };
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 3; ++j) CHECK(at("wave", grid.x[i], grid.y[j]) == Approx(grid.values[i][j]).margin(1e-14));
  for (const double x : {-3.0, -0.3, 1.2, 5.0})
    for (const double y : {-1.0, 0.4, 2.5, 7.0}) CHECK(at("plane", x, y) == Approx(2 - x + 3 * y - 0.5 * x * y));
}

TEST_CASE("a table is straight between its rows and constant beyond", "[serial]") {
  const std::map<std::string, std::shared_ptr<const ValueTable>> tables{
      {"curve", std::make_shared<const ValueTable>(StraightTable({{-1, 4}, {0, 2}, {0.5, 2}, {2, -7}}))}};
  ExpressionScope scope{&constants, nullptr, true};
  scope.tables = &tables;
  const std::pair<double, double> values[] = {{-1e6, 4}, {-1, 4}, {-0.25, 2.5}, {0.25, 2}, {1, -1}, {2, -7}, {1e6, -7}};
  for (const auto& [x, y] : values) {
    INFO("at " << x);
    CHECK(std::abs(parse_expression("1 + 2*curve(t/3)", scope).value_at(3 * x) - (1 + 2 * y)) < 1e-8);
    CHECK(std::abs(parse_expression("curve(" + std::to_string(x) + ")", scope).value() - y) < 1e-8);
  }
  CHECK(parse_expression("curve(t)", scope).at(1).rate == Approx(-6));
  // however many expressions and rows
  const Expression twice = parse_expression("curve(t) + curve(2*t)", scope);
  REQUIRE(twice.tables().size() == 1);
  CHECK(twice.tables()[0] == tables.at("curve"));
  CHECK(twice.program().size() == 7);
  CHECK(refusal("curve(1, 2)", scope).find("the table curve takes 1 value") != std::string::npos);
  CHECK(refusal("curve + 1", scope).find("write curve(t)") != std::string::npos);
  CHECK(refusal("curv(t)", scope).find("did you mean 'curve'?") != std::string::npos);
}
