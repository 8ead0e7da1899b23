// Motions that begin from rest and grow by orders of magnitude: what rounding comes to, relative to the speed, changes with it.
#include "tests/program/closing_line.hpp"
#include "tests/program/table.hpp"

using namespace sinew;

namespace {

/// A plate in two hinges and on a rod, with a weight below a corner, which a force that rises with t^3 begins to swing. From the
/// state of rest its light nodes know of balance no better than rounding of the load allows, which is most of the speed at first
/// and nothing of it soon.
constexpr const char* plate = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
materials: {al: {density: 2700, youngs_modulus: 7e10, poissons_ratio: 0.33}}
bodies:
  s: {type: shell, plate: {size: [0.4, 0.3], elements: [4, 3]}, thickness: 0.004, material: al}
  m: {type: rigid, mass: 0.5, inertia: [0.001, 0.001, 0.001], position: [0.4, 0, -0.1], points: {a: [0, 0, 0.1]}}
joints:
  h1: {type: revolute, connect: [ground, s.x-y-], axis: [0, 1, 0]}
  h2: {type: revolute, connect: [ground, s.x-y+], axis: [0, 1, 0]}
  e: {type: spherical, connect: [s.x+y-, m.a]}
  rod: {type: distance, connect: [[0.4, 0.3, 0.5], s.x+y+]}
forces: {f: {type: force, 'on': m, vector: ["2*(1 - cos(10*t))*sin(13*t)", 0, 0]}}
sensors: {h2: {type: joint, of: h2, record: [force, moment]}}
analysis: {end_time: 0.4, step: 1e-3, initial: static}
)yaml";

}  // namespace

TEST_CASE("steps of a plate that begins to swing grow and stay as their errors ask for", "[serial]") {
  const auto folder = test::fresh_folder("slow-start");
  test::write_file(folder / "model.yaml", plate);
  const auto run = [&](const std::string& step) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out --set 'analysis.step=" + step + "'");
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.said.find("warning") == std::string::npos);
    return outcome;
  };
  double last = 0;
  for (const char* tolerance : {"4e-4", "1.9e-4", "1e-4"}) {
    const test::Outcome outcome = run(std::string("{tolerance: ") + tolerance + ", per: unit-step}");
    CHECK(test::steps_taken(outcome) > last);
    CHECK(test::steps_taken(outcome) < 500);
    CHECK(test::count_of(outcome, "attempts rejected") < 10);
    last = test::steps_taken(outcome);
  }
  run("{global: 1e-3}");
}

TEST_CASE("what a first step from rest has wrong of the speed is no part of the speeds that follow", "[serial]") {
  const auto folder = test::fresh_folder("slow-drive");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
bodies: {arm: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {hinge: [-0.5, 0, 0]}}}
joints:
  hinge: {type: revolute, connect: [ground, arm.hinge], axis: [0, 0, 1]}
  drive: {type: motion, of: hinge, angle: 1e-3*t^4}
analysis: {end_time: 6, step: 0.01, integrator: gen-alpha}
)yaml");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  CHECK(outcome.code == 0);
  CHECK(outcome.said.find("warning") == std::string::npos);
}

TEST_CASE("judged steps of BDF begin from rest with steps like those that follow", "[serial]") {
  const auto folder = test::fresh_folder("slow-links");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  "link{i}":
    {repeat: {i: 1..6}, type: rigid, mass: 1, inertia: [0.001, 0.01, 0.01], position: [0.3*i - 0.15, 0, 0],
     points: {in: [-0.15, 0, 0], out: [0.15, 0, 0]}}
joints:
  first: {type: revolute, connect: [ground, link1.in], axis: [0, 1, 0]}
  "hinge{i}": {repeat: {i: 2..6}, type: revolute, connect: ["link{i-1}.out", "link{i}.in"], axis: [0, 1, 0]}
sensors: {end: {type: point, of: link6, record: [position]}}
analysis: {end_time: 0.5, step: {tolerance: 1e-6, per: unit-step}}
)yaml");
  double end[2] = {};
  for (const bool is_bdf : {false, true}) {
    const test::Outcome outcome =
        test::run_sinew(folder, std::string("run model.yaml -o out --set analysis.integrator=") + (is_bdf ? "bdf-si1" : "soi2"));
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const test::Table sensors(folder / "out/sensors.csv"), steps(folder / "out/steps.csv");
    end[is_bdf] = sensors.at("end.position.z", sensors.rows() - 1);
    CHECK(steps.at("step", 0) > 5e-7);
  }
  CHECK(end[true] == Approx(end[false]).margin(1e-5));
}
