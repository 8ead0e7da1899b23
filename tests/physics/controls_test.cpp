// Controls and actuators of model files against closed forms and an independent integration.
#include "tests/physics/order_study.hpp"
#include "tests/physics/stationary.hpp"

#include <array>
#include <complex>

using namespace sinew;
using namespace sinew::test;

namespace {

/// A rotor driven to a speed by a PI controller: with e = target - w, J e' = -kp e - ki x, x' = e. So J x'' + kp x' + ki x = 0,
/// and the rotor has turned by target t - x.
KnownMotion governed_rotor() {
  KnownMotion motion;
  motion.model = R"yaml(sinew: 1
constants: {J: 0.5, kp: 2, ki: 8, target: 10}
bodies:
  rotor: {type: rigid, mass: 2, inertia: [0.4, 0.4, J], position: [0, 0, 0], angular_velocity: [0, 0, 1]}
joints:
  hinge: {type: revolute, connect: [ground, rotor], axis: [0, 0, 1]}
controls:
  governor: {state: {x: 0}, derivative: {x: "target - sensor.speed"}, output: {u: "kp*(target - sensor.speed) + ki*x"}}
forces:
  motor: {type: actuator, connect: [ground, rotor], axis: [0, 0, 1], torque: control.governor.u}
sensors:
  speed: {type: point, of: rotor, record: angular_velocity.z}
  rotor: {type: point, of: rotor, record: [orientation, angular_velocity, angular_acceleration]}
  governor: {type: control, of: governor, record: [x, u]}
)yaml";
  motion.exact = [] {
    return [](double t) {
      const double J = 0.5, kp = 2, ki = 8, target = 10, e0 = target - 1;
      const double d = kp / (2 * J), omega = std::sqrt(ki / J - d * d);
      const double x = e0 / omega * std::exp(-d * t) * std::sin(omega * t);
      const double e = e0 * std::exp(-d * t) * (std::cos(omega * t) - d / omega * std::sin(omega * t));
      const double half = (target * t - x) / 2, u = kp * e + ki * x;
      return Values{{"rotor.orientation.w", std::cos(half)},
                    {"rotor.orientation.x", 0},
                    {"rotor.orientation.y", 0},
                    {"rotor.orientation.z", std::sin(half)},
                    {"speed.angular_velocity.z", target - e},
                    {"rotor.angular_acceleration.z", u / J},
                    {"governor.x", x},
                    {"governor.u", u}};
    };
  };
  motion.quantities = {rotation_quantity("orientation", "rotor.orientation"),
                       {"speed", {"speed.angular_velocity.z"}},
                       {"acceleration", {"rotor.angular_acceleration.z"}},
                       {"state", {"governor.x"}},
                       {"output", {"governor.u"}}};
  return motion;
}

constexpr double pole_mass = 0.1, cart_mass = 1, half_length = 0.5, gravity = 9.81;
constexpr std::array<double, 4> gains{6, 9, 70, 18};  // of position, speed, angle, its rate
constexpr double integral_gain = 2, lag = 0.05;

/// Cart and pole with a state feedback whose motor lags behind, and an integrator that brings the cart to its place: two states.
KnownMotion balanced_pole() {
  KnownMotion motion;
  motion.model = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
constants: {a: 0.2}
bodies:
  cart: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0]}
  pole: {type: rigid, mass: 0.1, inertia: [0.02, 0.02, 0.02], position: [0.5*sin(a), 0, 0.5*cos(a)],
         orientation: {axis: [0, 1, 0], angle: a}, points: {foot: [0, 0, -0.5]}}
joints:
  rail: {type: prismatic, connect: [ground, cart], axis: [1, 0, 0]}
  pin: {type: revolute, connect: [cart, pole.foot], axis: [0, 1, 0]}
