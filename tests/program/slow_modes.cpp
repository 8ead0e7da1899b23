// Modes so slow that rounding of the assembled stiffness hides them: what strains hold is found, what nothing holds stays 0.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <string>

using namespace sinew;
using test::Table;

namespace {

/// Slender members of 100 m.
const std::string head = R"yaml(sinew: 1
materials:
  steel: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3}
  lossy: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3, damping: {beta: 0.01}}
sections: {wire: {shape: circle, diameter: 0.004}}
bodies:
)yaml";
const std::string boom =
    "  b: {type: beam, line: {from: [0, 0, 0], to: [100, 0, 0], elements: 400}, section: wire, material: steel}\n";
/// The same, tilted and far from the origin, where places and directions are rounded.
const std::string tilted =
    "  b: {type: beam, line: {from: [300, 200, -70], to: [360, 248, -6], elements: 400}, section: wire, material: steel}\n";
const std::string strip =
    "  b: {type: shell, plate: {size: [100, 0.1], elements: [400, 1]}, thickness: 0.005, material: steel}\n";
const std::string bar = "  b: {type: solid, box: {size: [100, 0.02, 0.02], elements: [400, 1, 1]}, material: steel}\n";

test::Outcome modes_of(const std::filesystem::path& folder, const std::string& bodies, const std::string& joints, int ranks = 0) {
  test::write_file(folder / "model.yaml", head + bodies + joints + "analysis: {type: modes, count: 6}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  return outcome;
}

/// 3.516 sqrt(EI/m)/L^2 of a clamped member of steel 100 m long, r its section's radius of gyration.
double first_bending(double r) { return 3.5160153 * std::sqrt(2.1e11 / 7850) * r / 1e4; }

}  // namespace

TEST_CASE("Long thin members that are clamped have the frequencies of beams", "[serial]") {
  struct Case {
    std::string body, joints;
    double omega;
  };
  const std::string fixed = "joints: {c: {type: fixed, connect: [ground, b.start]}}\n",
                    clamped = "joints: {c: {type: clamp, connect: [ground, b.x-]}}\n";
  const auto folder = test::fresh_folder("slow-modes");
  for (const Case& c : {Case{boom, fixed, first_bending(0.001)}, Case{tilted, fixed, first_bending(0.001)},
                        Case{strip, clamped, first_bending(0.005 / std::sqrt(12.0))},
                        Case{bar, clamped, first_bending(0.02 / std::sqrt(12.0))}}) {
    INFO(c.body);
    const test::Outcome outcome = modes_of(folder, c.body, c.joints);
    CHECK(outcome.said.find("warning") == std::string::npos);
    const Table modes(folder / "out" / "modes.csv");
    CHECK(std::abs(modes.at("omega", 0) / c.omega - 1) < 4e-3);  // a strip is wide, and so much stiffer by Poisson's ratio
  }
}

TEST_CASE("What nothing holds keeps the frequency 0, however slow its vibrations are", "[serial]") {
  struct Case {
    std::string body, joints;
    std::size_t free;
  };
  const auto folder = test::fresh_folder("slow-free-modes");
  for (const Case& c : {Case{boom, "", 6}, Case{tilted, "", 6}, Case{strip, "", 6}, Case{bar, "", 6},
                        Case{boom, "joints: {c: {type: revolute, connect: [ground, b.start], axis: [0, 1, 0]}}\n", 1},
                        Case{tilted, "joints: {c: {type: spherical, connect: [ground, b.start]}}\n", 3}}) {
    INFO(c.body << c.joints);
    const test::Outcome outcome = modes_of(folder, c.body, c.joints);
    CHECK(outcome.said.find("warning") == std::string::npos);
    const Table modes(folder / "out" / "modes.csv");
    for (std::size_t k = 0; k < modes.rows(); ++k) CHECK((modes.at("omega", k) == 0) == (k < c.free));
  }
}

