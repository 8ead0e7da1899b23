// Loops whose places were given with a limited number of digits, and redundant reactions over a run.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"
#include "tests/sarrus_stack.hpp"

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

/// A door that swings under a sideways pull on two hinges, the upper one out of line by d.
constexpr const char* door = R"(sinew: 1
gravity: [0, -9.81, -9.81]
constants: {d: 0}
bodies:
  door: {type: rigid, mass: 20, inertia: [7, 8, 1], position: [0.5, 0, 1], angular_velocity: [0, 0, 1], velocity: [0, 0.5, 0],
         points: {low: [-0.5, 0, -0.8], high: [-0.5+d, 0, 0.8]}}
joints:
  low: {type: revolute, connect: [ground, door.low], axis: [0, 0, 1]}
  high: {type: revolute, connect: [PLACE, door.high], axis: [0, 0, 1]}
sensors:
  door: {type: point, of: door, record: [position]}
  low: {type: joint, of: low, record: [force, moment]}
  high: {type: joint, of: high, record: [force, moment]}
  e: {type: energy, record: [total]}
analysis: {end_time: 1, step: 0.01}
)";

constexpr const char* pendulum = R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  rod: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {top: [-0.5, 0, 0], tip: [0.5, 0, 0]}}
joints:
  hinge: {type: revolute, connect: [ground, rod.top], axis: [0, 1, 0]}
  brace: {type: distance, connect: [[0, 0, 0], rod.tip]}
sensors:
  rod: {type: point, of: rod, record: [position, velocity]}
  brace: {type: joint, of: brace, record: [force]}
  e: {type: energy, record: [total]}
analysis: {end_time: 2, step: 0.01}
)";

test::Table run_and_read(const std::filesystem::path& folder, const std::string& arguments, std::string* said = nullptr) {
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml " + arguments);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  if (said) *said = outcome.said;
  return test::Table(folder / "model.out" / "sensors.csv");
}

}  // namespace

TEST_CASE("hinges out of line by a millionth or a billionth swing and bear loads as hinges in line", "[serial]") {
  const auto folder = test::fresh_folder("misfits");
  for (const char* place : {"ground", "[0, 0, 1.8]"}) {  // in the second way the loop does not close at the start
    std::string text = door;
    text.replace(text.find("PLACE"), 5, place);
    test::write_file(folder / "model.yaml", text);
    const test::Table exact = run_and_read(folder, "");
    for (const std::string digits : {"1e-9", "1e-7", "1e-6", "5e-6"}) {
      INFO(place << " d = " << digits);
      const double d = std::stod(digits);
      std::string said;
      const test::Table table = run_and_read(folder, "--set constants.d=" + digits, &said);
      if (d >= 1e-7) test::check_contains(said, "the joints 'low', 'high' do not fit each other exactly");
      REQUIRE(table.rows() == exact.rows());
      double off = 0, force = 0;
      for (std::size_t row = 0; row < table.rows(); ++row) {
        for (const char* column : {"door.position.x", "door.position.y", "door.position.z"})
          off = std::max(off, std::abs(table.at(column, row) - exact.at(column, row)));
        for (const char* column : {"low.force.x", "high.force.y", "low.force.z", "high.moment.x", "low.moment.y"})
          force = std::max(force, std::abs(table.at(column, row) - exact.at(column, row)));
      }
      CHECK(off < 5 * d + 1e-8);
      CHECK(force < 1);
      CHECK(table.at("e.total", table.rows() - 1) == Approx(exact.at("e.total", exact.rows() - 1)).epsilon(1e-5));
    }
  }
}

