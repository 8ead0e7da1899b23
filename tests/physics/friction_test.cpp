// Friction in joints: a block on an incline, what jams, what is refused. The multipliers enter the forces, and not linearly.
#include "solve/redundancy.hpp"
#include "tests/mpi/observe/text_model.hpp"
#include "tests/physics/order_study.hpp"
#include "tests/physics/reference_solution.hpp"
#include "tests/physics/rubbing_models.hpp"
#include "tests/physics/stationary.hpp"

using namespace sinew;
using namespace sinew::test;
using namespace sinew::test::rubbing_models;

namespace {

/// A block on an incline of slope 1/2 that starts with the given speed; `law` holds the keys of friction.
std::string incline(double speed, const std::string& law, const std::string& analysis) {
  return fmt::format(R"yaml(sinew: 1
constants: {{g: 9.81, theta: atan(0.5)}}
gravity: [g*sin(theta), 0, -g*cos(theta)]
bodies:
  block: {{type: rigid, mass: 2, inertia: [0.01, 0.02, 0.03], velocity: [{:.17g}, 0, 0], position: [0, 0, 0]}}
joints:
  slope: {{type: prismatic, connect: [ground, block], axis: [1, 0, 0]}}
forces:
  rub: {{type: friction, of: slope, {}}}
sensors:
  block: {{type: point, of: block, record: [position, velocity, acceleration]}}
  rub: {{type: force, of: rub}}
  slope: {{type: joint, of: slope, record: [force]}}
  energy: {{type: energy, record: [kinetic, total, dissipated]}}
analysis: {{{}}}
)yaml",
                     speed, law, analysis);
}

const double along = g * std::sin(std::atan(0.5)), across = g * std::cos(std::atan(0.5));

}  // namespace

TEST_CASE("A block slips down an incline with Coulomb's force", "[serial]") {
  const double mu = 0.2, a = along - mu * across;
  for (const KktForm kkt : {KktForm::block, KktForm::automatic}) {
    const Trajectory run =
        run_model(MPI_COMM_SELF, incline(0.5, "coefficient: 0.2, transition_speed: 1e-3", "end_time: 1, step: 0.01"), with(kkt));
    const Values& end = run.values.back();
    CHECK(end.at("block.position.x") == Approx(0.5 + a / 2).epsilon(1e-9));
    CHECK(end.at("block.velocity.x") == Approx(0.5 + a).epsilon(1e-9));
    CHECK(end.at("block.acceleration.x") == Approx(a).epsilon(1e-9));
    CHECK(end.at("rub.force") == Approx(mu * 2 * across).epsilon(1e-9));
    CHECK(end.at("rub.normal") == Approx(2 * across).epsilon(1e-9));
    CHECK(end.at("rub.slip_speed") == Approx(0.5 + a).epsilon(1e-9));
    CHECK(end.at("slope.force.z") == Approx(-2 * across).epsilon(1e-9));
    CHECK(end.at("energy.dissipated") == Approx(mu * 2 * across * end.at("block.position.x")).epsilon(1e-6));
    CHECK(end.at("energy.total") + end.at("energy.dissipated") == Approx(run.values.front().at("energy.total")).epsilon(1e-6));
  }
  // from rest: the first steps have less friction than that of slip
  const Trajectory rest =
      run_model(MPI_COMM_SELF, incline(0, "coefficient: 0.2, transition_speed: 1e-3", "end_time: 1, step: 0.01"));
  CHECK(rest.values.back().at("block.position.x") == Approx(a / 2).epsilon(0.01));
  CHECK(rest.values.back().at("block.velocity.x") == Approx(a).epsilon(0.01));
}

TEST_CASE("A block sticks to an incline but for the creep that the law states", "[serial]") {
  const double v_t = 1e-4, creep = v_t * std::atanh(0.5 / 0.6);
  for (const KktForm kkt : {KktForm::block, KktForm::automatic}) {
    const std::string law = "coefficient: 0.6, transition_speed: 1e-4";
    const Values end = run_model(MPI_COMM_SELF, incline(0, law, "end_time: 2, step: 0.01"), with(kkt)).values.back();
    CHECK(end.at("block.velocity.x") == Approx(creep).epsilon(1e-9));
    CHECK(end.at("rub.force") == Approx(2 * along).epsilon(1e-9));
    CHECK(end.at("block.position.x") < 2 * creep + 0.5 * along * 0.01 * 0.01);  // the first step falls before it is held
    const Values judged =
        run_model(MPI_COMM_SELF, incline(0, law, "end_time: 2, step: {tolerance: 1e-4}"), with(kkt)).values.back();
    CHECK(judged.at("block.velocity.x") == Approx(creep).epsilon(1e-3));
    CHECK(judged.at("rub.force") == Approx(2 * along).epsilon(1e-3));
    CHECK(judged.at("block.position.x") == Approx(2 * creep).epsilon(1e-2));
  }
}

