// What is no solution is not taken for one, and the end says why.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

using namespace sinew;

namespace {

/// A four-bar linkage of 0.3, 0.25, 0.2 on 0.25, driven at 20 rad/s from 60 degrees: it locks where crank and coupler stand
/// opposite to the rocker, at
/// 109.47 degrees, t = 0.04317.
constexpr const char* four_bar = R"yaml(sinew: 1
constants: {a: 0.3, b: 0.25, c: 0.2, d: 0.25, th: pi/3, ax: a*cos(th), ay: a*sin(th), s: sqrt((d - ax)^2 + ay^2),
  turn: acos((b^2 + s^2 - c^2)/(2*b*s)), lean: "atan2(-ay, d - ax) + turn", bx: ax + b*cos(lean), by: ay + b*sin(lean)}
bodies:
  crank: {type: rigid, mass: 1, inertia: [1e-4, a^2/12, a^2/12], position: [ax/2, ay/2, 0],
    orientation: {axis: [0, 0, 1], angle: th}, points: {s: [-a/2, 0, 0], e: [a/2, 0, 0]}}
  coupler: {type: rigid, mass: 1, inertia: [1e-4, b^2/12, b^2/12], position: [(ax + bx)/2, (ay + by)/2, 0],
    orientation: {axis: [0, 0, 1], angle: lean}, points: {s: [-b/2, 0, 0], e: [b/2, 0, 0]}}
  rocker: {type: rigid, mass: 1, inertia: [1e-4, c^2/12, c^2/12], position: [(d + bx)/2, by/2, 0],
    orientation: {axis: [0, 0, 1], angle: "atan2(by, bx - d)"}, points: {s: [-c/2, 0, 0], e: [c/2, 0, 0]}}
joints:
  O: {type: revolute, connect: [ground, crank.s], axis: [0, 0, 1]}
  A: {type: revolute, connect: [crank.e, coupler.s], axis: [0, 0, 1]}
  B: {type: spherical, connect: [coupler.e, rocker.e]}
  C: {type: revolute, connect: [ground, rocker.s], axis: [0, 0, 1]}
  drive: {type: motion, of: O, angle: "20*t"}
sensors: {gap: {type: constraint, record: [position, velocity]}}
analysis: {end_time: 1, step: 1e-3}
)yaml";

}  // namespace

TEST_CASE("a mechanism that locks ends there, with the time and the joints that cannot close", "[serial]") {
  const auto folder = test::fresh_folder("locks-up");
  test::write_file(folder / "model.yaml", four_bar);
  for (const char* how :
       {"", " --set analysis.step=1e-2", " --set 'analysis.step={tolerance: 1e-4}'", " --set 'analysis.step={tolerance: 1e-6}'",
        " --set 'analysis.step={tolerance: 1e-5, per: unit-step}'", " --set analysis.integrator=bdf-si2"}) {
    INFO(how);
    const test::Outcome run = test::run_sinew(folder, std::string("run model.yaml -o out") + how);
    INFO(run.said);
    CHECK(run.code == 3);
    test::check_contains(run.said, "The mechanism locks: ");
    test::check_contains(run.said, "from t = 0.0431");
    test::check_contains(run.said, "cannot close at t = 0.0");
    // Every row that was written is a state of the mechanism.
    std::istringstream rows(test::file_text(folder / "out" / "sensors.csv"));
    std::string line;
    std::getline(rows, line);
    int count = 0;
    while (std::getline(rows, line)) {
      double t = 0, position = 1, velocity = 1;
      REQUIRE(std::sscanf(line.c_str(), "%lf,%lf,%lf", &t, &position, &velocity) == 3);
      CHECK(t < 0.04318);
      CHECK(position < 1e-6);
      ++count;
    }
    CHECK(count > 4);
  }
}

TEST_CASE("drives that contradict each other are named", "[serial]") {
  const auto folder = test::fresh_folder("contradict");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
bodies:
  door:
    type: rigid
    mass: 20
    inertia: [5, 6, 1.5]
    position: [0.4, 0, 1]
    points: {lo: [-0.4, 0, -0.8], hi: [-0.4, 0, 0.7]}
    angular_velocity: [0, 0, 2]
    velocity: [0, 0.8, 0]
joints:
  lo: {type: revolute, connect: [ground, door.lo], axis: [0, 0, 1]}
  hi: {type: revolute, connect: [ground, door.hi], axis: [0, 0, 1]}
  m1: {type: motion, of: lo, angle: "2*t"}
  m2: {type: motion, of: hi, angle: "2*t + 0.1*t^3"}
analysis: {end_time: 1, step: 1e-3}
)yaml");
  for (const char* how : {"", " --set 'analysis.step={tolerance: 1e-4}'", " --set analysis.integrator=gen-alpha"}) {
    const test::Outcome run = test::run_sinew(folder, std::string("run model.yaml -o out") + how);
    INFO(run.said);
    CHECK(run.code == 3);
    test::check_contains(run.said, "The mechanism locks: 'm1', 'm2' cannot close at t = 0.");
  }
}

