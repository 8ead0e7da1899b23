#include "tests/program/run_program.hpp"
#include "tests/src/input/check_contains.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace sinew;

namespace {

/// A run of an example with what its sensors told: a column by the name in the header, a value a row.
struct Ran {
  std::map<std::string, std::vector<double>> columns;

  /// The value at a time that a row has.
  double at(double time, const std::string& column) const {
    const std::vector<double>& times = columns.at("time");
    for (std::size_t i = 0; i < times.size(); ++i)
      if (std::abs(times[i] - time) < 1e-9) return columns.at(column)[i];
    throw std::runtime_error("no row at this time");
  }
  /// The smallest and the largest value from a time on.
  std::pair<double, double> range(double from, const std::string& column) const {
    std::pair<double, double> found(1e300, -1e300);
    for (std::size_t i = 0; i < columns.at("time").size(); ++i) {
      if (columns.at("time")[i] < from) continue;
      found.first = std::min(found.first, columns.at(column)[i]);
      found.second = std::max(found.second, columns.at(column)[i]);
    }
    return found;
  }
};

/// The path of a model of an example, quoted for the shell.
std::string example(const std::string& name, const std::string& model = "model") {
  std::string path = "'";
  path += test::source_path("examples/");
  path += name;
  path += "/" + model + ".yaml'";
  return path;
}

Ran run_example(const std::string& name, const std::string& options = "") {
  const auto folder = test::fresh_folder("example-" + name + (options.empty() ? "" : "-other"));
  const test::Outcome outcome = test::run_sinew(folder, "run " + example(name) + " --quiet " + options);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  test::check_contains(test::file_text(folder / "model.out" / "run.json"), "\"outcome\": \"done\"");
  Ran ran;
  std::istringstream text(test::file_text(folder / "model.out" / "sensors.csv"));
  std::vector<std::string> names;
  for (std::string line; std::getline(text, line);) {
    std::istringstream cells(line);
    const bool is_header = names.empty();
    std::size_t k = 0;
    for (std::string cell; std::getline(cells, cell, ','); ++k)
      if (is_header) {
        names.push_back(cell);
      } else {
        ran.columns[names[k]].push_back(std::strtod(cell.c_str(), nullptr));
      }
  }
  return ran;
}

/// The column `omega` of modes.csv.
std::vector<double> modes_of(const std::string& name, const std::string& options, const std::string& model = "model") {
  const auto folder = test::fresh_folder("example-modes-" + name);
  const test::Outcome outcome = test::run_sinew(folder, "modes " + example(name, model) + " --quiet " + options);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  std::istringstream text(test::file_text(folder / (model + ".modes.out") / "modes.csv"));
  std::vector<double> found;
  std::string line;
  std::getline(text, line);
  while (std::getline(text, line)) {
    std::istringstream cells(line);
    std::string cell;
    for (int k = 0; k < 3; ++k) std::getline(cells, cell, ',');
    found.push_back(std::strtod(cell.c_str(), nullptr));
  }
  return found;
}

}  // namespace

// The figures are those of the examples' pages: closed forms and independent integrations.

TEST_CASE("The connecting rod of the slider-crank may be a modal body", "[serial]") {
  const Ran solid = run_example("slider-crank");
  const Ran modal = run_example("slider-crank",
                                "--set bodies.rod.type=modal --set bodies.rod.modes=6 --set "
                                "'bodies.rod.interfaces=[big_end, small_end, middle]'");
  for (const double t : {0.05, 0.06, 0.07, 0.08}) {
    CAPTURE(t);
    CHECK(modal.at(t, "slider.position.x") == Approx(solid.at(t, "slider.position.x")).margin(3e-5));
  }
  const auto check_near = [&](const std::string& column, double part) {
    CHECK(modal.range(0.04, column).second == Approx(solid.range(0.04, column).second).epsilon(part));
    CHECK(modal.range(0.04, column).first == Approx(solid.range(0.04, column).first).epsilon(part));
  };
  check_near("drive.moment.z", 0.02);
  check_near("crankpin.force.x", 0.02);
  check_near("energy.strain", 0.2);
  CHECK(modal.at(0.08, "rod.mass") == Approx(solid.at(0.08, "rod.mass")).epsilon(1e-12));
}