TEST_CASE("A block that slips uphill comes to rest and stays there", "[serial]") {
  const double mu = 0.6, a = along + mu * across, v0 = 2;  // comes to rest after v0/a, sticks since 0.6 > 0.5
  const Trajectory run =
      run_model(MPI_COMM_SELF, incline(-v0, "coefficient: 0.6, transition_speed: 1e-4", "end_time: 1, step: 2e-3"));
  CHECK(run.values.back().at("block.position.x") == Approx(-v0 * v0 / (2 * a)).epsilon(0.01));
  CHECK(std::abs(run.values.back().at("block.velocity.x")) < 2e-4);
}

TEST_CASE("A guide with a long arm holds back by what its own moment presses, and jams where nothing fits", "[serial]") {
  // m a = F - k m |a| sign(v) with k = mu (2/length) arm
  const auto pushed = [](double force, double coefficient) {
    return fmt::format(R"yaml(sinew: 1
bodies:
  block: {{type: rigid, mass: 2, inertia: [0.001, 0.002, 0.003], velocity: [1, 0, 0], position: [0, 0.5, 0],
          points: {{shoe: [0, -0.5, 0]}}}}
joints:
  guide: {{type: prismatic, connect: [ground, block.shoe], axis: [1, 0, 0]}}
forces:
  rub: {{type: friction, of: guide, coefficient: {}, length: 0.2, transition_speed: 1e-3}}
  push: {{type: force, on: block.shoe, vector: [{}, 0, 0]}}
sensors:
  block: {{type: point, of: block, record: [acceleration]}}
analysis: {{end_time: 0.1, step: 0.01}}
)yaml",
                       coefficient, force);
  };
  const auto acceleration = [&](double force, double coefficient) {
    return run_model(MPI_COMM_SELF, pushed(force, coefficient)).values.back().at("block.acceleration.x");
  };
  CHECK(acceleration(1, 0.1) == Approx(1 / (2 * 1.5)).epsilon(1e-9));
  CHECK(acceleration(-1, 0.1) == Approx(-1 / (2 * 0.5)).epsilon(1e-9));
  CHECK(acceleration(1, 0.4) == Approx(1 / (2 * 3.0)).epsilon(1e-9));
  CHECK_THROWS_WITH(run_model(MPI_COMM_SELF, pushed(-1, 0.4)), Catch::Contains("Painleve's paradox"));
}

TEST_CASE("Friction does nothing at rest and is the damper that holds the joint in modes about it", "[serial]") {
  const std::string block = R"yaml(sinew: 1
gravity: [1, 0, -10]
bodies:
  block: {type: rigid, mass: 2, inertia: [0.01, 0.02, 0.03], position: [0, 0, 0]}
joints:
  guide: {type: prismatic, connect: [ground, block], axis: [1, 0, 0]}
forces:
  rub: {type: friction, of: guide, coefficient: 0.2, static_coefficient: 0.3, stribeck_speed: 10, transition_speed: 2}
  spring: {type: spring-damper, connect: [[1, 0, 0], block], stiffness: 200, length: 1}
sensors:
  block: {type: point, of: block}
  rub: {type: force, of: rub}
analysis: {type: modes, about: static}
)yaml";
  Stationary model(MPI_COMM_SELF, block);
  CHECK(model.find_rest().is_stable);
  CHECK(model.values().at("block.position.x") == Approx(2.0 / 200).epsilon(1e-9));  // as far as the weight pulls the spring
  CHECK(model.values().at("rub.force") == 0);
  CHECK(model.values().at("rub.normal") == Approx(20).epsilon(1e-9));
  const std::vector<Mode> modes = model.modes(1);
  REQUIRE(modes.size() == 1);
  const double damper = 0.3 * 20 / 2;  // mu_s N / v_t
  CHECK(modes[0].omega() == Approx(10).epsilon(1e-9));
  CHECK(modes[0].damping_ratio() == Approx(damper / (2 * 2 * 10)).epsilon(1e-9));
}

TEST_CASE("Integrators whose reactions swing for ever are refused where joints rub", "[serial]") {
  for (const std::string integrator : {"trapezoid", "newmark", "gen-alpha, rho_inf: 1"})
    CHECK_THROWS_WITH(
        run_model(MPI_COMM_SELF, Pendulum::model(-4) + "analysis: {end_time: 0.5, step: 1e-3, integrator: " + integrator + "}\n"),
        Catch::Contains("swing from step to step for ever"));
}

TEST_CASE("Friction in proportion to reactions that are not determined is refused", "[serial]") {
  const TextModel built(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  door: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 0], points: {low: [-0.5, 0, -1], high: [-0.5, 0, 1]}}
  flap: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [5, 0, 0]}
joints:
  low: {type: revolute, connect: [ground, door.low], axis: [0, 0, 1]}
  high: {type: revolute, connect: [ground, door.high], axis: [0, 0, 1]}
  alone: {type: revolute, connect: [ground, flap], axis: [0, 0, 1]}
forces:
  fine: {type: friction, of: alone, coefficient: 0.1, radius: 0.1, transition_speed: 0.1}
  rub: {type: friction, of: low, coefficient: 0.1, radius: 0.1, transition_speed: 0.1}
analysis: {end_time: 1, step: 0.01}
)yaml");
  CHECK_THROWS_WITH(settle_redundancy(*built.system, 0.0, true),
                    Catch::Contains("the friction 'rub' is in proportion to reactions that are not determined") &&
                        Catch::Contains("'low', 'high'"));
}
