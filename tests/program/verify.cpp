#include "tests/program/refusals.hpp"

#include <sstream>

using namespace sinew;

TEST_CASE("sinew verify --plot draws errors over step sizes, with and without updates", "[serial]") {
  const auto folder = test::fresh_folder("verify-plot");
  const test::Outcome outcome = test::run_sinew(folder, "verify jay-negrut --plot pictures");
  INFO(outcome.said);
  test::check_contains(outcome.said, "order");
  if (outcome.code == 4) {  // no Python here, or one without the packages
    test::check_contains(outcome.said, "needs Python");
    return;
  }
  REQUIRE(outcome.code == 0);
  for (const char* picture : {"jay-negrut.png", "jay-negrut-steps_h_over_3_2h_over_3_both_updates.png",
                              "jay-negrut-steps_h_over_3_2h_over_3_no_updates.png"})
    CHECK(std::filesystem::exists(folder / "pictures" / picture));
  test::check_contains(test::file_text(folder / "pictures" / "verify.json"), "\"case\": \"jay-negrut\"");
}

TEST_CASE("sinew verify --work-precision takes a model or a case and writes its table", "[serial]") {
  const auto folder = test::fresh_folder("work-precision");
  const std::string sensors = "sensors: {tip: {type: point, of: rod.tip, record: [position, acceleration]}}\n";
  test::write_file(folder / "pendulum.yaml", test::pendulum(sensors, "{end_time: 0.5, step: 0.01}"));
  const std::string choices = " --tolerances 1e-2,1e-3 --global 1e-2 --csv table.csv --json table.json";
  const test::Outcome model = test::run_sinew(folder, "verify --work-precision pendulum.yaml" + choices);
  INFO(model.said);
  REQUIRE(model.code == 0);
  test::check_contains(model.said, "reference: ");
  test::check_contains(model.said, "bdf-si2 (error-controlled; levels spread by");
  test::check_contains(test::file_text(folder / "table.csv"), "pendulum,\"soi2\",error-controlled,0.001,");
  test::check_contains(test::file_text(folder / "table.json"), "\"work_precision\": \"pendulum\"");
  test::check_contains(model.said, "soi2 within a global tolerance");
  test::check_contains(test::file_text(folder / "table.json"), "\"global\": [\n  {\"tolerance\": 0.01");
  const test::Outcome equal = test::run_sinew(folder, "verify --work-precision jay-negrut --tolerances 1e-2 --equal-steps");
  CHECK(equal.code == 0);
  test::check_contains(equal.said, "reference: closed solution");
  test::check_contains(equal.said, "soi2 (equal steps)");
}

TEST_CASE("true errors of what a run adds up and counts are known to sinew verify --work-precision", "[serial]") {
  // a damped pendulum and a drum that turns 8 times: what the state at the end says of either is not what was recorded
  const auto folder = test::fresh_folder("work-precision-sums");
  test::write_file(folder / "model.yaml", R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  a: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {a: [-0.5, 0, 0]}}
  drum: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 2, 0], angular_velocity: [0, 100, 0]}
joints:
  h: {type: revolute, connect: [ground, a.a], axis: [0, 1, 0]}
  k: {type: revolute, connect: [ground, drum], axis: [0, 1, 0]}
forces:
  d: {type: torsional-spring, connect: [ground, a.a], axis: [0, 1, 0], damping: 0.1}
sensors:
  e: {type: energy, record: [dissipated]}
  d: {type: force, of: d, record: [dissipated]}
  k: {type: relative, of: k, record: [angle]}
analysis: {end_time: 0.5, step: 0.01}
)");
  const test::Outcome outcome =
      test::run_sinew(folder, "verify --work-precision model.yaml --tolerances 1e-2 --global 1e-3 --json table.json");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const std::string table = test::file_text(folder / "table.json");
  const auto figure = [&](const std::string& name) {
    const std::size_t at = table.find('"' + name + "\": ", table.find("\"global\""));
    REQUIRE(at != std::string::npos);
    return std::stod(table.substr(at + name.size() + 4));
  };
  INFO(table.substr(table.find("\"global\"")));
  CHECK(figure("error") < 1e-3);
  CHECK(figure("error") > 1e-6);
  CHECK(figure("below") > 0.9);
}

TEST_CASE("sinew verify leaves files alone until there is something to write", "[serial]") {
  const auto folder = test::fresh_folder("work-precision-files");
  test::write_file(folder / "a, \"b\".yaml", test::pendulum());
  test::write_file(folder / "modes.yaml", test::pendulum("", "{type: modes, count: 1}"));
  test::write_file(folder / "keep.csv", "mine\n");
  const std::string model = test::file_text(folder / "modes.yaml");
  for (const test::Refusal& row :
       std::vector<test::Refusal>{{"verify --work-precision nonsense --csv keep.csv --json keep.csv", {"the cases are:"}},
                                  {"verify --work-precision modes.yaml --csv keep.csv", {"type: dynamic"}},
                                  {"verify --work-precision pendulum --csv keep.csv --tolerances 2", {"between 0 and 1"}},
                                  {"verify --work-precision pendulum --csv keep.csv --json ./keep.csv", {"name two files"}},
                                  {"verify pendulum --csv keep.csv --json keep.csv", {"name two files"}},
                                  {"verify --list --csv keep.csv", {"--list", "--csv"}}})
    test::check_refused(folder, row);
  CHECK(test::file_text(folder / "keep.csv") == "mine\n");
  const std::string own = "'a, \"b\".yaml'";
  test::check_refused(folder, {"verify --work-precision " + own + " --json " + own, {"is the model itself"}});
  CHECK(test::file_text(folder / "a, \"b\".yaml") == test::pendulum());
  const test::Outcome outcome =
      test::run_sinew(folder, "verify --work-precision " + own + " --tolerances 1e-2 --equal-steps --csv table.csv");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  test::check_contains(test::file_text(folder / "table.csv"), "\n\"a, \"\"b\"\"\",\"soi2\",");
}

TEST_CASE("sinew verify --work-precision refuses what it cannot do", "[serial]") {
  const auto folder = test::fresh_folder("work-precision-refused");
  test::write_file(folder / "modes.yaml", test::pendulum("", "{type: modes, count: 1}"));
  for (const test::Refusal& row :
       std::vector<test::Refusal>{{"verify --work-precision nonsense", {"the cases are:"}},
                                  {"verify --work-precision bdf", {"take that of jay-negrut"}},
                                  {"verify --work-precision pendulum --tolerances 2", {"between 0 and 1"}},
                                  {"verify --work-precision pendulum --set constants.L=2",
                                   {"--set constants.L=2: 'pendulum' is a case of equations, which has no keys to set"}},
                                  {"verify --work-precision modes.yaml", {"modes.yaml", "type: dynamic"}},
                                  {"verify --work-precision missing.yaml", {"missing.yaml"}}})
    test::check_refused(folder, row);
}
