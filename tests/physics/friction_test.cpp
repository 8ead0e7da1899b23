// Friction in joints: the multipliers enter the forces, and not linearly.
#include "solve/redundancy.hpp"
#include "tests/mpi/observe/text_model.hpp"
#include "tests/physics/order_study.hpp"
#include "tests/physics/reference_solution.hpp"
#include "tests/physics/stationary.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double g = 9.81;

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

/// A cart of 3 kg that rubs on a horizontal guide, and a pendulum of 1 kg that swings from it: the normal force changes with the
/// motion, which it changes.
struct Cart {
  static constexpr double M = 3, m = 1, J = 0.02, l = 0.4, mu = 0.3, v_t = 0.005;

  static std::string model() {
    return R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  cart: {type: rigid, mass: 3, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], velocity: [4, 0, 0]}
  bob: {type: rigid, mass: 1, inertia: [0.02, 0.02, 0.02], position: [0.4, 0, 0], velocity: [4, 0, 0],
        points: {top: [-0.4, 0, 0]}}
joints:
  guide: {type: prismatic, connect: [ground, cart], axis: [1, 0, 0]}
  pin: {type: revolute, connect: [cart, bob.top], axis: [0, 1, 0]}
forces:
  rub: {type: friction, of: guide, coefficient: 0.3, transition_speed: 0.005}
sensors:
  cart: {type: point, of: cart, record: [position, velocity, acceleration]}
  bob: {type: point, of: bob, record: [position, velocity, acceleration]}
  guide: {type: joint, of: guide, record: [force]}
  rub: {type: force, of: rub}
)yaml";
  }

  /// x'', phi'' and N, linear in one another; y = (x, phi, x', phi'), phi from the horizontal, downwards.
  struct Rates {
    double x, phi, N;
  };
  static Rates rates(const std::vector<double>& y) {
    const double s = std::sin(y[1]), c = std::cos(y[1]), w = y[3], slip = mu * std::tanh(y[2] / v_t);
    // bob at (x + l c, -l s); (M + m) x'' - m l (s phi'' + c w^2) = -slip N; (J + m l^2) phi'' = m l s x'' + m g l c;
    // N = (M + m) g + m z'' with z'' = -l c phi'' + l s w^2
    const double inertia = J + m * l * l, a = m * l * s / inertia, b = m * g * l * c / inertia;
    const double N0 = (M + m) * g + m * l * s * w * w, N1 = -m * l * c;  // N = N0 + N1 phi''
    const double x = (m * l * (s * b + c * w * w) - slip * (N0 + N1 * b)) / (M + m - m * l * s * a + slip * N1 * a);
    const double phi = a * x + b;
    return {x, phi, N0 + N1 * phi};
  }
  static Exact exact() {
    auto y = std::make_shared<ReferenceSolution>(
        std::vector<double>{0, 0, 4, 0},
        [](const std::vector<double>& at) {
          const Rates r = rates(at);
          return std::vector<double>{at[2], at[3], r.x, r.phi};
        },
        1e-4);
    return [y](double t) {
      const std::vector<double> now = y->at(t);
      const Rates r = rates(now);
      const double s = std::sin(now[1]), c = std::cos(now[1]), w = now[3];
      Values v;
      const auto put = [&v](const std::string& name, double x, double z) {
        v[name + ".x"] = x;
        v[name + ".y"] = 0;
        v[name + ".z"] = z;
      };
      put("cart.position", now[0], 0);
      put("cart.velocity", now[2], 0);
      put("cart.acceleration", r.x, 0);
      put("bob.position", now[0] + l * c, -l * s);
      put("bob.velocity", now[2] - l * s * w, -l * c * w);
      put("bob.acceleration", r.x - l * (s * r.phi + c * w * w), -l * (c * r.phi - s * w * w));
      put("guide.force", 0, -r.N);
      v["rub.force"] = mu * r.N * std::tanh(now[2] / v_t);
      return v;
    };
  }
};

KnownMotion rubbing_cart() {
  return {Cart::model(),
          Cart::exact,
          {vector_quantity("position", "bob.position"), vector_quantity("velocity", "bob.velocity"),
           vector_quantity("acceleration", "bob.acceleration"), vector_quantity("cart", "cart.acceleration"),
           vector_quantity("reaction", "guide.force"), test::Quantity{"friction", {"rub.force"}}}};
}

/// A pendulum in a hinge with a pin of 0.1 m: the moment is mu r N(phi, phi', phi'').
struct Pendulum {
  static constexpr double m = 2, J = 0.3, l = 0.5, mu = 0.3, r = 0.1;

