// Mechanisms of the literature: closed loops with and without redundant joints, singular positions, wheels that roll.
#include "tests/catch.hpp"
#include "tests/paths.hpp"
#include "tests/physics/moving.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

using namespace sinew;
using namespace sinew::test;

namespace {

std::string example_text(const std::string& name) {
  std::ifstream file(source_path("examples/" + name + "/model.yaml"));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Errors of the squeezer at the end: of angles, of rates over their size (or 1 rad/s), of the forces in the loops.
struct SqueezerErrors {
  double angle = 0, rate = 0, force = 0;
};

/// At t = 0.03: angles and rates as published (Test Set for IVP Solvers), forces from an independent integration of order 8.
SqueezerErrors squeezer_errors(const std::vector<std::string>& overrides) {
  RunChoices choices;
  choices.at_every_step = false;
  choices.settles_redundancy = true;
  choices.overrides = overrides;
  const Trajectory run = run_model(MPI_COMM_SELF, example_text("squeezer"), choices);
  struct Angle {
    const char* name;
    double start, end, rate;
  };
  const std::vector<Angle> angles{{"beta", -0.0617138900142764496, 15.81077119629904, 1139.920302151208},
                                  {"Theta", 0, -15.75637105984298, -1424.379294994111},
                                  {"gamma", 0.455279819163070380, 0.04082224013073101, 11.03291221937134},
                                  {"phi", 0.222668390165885885, -0.5347301163226948, 19.29337464421385},
                                  {"delta", 0.487364979543842550, 0.5244099658805304, 0.5735699284790808},
                                  {"Omega", -0.222668390165885885, 0.5347301163226948, -19.29337464421385},
                                  {"epsilon", 1.23054744454982119, 1.048080741042263, 0.3231791658026955}};
  const Values forces{{"E3.force.x", 199.1753333731910}, {"E3.force.y", -29.75531228015052}, {"E4.force.x", 23.06654119098399},
                      {"E4.force.y", 31.45271365475927}, {"E6.force.x", 22.64249232082739},  {"E6.force.y", 11.61740700019673}};
  const Values &first = run.values.front(), &last = run.values.back();
  // the start that the program finds by itself
  CHECK(first.at("K1.angular_acceleration.z") == Approx(14222.4439199541).epsilon(1e-10));
  CHECK(first.at("K2.angular_acceleration.z") == Approx(14222.4439199541 - 10666.8329399656).epsilon(1e-10));
  CHECK(first.at("E3.force.x") == Approx(98.5668703962410).epsilon(1e-10));
  CHECK(first.at("E3.force.y") == Approx(-6.12268834425567).epsilon(1e-10));
  CHECK(std::abs(first.at("E4.force.x")) + std::abs(first.at("E6.force.y")) < 1e-9);
  SqueezerErrors errors;
  for (const Angle& a : angles) {
    const std::string name = a.name;
    errors.angle = std::max(errors.angle, std::abs(last.at(name + ".angle") + a.start - a.end));
    errors.rate = std::max(errors.rate, std::abs(last.at(name + ".rate") - a.rate) / std::max(1.0, std::abs(a.rate)));
  }
  for (const auto& [column, force] : forces) errors.force = std::max(errors.force, std::abs(last.at(column) - force));
  return errors;
}

/// 2 n + 1 links of 1 m and 1 kg: n + 1 upright cranks on the ground under n bars in a row, pushed to the side.
std::string four_bars(int n, double step, const std::string& last_joint) {
  return fmt::format(R"(sinew: 1
constants: {{N: {}}}
gravity: [0, -9.81, 0]
bodies:
  "crank{{i}}": {{repeat: {{i: 0..N}}, type: rigid, mass: 1, inertia: [1/12, 1/12, 1/12], position: [i, 0.5, 0],
               velocity: [0.5, 0, 0], angular_velocity: [0, 0, -1], points: {{foot: [0, -0.5, 0], head: [0, 0.5, 0]}}}}
  "bar{{i}}": {{repeat: {{i: 1..N}}, type: rigid, mass: 1, inertia: [1/12, 1/12, 1/12], position: [i - 0.5, 1, 0],
             velocity: [1, 0, 0], points: {{left: [-0.5, 0, 0], right: [0.5, 0, 0]}}}}
joints:
  "foot{{i}}": {{repeat: {{i: 0..N}}, type: revolute, connect: [ground, "crank{{i}}.foot"], axis: [0, 0, 1]}}
  "left{{i}}": {{repeat: {{i: 1..N}}, type: revolute, connect: ["crank{{i-1}}.head", "bar{{i}}.left"], axis: [0, 0, 1]}}
  "right{{i}}": {{repeat: {{i: 1..N}}, type: {}, connect: ["crank{{i}}.head", "bar{{i}}.right"], axis: [0, 0, 1]}}
sensors:
  first: {{type: point, of: crank0.head, record: [position, velocity]}}
  last: {{type: point, of: "crank{{N}}.head"}}
analysis: {{end_time: 10, step: {:.17g}, rho_inf: 0.9}}
)",
                     n, last_joint, step);
}

/// The head of a crank after 10 s: theta'' = -((n + 1) / 2 + n) g cos(theta) / ((n + 1) / 3 + n), by Runge and Kutta's method.
std::array<double, 4> crank_after(int n, double end) {
  const double factor = ((n + 1) / 2.0 + n) * 9.81 / ((n + 1) / 3.0 + n), h = end / 20000;
  double angle = std::acos(0.0), rate = -1;
  const auto f = [factor](double a) { return -factor * std::cos(a); };
  for (int i = 0; i < 20000; ++i) {
    const double k1 = rate, l1 = f(angle), k2 = rate + h / 2 * l1, l2 = f(angle + h / 2 * k1);
    const double k3 = rate + h / 2 * l2, l3 = f(angle + h / 2 * k2), k4 = rate + h * l3, l4 = f(angle + h * k3);
    angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return {std::cos(angle), std::sin(angle), -rate * std::sin(angle), rate * std::cos(angle)};
}

double four_bar_error(int n, double step, const std::string& last_joint) {
  RunChoices choices;
  choices.at_every_step = false;
  choices.settles_redundancy = true;
  const Trajectory run = run_model(MPI_COMM_SELF, four_bars(n, step, last_joint), choices);
  const Values& v = run.values.back();
  const std::array<double, 4> exact = crank_after(n, 10);
  const double found[4] = {v.at("first.position.x"), v.at("first.position.y"), v.at("first.velocity.x"),
                           v.at("first.velocity.y")};
  // no bar has taken the other branch: all cranks are parallel
  CHECK(v.at("last.position.x") - n == Approx(found[0]).margin(1e-9));
  CHECK(v.at("last.position.y") == Approx(found[1]).margin(1e-9));
  double error = 0;
  for (std::size_t k = 0; k < 4; ++k) error = std::max(error, std::abs(found[k] - exact[k]));
  return error;
}

/// The modes of the upright bicycle at a speed, without those of place, heading and speed.
std::vector<Mode> bicycle_modes(double speed) {
  Moving model(MPI_COMM_SELF, example_text("bicycle"), {"constants.roll=0", fmt::format("constants.v={:.17g}", speed)});
  MotionModes found = model.modes(12);
  CHECK(found.variation < 1e-6);
  std::erase_if(found.modes, [](const Mode& m) { return m.omega() == 0; });
  return std::move(found.modes);
}

/// Where the cubic through four points is zero between two of them.
double root_of_cubic(const std::array<double, 4>& x, const std::array<double, 4>& y, double low, double high) {
  const auto value = [&](double at) {
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      double product = y[i];
      for (std::size_t j = 0; j < 4; ++j)
        if (j != i) product *= (at - x[j]) / (x[i] - x[j]);
      sum += product;
    }
    return sum;
  };
  const bool is_below = value(low) < 0;
  for (int k = 0; k < 60; ++k) ((value((low + high) / 2) < 0) == is_below ? low : high) = (low + high) / 2;
  return (low + high) / 2;
}

}  // namespace

