// Orders of convergence where joints rub, against equations of motion of their own.
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

/// Largest difference of a sensor's columns at the end of two runs.
double apart(const Trajectory& a, const Trajectory& b, const std::string& sensor) {
  double most = 0;
  for (const auto& [name, value] : a.values.back())
    if (name.rfind(sensor, 0) == 0) most = std::max(most, std::abs(value - b.values.back().at(name)));
  return most;
}

}  // namespace

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
