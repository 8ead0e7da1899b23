// Beams and cables whose places begin to move as expressions of the length say.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>

using namespace sinew;

namespace {

std::string line(const std::string& body, const std::string& rest, const std::string& analysis) {
  return R"yaml(sinew: 1
materials: {steel: {density: 7850, youngs_modulus: 2e11, poissons_ratio: 0.3}}
sections: {wire: {shape: circle, diameter: 0.01}}
bodies:
  b: {)yaml" +
         body + ", section: wire, material: steel}\n" + rest + "analysis: " + analysis + "\n";
}

test::Table run(const std::filesystem::path& folder, const std::string& model, int ranks) {
  test::write_file(folder / "model.yaml", model);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  return test::Table(folder / "out" / "sensors.csv");
}

}  // namespace

TEST_CASE("a velocity along a line that is that of a rigid body moves it as such", "[mpi]") {
  const auto folder = test::fresh_folder("moving-lines");
  const std::string cable = "type: cable, line: {from: [1, 0, 0], to: [3, 0, 0], elements: 4}",
                    polyline = "type: cable, line: {points: [[1, 0, 0], [1.3, 0, 0], [2, 0, 0], [3, 0, 0]]}",
                    beam = "type: beam, line: {from: [1, 0, 0], to: [3, 0, 0], elements: 4}",
                    curve = R"(type: beam, line: {curve: ["2*s", "0", "0"], range: [0.5, 1.5], elements: 4})";
  const std::string sensors = "sensors: {end: {type: point, of: b.end, record: [position, velocity]}}\n",
                    analysis = "{end_time: 0.5, step: 0.01}";
  const std::string body = GENERATE_COPY(cable, polyline, beam, curve);
  const int ranks = GENERATE(0, 2);
  INFO(body << ", " << ranks << " ranks");
  const test::Table rigid =
      run(folder, line(body + ", velocity: [0, 1, 2], angular_velocity: [0, -3, 0]", sensors, analysis), ranks);
  const std::string along = body == curve ? "(2*s-1)" : "s";
  const bool is_cable = body == cable || body == polyline;
  const test::Table given =
      run(folder,
          line(body + ", velocity: [\"0\", \"1\", \"2 + 3*" + along + "\"]" + (is_cable ? "" : ", angular_velocity: [0, -3, 0]"),
               sensors, analysis),
          ranks);
  for (const char* column : {"end.position.x", "end.position.y", "end.position.z", "end.velocity.x", "end.velocity.z"})
    CHECK(given.at(column, 50) == Approx(rigid.at(column, 50)).margin(1e-9));
}

TEST_CASE("a beam that begins to move in a mode swings in it", "[serial]") {
  // hinged at both ends: w = v/omega sin(omega t) sin(pi s/L), omega = pi^2 sqrt(EI/(rho A))/L^2
  const auto folder = test::fresh_folder("moving-mode");
  const double radius = 0.005, omega = M_PI * M_PI * std::sqrt(2e11 / 7850) * radius / 2 / 4;
  const std::string type = GENERATE("beam", "cable");
  const std::string spin = type == "beam" ? R"yaml(, angular_velocity: ["0", "-0.001*pi/2*cos(pi*s/2)", "0"])yaml" : "";
  const std::string model =
      line("type: " + type +
               R"yaml(, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 16}, points: {mid: {at: 0.5}, quarter: {at: 0.25}},
     velocity: ["0", "0", "0.001*sin(pi*s/2)"])yaml" +
               spin,
           R"yaml(joints:
  start: {type: spherical, connect: [ground, b.start]}
  end: {type: point-on-line, connect: [ground, b.end], axis: [1, 0, 0]}
sensors: {mid: {type: point, of: b.mid, record: [position.z]}, quarter: {type: point, of: b.quarter, record: [position.z]}}
)yaml",
           "{end_time: 0.1, step: 2e-4}");
  const test::Table table = run(folder, model, 0);
  for (std::size_t k = 0; k < table.rows(); k += 10) {
    const double w = 0.001 / omega * std::sin(omega * table.at("time", k));
    CHECK(table.at("mid.position.z", k) == Approx(w).margin(2e-3 * 0.001 / omega));
    CHECK(table.at("quarter.position.z", k) == Approx(w * std::sqrt(0.5)).margin(2e-3 * 0.001 / omega));
  }
}

TEST_CASE("a velocity along a cable stands alone, and is a number everywhere", "[serial]") {
  const auto folder = test::fresh_folder("moving-refused");
  const std::string cable = "type: cable, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 4}";
  test::write_file(folder / "model.yaml",
                   line(cable + R"(, velocity: ["s", "0", "0"], angular_velocity: [0, 1, 0])", "", "{end_time: 1}"));
  test::check_refused(folder, {"run model.yaml", {"model.yaml:5:", "beside a velocity that is given along it"}});
  test::write_file(folder / "model.yaml", line(cable + R"yaml(, velocity: ["sqrt(1 - s)", "0", "0"])yaml", "", "{end_time: 1}"));
  test::check_refused(folder, {"run model.yaml", {"model.yaml:5:", "not a finite number all along the cable"}});
}
