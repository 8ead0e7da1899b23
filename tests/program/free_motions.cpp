// Modes of what may move freely beside what vibrates: frequencies of 0, and the others as if nothing were free.
#include "tests/program/cantilever.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>

using namespace sinew;
using test::rows_of;

namespace {

/// omega of the modes that a model finds.
std::vector<double> found(const std::filesystem::path& folder, const std::string& arguments) {
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out " + arguments);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.said.find("warning") == std::string::npos);
  std::vector<double> omegas;
  for (const std::vector<double>& row : rows_of(folder / "out" / "modes.csv")) omegas.push_back(row[2]);
  return omegas;
}

void check(const std::vector<double>& omegas, const std::vector<double>& expected, double part) {
  REQUIRE(omegas.size() >= expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (expected[k] == 0)
      CHECK(omegas[k] == 0);
    else
      CHECK(omegas[k] == Approx(expected[k]).epsilon(part));
  }
}

/// Joints and analysis of a ball of 0.1 m in a bowl of 1 m.
constexpr const char* rolling = R"yaml(joints:
  d: {type: distance, connect: [[0, 0, 0], b]}
  vx: {type: velocity, zero: "0.9*sensor.b.velocity.x + 0.1*(sensor.b.angular_velocity.y*sensor.b.position.z
                              - sensor.b.angular_velocity.z*sensor.b.position.y)"}
  vy: {type: velocity, zero: "0.9*sensor.b.velocity.y + 0.1*(sensor.b.angular_velocity.z*sensor.b.position.x
                              - sensor.b.angular_velocity.x*sensor.b.position.z)"}
sensors: {b: {type: point, of: b, record: [position, velocity, angular_velocity]}}
analysis: {type: modes, about: static}
)yaml";

/// It swings both ways with sqrt(5 g / (7 (R - r))), and may spin.
void check_swings(const std::filesystem::path& folder) {
  const double omega = std::sqrt(5.0 / 7 * 9.81 / 0.9);
  const std::vector<double> omegas = found(folder, "");
  REQUIRE(omegas.size() == 3);
  CHECK(omegas[0] < 1e-5);
  for (const std::size_t k : {1, 2}) CHECK(omegas[k] == Approx(omega).epsilon(1e-7));
}

}  // namespace

TEST_CASE("a body that may turn freely still swings on its spring", "[serial]") {
  const auto folder = test::fresh_folder("free-turn");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
bodies: {c: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}}
joints: {p: {type: cylindrical, connect: [ground, c], axis: [1, 0, 0]}}
forces: {s: {type: bushing, connect: [ground, c], stiffness: [100, 0, 0, 0, 0, 0]}}
analysis: {type: modes}
)yaml");
  check(found(folder, ""), {0, std::sqrt(100 / 2.0)}, 1e-9);
}

TEST_CASE("a free rotor beside sliders on springs is one more mode of frequency 0", "[serial]") {
  const auto folder = test::fresh_folder("free-rotor");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
constants: {n: 20}
bodies:
  "l{i}": {repeat: {i: 1..n}, type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.5*i]}
  w: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [3, 0, 0]}
joints:
  "s{i}": {repeat: {i: 1..n}, type: prismatic, connect: [ground, "l{i}"], axis: [1, 0, 0]}
  r: {type: revolute, connect: [ground, w], axis: [0, 0, 1]}
forces:
  "k{i}": {repeat: {i: 1..n}, type: bushing, connect: [ground, "l{i}"], stiffness: [2*i, 0, 0, 0, 0, 0]}
analysis: {type: modes, count: 6}
)yaml");
  for (const char* n : {"20", "200"})  // all eigenvalues are found, or the slowest by Krylov spaces
    check(found(folder, std::string("--set constants.n=") + n), {0, 1, std::sqrt(2), std::sqrt(3), 2, std::sqrt(5)}, 1e-9);
}

