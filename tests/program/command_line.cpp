#include "tests/program/refusals.hpp"

using namespace sinew;
using test::Refusal;

TEST_CASE("a wrong command line is refused with what was meant", "[serial]") {
  const auto folder = test::fresh_folder("command-line");
  test::write_file(folder / "model.yaml", test::pendulum());
  std::filesystem::create_directory(folder / "shapes");
  for (const char* file : {"modes.csv", "sensors.csv", "fields.h5"}) test::write_file(folder / "shapes" / file, "");
  const std::vector<Refusal> rows{
      {"", {"a command is missing", "run, check"}},
      {"runn model.yaml", {"no command 'runn'", "did you mean 'run'?"}},
      {"model.yaml", {"sinew run model.yaml"}},
      {"run", {"sinew run needs more", "model"}},
      {"run model.yaml other.yaml", {"not understood: other.yaml"}},
      {"run model.yaml --outptu out", {"not understood: --outptu", "did you mean --output?"}},
      {"run model.yaml --out out", {"not understood: --out", "did you mean --output?; its short form is -o"}},
      {"modes model.yaml --outdir=out", {"did you mean --output?; its short form is -o"}},
      {"run model.yaml -output out", {"-output: write --output"}},
      {"run model.yaml -oout", {"-oout: write -o out"}},
      {"modes model.yaml -n20", {"-n20: write -n 20"}},
      {"run model.yaml -o", {"--output"}},
      {"run model.yaml --step 1e-3", {"not understood: --step"}},
      {"run nowhere.yaml", {"nowhere.yaml: error: there is no such file"}},
      {"run .", {"this is a directory", "name the model file"}},
      {"run -log_view model.yaml",
       {"sinew run needs more", "model.yaml is taken for the value of PETSc's option -log_view: write model.yaml before it"}},
      {"plot shapes --frames 0", {"--frames 0: of shapes there is nothing to draw"}},
      {"run model.yaml --restart checkpoint-1.h5", {"checkpoint-1.h5: error: there is no such file (check the path)"}},
      {"run model.yaml --restart ''", {"--restart: a file is due, but the name is empty"}},
      {"verify --work-precision ''", {"--work-precision: a file is due, but the name is empty"}},
      {"verify pendulum --csv ''", {"--csv: a file is due, but the name is empty"}},
      {"plot . -o ''", {"--output: a directory is due, but the name is empty"}},
      {"run model.yaml -sinew_kkt tridiagonal", {"choose block or monolithic"}},
      {"run model.yaml -sinew_integrator euler", {"-sinew_integrator euler", "soi2, gen-alpha"}},
      {"run model.yaml -sinew_integrator", {"choose one of soi2, gen-alpha"}},
      {"run model.yaml -sinew_memory_apart foo", {"true or false is due"}},
      {"run model.yaml -sinew_substructures foo", {"sparse, batched or cudss is due"}},
      {"run model.yaml -o ''", {"--output: a directory is due, but the name is empty"}},
      {"run model.yaml -o " + std::string(5000, 'x'), {"has 5000 letters, more than this MPI opens files with"}},
      {"modes model.yaml -n 0", {"--count: the number of modes must be a whole one from 1 to 100000, but is '0'"}},
      {"modes model.yaml -n -3", {"from 1 to 100000, but is '-3'"}},
      {"modes model.yaml --count 1.5", {"from 1 to 100000, but is '1.5'"}},
      {"modes model.yaml -n 99999999999", {"from 1 to 100000, but is '99999999999'"}},
      {"verify nothing-of-the-kind", {"no verification case 'nothing-of-the-kind'", "pendulum"}},
      {"plot nowhere", {"there is no directory nowhere"}},
      {"plot .", {"holds no results"}}};
  for (const Refusal& row : rows) test::check_refused(folder, row);
}