TEST_CASE("a misfit is told as large as it is, however far away the rest of the model lies, on any number of ranks", "[serial]") {
  const auto folder = test::fresh_folder("far-misfits");
  std::string text = door;
  text.replace(text.find("PLACE"), 5, "ground");
  const auto told = [&](int ranks) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --no-output --set constants.d=1e-6", ranks);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    const std::size_t at = outcome.said.find("they miss by about ");
    REQUIRE(at != std::string::npos);
    return std::stod(outcome.said.substr(at + 19));
  };
  test::write_file(folder / "model.yaml", text);
  const double alone = told(0);
  CHECK(alone == Approx(2.7e-6).epsilon(0.1));
  text.insert(text.find("joints:"), "  bob: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1000, 0, -1]}\n");
  text.insert(text.find("sensors:"), "  rope: {type: spherical, connect: [[1000, 0, 0], bob]}\n");
  test::write_file(folder / "model.yaml", text);
  for (const int ranks : {0, 2, 3}) CHECK(told(ranks) == Approx(alone));
}

TEST_CASE("a solid clamped twice at one face moves as one clamped once, and faces may share an edge", "[serial]") {
  const auto folder = test::fresh_folder("face-clamped-twice");
  const auto run = [&](const std::string& second, int ranks) {
    test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {rubber: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies:
  a: {type: solid, box: {size: [1, 0.2, 0.2], elements: [6, 2, 8]}, material: rubber}
joints:
  w: {type: clamp, connect: [ground, a.x-]}
)" + second + R"(
sensors:
  p: {type: point, of: a.x+, record: [position, velocity]}
  gap: {type: constraint, record: [position, velocity]}
analysis: {end_time: 0.05, step: 0.005}
)");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml", ranks);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    CHECK((outcome.said.find("redundant constraints in the joints 'w', 'v'") != std::string::npos) == !second.empty());
    return test::Table(folder / "model.out" / "sensors.csv");
  };
  const auto check_alike = [](const test::Table& a, const test::Table& b) {
    for (const char* column : {"p.position.x", "p.position.z", "p.velocity.z"})
      CHECK(a.at(column, a.rows() - 1) == Approx(b.at(column, b.rows() - 1)).margin(1e-10));
  };
  const test::Table once = run("", 1);
  for (const int ranks : {1, 2}) check_alike(run("  v: {type: clamp, connect: [ground, a.x-]}", ranks), once);
  const test::Table edge = run("  v: {type: clamp, connect: [ground, a.y-]}", 1);
  check_alike(run("  v: {type: clamp, connect: [ground, a.y-]}", 2), edge);
  CHECK(edge.at("gap.position", edge.rows() - 1) < 1e-12);
  CHECK(std::abs(edge.at("p.position.z", edge.rows() - 1) - 0.1) <
        0.1 * std::abs(once.at("p.position.z", once.rows() - 1) - 0.1));
}

TEST_CASE("a face held twice by joints of its frame rests and starts, however light the solid is", "[serial]") {
  const auto folder = test::fresh_folder("face-held-twice");
  const std::string cube = R"(sinew: 1
materials: {rubber: {density: DENSITY, youngs_modulus: 1e6, poissons_ratio: 0.499, law: neo-hookean}}
bodies:
  b: {type: solid, box: {size: [1, 1, 1], elements: [2, 2, 2], element: ELEMENT}, material: rubber}
joints:
  face: {type: planar, connect: [ground, "b.x-"], normal: [1, 0, 0]}
  line: {type: point-on-line, connect: [ground, "b.x-"], axis: [1, 0, 0]}
  turn: {type: parallel, connect: [ground, "b.x-"], axis: [0, 0, 1]}
forces:
  pull: {type: traction, on: "b.x+", vector: [4e5, 0, 0]}
  hold: {type: traction, on: "b.x-", vector: [-4e5, 0, 0]}
sensors:
  far: {type: point, of: "b.x+", record: displacement}
)";
  const auto run = [&](const char* density, const char* element, const char* analysis) {
    std::string text = cube + analysis;
    text.replace(text.find("DENSITY"), 7, density);
    text.replace(text.find("ELEMENT"), 7, element);
    test::write_file(folder / "model.yaml", text);
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
    INFO(density << " kg/m^3, " << element << ": " << outcome.said);
    CHECK(outcome.code == 0);
    test::check_contains(outcome.said, "1 redundant constraint in the joints 'face', 'turn'");
    return test::Table(folder / "model.out" / "sensors.csv");
  };
  for (const char* density : {"1", "1000"})
    for (const char* element : {"hex8", "hex27"}) {
      const test::Table rest = run(density, element, "analysis: {type: static}\n");
      // mu (l - 1/l) + L ln J / l = 4e5, mu (q - 1/q) + L ln J / q = 0, J = l q^2; mu and L are Lame's
      CHECK(rest.at("far.displacement.x", rest.rows() - 1) == Approx(0.593374168).epsilon(1e-6));
    }
  run("1000", "hex8", "analysis: {end_time: 1e-3, step: 1e-4}\n");
}

