// Options that are meant for PETSc: misspelt names, unknown values, files that are not there.
#include "tests/program/refusals.hpp"

using namespace sinew;
using test::Refusal;

namespace {

/// A chain of cable elements, for which a direct solver for compact bodies is not the default.
constexpr const char* cable = R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {m: {density: 1000, youngs_modulus: 1e9}}
sections: {s: {area: 4e-4, iy: 1.33e-8, iz: 1.33e-8}}
bodies:
  c: {type: cable, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 4}, section: s, material: m}
joints:
  foot: {type: clamp, connect: [ground, c.start]}
sensors: {tip: {type: point, of: c.end}}
analysis: {end_time: 0.02, step: 0.01}
)";

}  // namespace

TEST_CASE("options of PETSc that cannot be meant are refused before anything is written", "[serial]") {
  const auto folder = test::fresh_folder("petsc-options");
  test::write_file(folder / "model.yaml", test::pendulum());
  test::write_file(folder / "bad.opts", "this is no option\n");
  const std::vector<Refusal> rows{
      {"run model.yaml -o out -options_file /nonexistent", {"-options_file /nonexistent", "cannot be read", "No such file"}},
      {"run model.yaml -o out -options_file .", {"-options_file .", "cannot be read"}},
      {"run model.yaml -o out -options_file bad.opts", {"PETSc does not start with these options", "bad.opts"}},
      {"run model.yaml -o out -mat_type mpiaij", {"-mat_type mpiaij", "matrices on 1 rank are of types like aij"}},
      {"run model.yaml -o out -mat_type dense", {"-mat_type dense"}},
      {"run model.yaml -o out -mat_type nonsense", {"-mat_type nonsense"}},
      {"run model.yaml -o out -vec_type nonsense", {"-vec_type nonsense", "standard"}},
      {"run model.yaml -o out -sinew_pc_type nonsense", {"-sinew_pc_type nonsense", "PETSc has nothing of this name"}},
      {"run model.yaml -o out -sinew_pc_type luu", {"-sinew_pc_type luu", "did you mean 'lu'?"}},
      {"run model.yaml -o out -sinew_ksp_type gmress", {"-sinew_ksp_type gmress", "did you mean 'gmres'?"}},
      {"run model.yaml -o out -sinew_snes_type nonsense", {"-sinew_snes_type nonsense"}},
      {"run model.yaml -o out -sinew_projection_pc_type nonsense", {"-sinew_projection_pc_type nonsense"}},
      {"run model.yaml -o out -sinew_pc_factor_mat_solver_type mumbs", {"this PETSc has no such package"}},
      {"run model.yaml -o out -sinew_ktt block", {"-sinew_ktt: Sinew has no such option; did you mean -sinew_kkt?"}},
      {"run model.yaml -o out -sinew_porjection_ksp_type gmres", {"Sinew has no such option", "-sinew_projection_ksp_type"}},
      {"run model.yaml -o out -sinew_substructures batch", {"-sinew_substructures"}},
      {"run model.yaml -o out -sinew_regularization much", {"-sinew_regularization much", "a number from 0 on"}},
      {"run model.yaml -o out -sinew_regularization -1", {"-sinew_regularization -1", "a number from 0 on"}},
      {"run model.yaml -o out -sinew_snes_max_it 2.5", {"-sinew_snes_max_it 2.5", "a whole number from 1 on"}},
      {"run model.yaml -o out -sinew_deterministic maybe", {"-sinew_deterministic maybe", "true or false"}},
      {"run model.yaml -o out -sinew_solids all", {"-sinew_solids all", "automatic, iterations or factors"}},
      {"run model.yaml -o out -sinew_substructures cudss", {"-sinew_substructures cudss", "cuDSS"}},
      {"run model.yaml -o out --device 99", {"--device", "GPU"}},
      {"run model.yaml -o out --device two", {"--device"}},
      {"check model.yaml -sinew_nonsense", {"-sinew_nonsense: Sinew has no such option"}}};
  for (const Refusal& row : rows) {
    test::check_refused(folder, row);
    const test::Outcome outcome = test::run_sinew(folder, row.arguments);
    CHECK(outcome.said.find("PETSC ERROR") == std::string::npos);
  }
}

TEST_CASE("on two ranks wrong options of PETSc end all of them", "[serial]") {
  const auto folder = test::fresh_folder("petsc-options-ranks");
  test::write_file(folder / "model.yaml", test::pendulum());
  test::write_file(folder / "bad.opts", "this is no option\n");
  const std::vector<Refusal> rows{{"run model.yaml -o out -options_file /nonexistent", {"cannot be read"}},
                                  {"run model.yaml -o out -options_file bad.opts", {"bad.opts"}},
                                  {"run model.yaml -o out -sinew_pc_type nonsense", {"PETSc has nothing of this name"}}};
  for (const Refusal& row : rows) test::check_refused(folder, row, 2);
}

