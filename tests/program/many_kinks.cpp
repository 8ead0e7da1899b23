// Springs that push one way only, so many that several go slack or taut within every prescribed step.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <numbers>
#include <string>

using namespace sinew;
using test::Table;

namespace {

/// Balls of 1 kg that fall on springs, one after the other.
std::string balls(int count, const std::string& step) {
  const std::string last = std::to_string(count - 1), each = std::string("repeat: {i: 0..").append(last) + "}";
  return R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies: {"b{i}": {type: point-mass, mass: 1, position: [0.3*i, 0, 0.02 + 0.1*i/)yaml" +
         last + "], " + each + R"yaml(}}
sensors: {"b{i}": {type: point, of: "b{i}", record: [position.z], )yaml" +
         each + R"yaml(}}
forces: {"f{i}": {type: actuator, on: "b{i}", direction: [0, 0, 1], force: "max(0, -2e4*sensor.b{i}.position.z)", )yaml" +
         each + "}}\nanalysis: {end_time: 0.2, step: " + step + "}\n";
}

double height(int i, int count) { return 0.02 + 0.1 * i / (count - 1); }

/// Falls, meets the spring with the speed v, and leaves it with the same: z = -g/w^2 + (g/w^2) cos - (v/w) sin meanwhile.
double place(double from, double t) {
  constexpr double g = 9.81;
  const double w = std::sqrt(2e4), fall = std::sqrt(2 * from / g), v = g * fall;
  const double touch = 2 / w * (std::numbers::pi - std::atan(w * v / g));
  if (t < fall) return from - g / 2 * t * t;
  for (t -= fall; t > touch; t -= touch + 2 * fall)
    if (t < touch + 2 * fall) return v * (t - touch) - g / 2 * (t - touch) * (t - touch);
  return -g / (w * w) * (1 - std::cos(w * t)) - v / w * std::sin(w * t);
}

struct Run {
  std::size_t steps = 0;
  double error = 0;  ///< of the places at the end, root of the mean square, m
  std::string said;
};

Run run(int count, const std::string& step, int ranks = 0) {
  const auto folder = test::fresh_folder("many-kinks");
  test::write_file(folder / "model.yaml", balls(count, step));
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const Table sensors(folder / "out" / "sensors.csv"), steps(folder / "out" / "steps.csv");
  Run result{steps.rows(), 0, outcome.said};
  for (int i = 0; i < count; ++i) {
    const double found = sensors.at(std::string("b").append(std::to_string(i)) + ".position.z", sensors.rows() - 1);
    result.error += std::pow(found - place(height(i, count), 0.2), 2) / count;
  }
  result.error = std::sqrt(result.error);
  return result;
}

}  // namespace

TEST_CASE("prescribed steps that many kinks fall into stay few, whatever their number, on any ranks", "[serial]") {
  const Run few = run(100, "4e-3"), many = run(400, "4e-3");
  CHECK(few.steps < 50 + 200);  // what is asked for, and each kink that is met
  CHECK(many.steps < 2 * 50);   // 800 kinks
  CHECK(many.said.find("steps go over it") == std::string::npos);
  CHECK(run(400, "4e-3", 2).steps == many.steps);
}

TEST_CASE("prescribed steps across many kinks are of second order", "[serial]") {
  const double coarse = run(400, "2e-3").error, fine = run(400, "1e-3").error;
  INFO("errors " << coarse << ", " << fine);
  CHECK(coarse / fine > 3);
}