TEST_CASE("Andrews' squeezer from rigid bodies moves as published, with order 2", "[serial]") {
  const SqueezerErrors coarse = squeezer_errors({"analysis.step=4e-5"}), fine = squeezer_errors({"analysis.step=2e-5"});
  CHECK(coarse.angle < 2e-3);
  for (const auto& [before, after] :
       {std::pair{coarse.angle, fine.angle}, {coarse.rate, fine.rate}, {coarse.force, fine.force}}) {
    CAPTURE(before, after);
    CHECK(std::log2(before / after) == Approx(2).margin(0.15));
  }
}

TEST_CASE("Andrews' squeezer with nine redundant rows moves as without", "[serial]") {
  const std::vector<std::string> hinges{"joints.E3.type=revolute", "joints.E4.type=revolute", "joints.E6.type=revolute",
                                        "analysis.step=4e-5"};
  const SqueezerErrors redundant = squeezer_errors(hinges), plain = squeezer_errors({"analysis.step=4e-5"});
  CHECK(redundant.angle == Approx(plain.angle).epsilon(0.02));
  CHECK(redundant.force == Approx(plain.force).epsilon(0.02));
}

TEST_CASE("rows of four-bar linkages pass their singular positions with order 2 and change no branch", "[serial]") {
  for (const char* joint : {"point-on-line", "revolute"}) {
    INFO(joint);
    const double coarse = four_bar_error(2, 4e-3, joint), fine = four_bar_error(2, 2e-3, joint);
    CHECK(fine < 1e-3);
    CHECK(std::log2(coarse / fine) == Approx(2).margin(0.25));
    CHECK(four_bar_error(40, 4e-3, joint) < 1e-3);
  }
}