TEST_CASE("The four-bar linkage draws its curve, and the motor gives the power that the bars take up", "[serial]") {
  const Ran ran = run_example("four-bar");
  CHECK(ran.at(0.5, "pen.position.x") == Approx(0.0158161).margin(1e-6));
  CHECK(ran.at(1, "pen.position.x") == Approx(-0.03181171).margin(1e-6));
  CHECK(ran.at(1, "pen.position.y") == Approx(0.07771756).margin(1e-6));
  CHECK(ran.at(0.5, "drive.moment.z") == Approx(1.3695270).margin(1e-3));
  CHECK(ran.at(1, "drive.moment.z") == Approx(-2.0592595).margin(1e-3));
}

TEST_CASE("The quarter car goes over its bump like two masses on springs", "[serial]") {
  const Ran ran = run_example("quarter-car");
  const double expected[][4] = {{0.3, 0.007892216, 0.041939408, 3.6940144},
                                {0.4, 0.036491164, 0.025213005, -4.8155536},
                                {0.5, 0.033794293, 0.0035638016, -1.2672397},
                                {1.0, -0.0075632246, -0.00014665980, 0.092352228}};
  for (const auto& [t, car, wheel, acceleration] : expected) {
    CAPTURE(t);
    CHECK(ran.at(t, "car.displacement.z") == Approx(car).margin(3e-6));
    CHECK(ran.at(t, "wheel.displacement.z") == Approx(wheel).margin(3e-6));
    CHECK(ran.at(t, "car.acceleration.z") == Approx(acceleration).margin(3e-3));
  }
  CHECK(ran.range(0, "load.force.z").second < -1800);
  const std::vector<double> omega = modes_of("quarter-car", "-n 2 --set constants.c=0");
  const double pi = 3.141592653589793;
  REQUIRE(omega.size() == 2);
  CHECK(omega[0] == Approx(2 * pi * 1.23197789).epsilon(1e-6));
  CHECK(omega[1] == Approx(2 * pi * 11.26154503).epsilon(1e-6));
}

TEST_CASE("A mass on a spring runs over a bridge as one over the modes of a beam", "[serial]") {
  const Ran ran = run_example("bridge");
  const double expected[][4] = {{0.2, -1.4374162e-3, -0.8655902e-3, -0.0657358},
                                {0.4, -2.3053232e-3, -2.5564073e-3, 0.0737077},
                                {0.6, -1.9847953e-3, -1.6419010e-3, -0.0537750},
                                {0.8, -0.8626408e-3, -0.3580579e-3, -0.0105223}};
  for (const auto& [t, middle, car, acceleration] : expected) {
    CAPTURE(t);
    CHECK(ran.at(t, "middle.displacement.z") == Approx(middle).margin(2e-6));
    CHECK(ran.at(t, "car.displacement.z") == Approx(car).margin(2e-6));
    CHECK(ran.at(t, "car.acceleration.z") == Approx(acceleration).margin(1e-3));
  }
  CHECK(ran.range(0, "middle.displacement.z").first == Approx(-2.4074136e-3).margin(1e-6));
}

TEST_CASE("The car stands on its wheels, changes lanes, and turns as its wheels are steered", "[serial]") {
  const Ran ran = run_example("vehicle");
  CHECK(ran.at(1, "car.position.z") == Approx(0.55).margin(1e-6));
  CHECK(ran.at(1, "tyre0.press") == Approx(3536.58).margin(0.02));
  CHECK(ran.at(1, "tyre3.press") == Approx(3070.45).margin(0.02));
  const double expected[][4] = {{1.5, 0.04735994, 0.2099167, 276.734}, {2.5, 2.4750863, -0.3923917, -278.962}};
  for (const auto& [t, y, rate, rack] : expected) {
    CAPTURE(t);
    CHECK(ran.at(t, "car.position.y") == Approx(y).margin(1e-4));
    CHECK(ran.at(t, "car.angular_velocity.z") == Approx(rate).margin(5e-5));
    CHECK(ran.at(t, "guide.force.y") == Approx(rack).margin(0.5));
  }
  const Ran bend = run_example(
      "vehicle", "--set analysis.step=0.01 --set 'joints.steer.displacement=\"t < 2 ? -0.001*(1 - cos(pi*t/2)) : -0.002\"'");
  const double speed = std::hypot(bend.at(5, "car.velocity.x"), bend.at(5, "car.velocity.y"));
  CHECK(bend.at(5, "car.angular_velocity.z") == Approx(speed * 0.002 / 0.12 / 2.6).epsilon(0.01));
}