TEST_CASE("a wrong --set is refused in its own words", "[serial]") {
  const auto folder = test::fresh_folder("overrides");
  test::write_file(folder / "model.yaml", test::pendulum());
  const std::vector<Refusal> rows{
      {"run model.yaml --set analysis.stpe=1e-3",
       {"--set analysis.stpe=1e-3: error: unknown key 'stpe'", "did you mean 'step'?"}},
      {"run model.yaml --set step=1e-3", {"--set step=1e-3: error: unknown key 'step'", "--set analysis.step"}},
      {"run model.yaml --set analysis.step", {"a key and a value are expected"}},
      {"run model.yaml --set analysis.step=0", {"must be positive, but is 0"}},
      {"run model.yaml --set analysis.step=-0.01", {"must be positive, but is -0.01"}},
      {"run model.yaml --set analysis.step=0/0", {"not a finite number"}},
      {"run model.yaml --set analysis.step=1e-300", {"absurdly small"}},
      {"run model.yaml --set analysis.step=3", {"longer than end_time"}},
      {"run model.yaml --set analysis.step=fast", {"unknown name 'fast'"}},
      {"run model.yaml --set analysis.end_time=-1", {"end_time", "must not be negative"}},
      {"run model.yaml --set analysis.integrator=euler", {"cannot be 'euler'", "newmark"}},
      {"run model.yaml --set analysis.integrator=bdf-si1 --set analysis.order=7", {"analysis.order", "6"}},
      {"run model.yaml --set analysis.integrator=newmark --set analysis.beta=0", {"analysis.beta", "positive"}},
      {"run model.yaml --set analysis.newton.tolerance=0", {"tolerance", "positive"}},
      {"run model.yaml --set bodies.rod.mass=heavy", {"unknown name 'heavy'"}},
      {"run model.yaml --set bodies.rood.mass=1", {"--set bodies.rood.mass=1: error"}}};
  for (const Refusal& row : rows) test::check_refused(folder, row);
}

TEST_CASE("what is no interpreter is named where it was given", "[serial]") {
  const auto folder = test::fresh_folder("no-python");
  test::write_file(folder / "sensors.csv", "time,a\n0,1\n");
  const test::Outcome outcome = test::run_sinew(folder, "plot . --python /no/such/python");
  CHECK(outcome.code == 4);
  test::check_contains(outcome.said, "--python /no/such/python: this cannot be started as a Python interpreter");
}

TEST_CASE("a check says the unknowns once, with what comes to those of the bodies", "[serial]") {
  const auto folder = test::fresh_folder("unknowns");
  test::write_file(folder / "model.yaml", R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies: {block: {type: solid, box: {size: [1, 1, 1], elements: [1, 1, 1]}, material: m}}
joints: {pin: {type: spherical, connect: [ground, block.x-]}}
sensors: {end: {type: point, of: block.x+}}
controls: {lag: {state: {x: 0}, derivative: {x: "sensor.end.position.x - x"}}}
analysis: {end_time: 0.01, step: 0.01}
)");
  const test::Outcome outcome = test::run_sinew(folder, "check model.yaml");
  CHECK(outcome.code == 0);
  test::check_contains(outcome.said, "degrees of freedom: 24\n");
  test::check_contains(outcome.said,
                       "in all: 37 degrees of freedom (with 12 of frames that follow the surfaces and points of solids");
  test::check_contains(outcome.said, "and 1 states of controls), 15 constraint rows, on 1 rank\n");
}