TEST_CASE("options of PETSc that would judge convergence are refused, and the number of iterations counts", "[serial]") {
  const auto folder = test::fresh_folder("judges");
  test::write_file(folder / "model.yaml", test::pendulum());
  const std::vector<test::Refusal> rows{{"run model.yaml -sinew_snes_type ksponly", {"-sinew_snes_type ksponly", "newtonls"}},
                                        {"run model.yaml -sinew_snes_convergence_test skip", {"Sinew's own test", "newton:"}},
                                        {"run model.yaml -sinew_snes_rtol 1e-2", {"-sinew_snes_rtol", "tolerance"}},
                                        {"run model.yaml -sinew_snes_atol 1e-2", {"-sinew_snes_atol", "tolerance"}}};
  for (const test::Refusal& row : rows) test::check_refused(folder, row);
  CHECK(test::run_sinew(folder, "run model.yaml -o more -sinew_snes_max_it 30").code == 0);
}

TEST_CASE("a linear solver that solves nothing is found out", "[serial]") {
  const auto folder = test::fresh_folder("no-solver");
  test::write_file(folder / "model.yaml", test::pendulum("", "{end_time: 2, step: 0.002}"));
  const test::Outcome run = test::run_sinew(folder, "run model.yaml -sinew_pc_type none -sinew_ksp_type preonly");
  INFO(run.said);
  CHECK(run.code == 3);
  test::check_contains(run.said, "no step converges from t = ");
}

/// Two Cardan joints between a motor and a load: the motor's angle determines all that moves, and velocities are right whatever
/// their multipliers are.
TEST_CASE("reactions do not depend on when Newton's method makes new tangents, where constraints determine the motion",
          "[serial]") {
  const auto folder = test::fresh_folder("drive-line");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
constants: {b: 20 deg}
gravity: [0, 0, 0]
bodies:
  motor: {type: rigid, mass: 2, inertia: [0.01, 0.02, 0.02], position: [-0.5, 0, 0], points: {a: [-0.5, 0, 0], c: [0.5, 0, 0]}}
  shaft:
    type: rigid
    mass: 3
    inertia: [0.04, 0.3, 0.3]
    position: [0.5*cos(b), 0.5*sin(b), 0]
    orientation: {axis: [0, 0, 1], angle: b}
    points: {c: [-0.5, 0, 0], e: [0.5, 0, 0]}
  load:
    type: rigid
    mass: 2
    inertia: [0.5, 0.6, 0.6]
    position: [cos(b) + 0.5, sin(b), 0]
    points: {c: [-0.5, 0, 0], e: [0.5, 0, 0]}
joints:
  bearing: {type: revolute, connect: [ground, motor.a], axis: [1, 0, 0]}
  drive: {type: motion, of: bearing, angle: "30*(t - 0.1*(1 - exp(-t/0.1)))"}
  first: {type: universal, connect: [motor.c, shaft.c], axis: [0, 0, 1], axis2: [-sin(b), cos(b), 0]}
  second: {type: universal, connect: [shaft.e, load.c], axis: [-sin(b), cos(b), 0], axis2: [0, 0, 1]}
  line: {type: point-on-line, connect: [ground, load.e], axis: [1, 0, 0]}
  along: {type: parallel, connect: [ground, load], axis: [1, 0, 0]}
sensors: {first: {type: joint, of: first, record: force}}
analysis: {end_time: 0.3, step: 1e-3, newton: {tolerance: 1e-10}}
)yaml");
  const auto run = [&](const std::string& options) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out " + options);
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    return test::Table(folder / "out" / "sensors.csv");
  };
  const auto differ = [](const test::Table& a, const test::Table& b) {
    double most = 0;
    REQUIRE(a.rows() == b.rows());
    for (const char* column : {"first.force.y", "first.force.z"})
      for (std::size_t k = 0; k < a.rows(); ++k) most = std::max(most, std::abs(a.at(column, k) - b.at(column, k)));
    return most;
  };
  const test::Table kept = run(""), fresh = run("--set analysis.newton.jacobian=full");
  CHECK(test::largest(fresh, "first.force.y") > 0.5);
  CHECK(differ(kept, fresh) < 1e-3);
}

/// Differences of five and more values see their rounding many times, however short the step; what a step is allowed per unit of
/// time falls with it.
TEST_CASE("steps that are allowed less than rounding makes end a run with what to do about it", "[serial]") {
  const auto folder = test::fresh_folder("bdf-rounding");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  bar:
    type: rigid
    mass: 1
    inertia: [0.1, 0.12, 0.05]
    position: [0.5, 0, 0]
    points: {hinge: [-0.5, 0, 0], tip: [0.5, 0, 0]}
joints: {hinge: {type: revolute, connect: [ground, bar.hinge], axis: [0, 1, 0]}}
forces: {spring: {type: spring-damper, connect: [[1, 0, 1], bar.tip], stiffness: 500, length: 0.5}}
analysis: {end_time: 0.5, step: {tolerance: 1e-12, per: unit-step}, integrator: bdf-si2}
)yaml");
  const test::Outcome below = test::run_sinew(folder, "run model.yaml -o out");
  INFO(below.said);
  CHECK(below.code == 3);
  test::check_contains(below.said, "less error is allowed than rounding makes: take a larger tolerance, or `per: step`");
  CHECK(test::run_sinew(folder, "run model.yaml -o more --set analysis.step.per=step").code == 0);
}