TEST_CASE("the upright bicycle has the eigenvalues of its linearised equations", "[serial]") {
  // parameters and figures: Meijaard, Papadopoulos, Ruina and Schwab, Proc. R. Soc. A 463 (2007), Table 2
  const std::vector<Mode> modes = bicycle_modes(5);
  REQUIRE(modes.size() == 3);
  CHECK(modes[0].real == Approx(-0.3228664290).epsilon(1e-9));
  CHECK(modes[1].real == Approx(-0.7753418822).epsilon(1e-9));
  CHECK(modes[1].imaginary == Approx(4.4648677138).epsilon(1e-9));
  CHECK(modes[2].real == Approx(-14.0783896928).epsilon(1e-9));
}

TEST_CASE("the bicycle is stable between the weave and the capsize speed", "[serial]") {
  const double weave = 4.29238253634111, capsize = 6.02426201538837;
  const auto growth = [](double speed, bool oscillates) {
    double found = -1e300;
    for (const Mode& m : bicycle_modes(speed))
      if ((m.imaginary > 1) == oscillates) found = std::max(found, m.real);
    return found;
  };
  CHECK(growth(weave - 1e-6, true) > 0);
  CHECK(growth(weave + 1e-6, true) < 0);
  // nearer to zero a real eigenvalue is not told from those of the free motions
  const std::array<double, 4> speeds{capsize - 0.05, capsize - 0.025, capsize + 0.025, capsize + 0.05};
  std::array<double, 4> rates{};
  for (std::size_t k = 0; k < 4; ++k) rates[k] = growth(speeds[k], false);
  CHECK((rates[1] < 0 && rates[2] > 0));
  CHECK(std::abs(root_of_cubic(speeds, rates, speeds[1], speeds[2]) - capsize) < 1e-6);
  for (const double speed : {6.03, 6.05, 6.1, 6.5, 8.0}) CHECK(bicycle_modes(speed).size() == 3);
}

TEST_CASE("a bicycle that is pushed to the side weaves upright again as its eigenvalue says", "[serial]") {
  RunChoices choices;
  choices.overrides = {"constants.roll=0.01", "analysis.end_time=5", "analysis.step=5e-3"};
  const Trajectory run = run_model(MPI_COMM_SELF, example_text("bicycle"), choices);
  std::vector<double> times, extremes;
  for (std::size_t n = 1; n + 1 < run.values.size(); ++n) {
    const auto rate = [&](std::size_t k) { return run.values[k].at("frame.angular_velocity.x"); };
    if ((rate(n) - rate(n - 1)) * (rate(n + 1) - rate(n)) >= 0) continue;
    times.push_back(run.time[n]);
    extremes.push_back(rate(n));
  }
  REQUIRE(extremes.size() >= 5);
  // differences of extremes leave out what returns without weaving
  const double decay = std::log((extremes[1] - extremes[2]) / (extremes[3] - extremes[4])) / (times[3] - times[1]);
  CHECK(decay == Approx(0.37796622627859).epsilon(0.02));
  CHECK(2 * std::acos(-1.0) / (times[3] - times[1]) == Approx(3.8728419156).epsilon(0.01));
}
