// Masses that depend on where they are: a slider-crank seen from its shaft, and a sphere in a fluid near a wall.
#include "tests/catch.hpp"
#include "tests/physics/order_study.hpp"
#include "tests/physics/trajectory.hpp"

#include <array>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double rotor = 0.02, piston = 0.8, crank = 0.05, rod = 0.18, offset = 0.01, first_angle = 0.3, first_speed = 30;

/// The piston's place over the angle of the shaft, as far as its third derivative (by the chain rule on paper).
struct Crank {
  double place, slope, curvature;

  explicit Crank(double angle) {
    const double s = std::sin(angle), c = std::cos(angle), aside = crank * s - offset, aside1 = crank * c, aside2 = -crank * s;
    const double reach = std::sqrt(rod * rod - aside * aside), reach1 = -aside * aside1 / reach;
    const double reach2 = -(aside1 * aside1 + aside * aside2 + reach1 * reach1) / reach;
    place = crank * c + reach;
    slope = -crank * s + reach1;
    curvature = -crank * c + reach2;
  }
  double inertia() const { return rotor + piston * slope * slope; }
  /// J phi'' + 1/2 J' phi'^2 = torque.
  double acceleration(double speed, double torque) const {
    return (torque - piston * slope * curvature * speed * speed) / inertia();
  }
};

const std::string engine = R"yaml(sinew: 1
bodies:
  flywheel: {type: shaft, inertia: 0.02, angle: 0.3, speed: 30}
forces:
  piston: {type: shaft-crank, on: flywheel, mass: 0.8, crank: 0.05, rod: 0.18, offset: 0.01}
  at: {type: shaft-torque, on: flywheel, value: 0}
sensors:
  at: {type: force, of: at}
  piston: {type: force, of: piston}
  e: {type: energy}
)yaml";

/// The same with a wheel geared to the shaft, whose teeth have a reaction. Its inertia counts by the ratio squared.
constexpr double wheel = 0.05, ratio = -2;
const std::string geared = R"yaml(sinew: 1
bodies:
  flywheel: {type: shaft, inertia: 0.02, angle: 0.3, speed: 30}
  wheel: {type: shaft, inertia: 0.05, speed: -15}
joints:
  teeth: {type: shaft-gear, connect: [flywheel, wheel], ratio: -2}
forces:
  piston: {type: shaft-crank, on: flywheel, mass: 0.8, crank: 0.05, rod: 0.18, offset: 0.01}
  at: {type: shaft-torque, on: flywheel, value: 0}
sensors:
  at: {type: force, of: at}
  teeth: {type: joint, of: teeth, record: [torque]}
)yaml";

/// Angle and speed by Runge and Kutta's method of order 4 with steps of 1e-5, whose errors are below 1e-11 of both.
class Reference {
 public:
  explicit Reference(double more_inertia) : more_(more_inertia) {}

  Values operator()(double t) {
    while (t_ < t) {
      const double h = std::min(1e-5, t - t_);
      const State k1 = rate(now_), k2 = rate(now_ + 0.5 * h * k1), k3 = rate(now_ + 0.5 * h * k2), k4 = rate(now_ + h * k3);
      now_ = now_ + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      t_ = h < 1e-5 ? t : t_ + h;
    }
    const double a = rate(now_).speed;
    return {{"at.angle", now_.angle}, {"at.rate", now_.speed}, {"teeth.torque", -more_ * a}};
  }

 private:
  struct State {
    double angle, speed;
    friend State operator+(State a, State b) { return {a.angle + b.angle, a.speed + b.speed}; }
    friend State operator*(double f, State a) { return {f * a.angle, f * a.speed}; }
  };
  State rate(State s) const {
    const Crank c(s.angle);
    return {s.speed, -piston * c.slope * c.curvature * s.speed * s.speed / (c.inertia() + more_)};
  }

  double more_, t_ = 0;
  State now_{first_angle, first_speed};
};

KnownMotion crank_motion() {
  return {engine,
          [] { return Exact([reference = Reference(0)](double t) mutable { return reference(t); }); },
          {{"angle", {"at.angle"}}, {"speed", {"at.rate"}}}};
}
KnownMotion geared_motion() {
  return {geared,
          [] { return Exact([reference = Reference(wheel / (ratio * ratio))](double t) mutable { return reference(t); }); },
          {{"angle", {"at.angle"}}, {"speed", {"at.rate"}}, {"reaction", {"teeth.torque"}}}};
}