TEST_CASE("a rotor in a free bearing loads a beam's end by its mass, and turns with a frequency of 0", "[serial]") {
  const auto folder = test::fresh_folder("free-rotor-on-beam");
  const std::string model = R"yaml(sinew: 1
sections: {s: {stiffness: [1e6, 1e6, 1e6, 10, 10, 10], inertia: [1, 1, 1, 0.01, 0.01, 0.01]}}
bodies:
  b: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 4}, section: s}
  w: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}
joints:
  p: {type: fixed, connect: [ground, b.start]}
  r: {type: revolute, connect: [b.end, w], axis: [0, 1, 0]}
analysis: {type: modes, count: 4}
)yaml";
  test::write_file(folder / "model.yaml", model);
  const std::vector<double> omegas = found(folder, "");
  // hardly anything changes where the bearing is not quite free
  test::write_file(folder / "held.yaml", model +
                                             "forces: {k: {type: torsional-spring, connect: [b.end, w], axis: [0, 1, 0], "
                                             "stiffness: 1e-7}}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run held.yaml -o held");
  REQUIRE(outcome.code == 0);
  const auto held = rows_of(folder / "held" / "modes.csv");
  check(omegas, {0, held[1][2], held[2][2], held[3][2]}, 1e-6);
}

TEST_CASE("a ball that rolls on soft springs may spin about the normal", "[serial]") {
  const auto folder = test::fresh_folder("free-ball");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies: {b: {type: rigid, mass: 2, inertia: [0.008, 0.008, 0.008], position: [0, 0, 0.1]}}
joints: {r: {type: rolling-sphere, connect: [ground, b], radius: 0.1, normal: [0, 0, 1]}}
forces: {s: {type: bushing, connect: [ground, b], stiffness: [70, 140, 0, 0, 0, 0]}}
analysis: {type: modes}
)yaml");
  check(found(folder, ""), {0, std::sqrt(70 / 2.8), std::sqrt(140 / 2.8)}, 1e-9);  // m + J / r^2
}