TEST_CASE("a storey of a tall stack bears what it does in a low one, and the stack stays upright", "[serial]") {
  const auto folder = test::fresh_folder("stack");
  const auto run = [&](int storeys) {
    test::write_file(folder / "model.yaml", test::sarrus_stack(storeys));
    std::string said;
    test::Table table = run_and_read(folder, "", &said);
    CHECK(said.find("do not fit each other") == std::string::npos);
    return table;
  };
  const test::Table low = run(20), tall = run(340);
  const std::size_t last = low.rows() - 1;
  CHECK(std::abs(low.at("loaded.moment.x", last)) > 0.5);
  CHECK(std::abs(low.at("falling.moment.x", last)) < 1e-5);
  CHECK(tall.at("loaded.moment.x", last) == Approx(low.at("loaded.moment.x", last)).margin(1e-5));
  CHECK(tall.at("falling.moment.x", last) == Approx(low.at("falling.moment.x", last)).margin(1e-5));
  CHECK(std::abs(tall.at("top.position.x", last)) < 1e-10);
  CHECK(std::abs(tall.at("top.position.y", last)) < 1e-10);
}

TEST_CASE("hinges out of line by more lock the door, and that is said", "[serial]") {
  const auto folder = test::fresh_folder("locked");
  std::string text = door;
  text.replace(text.find("PLACE"), 5, "ground");
  test::write_file(folder / "model.yaml", text);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --no-output --set constants.d=1e-4");
  INFO(outcome.said);
  test::check_contains(outcome.said, "the joints 'low', 'high' hold nearly the same motions, but are out of line by about");
}

TEST_CASE("a brace along a pendulum bears half of its pull at every step, and the swing stays what it is", "[serial]") {
  const auto folder = test::fresh_folder("braced");
  test::write_file(folder / "model.yaml", pendulum);
  for (const char* analysis :
       {"", "--set analysis.integrator=newmark", "--set analysis.integrator=gen-alpha", "--set analysis.integrator=bdf-si2",
        "--set analysis.integrator=gen-alpha-ggl", "--set analysis.step=[0.01,0.007]", "-sinew_kkt monolithic"}) {
    INFO(analysis);
    const test::Table table = run_and_read(folder, analysis);
    double worst = 0;
    for (std::size_t row = 1; row < table.rows(); ++row) {
      const double x = table.at("rod.position.x", row), z = table.at("rod.position.z", row);
      const double vx = table.at("rod.velocity.x", row), vz = table.at("rod.velocity.z", row);
      CHECK(std::hypot(x, z) == Approx(0.5));
      const double pull = 9.81 * -z / 0.5 + (vx * vx + vz * vz) / 0.5;
      const double bears = (table.at("brace.force.x", row) * x + table.at("brace.force.z", row) * z) / 0.5;
      worst = std::max(worst, std::abs(bears - pull / 2));
    }
    CHECK(worst < 0.3);  // of up to 15 N; integrators differ in where a multiplier belongs
    CHECK(table.at("e.total", table.rows() - 1) == Approx(table.at("e.total", 0)).margin(0.05));
  }
}