std::string ball(const std::string& more) {
  return R"yaml(sinew: 1
bodies:
  ball: {type: point-mass, mass: 0.5, position: [0, 0, 0.3], velocity: [0.4, 0, -0.6]}
forces:
  water: {type: added-mass, on: ball, radius: 0.05, density: 1000, wall: [0, 0, 0], normal: [0, 0, 1]}
sensors:
  ball: {type: point, of: ball, record: [position, velocity, acceleration]}
  water: {type: force, of: water}
  e: {type: energy, record: [kinetic, dissipated, work]}
  whole: {type: system}
)yaml" + more;
}

/// Of motions across and along the wall.
std::array<double, 2> fluid(double h) {
  const double free = 2.0 / 3.0 * M_PI * 1000 * std::pow(0.05, 3), cube = std::pow(0.05 / h, 3);
  return {free * (1 + 3.0 / 8.0 * cube), free * (1 + 3.0 / 16.0 * cube)};
}

}  // namespace

TEST_CASE("a crank that turns freely keeps 1/2 (J0 + J) phi'^2, and its speed follows from that", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, engine + "analysis: {end_time: 0.4, step: 1e-4}\n");
  const double whole = 0.5 * Crank(first_angle).inertia() * first_speed * first_speed;
  for (const Values& v : run.values) {
    const Crank now(v.at("at.angle"));
    CHECK(v.at("at.rate") == Approx(std::sqrt(2 * whole / now.inertia())).epsilon(2e-5));
    CHECK(v.at("e.kinetic") == Approx(whole).epsilon(2e-5));
    CHECK(v.at("piston.position") == Approx(now.place).epsilon(1e-12));
    CHECK(v.at("piston.velocity") == Approx(now.slope * v.at("at.rate")).epsilon(1e-12));
    CHECK(v.at("piston.inertia") + rotor == Approx(now.inertia()).epsilon(1e-12));
  }
}

TEST_CASE("a varying mass leaves SOI2 its second order in angle, speed and reaction, with equal and alternating steps",
          "[serial]") {
  for (const bool alternating : {false, true})
    for (const double rho : {0.2, 0.8}) {
      StudyChoices c;
      c.end_time = 0.2;
      c.rho_inf = rho;
      c.counts = {200, 400, 800};
      c.alternating = alternating;
      INFO("rho_inf " << rho);
      check_orders(geared_motion(), c, 1.8, 2.25);
    }
}

TEST_CASE("a varying mass leaves the other integrators their order", "[serial]") {
  for (const auto& [integrator, order] : {std::pair("gen-alpha", 2), std::pair("trapezoid", 2), std::pair("bdf-si2", 3)}) {
    StudyChoices c;
    c.end_time = 0.2;
    c.counts = {400, 800, 1600};
    c.integrator = integrator;
    INFO(integrator);
    check_orders(crank_motion(), c, order - 0.2, order + 0.25);
  }
}

TEST_CASE("a sphere that nears a wall keeps the kinetic energy of body and fluid, and its momentum along the wall", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, ball("analysis: {end_time: 0.35, step: 2e-4}\n"));
  const double along = (0.5 + fluid(0.3)[1]) * 0.4, whole = 0.5 * (along * 0.4 + (0.5 + fluid(0.3)[0]) * 0.36);
  for (const Values& v : run.values) {
    const auto [across_mass, along_mass] = fluid(v.at("ball.position.z"));
    const double speed = along / (0.5 + along_mass);
    CHECK(v.at("ball.velocity.x") == Approx(speed).epsilon(1e-6));
    const double left = 2 * whole - along * speed;
    CHECK(v.at("ball.velocity.z") == Approx(-std::sqrt(left / (0.5 + across_mass))).epsilon(1e-6));
    CHECK(v.at("e.kinetic") == Approx(whole).epsilon(1e-6));
    CHECK(std::abs(v.at("e.dissipated")) + std::abs(v.at("e.work")) < 1e-14 * whole);
    CHECK(v.at("whole.momentum.x") == Approx(along).epsilon(1e-6));
    CHECK(v.at("whole.mass") == Approx(0.5));
    CHECK(v.at("water.mass") == Approx(across_mass).epsilon(1e-12));
  }
  CHECK(run.values.back().at("ball.position.z") < 0.1);
}