TEST_CASE("The car goes over a bump, on which its wheels leave the road, and comes to rest on its springs", "[serial]") {
  const Ran ran = run_example(
      "vehicle", "--set constants.steer=0 --set constants.bump=0.05 --set analysis.step=1e-3 --set analysis.end_time=3");
  const double expected[][4] = {
      {1.1, 0.560849, 2490.4, 7579.9}, {1.2, 0.568444, 3404.3, 4257.1}, {1.4, 0.548828, 3688.1, 3238.6}};
  for (const auto& [t, height, front, rear] : expected) {
    CAPTURE(t);
    CHECK(ran.at(t, "car.position.z") == Approx(height).margin(3e-6));
    CHECK(ran.at(t, "tyre0.press") == Approx(front).margin(2));
    CHECK(ran.at(t, "tyre2.press") == Approx(rear).margin(2));
  }
  CHECK(ran.range(0, "tyre1.press").first == 0);
  CHECK(ran.range(2.9, "car.position.z").second == Approx(0.55).margin(2e-4));
}

TEST_CASE("The crane's load swings as on a rope that does not stretch, and keeps its energy once the motors stand", "[serial]") {
  const Ran ran = run_example("crane");
  CHECK(ran.at(0, "load.position.z") == Approx(11.498024).margin(1e-5));
  const double expected[][4] = {
      {4, 9.5592551, 6.5225044, 11.8199942}, {8, -2.5246207, 5.9987422, 12.4567063}, {16, 3.6182442, 11.6385912, 12.7731200}};
  for (const auto& [t, x, y, z] : expected) {
    CAPTURE(t);
    CHECK(ran.at(t, "load.position.x") == Approx(x).margin(6e-3));
    CHECK(ran.at(t, "load.position.y") == Approx(y).margin(6e-3));
    CHECK(ran.at(t, "load.position.z") == Approx(z).margin(6e-3));
  }
  const auto [least, most] = ran.range(8.01, "energy.total");
  CHECK(most - least < 1);
  CHECK(most == Approx(501869).margin(3));
}

TEST_CASE("The bladed rotor pulls at its bearing, and its modes stand apart by the speed of rotation", "[serial]") {
  const Ran ran = run_example("bladed-rotor");
  const double force = std::hypot(ran.at(0.8, "bearing.force.x"), ran.at(0.8, "bearing.force.y"));
  CHECK(force == Approx(10.8).epsilon(0.01));
  CHECK(ran.at(0.8, "energy.kinetic") == Approx(78.399).epsilon(1e-3));
  const std::vector<double> omega = modes_of("bladed-rotor", "--motion -n 9 --set constants.start=60");
  REQUIRE(omega.size() == 9);
  CHECK(omega[0] < 1e-3);
  for (const int k : {3, 4, 5}) CHECK(omega[k] == Approx(omega[3]).epsilon(1e-6));
  for (const int k : {6, 7, 8}) CHECK(omega[k] * omega[k] - omega[3] * omega[3] == Approx(3600).epsilon(2e-3));
  const std::vector<double> at_rest = modes_of("bladed-rotor", "-n 3");
  REQUIRE(at_rest.size() == 3);
  CHECK(at_rest[2] == Approx(279.6487).epsilon(5e-3));
}