TEST_CASE("a misspelt option of a solver is named after the first step, not after the last", "[serial]") {
  const auto folder = test::fresh_folder("early-warning");
  std::string model = test::pendulum("", "{end_time: 1e6, step: 0.01}");
  test::write_file(folder / "model.yaml", model + "output: {fields: {every: 1000000}}\n");
  const test::Outcome outcome =
      test::run_shell(folder,
                      "\"$sinew\" run model.yaml -o out -sinew_snes_monitro & run=$!\n"
                      "i=0; while [ $i -lt 600 ] && ! [ -s out/steps.csv ]; do sleep 0.05; i=$((i + 1)); done\n"
                      "sleep 0.5; kill -s KILL $run; wait $run");
  INFO(outcome.said);
  test::check_contains(outcome.said, "nothing asked for the option -sinew_snes_monitro; did you mean -sinew_snes_monitor?");
}

TEST_CASE("nothing is said about options that nobody gave", "[serial]") {
  const auto folder = test::fresh_folder("no-options");
  test::write_file(folder / "model.yaml", cable);
  for (const char* options : {"", "-sinew_pc_factor_mat_solver_type umfpack", "-sinew_pc_factor_mat_solver_type mumps",
                              "-sinew_pc_type jacobi -sinew_ksp_type gmres -sinew_ksp_rtol 1e-13 -sinew_ksp_max_it 2000"}) {
    const test::Outcome outcome = test::run_sinew(folder, std::string("run model.yaml -o out ") + options);
    INFO(outcome.said);
    CHECK(outcome.said.find("nothing asked for") == std::string::npos);
    CHECK(test::file_text(folder / "out" / "run.json").find("icntl_14") == std::string::npos);
  }
}

TEST_CASE("an integrator that an option names is the one of the messages and the record", "[serial]") {
  const auto folder = test::fresh_folder("petsc-options-integrator");
  test::write_file(folder / "model.yaml", test::pendulum());
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out -sinew_integrator bdf-si1");
  CHECK(outcome.code == 0);
  test::check_contains(outcome.said, ", bdf-si1");
  test::check_contains(test::file_text(folder / "out" / "run.json"), "\"integrator\": \"bdf-si1\"");
}

TEST_CASE("options of the eigenvalue solver are not called unused before its turn", "[serial]") {
  const auto folder = test::fresh_folder("petsc-options-modes");
  test::write_file(folder / "model.yaml", cable);
  const test::Outcome outcome = test::run_sinew(folder, "modes model.yaml --static -n 1 -o out -sinew_modes_eps_tol 1e-9");
  INFO(outcome.said);
  CHECK(outcome.code == 0);
  CHECK(outcome.said.find("nothing asked for") == std::string::npos);
}

TEST_CASE("run.json says which linear solvers served, by the prefix of their options, and why", "[serial]") {
  const auto folder = test::fresh_folder("solvers-noted");
  test::write_file(folder / "cable.yaml", cable);
  test::write_file(folder / "block.yaml", R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e9, poissons_ratio: 0.3}}
bodies:
  b: {type: solid, box: {size: [0.4, 0.1, 0.1], elements: [4, 2, 2], order: 1}, material: m}
joints:
  foot: {type: clamp, connect: [ground, b.x-]}
analysis: {end_time: 0.002, step: 0.001}
)");
  const auto report = [&](const std::string& arguments, const std::string& out, int ranks) {
    const test::Outcome outcome = test::run_sinew(folder, "run " + arguments, ranks);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    return test::file_text(folder / out / "run.json");
  };
  for (const int ranks : {0, 2}) {
    const std::string chain = report("cable.yaml", "cable.out", ranks);
    test::check_contains(chain, "\"sinew_\": {\n      \"solver\": \"LU by substructures");
    test::check_contains(chain, "\"reason\": \"no solids");
    test::check_contains(report("cable.yaml -sinew_pc_factor_mat_solver_type mumps", "cable.out", ranks),
                         "\"solver\": \"lu by mumps\",\n      \"reason\": \"an option says so\"");
    test::check_contains(report("block.yaml", "block.out", ranks), "factors are expected to be faster");
    const std::string iterations = report("block.yaml -sinew_solids iterations", "block.out", ranks);
    test::check_contains(iterations, "\"solver\": \"border of solids eliminated exactly");
    test::check_contains(iterations, "iterations a solution");
  }
}