  static std::string model(double spin) {
    return fmt::format(R"yaml(sinew: 1
gravity: [0, -9.81, 0]
bodies:
  rod: {{type: rigid, mass: 2, inertia: [0.01, 0.3, 0.3], position: [0.5, 0, 0], velocity: [0, {0:.17g}/2, 0],
        angular_velocity: [0, 0, {0:.17g}], points: {{end: [-0.5, 0, 0]}}}}
joints:
  hinge: {{type: revolute, connect: [ground, rod.end], axis: [0, 0, 1]}}
forces:
  rub: {{type: friction, of: hinge, coefficient: 0.3, radius: 0.1, transition_speed: 1e-3}}
sensors:
  rod: {{type: point, of: rod, record: [position, velocity, acceleration, angular_velocity]}}
  turn: {{type: relative, of: hinge, record: [angle, rate]}}
  hinge: {{type: joint, of: hinge, record: [force]}}
  rub: {{type: force, of: rub}}
)yaml",
                       spin);
  }
  struct Rates {
    double spin, radial, tangential;
  };
  /// y = (phi, phi'); phi from the horizontal, upwards.
  static Rates rates(const std::vector<double>& y) {
    const double c = std::cos(y[0]), s = std::sin(y[0]), w = y[1];
    Rates out{0, m * (g * s - l * w * w), 0};
    for (int i = 0; i < 60; ++i) {
      out.tangential = m * (l * out.spin + g * c);
      const double N = std::hypot(out.radial, out.tangential);
      out.spin = (-m * g * l * c - mu * r * N * std::tanh(r * w / 1e-3)) / (J + m * l * l);
    }
    return out;
  }
  static Exact exact(double spin) {
    auto y = std::make_shared<ReferenceSolution>(
        std::vector<double>{0, spin},
        [](const std::vector<double>& at) {
          return std::vector<double>{at[1], rates(at).spin};
        },
        1e-4);
    return [y](double t) {
      const std::vector<double> now = y->at(t);
      const Rates a = rates(now);
      const double c = std::cos(now[0]), s = std::sin(now[0]), w = now[1];
      Values v;
      const auto put = [&v](const std::string& name, double x, double up) {
        v[name + ".x"] = x;
        v[name + ".y"] = up;
        v[name + ".z"] = 0;
      };
      put("rod.position", l * c, l * s);
      put("rod.velocity", -l * s * w, l * c * w);
      put("rod.acceleration", -l * (s * a.spin + c * w * w), l * (c * a.spin - s * w * w));
      put("hinge.force", -a.radial * c + a.tangential * s, -a.radial * s - a.tangential * c);
      v["rub.moment"] = mu * r * std::hypot(a.radial, a.tangential) * std::tanh(r * w / 1e-3);
      v["turn.angle"] = now[0];
      return v;
    };
  }
};

KnownMotion rubbing_pendulum() {
  return {Pendulum::model(-4),
          [] { return Pendulum::exact(-4); },
          {vector_quantity("position", "rod.position"), vector_quantity("velocity", "rod.velocity"),
           vector_quantity("acceleration", "rod.acceleration"), vector_quantity("reaction", "hinge.force"),
           test::Quantity{"friction", {"rub.moment"}}}};
}

StudyChoices study(double end_time, std::vector<int> counts, double rho_inf = 0.8) {
  StudyChoices c;
  c.end_time = end_time;
  c.counts = std::move(counts);
  c.rho_inf = rho_inf;
  return c;
}

/// Three bodies in joints of all other kinds, out of plane.
const std::string mixed = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  arm: {type: rigid, mass: 2, inertia: [0.02, 0.05, 0.04], position: [0.5, 0.1, 0], angular_velocity: [0.4, 2, 3],
        points: {a: [-0.5, -0.1, 0], b: [0.3, 0, 0]}}
  rod: {type: rigid, mass: 1, inertia: [0.01, 0.03, 0.03], position: [1.3, 0.1, 0], points: {a: [-0.5, 0, 0]}}
  sleeve: {type: rigid, mass: 0.5, inertia: [0.002, 0.003, 0.003], position: [1.4, 0.1, 0]}
joints:
  cross: {type: universal, connect: [ground, arm.a], axis: [0, 0, 1], axis2: [0, 1, 0]}
  ball: {type: spherical, connect: [arm.b, rod.a]}
  bar: {type: cylindrical, connect: [rod, sleeve], axis: [1, 0, 0]}
  stay: {type: distance, connect: [[2.5, 1, 1], rod]}
forces:
  at_cross: {type: friction, of: cross, coefficient: 0.2, radius: 0.03, length: 0.1, transition_speed: 0.01}
  at_ball: {type: friction, of: ball, coefficient: 0.3, radius: 0.05, transition_speed: 0.02}
  at_bar: {type: friction, of: bar, coefficient: 0.1, static_coefficient: 0.15, stribeck_speed: 0.5, radius: 0.02,
           length: 0.2, damping: 0.1,
           transition_speed: 0.02}
  hold: {type: spring-damper, connect: [rod, sleeve], stiffness: 200, length: 0.05}