TEST_CASE("The parked wind turbine vibrates as the programs of the literature have it", "[serial]") {
  // NREL/TP-500-38060, table 9-1, Hz: the range of what its two programs find, 3 % wider
  const std::vector<double> omega = modes_of("wind-turbine", "--static -n 11 --set constants.k=0 --set constants.prebend=0");
  const std::pair<double, double> published[] = {{0.312, 0.3164},  {0.3195, 0.324},  {0.6094, 0.6205}, {0.6296, 0.6664},
                                                 {0.6675, 0.6686}, {0.6993, 0.7019}, {1.074, 1.0793},  {1.0877, 1.0898},
                                                 {1.6507, 1.9337}, {1.8558, 1.9223}, {1.9601, 2.0205}};
  REQUIRE(omega.size() == 11);
  for (std::size_t k = 0; k < 11; ++k) {
    CAPTURE(k);
    const double f = omega[k] / (2 * 3.141592653589793);
    CHECK(f > 0.97 * published[k].first);
    CHECK(f < 1.03 * published[k].second);
  }
}

TEST_CASE("The wind turbine starts, runs under load and is stopped when the grid is lost", "[serial]") {
  const Ran ran = run_example("wind-turbine", "--set analysis.end_time=90");
  CHECK(ran.range(0, "whole.mass").first == Approx(698265.0026).epsilon(1e-9));  // of the sections, linear between their places
  // with four times as many elements in the blades 0.67271, 1.14277 and 1.17927; 4.390, 4.896 and 4.264
  const double expected[][4] = {{20, 0.67291, 4.3718, 0.40519}, {40, 1.14304, 4.8820, 0.40651}, {59.9, 1.17951, 4.2469, 0.40530}};
  for (const auto& [t, speed, tip, top] : expected) {
    CAPTURE(t);
    CHECK(ran.at(t, "rotor.rate") == Approx(speed).margin(1e-4));
    CHECK(ran.at(t, "tip.displacement.x") == Approx(tip).margin(2e-3));
    CHECK(ran.at(t, "top.displacement.x") == Approx(top).margin(2e-4));
  }
  CHECK(ran.range(0, "rotor.rate").second == Approx(1.3111).margin(1e-3));
  CHECK(ran.range(0, "coupling.moment").second < 3.75e6);
  CHECK(ran.range(84.1, "rotor.rate").second < 2e-3);
}

TEST_CASE("Centrifugal forces stiffen the blades of the wind turbine that turns", "[serial]") {
  // squares of the frequencies over that of the speed: one less in the plane of the rotor than out of it for equal shapes
  const std::vector<double> slow = modes_of("wind-turbine", "--motion -n 7 --set constants.speed=0.02", "rotor");
  const std::vector<double> fast = modes_of("wind-turbine", "--motion -n 7 --set constants.speed=1.2", "rotor");
  REQUIRE(slow.size() == 7);
  REQUIRE(fast.size() == 7);
  const auto gain = [&](std::size_t k) { return (fast[k] * fast[k] - slow[k] * slow[k]) / (1.2 * 1.2 - 0.02 * 0.02); };
  CHECK(gain(1) == Approx(1.743).margin(5e-3));
  CHECK(gain(2) == Approx(gain(1)).margin(1e-6));
  CHECK(gain(4) == Approx(0.521).margin(5e-3));
  // the parked turbine's pair of flapwise modes lies within what the tower makes of it
  CHECK(slow[1] / (2 * 3.141592653589793) == Approx(0.679).margin(1e-3));
}

TEST_CASE("The rotor alone has the wind turbine's blades", "[serial]") {
  const auto between = [](const std::string& model, const std::string& from, const std::string& to) {
    const std::string text = test::file_text(test::source_path("examples/wind-turbine/" + model));
    const std::size_t begin = text.find(from);
    const std::size_t end = text.find(to, begin);
    REQUIRE(begin != std::string::npos);
    REQUIRE(end != std::string::npos);
    return text.substr(begin, end - begin);
  };
  const std::string stations = "    section: [[0, s0]";
  const std::string twist = "    twist: [[0, -13.308 deg]";
  CHECK(between("rotor.yaml", "  s0:", "bodies:") == between("model.yaml", "  s0:", "bodies:"));
  CHECK(between("rotor.yaml", stations, "    up:") == between("model.yaml", stations, "    damping:"));
  CHECK(between("rotor.yaml", twist, "    velocity:") == between("model.yaml", twist, "    points:"));
}