TEST_CASE("motions that die away alike are as many as there are", "[serial]") {
  // of a free body under alpha M z each of six motions has lambda = 0 and lambda = -alpha
  const auto folder = test::fresh_folder("free-damped");
  for (const char* elements : {"[2, 1, 1]", "[8, 2, 1]"}) {  // all eigenvalues are found, or the slowest by Krylov spaces
    test::write_file(folder / "model.yaml", std::string(R"yaml(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3, damping: {alpha: 0.5, beta: 1e-4}}}
bodies: {b: {type: solid, box: {size: [1, 0.2, 0.1], elements: )yaml") +
                                                elements + "}, material: m}}\nanalysis: {type: modes, count: 13}\n");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const auto rows = rows_of(folder / "out" / "modes.csv");
    REQUIRE(rows.size() == 13);
    for (std::size_t k = 0; k < 6; ++k) CHECK(rows[k][2] == 0);
    for (std::size_t k = 6; k < 12; ++k) {
      CHECK(rows[k][3] == Approx(-0.5).epsilon(1e-6));
      CHECK(std::abs(rows[k][4]) < 1e-6);
    }
    CHECK(rows[12][2] > 10);
  }
}

// Rounding of the places strains what is far away: free motions may get a frequency, however small, that is none of a vibration.
TEST_CASE("what is free vibrates alike wherever it lies", "[serial]") {
  const auto folder = test::fresh_folder("free-far");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
constants: {far: 0}
materials: {m: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies:
  b: {type: shell, plate: {size: [1, 0.5], elements: [8, 4]}, thickness: 0.01, material: m,
      position: [3*far, -2*far, far], orientation: {axis: [1, 2, 3], angle: 50 deg}}
analysis: {type: modes, count: 9}
)yaml");
  const std::vector<double> near = found(folder, "");
  check(near, {0, 0, 0, 0, 0, 0}, 0);
  for (const char* far : {"100", "1000"}) {
    const std::vector<double> there = found(folder, std::string("--set constants.far=") + far);
    for (std::size_t k = 0; k < 6; ++k) CHECK(there[k] < 1e-3 * near[6]);
    check({there[6], there[7], there[8]}, {near[6], near[7], near[8]}, 1e-5);
  }
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
constants: {far: 0}
materials: {s: {density: 7.85e-9, youngs_modulus: 2.1e5, poissons_ratio: 0.3}}
sections: {q: {shape: rectangle, width: 10, height: 10}}
bodies:
  b: {type: beam, line: {from: [far, -2*far, far/3], to: [far + 600, -2*far + 800, far/3], elements: 16, order: 3},
      section: q, material: s, up: [0, 0, 1]}
analysis: {type: modes, count: 10}
)yaml");
  for (const char* far : {"0", "1e5", "1e6"}) {
    const std::vector<double> there = found(folder, std::string("--set constants.far=") + far);
    check({there[6], there[7], there[8], there[9]}, {333.930729, 333.930729, 919.870383, 919.870383}, 1e-5);
  }
}

// The spin of a ball meets no resistance; what a state of rest found to 1e-13 holds it by must not draw the shift to itself.
TEST_CASE("a ball that rolls in a bowl swings both ways and spins, wherever the search for its rest began", "[serial]") {
  const auto folder = test::fresh_folder("ball-in-bowl");
  for (const double angle : {0.0, 0.01, 0.05, 0.3, 0.7})
    for (const double side : {0.0, 1.0, 2.3, 4.1}) {
      std::ostringstream text;
      text << std::setprecision(17)
           << "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n  b: {type: rigid, shape: {sphere: {radius: 0.1}}, "
           << "mass: 0.5, position: [" << 0.9 * std::sin(angle) * std::cos(side) << ", " << 0.9 * std::sin(angle) * std::sin(side)
           << ", " << -0.9 * std::cos(angle) << "]}\n"
           << rolling;
      test::write_file(folder / "model.yaml", text.str());
      INFO(angle << ' ' << side);
      check_swings(folder);
    }
}

// Rounding may hold a spin by anything; with a shift drawn down to that, swings are beyond all digits and have been told to be
// free. A spring of that size stands for it.
TEST_CASE("a ball in a bowl swings as it does, however little its spin is held", "[serial]") {
  const auto folder = test::fresh_folder("held-ball");
  for (const double stiffness : {1e-34, 2.3e-32, 2.7e-32, 5e-32, 3e-31, 1e-28, 1e-22, 1e-16})
    for (const double side : {-1e-6, 1e-9, 1e-12}) {
      std::ostringstream text;
      text << std::setprecision(17)
           << "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n  b: {type: rigid, shape: {sphere: {radius: 0.1}}, mass: 0.5, "
           << "orientation: {axis: [1, 0.3, -0.6], angle: 1.3}, position: [" << 0.9 * std::sin(side) << ", 0, "
           << -0.9 * std::cos(side) << "]}\nforces: {s: {type: bushing, connect: [ground, b], stiffness: [0, 0, 0, 0, 0, "
           << stiffness << "]}}\n"
           << rolling;
      test::write_file(folder / "model.yaml", text.str());
      INFO(stiffness << ' ' << side);
      check_swings(folder);
    }
}

TEST_CASE("what a search for rest leaves of forces makes no modes of what is free", "[serial]") {
  const auto folder = test::fresh_folder("left-forces");
  for (const char* length : {"0.5", "0.8", "0.9", "1", "1.1", "1.4"}) {
    INFO(length);
    test::write_file(folder / "model.yaml", std::string(R"yaml(sinew: 1
bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.15, 0.2], position: [1, 0.5, 0.2], points: {p: [0.1, 0.2, -0.3]}}}
forces: {k: {type: spring-damper, connect: [ground, b.p], stiffness: 500, damping: 3, length: )yaml") +
                                                length + "}}\nanalysis: {type: modes, about: static}\n");
    check(found(folder, ""), {0, 0, 0, 0, 0}, 0);
    const std::vector<std::vector<double>> rows = rows_of(folder / "out" / "modes.csv");
    REQUIRE(rows.size() == 6);
    CHECK(rows[5].back() == Approx(3 * rows[5][2] / (2 * 500)).epsilon(1e-6));  // damping ratio c/(2 sqrt(k m)), omega^2 = k/m
  }
}