TEST_CASE("springs without stiffness or damping are warned of, others are not", "[serial]") {
  const auto folder = test::fresh_folder("idle-springs");
  test::write_file(folder / "model.yaml", R"(sinew: 1
constants: {k: 0}
bodies:
  a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}
  b: {type: point-mass, mass: 1, position: [1, 0, 0]}
forces:
  idle: {type: spring-damper, connect: [a, b]}
  zero: {type: torsional-spring, connect: [ground, a], axis: [0, 0, 1], stiffness: k}
  nil: {type: bushing, connect: [ground, a], stiffness: [0, 0, 0, 0, 0, 0]}
  works: {type: spring-damper, connect: [a, b], damping: 1}
  none: {type: force, on: a, vector: [0, 0, 0]}
  table: {type: spring-damper, connect: [a, b], table: [[0, -1], [2, 1]]}
analysis: {end_time: 0.01, step: 0.01}
)");
  const test::Outcome outcome = test::run_sinew(folder, "check model.yaml");
  CHECK(outcome.code == 0);
  test::check_contains(outcome.said,
                       "model.yaml:7:3: warning: force 'idle' (spring-damper) has no 'stiffness' or 'damping': it does "
                       "nothing (give it one, or take it out)");
  test::check_contains(outcome.said, "force 'zero' (torsional-spring) has no 'stiffness'");
  test::check_contains(outcome.said, "force 'nil' (bushing) has no 'stiffness'");
  for (const char* other : {"'works'", "'none'", "'table'"}) CHECK(outcome.said.find(other) == std::string::npos);
}

TEST_CASE("--help and --version end well", "[serial]") {
  const auto folder = test::fresh_folder("help");
  for (const char* command : {"", "run ", "check ", "modes ", "verify ", "plot ", "version "}) {
    const test::Outcome outcome = test::run_sinew(folder, std::string(command) + "--help");
    CHECK(outcome.code == 0);
    test::check_contains(outcome.said, "sinew " + std::string(command) + "[OPTIONS]");
  }
  const test::Outcome version = test::run_sinew(folder, "--version");
  CHECK(version.code == 0);
  test::check_contains(version.said, "PETSc:");
}

TEST_CASE("an option that PETSc does not know is named, and the run ends well", "[serial]") {
  const auto folder = test::fresh_folder("unused-option");
  test::write_file(folder / "model.yaml", test::pendulum());
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --no-output -sinew_snes_monitro");
  INFO(outcome.said);
  CHECK(outcome.code == 0);
  test::check_contains(outcome.said, "warning: nothing asked for the option -sinew_snes_monitro");
}

TEST_CASE("a model file without permission to read is refused", "[serial]") {
  const auto folder = test::fresh_folder("unreadable");
  const std::string path = test::write_file(folder / "model.yaml", test::pendulum());
  std::filesystem::permissions(path, std::filesystem::perms::none);
  if (std::ifstream(path).good()) return;  // root may read everything
  test::check_refused(folder, {"run model.yaml", {"model.yaml: error: ", "permission"}});
}

TEST_CASE("an output directory that is not ours stays as it is", "[serial]") {
  const auto folder = test::fresh_folder("foreign-output");
  test::write_file(folder / "model.yaml", test::pendulum());
  std::filesystem::create_directory(folder / "thesis");
  test::write_file(folder / "thesis" / "chapter.tex", "text");
  const std::vector<Refusal> rows{{"run model.yaml -o thesis", {"thesis is not empty", "choose another with -o"}},
                                  {"run model.yaml -o thesis/chapter.tex", {"chapter.tex is a file"}}};
  for (const Refusal& row : rows) test::check_refused(folder, row);
  CHECK(test::file_text(folder / "thesis" / "chapter.tex") == "text");
  CHECK(std::distance(std::filesystem::directory_iterator(folder / "thesis"), {}) == 1);
}

TEST_CASE("a wrong input leaves the results of an earlier run as they are", "[serial]") {
  const auto folder = test::fresh_folder("earlier-run");
  test::write_file(folder / "model.yaml", test::pendulum("sensors:\n  tip: {type: point, of: rod.tip}\n"));
  const test::Outcome good = test::run_sinew(folder, "run model.yaml -o results");
  INFO(good.said);
  REQUIRE(good.code == 0);
  const std::string before = test::file_text(folder / "results" / "sensors.csv");
  CHECK(test::run_sinew(folder, "run model.yaml -o results --set analysis.step=0").code == 2);
  CHECK(
      test::run_sinew(folder, "run model.yaml -o results --set bodies.rod.velocity=[9,9,9] --set analysis.initial=given").code ==
      2);
  CHECK_FALSE(before.empty());
  CHECK(test::file_text(folder / "results" / "sensors.csv") == before);
}