namespace {

/// The largest minus the smallest value of a column.
double range(const test::Table& table, const std::string& column) {
  double low = table.at(column, 0), high = low;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    low = std::min(low, table.at(column, row));
    high = std::max(high, table.at(column, row));
  }
  return high - low;
}

/// A four-bar linkage whose last axis is out of line, or three upright cranks under one bar, the middle one too short, by d.
constexpr const char* four_bar = R"(sinew: 1
gravity: [0, 0, -9.81]
constants: {d: 0}
bodies:
  a: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5], angular_velocity: [0, 1, 0],
      points: {l: [0, 0, -0.5], r: [0, 0, 0.5]}}
  b: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 1.25], points: {l: [-1, 0, -0.25], r: [1, 0, 0.25]}}
  c: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [2, 0, 0.75], points: {l: [0, 0, 0.75], r: [0, 0, -0.75]}}
joints:
  j1: {type: revolute, connect: [[0, 0, 0], a.l], axis: [0, 1, 0]}
  j2: {type: revolute, connect: [a.r, b.l], axis: [0, 1, 0]}
  j3: {type: revolute, connect: [b.r, c.l], axis: [0, 1, 0]}
  j4: {type: revolute, connect: [[2, 0, 0], c.r], axis: [0, 1, d]}
sensors:
  e: {type: energy, record: [kinetic, total]}
analysis: {end_time: 2, step: 5e-4}
)";

constexpr const char* three_cranks = R"(sinew: 1
gravity: [0, 0, -9.81]
constants: {d: 0}
bodies:
  "a{i}": {repeat: {i: 0..2}, type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [i, 0, 0.5], angular_velocity: [0, 1, 0],
           points: {l: [0, 0, -0.5], r: [0, 0, 0.5]}}
  bar: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 1],
        points: {p0: [-1, 0, 0], p1: [0, 0, 0], p2: [1, 0, 0]}}
joints:
  "j{i}": {repeat: {i: 0..2}, type: revolute, connect: [["i", 0, "2*d*i - d*i*i"], "a{i}.l"], axis: [0, 1, 0]
}
  "k{i}": {repeat: {i: 0..2}, type: revolute, connect: ["a{i}.r", "bar.p{i}"], axis: [0, 1, 0]}
sensors:
  e: {type: energy, record: [kinetic, total]}
analysis: {end_time: 2, step: 2e-3}
)";

}  // namespace

TEST_CASE("what is out of line by little keeps its energy, however many steps are taken", "[serial]") {
  const auto folder = test::fresh_folder("misfit-energy");
  std::string text = door;
  text.replace(text.find("PLACE"), 5, "ground");
  text.replace(text.find("[0, -9.81, -9.81]"), 17, "[0, 0, -9.81]");
  text.replace(text.find("[0, 0, 1]}\nsensors"), 9, "[0, d, 1]");  // the axis itself as well
  test::write_file(folder / "model.yaml", text);
  for (const char* integrator : {"soi2", "gen-alpha", "gen-alpha-ggl"})
    for (const char* d : {"1e-7", "1e-6"}) {
      INFO(integrator << ", " << d);
      const std::string options = std::string("--set constants.d=") + d + " --set analysis.step=5e-4 --set analysis.end_time=4 " +
                                  "--set analysis.integrator=" + integrator;
      CHECK(range(run_and_read(folder, options), "e.total") < 1e-7);
    }
  for (const char* model : {four_bar, three_cranks}) {
    test::write_file(folder / "model.yaml", model);
    const test::Table exact = run_and_read(folder, "");
    for (const char* d : {"1e-7", "1e-6", "5e-6"}) {
      INFO(model << "\nd: " << d);
      const test::Table table = run_and_read(folder, std::string("--set constants.d=") + d);
      CHECK(range(table, "e.total") < 1.2 * range(exact, "e.total"));
      CHECK(table.at("e.kinetic", table.rows() - 1) == Approx(exact.at("e.kinetic", exact.rows() - 1)).epsilon(1e-3));
    }
  }
}