sensors:
  sleeve: {type: point, of: sleeve, record: [position, velocity, acceleration]}
  cross: {type: joint, of: cross, record: [force, moment]}
  ball: {type: joint, of: ball, record: [force]}
  at_cross: {type: force, of: at_cross}
  at_ball: {type: force, of: at_ball}
  at_bar: {type: force, of: at_bar}
)yaml";

RunChoices with(KktForm kkt) {
  RunChoices choices;
  choices.kkt = kkt;
  return choices;
}

/// Largest difference of a sensor's columns at the end of two runs.
double apart(const Trajectory& a, const Trajectory& b, const std::string& sensor) {
  double most = 0;
  for (const auto& [name, value] : a.values.back())
    if (name.rfind(sensor, 0) == 0) most = std::max(most, std::abs(value - b.values.back().at(name)));
  return most;
}

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

TEST_CASE("Friction in a guide is of order 2 in motion, accelerations, reaction and friction", "[serial]") {
  check_orders(rubbing_cart(), study(0.4, {40, 80, 160}));
  StudyChoices alternating = study(0.4, {40, 80, 160});
  alternating.alternating = true;
  check_orders(rubbing_cart(), alternating);
}

TEST_CASE("A pendulum in a hinge that rubs is of order 2 in motion, accelerations, reaction and friction", "[serial]") {
  check_orders(rubbing_pendulum(), study(0.5, {50, 100, 200}));
  StudyChoices alternating = study(0.5, {50, 100, 200}, 0.5);
  alternating.alternating = true;
  check_orders(rubbing_pendulum(), alternating);
}

TEST_CASE("A pendulum in a hinge that rubs swings out as the equation of its angle says", "[serial]") {
  // through four turning points, where the hinge sticks for a moment
  const Trajectory run = run_model(MPI_COMM_SELF, Pendulum::model(0) + "analysis: {end_time: 3, step: 1e-3}\n");
  const Exact exact = Pendulum::exact(0);
  double most = 0;
  for (std::size_t n = 0; n < run.time.size(); ++n)
    most = std::max(most, std::abs(run.values[n].at("turn.angle") - exact(run.time[n]).at("turn.angle")));
  CHECK(most < 2e-3);
}

TEST_CASE("The block solver and one system of all unknowns agree where joints rub", "[serial]") {
  const std::string analysis = "analysis: {end_time: 0.2, step: 2e-3, newton: {tolerance: 1e-12}}\n";
  const Trajectory block = run_model(MPI_COMM_SELF, mixed + analysis, with(KktForm::block));
  const Trajectory one = run_model(MPI_COMM_SELF, mixed + analysis, with(KktForm::monolithic));
  CHECK(apart(block, one, "sleeve.position") < 1e-9);
  CHECK(apart(block, one, "cross") < 1e-6);
  CHECK(apart(block, one, "at_") < 1e-6);
  CHECK(std::abs(block.values.back().at("at_ball.normal")) > 1);
}

TEST_CASE("Friction in joints of all kinds is of order 2", "[serial]") {
  std::vector<Trajectory> runs;
  for (const double h : {1e-3, 5e-4, 2.5e-4, 1.25e-4})
    runs.push_back(run_model(MPI_COMM_SELF,
                             mixed + fmt::format("analysis: {{end_time: 0.2, step: {}, newton: {{tolerance: 1e-12}}}}\n", h)));
  for (const std::string sensor : {"sleeve.position", "sleeve.velocity", "sleeve.acceleration", "cross", "ball", "at_"})
    for (std::size_t k = 0; k < 2; ++k) {
      const double ratio = apart(runs[k], runs[k + 1], sensor) / apart(runs[k + 1], runs[k + 2], sensor);
      INFO(sensor << " " << k << ": ratio " << ratio);
      CHECK(ratio == Approx(4).margin(0.6));
    }
}

TEST_CASE("Every integrator follows a pendulum in a hinge that rubs", "[serial]") {
  for (const std::string integrator : {"gen-alpha", "gen-alpha-ggl", "trapezoid, constraints: velocity", "bdf-si1", "bdf-si2"}) {
    const Trajectory run =
        run_model(MPI_COMM_SELF, Pendulum::model(-4) + "analysis: {end_time: 0.5, step: 1e-3, integrator: " + integrator + "}\n");
    const Values end = Pendulum::exact(-4)(0.5);
    INFO(integrator);
    for (const std::string column : {"rod.position.x", "rod.position.y", "rod.velocity.x", "rod.velocity.y"})
      CHECK(run.values.back().at(column) == Approx(end.at(column)).margin(2e-4));
    CHECK(run.values.back().at("rub.moment") == Approx(end.at("rub.moment")).epsilon(1e-2));
  }
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
