// Contacts that all begin at one instant, by laws of the user's own: they go over together, and are no chatter.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <numbers>
#include <random>
#include <sstream>
#include <string>

using namespace sinew;
using test::Table;

namespace {

constexpr double mass = 15, stiffness = 1e6, damping = 1e3, g = 9.81;

/// Against the ground at z = 0, of a body of that number.
std::string contact(const std::string& i) {
  const std::string z = "sensor.b" + i + ".position.z";
  return "{type: actuator, on: \"b" + i + "\", direction: [0, 0, 1], force: \"max(0, -1e6*" + z + ") - (" + z +
         " < 0 ? 1e3*sensor.b" + i + ".velocity.z : 0)\"}";
}

/// A closed track of hinged shoes: `flat` of them on the ground and as many above, half a turn of `bent` at either end.
std::string track(int flat, int bent) {
  constexpr double pi = std::numbers::pi, length = 0.15;
  std::ostringstream bodies, joints, sensors, forces;
  for (std::ostringstream* text : {&bodies, &joints, &sensors, &forces}) text->precision(17);
  const int count = 2 * (flat + bent);
  double x = 0, z = 0;
  for (int i = 0; i < count; ++i) {
    const int half = i / (flat + bent), k = i % (flat + bent);
    const double angle = pi * (half + (k < flat ? 0.0 : (k - flat + 0.5) / bent));
    const double dx = length * std::cos(angle), dz = length * std::sin(angle);
    bodies << "  b" << i << ": {type: rigid, mass: 15, inertia: [0.1, 0.2, 0.2], position: [" << x + dx / 2 << ", 0, "
           << z + dz / 2 << "], orientation: {axis: [0, 1, 0], angle: " << -angle
           << "}, points: {a: [-0.075, 0, 0], b: [0.075, 0, 0]}}\n";
    joints << "  h" << i << ": {type: revolute, connect: [b" << i << ".b, b" << (i + 1) % count << ".a], axis: [0, 1, 0]}\n";
    sensors << "  b" << i << ": {type: point, of: b" << i << ", record: [position.z, velocity.z]}\n";
    forces << "  f" << i << ": " << contact(std::to_string(i)) << '\n';
    x += dx;
    z += dz;
  }
  return "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n" + bodies.str() + "joints:\n" + joints.str() + "sensors:\n" +
         sensors.str() + "forces:\n" + forces.str() + "analysis: {end_time: 0.02, step: 1e-3}\n";
}

test::Outcome run(const std::filesystem::path& folder, const std::string& model, int ranks = 0) {
  test::write_file(folder / "model.yaml", model);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.said.find("chatters") == std::string::npos);
  return outcome;
}

}  // namespace

TEST_CASE("A closed track that is put down on the ground exactly sinks in at once", "[serial]") {
  const auto folder = test::fresh_folder("contacts-track");
  const double c = damping / (2 * mass), w = std::sqrt(stiffness / mass - c * c), depth = mass * g / stiffness;
  for (const int ranks : {0, 2}) {
    const test::Outcome outcome = run(folder, track(10, 6), ranks);
    const Table found(folder / "out" / "sensors.csv");
    CHECK(found.rows() <= 24);
    for (std::size_t row = 0; row < found.rows(); ++row) {
      const double t = found.at("time", row);
      const double z = -depth * (1 - std::exp(-c * t) * (std::cos(w * t) + c / w * std::sin(w * t)));
      CHECK(std::abs(found.at("b5.position.z", row) - z) < 0.02 * depth);
    }
  }
}

TEST_CASE("Many balls that land within a millionth of the run do not chatter", "[serial]") {
  const auto folder = test::fresh_folder("contacts-balls");
  run(folder, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies: {"b{i}": {repeat: {i: 0..119}, type: point-mass, mass: 15, position: [0.15*i, 0, 1e-4 + 1e-10*i]}}
sensors: {"b{i}": {repeat: {i: 0..119}, type: point, of: "b{i}", record: [position.z, velocity.z]}}
forces: {"f{i}": {repeat: {i: 0..119}, )yaml" +
                  contact("{i}").substr(1) + "}\nanalysis: {end_time: 0.5, step: 0.01}\n");
  const Table found(folder / "out" / "sensors.csv");
  const std::size_t last = found.rows() - 1;
  for (const std::string name : {"b0", "b60", "b119"})
    CHECK(std::abs(found.at(name + ".position.z", last) + mass * g / stiffness) < 0.01 * mass * g / stiffness);
}

// Touches in which friction turns send Newton's method to and fro between states: a line search leads it out of that.
TEST_CASE("Balls in a heap that rub are found in a few iterations", "[serial]") {
  const auto folder = test::fresh_folder("contacts-heap");
  const std::string law = "stiffness: 1e5, damping: 0.5, coefficient: 0.3, transition_speed: 0.01}\n";
  std::ostringstream bodies, forces;
  bodies.precision(17);
  std::mt19937 chance(7);
  const auto off_line = [&] { return 6e-4 * (static_cast<double>(chance()) / 4294967296.0 - 0.5); };
  constexpr int n = 4;
  constexpr double radius = 0.05, apart = 0.0995;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const auto name = [](int a, int b, int c) {
          return std::string("b") + std::to_string(a) + std::to_string(b) + std::to_string(c);
        };
        const std::string own = name(i, j, k);
        const double x = apart * i + off_line(), y = apart * j + off_line();
        bodies << "  " << own << ": {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [" << x << ", " << y << ", "
               << radius - 3e-4 + apart * k << "]}\n";
        const auto touch = [&](const std::string& shape, const std::string& first, const std::string& second) {
          forces << "  " << first << '-' << second << ": {type: contact, connect: [" << first << ", " << second << "], " << shape
                 << ", radius: 0.05, " << law;
        };
        if (k == 0) touch("normal: [0, 0, 1]", "ground", own);
        if (i + 1 < n) touch("first_radius: 0.05", own, name(i + 1, j, k));
        if (j + 1 < n) touch("first_radius: 0.05", own, name(i, j + 1, k));
        if (k + 1 < n) touch("first_radius: 0.05", own, name(i, j, k + 1));
      }
  test::write_file(folder / "model.yaml", "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n" + bodies.str() + "forces:\n" +
                                              forces.str() + "analysis: {end_time: 0.01, step: 1e-3}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const Table steps(folder / "out" / "steps.csv");
  double newton = 0;
  for (std::size_t row = 0; row < steps.rows(); ++row) newton += steps.at("newton", row);
  CHECK(newton < 16 * static_cast<double>(steps.rows()));  // 30 where it goes to and fro until it may no longer
}
