// Jumps and pulses of forces at times known beforehand: impulses, and where steps end; against
// closed forms.
#include "tests/program/known_time_runs.hpp"
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace sinew;
using test::Table;
using namespace sinew::test::known_time_runs;

namespace {

std::vector<double> every(double interval, double first = 0) {
  std::vector<double> times;
  for (int k = 0; first + k * interval < end; ++k) times.push_back(first + k * interval);
  return times;
}

Law pulse(const std::string& from, const std::string& to, double a, double b) {
  return {"t >= " + from + " && t < " + to + " ? 1000 : 0", [a, b](double t) { return t > a && t < b ? 1000.0 : 0.0; }, {a, b}};
}

void check(const std::filesystem::path& folder, const Law& law, const std::string& step, const std::string& integrator,
           int ranks = 0) {
  INFO(law.text << ", step " << step << ", " << integrator << ", ranks " << ranks);
  const Motion motion = exact(law);
  const Table t = run(folder, with(pushed, "LAW", law.text), step, ranks, "--set analysis.integrator=" + integrator);
  CHECK(std::abs(last(t, "box.velocity.x") - motion.velocity) <= law.part * std::abs(motion.velocity));
  CHECK(std::abs(last(t, "box.position.x") - motion.position) <= law.part * std::abs(motion.position));
}

const std::vector<Law> constant_pieces{
    {"sin(2*pi*1000*t) > 0 ? 1 : 0", [](double t) { return std::sin(2000 * pi * t) > 0 ? 1.0 : 0.0; }, every(5e-4)},
    {"t - floor(t/0.0031)*0.0031 < 0.0007 ? 2 : -1",
     [](double t) { return t - std::floor(t / 0.0031) * 0.0031 < 0.0007 ? 2.0 : -1.0; },
     [] {
       std::vector<double> times = every(0.0031), more = every(0.0031, 0.0007);
       times.insert(times.end(), more.begin(), more.end());
       std::sort(times.begin(), times.end());
       return times;
     }()},
    {"sign(t - 1/3/2)", [](double t) { return t > 1.0 / 6 ? 1.0 : -1.0; }, {1.0 / 6}},
    {"sign(t - 0.1)", [](double t) { return t > 0.1 ? 1.0 : -1.0; }, {0.1}},
    {"sign(t - 0.125)", [](double t) { return t > 0.125 ? 1.0 : -1.0; }, {0.125}},
    {"2*sign(t)", [](double) { return 2.0; }, {}},
    {"t > 0 ? 3 : 0", [](double) { return 3.0; }, {}},
    {"t < 0.3 ? 3 : -7", [](double) { return 3.0; }, {}},
};

/// Steps and integrators that must find it.
struct Way {
  std::string step, integrator;
};

const std::vector<Way> main_ways{{"1e-2", "soi2"}, {"7e-3", "soi2"}, {"[3e-3, 8e-3]", "soi2"}, {controlled, "soi2"}},
    other_ways{{"1e-2", "gen-alpha"},     {"1e-2", "trapezoid"}, {"7e-3", "newmark"},
               {"7e-3", "gen-alpha-ggl"}, {"7e-3", "bdf-si1"},   {"1e-2", "bdf-si2"}};

}  // namespace

TEST_CASE("the impulse and the motion of forces that jump are exact at any step", "[serial]") {
  const auto folder = test::fresh_folder("known-jumps");
  for (std::size_t k = 0; k < constant_pieces.size(); ++k) {
    for (const Way& way : main_ways) check(folder, constant_pieces[k], way.step, way.integrator);
    for (const Way& way : other_ways)
      if (k < 3) check(folder, constant_pieces[k], way.step, way.integrator);
  }
  Law law = constant_pieces[1];
  law.part = 1e-4;  // its first steps are of order 1
  check(folder, law, controlled, "bdf-si2");
}

TEST_CASE("a pulse of 0.2 ms counts once, wherever it lies between steps of 10 ms", "[serial]") {
  const auto folder = test::fresh_folder("known-pulse");
  for (const Law& law : {pulse("0.1033", "0.1035", 0.1033, 0.1035), pulse("0.1099", "0.1101", 0.1099, 0.1101),
                         pulse("0.11", "0.1102", 0.11, 0.1102), pulse("0.1098", "0.11", 0.1098, 0.11),
                         pulse("0", "0.0002", 0, 0.0002), pulse("0.2998", "0.3", 0.2998, 0.3),
                         pulse("0.1 + 1e-9", "0.1002", 0.1 + 1e-9, 0.1002), pulse("0.0998", "0.1 - 1e-12", 0.0998, 0.1 - 1e-12)})
    for (const Way& way : {Way{"1e-2", "soi2"}, Way{controlled, "soi2"}, Way{"1e-2", "bdf-si2"}})
      check(folder, law, way.step, way.integrator);
}