TEST_CASE("The right-angle cantilever swings as spectral elements do, and keeps its energy after the pulse", "[serial]") {
  const Ran ran = run_example("angle-cantilever");
  const double expected[][3] = {{1, 0.9513, 0.05403}, {2, 4.11525, 0.06926}, {5, 3.1114, 5.4794}, {10, -3.0959, 4.4631}};
  for (const auto& [t, elbow, tip] : expected) {
    CAPTURE(t);
    CHECK(ran.at(t, "elbow.displacement.z") == Approx(elbow).margin(5e-3));
    CHECK(ran.at(t, "tip.displacement.z") == Approx(tip).margin(5e-3));
  }
  const auto [least, most] = ran.range(2.5, "energy.total");
  CHECK(most - least < 0.02);
  CHECK(most == Approx(114.88).margin(0.05));
}

TEST_CASE("The plate pendulum swings as its page says", "[serial]") {
  const Ran ran = run_example("plate-pendulum");
  const double expected[][4] = {{0.25, 0.506, 0.290, -0.320}, {0.5, -0.311, -0.159, -0.630}, {1, -0.244, -0.323, -0.243}};
  for (const auto& [t, x, y, z] : expected) {
    CAPTURE(t);
    CHECK(ran.at(t, "far.position.x") == Approx(x).margin(2e-3));
    CHECK(ran.at(t, "far.position.y") == Approx(y).margin(2e-3));
    CHECK(ran.at(t, "far.position.z") == Approx(z).margin(2e-3));
  }
  CHECK(ran.at(0.5, "whole.center_of_mass.z") == Approx(-0.3420).margin(5e-4));
  const auto [least, most] = ran.range(0, "energy.total");
  CHECK(most - least < 0.05);
}

TEST_CASE("The solar array unfolds as rigid panels do, on both sides alike", "[serial]") {
  const Ran ran = run_example("solar-array", "--set analysis.end_time=5");
  const double expected[][4] = {{2, 0.28588, -0.98616, 0.23072}, {5, 1.00349, -2.29500, 0.33147}};
  for (const auto& [t, root, fold, height] : expected) {
    CAPTURE(t);
    CHECK(ran.at(t, "root0.angle") == Approx(root).margin(1e-3));
    CHECK(ran.at(t, "fold0.angle") == Approx(fold).margin(2e-3));
    CHECK(ran.at(t, "tip0.position.z") == Approx(height).margin(2e-3));
    CHECK(ran.at(t, "root1.angle") == Approx(ran.at(t, "root0.angle")).margin(1e-9));
  }
  const auto [lowest, highest] = ran.range(0, "whole.center_of_mass.z");
  CHECK(highest - lowest < 1e-12);
}

TEST_CASE("The robot arm brings its tool where it is told, with more torque than a rigid one", "[serial]") {
  const Ran ran = run_example("robot-arm");
  CHECK(ran.at(0.3, "tool.position.x") == Approx(0.6897).margin(2e-3));
  CHECK(ran.at(0.3, "tool.position.y") == Approx(0.3989).margin(2e-3));
  CHECK(ran.at(0.9, "tool.position.x") == Approx(-0.282843).margin(2e-3));
  CHECK(ran.at(0.9, "tool.position.y") == Approx(0.682843).margin(2e-3));
  CHECK(ran.at(0.9, "law.angle1") == Approx(1.570796).margin(2e-3));
  CHECK(ran.at(0.9, "law.angle2") == Approx(0.785398).margin(2e-3));
  const auto [least, most] = ran.range(0, "law.torque1");
  CHECK(most > 15.24);
  CHECK(most < 20);
  CHECK(least < -14.46);
  CHECK(ran.range(0, "law.bending").first == Approx(-0.031).margin(3e-3));
}