TEST_CASE("Ranks agree on slow modes", "[serial]") {
  const auto folder = test::fresh_folder("slow-modes-on-ranks");
  const std::string fixed = "joints: {c: {type: fixed, connect: [ground, b.start]}}\n";
  modes_of(folder, boom, fixed);
  const double alone = Table(folder / "out" / "modes.csv").at("omega", 0);
  modes_of(folder, boom, fixed, 2);
  CHECK(std::abs(Table(folder / "out" / "modes.csv").at("omega", 0) / alone - 1) < 1e-6);
}

TEST_CASE("A damped mode that rounding has set to 0 is said to be held", "[serial]") {
  const auto folder = test::fresh_folder("slow-damped-modes");
  std::string lossy = boom;
  lossy.replace(lossy.find("steel"), 5, "lossy");
  const test::Outcome outcome = modes_of(folder, lossy, "joints: {c: {type: fixed, connect: [ground, b.start]}}\n");
  test::check_contains(outcome.said, "though stiffness holds them");
  test::check_contains(outcome.said, "0.00028943 Hz");
}

TEST_CASE("A wheel that spins freely in a damped suspension is held by nothing, on any number of ranks", "[serial]") {
  const auto folder = test::fresh_folder("slow-modes-of-a-wheel");
  const std::string model = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  chassis: {type: rigid, mass: 400, inertia: [50, 60, 80], position: [0, 0, 0.5], points: {l: [0.2, 0.3, -0.2],
    u1: [0.15, 0.35, 0.05], u2: [-0.15, 0.35, 0.07], strut: [0, 0.4, 0.3], tie: [-0.1, 0.3, -0.15]}}
  low: {type: rigid, mass: 5, inertia: [0.1, 0.1, 0.2], position: [0, 0.5, 0.28], points: {a: [0.2, -0.2, 0.02],
    out: [0, 0.2, -0.05], strut: [0, 0.05, 0.02]}}
  up: {type: rigid, mass: 3, inertia: [0.05, 0.05, 0.1], position: [-0.02, 0.5, 0.55], points: {a: [0.17, -0.15, 0],
    b: [-0.13, -0.15, 0.02], out: [-0.01, 0.15, -0.01]}}
  upright: {type: rigid, mass: 15, inertia: [0.4, 0.3, 0.4], position: [0, 0.72, 0.36], points: {low: [0, -0.02, -0.13],
    high: [-0.03, -0.07, 0.18], tie: [-0.12, -0.03, 0]}}
  wheel: {type: rigid, mass: 18, inertia: [0.6, 1.1, 0.6], position: [0, 0.78, 0.33]}
joints:
  guide: {type: prismatic, connect: [ground, chassis], axis: [0, 0, 1]}
  la: {type: revolute, connect: [chassis.l, low.a], axis: [1, 0, 0]}
  ua: {type: spherical, connect: [chassis.u1, up.a]}
  ub: {type: point-on-line, connect: [chassis.u2, up.b], axis: [1, 0, 0]}
  lo: {type: spherical, connect: [low.out, upright.low]}
  uo: {type: spherical, connect: [up.out, upright.high]}
  tie: {type: distance, connect: [chassis.tie, upright.tie]}
  hub: {type: revolute, connect: [upright, wheel], axis: [0, 1, 0]}
forces:
  strut: {type: spring-damper, connect: [low.strut, chassis.strut], stiffness: 60000, damping: 2500, length: 0.62}
  tyre: {type: actuator, on: wheel, direction: [0, 0, 1], force: "200000*(0.35 - sensor.wheel.position.z)"}
sensors:
  wheel: {type: point, of: wheel, record: position}
analysis: {type: modes, count: 6, about: static}
)yaml";
  test::write_file(folder / "model.yaml", model);
  for (const int ranks : {0, 2, 3}) {
    CAPTURE(ranks);
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.said.find("though stiffness holds") == std::string::npos);
    const Table modes(folder / "out" / "modes.csv");
    CHECK(modes.at("omega", 0) == 0);
    CHECK(modes.at("omega", 1) == Approx(7.0553658).epsilon(1e-6));
  }
}
