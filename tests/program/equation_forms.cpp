// Block by block or as one system: what a run finds, and what it takes, is a matter of the model.
#include "tests/program/closing_line.hpp"

using namespace sinew;

namespace {

/// A crank that turns about x, a rocker about an axis of its own, and a rod between them: the crank's angle determines all that
/// moves, so that no error of a velocity lasts.
constexpr const char* spatial_four_bar = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  crank: {type: rigid, mass: 1, inertia: [1e-3, 2e-4, 1e-3], position: [0, 0.05, 0], points: {a: [0, -0.05, 0], b: [0, 0.05, 0]}}
  rod:
    type: rigid
    mass: 0.8
    inertia: [0.03, 0.03, 2e-4]
    position: [0.25, 0.1, 0.22]
    points: {a: [-0.25, 0, -0.22], b: [0.25, 0, 0.22]}
  rocker:
    type: rigid
    mass: 2
    inertia: [0.02, 0.02, 4e-4]
    position: [0.5, 0.1, 0.27]
    points: {a: [0, 0, -0.17], b: [0, 0, 0.17]}
joints:
  bearing: {type: revolute, connect: [ground, crank.a], axis: [1, 0, 0]}
  drive: {type: motion, of: bearing, angle: "12*t + 0.3*sin(7*t)"}
  fork: {type: universal, connect: [crank.b, rod.a], axis: [1, 0, 0], axis2: [0, 1, 0]}
  ball: {type: spherical, connect: [rod.b, rocker.b]}
  pivot: {type: revolute, connect: [ground, rocker.a], axis: [0.3, 1, 0]}
sensors: {tip: {type: point, of: rocker.b, record: position}}
analysis: {end_time: 1, step: 1e-3}
)yaml";

test::Outcome run(const std::filesystem::path& folder, const std::string& options) {
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out " + options);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  return outcome;
}

}  // namespace

/// Errors of velocities that the constraints take back do not last, and every form of the equations has to see that.
TEST_CASE("steps by their error are the same by one system as block by block", "[serial]") {
  const auto folder = test::fresh_folder("equation-forms");
  test::write_file(folder / "model.yaml", spatial_four_bar);
  for (const std::string method : {"soi2", "gen-alpha-ggl"}) {
    const auto steps = [&](const std::string& options) {
      const std::string controlled = " --set 'analysis.step={tolerance: 1e-4, per: unit-step}' ";
      return test::steps_taken(run(folder, "--set analysis.integrator=" + method + controlled + options));
    };
    INFO(method);
    const double by_blocks = steps("-sinew_kkt block");
    CHECK(by_blocks < 300);
    CHECK(steps("-sinew_kkt monolithic") == Approx(by_blocks).epsilon(0.02));
    CHECK(steps("") == Approx(by_blocks).epsilon(0.02));
  }
}

/// Where factors of an earlier step have not served, each has its own, of where Newton's method begins: they serve where it ends.
TEST_CASE("the projection of velocities takes one factorisation a step where old ones do not serve", "[serial]") {
  const auto folder = test::fresh_folder("projection-factors");
  test::write_file(folder / "model.yaml", spatial_four_bar);
  for (const char* method : {"bdf-si1", "bdf-si2"}) {
    INFO(method);
    const test::Outcome outcome = run(folder, std::string("--set analysis.integrator=") + method);
    CHECK(test::count_of(outcome, "factorisations") < 1.8 * test::steps_taken(outcome));
  }
}