controls:
  law: {output: {tilt: "atan2(sensor.pole.position.x - sensor.cart.position.x, sensor.pole.position.z)",
                 wanted: "6*sensor.cart.position.x + 9*sensor.cart.velocity.x
                   + 70*control.law.tilt + 18*sensor.turn + 2*control.motor.i"}}
  motor: {state: {F: 0, i: 0}, derivative: {F: "(control.law.wanted - F)/0.05", i: "sensor.cart.position.x"}}
forces:
  push: {type: actuator, on: cart, direction: [1, 0, 0], force: control.motor.F}
sensors:
  cart: {type: point, of: cart, record: [position, velocity]}
  pole: {type: point, of: pole, record: [position, velocity]}
  turn: {type: point, of: pole, record: angular_velocity.y}
  rail: {type: joint, of: rail, record: [force]}
  motor: {type: control, of: motor}
)yaml";
  motion.exact = [] {
    using X = std::array<double, 6>;  // x, angle, their rates, F, i
    auto slope = [](const X& s) {
      const double M = cart_mass + pole_mass, ml = pole_mass * half_length, J = 0.02 + ml * half_length;
      const double c = std::cos(s[1]), n = std::sin(s[1]);
      // M x'' + ml c phi'' = F + ml n phi'^2, ml c x'' + J phi'' = ml g n
      const double r1 = s[4] + ml * n * s[3] * s[3], r2 = ml * gravity * n, det = M * J - ml * c * ml * c;
      const double wanted = gains[0] * s[0] + gains[1] * s[2] + gains[2] * s[1] + gains[3] * s[3] + integral_gain * s[5];
      return X{s[2], s[3], (J * r1 - ml * c * r2) / det, (M * r2 - ml * c * r1) / det, (wanted - s[4]) / lag, s[0]};
    };
    double at = 0;
    X s{0, 0.2, 0, 0, 0, 0};
    return [=](double t) mutable {
      const int steps = std::max(1, static_cast<int>(std::ceil((t - at) / 5e-4)));
      for (int k = 0; k < steps; ++k) {
        const double h = (t - at) / steps;
        const auto ahead = [&](const X& d, double part) {
          X x = s;
          for (std::size_t i = 0; i < 6; ++i) x[i] += part * d[i];
          return x;
        };
        const X k1 = slope(s), k2 = slope(ahead(k1, h / 2)), k3 = slope(ahead(k2, h / 2)), k4 = slope(ahead(k3, h));
        for (std::size_t i = 0; i < 6; ++i) s[i] += h / 6 * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
      }
      at = t;
      return Values{{"cart.position.x", s[0]}, {"pole.position.x", s[0] + half_length * std::sin(s[1])},
                    {"cart.velocity.x", s[2]}, {"turn.angular_velocity.y", s[3]},
                    {"motor.F", s[4]},         {"motor.i", s[5]}};
    };
  };
  motion.quantities = {{"position", {"cart.position.x", "pole.position.x"}},
                       {"velocity", {"cart.velocity.x", "turn.angular_velocity.y"}},
                       {"state", {"motor.F", "motor.i"}}};
  return motion;
}

StudyChoices study(double end_time, std::vector<int> counts) {
  StudyChoices c;
  c.end_time = end_time;
  c.counts = std::move(counts);
  return c;
}

}  // namespace

TEST_CASE("A governed rotor is of order 2 in motion, state and output with equal and alternating steps", "[serial]") {
  StudyChoices choices = study(1, {100, 200, 400});
  check_orders(governed_rotor(), choices);
  choices.alternating = true;
  check_orders(governed_rotor(), choices);
}

TEST_CASE("A pole balanced by a lagging motor is of order 2 in motion and states", "[serial]") {
  StudyChoices choices = study(1.5, {150, 300, 600});
  check_orders(balanced_pole(), choices);
  choices.alternating = true;
  check_orders(balanced_pole(), choices);
}

TEST_CASE("Controls are of the order of each integrator", "[serial]") {
  StudyChoices choices = study(1.5, {150, 300, 600});
  for (const char* integrator : {"gen-alpha-ggl", "trapezoid", "bdf-si2"}) {
    INFO(integrator);
    choices.integrator = integrator;
    choices.more = choices.integrator == "bdf-si2" ? ", order: 2" : "";
    check_orders(balanced_pole(), choices, 1.8, 2.25);
  }
  choices.integrator = "soi2";
  choices.more = ", states: euler";
  check_orders(balanced_pole(), choices, 0.85, 1.15);
}

TEST_CASE("Newton's method does not feel a stiff feedback", "[serial]") {
  // With a derivative left out the iteration would diverge: h^2 k/m is 1e4, h c/m is 100.
  const std::string model = R"yaml(sinew: 1
bodies:
  slider: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0.3, 0, 0], points: {p: [0, 0.2, 0]}}
joints:
  rail: {type: prismatic, connect: [ground, slider], axis: [1, 0, 0]}
controls:
  servo: {state: {x: 0}, derivative: {x: "1e4*(sin(t) - sensor.p.position.x - x)"},
          output: {u: "1e8*(sin(t) - sensor.p.position.x) + 1e7*x"}}
forces:
  drive: {type: actuator, connect: [ground, slider], direction: [1, 0, 0], force: "control.servo.u - 1e4*sensor.p.velocity.x"}
sensors:
  p: {type: point, of: slider.p, record: [position, velocity]}
analysis: {end_time: 1, step: 0.01, states: euler, newton: {tolerance: 1e-10, jacobian: full}}
)yaml";
  for (const KktForm kkt : {KktForm::block, KktForm::monolithic}) {
    RunChoices choices;
    choices.kkt = kkt;
    const Trajectory run = run_model(MPI_COMM_SELF, model, choices);
    CHECK(run.summary.rejected == 0);
    CHECK(run.summary.most_newton <= 3);
    CHECK(run.values.back().at("p.position.x") == Approx(std::sin(1.0)).margin(1e-3));
  }
}