TEST_CASE("what is short beside the steps and bent keeps its impulse to two percent", "[serial]") {
  const auto folder = test::fresh_folder("known-bent");
  const std::vector<Law> laws{
      {"abs(sin(2*pi*500*t))", [](double t) { return std::abs(std::sin(1000 * pi * t)); }, every(1e-3), 0.02},
      {"abs(sin(2*pi*37*t + 1))", [](double t) { return std::abs(std::sin(74 * pi * t + 1)); },
       every(1.0 / 74, (pi - 1) / (74 * pi)), 0.02},
      {"max(0, sin(2*pi*80*t))", [](double t) { return std::max(0.0, std::sin(160 * pi * t)); }, every(1.0 / 160), 0.02},
      {"t > 0.1003 && t < 0.1007 ? 500*(1 - cos(2*pi*(t - 0.1003)/0.0004)) : 0",
       [](double t) { return t > 0.1003 && t < 0.1007 ? 500 * (1 - std::cos(2 * pi * (t - 0.1003) / 0.0004)) : 0.0; },
       {0.1003, 0.1007},
       0.02},
      {"t < 0.05 ? 0 : t < 0.0513 ? (t - 0.05)*1000 : t < 0.0521 ? 3 : t < 0.1234 ? 1 - t : 2",  // a table
       [](double t) {
         return t < 0.05 ? 0 : t < 0.0513 ? (t - 0.05) * 1000 : t < 0.0521 ? 3 : t < 0.1234 ? 1 - t : 2;
       },
       {0.05, 0.0513, 0.0521, 0.1234},
       1e-3},
      {"max(0, 1 - abs(t - 0.1234)/0.0002)*1000",
       [](double t) { return std::max(0.0, 1 - std::abs(t - 0.1234) / 0.0002) * 1000; },
       {0.1232, 0.1234, 0.1236},
       0.02}};
  for (Law law : laws) {
    for (const Way& way : main_ways) check(folder, law, way.step, way.integrator);
    for (const char* integrator : {"gen-alpha", "trapezoid"}) check(folder, law, "1.7e-3", integrator);
    law.part *= 1.5;  // in half a wave of eight steps it errs by more than the chords
    check(folder, law, "1.7e-3", "bdf-si2");
  }
}

TEST_CASE("four hundred pieces within a step are four hundred steps", "[serial]") {
  const auto folder = test::fresh_folder("known-many");
  std::vector<double> times = every(5e-5, 5e-5 / 12), more = every(5e-5, 5e-5 * 5 / 12);
  times.insert(times.end(), more.begin(), more.end());
  std::sort(times.begin(), times.end());
  check(folder, {"sin(2*pi*20000*t) > 0.5 ? 1 : 0", [](double t) { return std::sin(40000 * pi * t) > 0.5 ? 1.0 : 0.0; }, times},
        "1e-2", "soi2");
}

TEST_CASE("steps are cut alike on any number of ranks, and the run says how many", "[serial]") {
  const auto folder = test::fresh_folder("known-ranks");
  for (const int ranks : {1, 2, 3}) {
    INFO("ranks " << ranks);
    check(folder, constant_pieces.front(), "1e-2", "soi2", ranks);
    const Table t(folder / "model.out" / "sensors.csv");
    CHECK(t.rows() == 601);
    test::check_contains(test::file_text(folder / "model.out" / "run.json"), "\"cut\": 570");
  }
}

TEST_CASE("a rise that begins with powers of the time runs at any step, whatever is too small for a double", "[serial]") {
  const auto folder = test::fresh_folder("known-rise");
  const std::string driven = R"yaml(sinew: 1
bodies: {box: {type: point-mass, mass: 1, position: [0, 0, 0]}}
joints: {rise: {type: motion, connect: [ground, box], axis: [1, 0, 0], displacement: "LAW"}}
sensors: {box: {type: point, of: box, record: [position.x]}}
analysis: {end_time: 3}
)yaml";
  for (const char* step : {"0.1", "{tolerance: 1e-3}"})
    for (const char* law :
         {"min(1,t/2)^2*(3-2*min(1,t/2))", "min(1,max(0,t/1.5))^3*(10-15*min(1,max(0,t/1.5))+6*min(1,max(0,t/1.5))^2)",
          "t < 1e-310 ? 0 : min(t,1)^2", "(t < 1 + 3e-16 ? 0 : 1)*(t - 1)^3/8"}) {
      INFO(law);
      const Table t = run(folder, with(driven, "LAW", law), step);
      CHECK(t.rows() < 1000);
      CHECK(std::abs(last(t, "box.position.x") - 1) < 1e-6);
    }
}

TEST_CASE("a carrier that a state is compared with ends steps where it jumps, and nowhere else", "[serial]") {
  const auto folder = test::fresh_folder("known-carrier");
  const std::string modulated = R"yaml(sinew: 1
bodies: {rotor: {type: shaft, inertia: 1}}
sensors: {rotor: {type: point, of: rotor}}
forces: {drive: {type: shaft-torque, on: rotor, torque: "mod(t, 0.05)/0.05 < 0.4 + 0.1*sensor.rotor.rate ? 12 : 0"}}
analysis: {end_time: 0.5}
)yaml";
  const Table t = run(folder, modulated, "1e-2");
  double rate = 0;
  for (int period = 0; period < 10; ++period) rate += 12 * (0.4 + 0.1 * rate) / (1 / 0.05 - 0.1 * 12);
  CHECK(std::abs(last(t, "rotor.rate") - rate) < 1e-9);
  CHECK(t.rows() <= 51 + 2 * 10);
}
