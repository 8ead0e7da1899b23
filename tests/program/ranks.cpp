#include "tests/inputs/broken_inputs.hpp"
#include "tests/program/refusals.hpp"

using namespace sinew;
using test::Refusal;

TEST_CASE("on two ranks an error is said once, ends all of them and leaves no directory", "[serial]") {
  const auto folder = test::fresh_folder("ranks");
  test::write_file(folder / "model.yaml", test::pendulum());
  test::write_file(
      folder / "solid.yaml",
      "sinew: 1\nmaterials:\n  rubber: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}\nbodies:\n"
      "  block: {type: solid, mesh: bad.msh, material: rubber}\njoints:\n  wall: {type: clamp, connect: [ground, block.root]}\n"
      "analysis: {end_time: 0.002, step: 0.001}\n");
  test::write_file(folder / "bad.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
  const std::string misspelt = test::source_path("tests/inputs/misspelt-key.yaml");
  const std::vector<Refusal> rows{{"run model.yaml --outptu out", {"did you mean --output?"}},
                                  {"run nowhere.yaml -o out", {"there is no such file"}},
                                  {"run '" + misspelt + "' -o out", {misspelt + ":5:5: error: "}},
                                  {"run solid.yaml -o out", {"bad.msh"}},
                                  {"run model.yaml -o out --set bodies.rod.velocity=[9,0,0] --set analysis.initial=given",
                                   {"does not fulfil the constraints", "'hinge'"}},
                                  {"run model.yaml -o /dev/null", {"/dev/null is a file"}},
                                  {"check model.yaml --set analysis.step=0", {"must be positive"}}};
  for (const Refusal& row : rows) test::check_refused(folder, row, 2);
  for (const char* arguments : {"run nowhere.yaml", "run model.yaml --outptu out"}) {
    const test::Outcome outcome = test::run_sinew(folder, arguments, 2);
    CHECK(outcome.said.find("error: ") == outcome.said.rfind("error: "));
  }
}

TEST_CASE("redundant joints are named on two ranks too", "[serial]") {
  const auto folder = test::fresh_folder("ranks-redundant");
  test::write_file(folder / "model.yaml",
                   test::pendulum("  bolt: {type: revolute, connect: [[1, 0, 0], rod.tip], axis: [0, 1, 0]}\n",
                                  "{end_time: 0.02, step: 0.01}"));
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --no-output", 2);
  INFO(outcome.said);
  CHECK(outcome.code == 0);
  test::check_contains(outcome.said, "redundant constraints in the joints 'hinge', 'bolt'");
}