namespace {

/// A weight held at a height by a motor that lags behind and an integrator.
const std::string held_weight = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  bob: {type: point-mass, mass: 2, position: [0, 0, -1]}
joints:
  rail: {type: point-on-line, connect: [ground, bob], axis: [0, 0, 1]}
controls:
  lift: {state: {x: 0, F: 0}, derivative: {x: "sensor.h + 0.5", F: "-(F + 400*(sensor.h + 0.5) + 60*sensor.v + 300*x)/0.02"}}
forces:
  push: {type: actuator, on: bob, direction: [0, 0, 1], force: control.lift.F}
sensors:
  h: {type: point, of: bob, record: position.z}
  v: {type: point, of: bob, record: velocity.z}
  lift: {type: control, of: lift}
analysis: {type: static}
)yaml";

}  // namespace

TEST_CASE("A state of rest is one of bodies and of controls", "[serial]") {
  Stationary model(MPI_COMM_SELF, held_weight);
  const EquilibriumReport rest = model.find_rest();
  CHECK(rest.increments == 1);
  const Values values = model.values();
  CHECK(values.at("h.position.z") == Approx(-0.5).epsilon(1e-10));
  CHECK(values.at("lift.F") == Approx(2 * 9.81).epsilon(1e-10));
  CHECK(values.at("lift.x") == Approx(-2 * 9.81 / 300).epsilon(1e-10));
}

TEST_CASE("Vibrations of a controlled model have the eigenvalues of the closed loop", "[serial]") {
  // Roots of lambda^4 + 50 lambda^3 + 1500 lambda^2 + 10000 lambda + 7500, of (z, v, x, F)
  Stationary model(MPI_COMM_SELF, held_weight);
  model.find_rest();
  const std::vector<Mode> modes = model.modes(3);
  REQUIRE(modes.size() == 3);
  for (const Mode& mode : modes) {
    const std::complex<double> s(mode.real, mode.imaginary);
    CAPTURE(mode.real, mode.imaginary);
    CHECK(std::abs(((s + 50.0) * s + 1500.0) * s * s + 10000.0 * s + 7500.0) < 1e-6 * (1 + std::pow(std::abs(s), 4)));
  }
  CHECK(modes[0].imaginary == 0);
  CHECK(modes[1].imaginary == 0);
  CHECK(modes[2].imaginary > 0);
}

TEST_CASE("An actuator of a joint has its places and its axis", "[serial]") {
  const std::string model = R"yaml(sinew: 1
bodies:
  base: {type: rigid, mass: 3, inertia: [1, 1, 1], position: [0, 0, 0]}
  arm: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0], points: {eye: [-0.5, 0.1, 0]}}
  slide: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 2, 0]}
joints:
  hinge: {type: revolute, connect: [base, arm.eye], axis: [0, 0.6, 0.8]}
  rail: {type: prismatic, connect: [base, slide], axis: [1, 0, 1]}
sensors:
  arm: {type: point, of: arm, record: [position, angular_velocity]}
  slide: {type: point, of: slide, record: position}
analysis: {end_time: 0.5, step: 0.01}
forces:
)yaml";
  const Trajectory by_name = run_model(MPI_COMM_SELF, model + R"yaml(
  motor: {type: actuator, of: hinge, torque: "3 - sensor.arm.angular_velocity.z"}
  jack: {type: actuator, of: rail, force: "5*sensor.slide.position.y"}
)yaml");
  const Trajectory in_full = run_model(MPI_COMM_SELF, model + R"yaml(
  motor: {type: actuator, connect: [base, arm.eye], axis: [0, 0.6, 0.8], torque: "3 - sensor.arm.angular_velocity.z"}
  jack: {type: actuator, connect: [base, slide], direction: [1, 0, 1], force: "5*sensor.slide.position.y"}
)yaml");
  REQUIRE(by_name.values.size() == in_full.values.size());
  CHECK(by_name.values.back() == in_full.values.back());
  CHECK(by_name.values.back().at("arm.angular_velocity.z") > 0.1);
  CHECK(std::abs(by_name.values.back().at("slide.position.x")) > 0.1);
}

TEST_CASE("Error-controlled steps end where an actuator is switched", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
bodies:
  bob: {type: point-mass, mass: 2, position: [0, 0, 0]}
controls:
  valve: {output: {u: "t < 0.3 ? 0 : 2"}}
forces:
  push: {type: actuator, on: bob, direction: [1, 0, 0], force: control.valve.u}
sensors:
  bob: {type: point, of: bob, record: [position, velocity]}
analysis: {end_time: 1, step: {tolerance: 1e-3}}
)yaml");
  const auto before = std::find_if(run.time.begin(), run.time.end(), [](double t) { return std::abs(t - 0.3) < 1e-14; });
  CHECK(before != run.time.end());
  CHECK(run.values.back().at("bob.position.x") == Approx(0.5 * 0.7 * 0.7).epsilon(1e-9));
}
