// What methods and tolerances have let go is said: constraints, reactions that swing, corrections.
#include "tests/program/table.hpp"
#include "tests/program/tables.hpp"
#include "tests/program/unresolved_models.hpp"

using namespace sinew;
using namespace sinew::test::unresolved_models;

TEST_CASE("what a method has let go of the constraints is said, with the joint", "[serial]") {
  const std::string model = R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  rod: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {top: [-0.5, 0, 0]}}
joints: {hinge: {type: revolute, connect: [ground, rod.top], axis: [0, 1, 0]}}
sensors: {c: {type: constraint}}
analysis: {end_time: 5, step: 0.05, integrator: METHOD}
)";
  struct Method {
    const char *text, *said;
  };
  for (const Method& method : {Method{"newmark, constraints: velocity", "the constraints are open at 'hinge' by"},
                               {"newmark", "bodies move against the constraints at 'hinge' at"},
                               {"soi2", nullptr}}) {
    std::string text = model;
    text.replace(text.find("METHOD"), 6, method.text);
    const Run r = run("let-go", text);
    INFO(r.outcome.said);
    CHECK(r.outcome.code == 0);
    if (method.said)
      test::check_contains(r.outcome.said, method.said);
    else
      CHECK(r.warnings == 0);
  }
}

TEST_CASE("reactions that swing for ever are said with their joint and the remedy, others are left alone", "[serial]") {
  const auto folder = test::fresh_folder("swinging-reactions");
  test::write_file(folder / "model.yaml", R"(sinew: 1
constants: {jump: 1}
bodies:
  b: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], points: {a: [-0.5, 0, 0]}}
joints:
  j: {type: revolute, connect: [ground, b.a], axis: [0, 0, 1]}
  m: {type: motion, of: j, angle: "jump*2*(t - 0.5)^2*(1 + tanh((t - 0.5)/1e-4)) + (1 - jump)*0.5*t^2"}
sensors: {m: {type: joint, of: m}}
analysis: {end_time: 1, step: 1e-3}
)");
  const struct {
    std::string overrides;
    bool swings;
  } cases[] = {{"integrator=trapezoid", true},
               {"integrator=trapezoid --set constants.jump=0", false},
               {"integrator=newmark", true},
               {"integrator=newmark --set analysis.gamma=0.6 --set analysis.beta=0.3025", false},
               {"integrator=gen-alpha --set analysis.rho_inf=1", true},
               {"integrator=gen-alpha", false},
               {"integrator=soi2", false},
               {"integrator=bdf-si2", false}};
  for (const auto& method : cases) {
    const test::Outcome outcome =
        test::run_sinew(folder, "run model.yaml --quiet --no-output --set analysis." + method.overrides);
    INFO(method.overrides << '\n' << outcome.said);
    CHECK(outcome.code == 0);
    const std::size_t first = outcome.said.find("swing from step to step");
    CHECK((first != std::string::npos) == method.swings);
    if (!method.swings) continue;
    CHECK(outcome.said.find("swing from step to step", first + 1) == std::string::npos);
    test::check_contains(outcome.said, "'m'");
    test::check_contains(outcome.said, "`rho_inf` below 1");
  }
}

TEST_CASE("A tolerance of Newton's method that short first steps would magnify does not end a run of BDF", "[serial]") {
  const auto folder = test::fresh_folder("loose-newton");
  const std::string top = "run '" + test::source_path("examples/heavy-top/model.yaml") +
                          "' --quiet --no-output --set analysis.integrator=bdf-si1 --set analysis.newton.tolerance=1e-10 ";
  const test::Outcome outcome = test::run_sinew(folder, top + "--set 'analysis.step={tolerance: 1e-5, per: unit-step}'");
  INFO(outcome.said);
  CHECK(outcome.code == 0);
}
