#include "tests/program/refusals.hpp"

using namespace sinew;

namespace {

const std::string cantilever = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e9}}
sections: {s: {area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}
bodies:
  c: {type: cable, line: {from: [0, 0, 0], to: [0, 0, 2], elements: 8}, section: s, material: m}
joints:
  foot: {type: clamp, connect: [ground, c.start]}
forces:
  press: {type: force, on: c.end, vector: [0.1, 0, -2]}
sensors:
  tip: {type: point, of: c.end, record: [displacement]}
)";

int lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

TEST_CASE("sinew run brings a model to rest and writes what a run writes", "[serial]") {
  const auto folder = test::fresh_folder("static");
  test::write_file(folder / "model.yaml", cantilever + "analysis: {type: static, steps: 4}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  test::check_contains(outcome.said, "state of rest: 4 increments");
  const auto out = folder / "model.out";
  CHECK(lines(test::file_text(out / "sensors.csv")) == 6);
  CHECK(lines(test::file_text(out / "steps.csv")) == 5);
  CHECK(std::filesystem::exists(out / "fields.xdmf"));
  const std::string report = test::file_text(out / "run.json");
  test::check_contains(report, "\"outcome\": \"done\"");
  test::check_contains(report, "\"analysis\": \"static\"");
}

TEST_CASE("modes.csv has a line for every mode, with sinew run and with sinew modes", "[serial]") {
  const auto folder = test::fresh_folder("modes");
  test::write_file(folder / "model.yaml", cantilever + "analysis: {type: modes, about: static, count: 6}\n");
  test::write_file(folder / "motion.yaml", cantilever + "analysis: {end_time: 1, step: 0.1}\n");
  for (const char* arguments : {"run model.yaml -o out", "modes motion.yaml -n 6 --static -o out"}) {
    const test::Outcome outcome = test::run_sinew(folder, arguments);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    test::check_contains(outcome.said, "frequency (Hz)");
    const std::string table = test::file_text(folder / "out" / "modes.csv");
    CHECK(table.rfind("mode,frequency,omega,real,imaginary,damping_ratio\n", 0) == 0);
    CHECK(lines(table) == 7);
    test::check_contains(test::file_text(folder / "out" / "run.json"), "\"damping_ratio\"");
  }
}

TEST_CASE("Load factors of buckling are written", "[serial]") {
  const auto folder = test::fresh_folder("buckling");
  test::write_file(folder / "model.yaml", cantilever + "analysis: {type: buckling, count: 2}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml", 2);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(lines(test::file_text(folder / "model.out" / "buckling.csv")) == 3);
  test::check_contains(test::file_text(folder / "model.out" / "run.json"), "\"load_factor\"");
}

TEST_CASE("A model that cannot rest ends with exit code 3 and names what is not held", "[serial]") {
  const auto folder = test::fresh_folder("no-rest");
  test::write_file(folder / "model.yaml",
                   "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n  bob: {type: point-mass, mass: 1, position: [1, 2, 3]}\n"
                   "analysis: {type: static}\n");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
  INFO(outcome.said);
  CHECK(outcome.code == 3);
  test::check_contains(outcome.said, "'bob'");
  test::check_contains(test::file_text(folder / "model.out" / "run.json"), "\"outcome\": \"failed\"");
}
