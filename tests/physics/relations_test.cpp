// Joints that are expressions: equal to the joints that say the same, and right where no other joint says it.
#include "tests/physics/order_study.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// The largest difference of a column of two runs of the same steps.
double apart(const Trajectory& a, const Trajectory& b, const std::string& column) {
  double largest = 0;
  for (std::size_t n = 0; n < a.time.size(); ++n)
    largest = std::max(largest, std::abs(a.values[n].at(column) - b.values.at(n).at(column)));
  return largest;
}

Trajectory run_gear(const std::string& mesh) {
  return run_model(PETSC_COMM_WORLD, R"yaml(sinew: 1
bodies:
  first: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.02], position: [0, 0, 0]}
  second: {type: rigid, mass: 4, inertia: [0.2, 0.2, 0.3], position: [0.5, 0, 0]}
joints:
  a: {type: revolute, connect: [ground, first], axis: [0, 0, 1]}
  b: {type: revolute, connect: [ground, second], axis: [0, 0, 1]}
  mesh: {)yaml" + mesh + R"yaml(}
forces:
  motor: {type: torque, on: first, vector: [0, 0, "5*cos(t)"]}
sensors:
  a: {type: relative, of: a, record: [angle, rate]}
  b: {type: relative, of: b, record: [angle, rate]}
  mesh: {type: joint, of: mesh, record: [moment]}
  drift: {type: constraint}
analysis: {end_time: 2, step: 0.01, newton: {tolerance: 1e-12}}
)yaml");
}

/// A sled that a force pushes from the side, with a blade or what says the same.
Trajectory run_sled(const std::string& blade) {
  return run_model(PETSC_COMM_WORLD, R"yaml(sinew: 1
bodies:
  sled: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.15], position: [0, 0, 0], velocity: [1, 0, 0], angular_velocity: [0, 0, 1.5],
         points: {nose: [0.5, 0, 0], tail: [-0.5, 0, 0]}}
joints:
  ice: {type: planar, connect: [ground, sled], normal: [0, 0, 1]}
  blade: {)yaml" + blade + R"yaml(}
forces:
  wind: {type: force, on: sled.nose, vector: [0.3, "sin(2*t)", 0]}
sensors:
  sled: {type: point, of: sled, record: [position, velocity]}
  nose: {type: point, of: sled.nose}
  tail: {type: point, of: sled.tail}
  blade: {type: joint, of: blade, record: [force]}
analysis: {end_time: 2, step: 0.01, newton: {tolerance: 1e-12}}
)yaml");
}

constexpr double slope = 1.3, gravity = 9.81, start = 0.8;

/// A bead without friction on the wire z = k x^2: (1 + 4 k^2 x^2) x'' + 4 k^2 x x'^2 + 2 g k x = 0, by Runge and Kutta's method
/// with steps so small that their error is rounding.
class Bead {
 public:
  Values operator()(double t) {
    const auto steps = static_cast<int>(std::ceil((t - t_) / 2e-4 - 1e-9));
    for (int i = 0; i < steps; ++i) step((t - t_) / steps * 1.0);
    t_ = t;
    const double a = rate(x_, v_), weight = gravity + 2 * slope * (v_ * v_ + x_ * a);
    return {{"bead.position.x", x_},    {"bead.position.y", 0},     {"bead.position.z", slope * x_ * x_},
            {"bead.velocity.x", v_},    {"bead.velocity.y", 0},     {"bead.velocity.z", 2 * slope * x_ * v_},
            {"bead.acceleration.x", a}, {"bead.acceleration.y", 0}, {"bead.acceleration.z", weight - gravity},
            {"wire.force.x", mass * a}, {"wire.force.y", 0},        {"wire.force.z", mass * weight}};
  }

 private:
  static constexpr double mass = 0.7;
  static double rate(double x, double v) {
    return -(4 * slope * slope * x * v * v + 2 * gravity * slope * x) / (1 + 4 * slope * slope * x * x);
  }
  void step(double h) {
    const double k1 = v_, l1 = rate(x_, v_), k2 = v_ + h / 2 * l1, l2 = rate(x_ + h / 2 * k1, v_ + h / 2 * l1);
    const double k3 = v_ + h / 2 * l2, l3 = rate(x_ + h / 2 * k2, v_ + h / 2 * l2), k4 = v_ + h * l3,
                 l4 = rate(x_ + h * k3, v_ + h * l3);
    x_ += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    v_ += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  double t_ = 0, x_ = start, v_ = 0;
};

KnownMotion bead_on_wire() {
  return {R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  bead: {type: point-mass, mass: 0.7, position: [0.8, 0, 1.3*0.64]}
joints:
  wire: {type: coordinate, zero: "sensor.bead.position.z - 1.3*sensor.bead.position.x^2"}
  side: {type: coordinate, zero: sensor.bead.position.y}
sensors:
  bead: {type: point, of: bead, record: [position, velocity, acceleration]}
  wire: {type: joint, of: wire, record: [force]}
)yaml",
          [] { return Exact(Bead()); },
          {vector_quantity("position", "bead.position"), vector_quantity("velocity", "bead.velocity"),
           vector_quantity("acceleration", "bead.acceleration"), vector_quantity("reaction", "wire.force")}};
}

}  // namespace

TEST_CASE("a coordinate of two angles is a gear, for many turns", "[mpi]") {
  const Trajectory gear = run_gear("type: gear, connect: [ground, first, second], axis: [0, 0, 1], ratio: -3.7");
  const Trajectory expression = run_gear("type: coordinate, zero: \"sensor.a.angle + 3.7*sensor.b.angle\"");
  for (const char* column : {"a.angle", "a.rate", "b.angle", "b.rate"}) CHECK(apart(gear, expression, column) < 1e-9);
  if (expression.values.empty()) return;
  CHECK(expression.values[100].at("a.angle") > 30);
  CHECK(expression.values.back().at("drift.position") < 1e-11);
  CHECK(expression.values.back().at("drift.velocity") < 1e-10);
  // The reaction on the first body that it reads: J1 a'' = 5 cos t + moment.
  const double J1 = 0.02, J2 = 0.3, moment = 5 * std::cos(2.0) * (J1 / (J1 + J2 / (3.7 * 3.7)) - 1);
  CHECK(expression.values.back().at("mesh.moment.z") == Approx(moment).epsilon(1e-6));
}

TEST_CASE("a velocity of one point across the line of two others is a skate", "[mpi]") {
  const Trajectory skate = run_sled("type: skate, connect: [ground, sled], direction_local: [1, 0, 0], normal: [0, 0, 1]");
  const Trajectory expression = run_sled(
      "type: velocity, zero: \"(sensor.nose.position.x - sensor.tail.position.x)*sensor.sled.velocity.y - "
      "(sensor.nose.position.y - sensor.tail.position.y)*sensor.sled.velocity.x\"");
  for (const char* column : {"sled.position.x", "sled.position.y", "sled.velocity.x", "sled.velocity.y"})
    CHECK(apart(skate, expression, column) < 1e-9);
  if (skate.values.empty()) return;
  for (const char* column : {"blade.force.x", "blade.force.y"}) {  // of the skate on the ground, of the expression on the sled
    double sum = 0;
    for (std::size_t n = 0; n < skate.time.size(); ++n)
      sum = std::max(sum, std::abs(skate.values[n].at(column) + expression.values[n].at(column)));
    CHECK(sum < 1e-8);
  }
}

TEST_CASE("a bead slides on a parabola with order 2, its reaction included", "[serial]") {
  StudyChoices choices;
  choices.end_time = 1;
  choices.counts = {50, 100, 200};
  check_orders(bead_on_wire(), choices);
  choices.alternating = true;
  choices.counts = {200, 400, 800};
  check_orders(bead_on_wire(), choices);
}

TEST_CASE("a bead on a parabola has order 2 with every integrator of index 1 to 3", "[serial]") {
  for (const char* integrator : {"gen-alpha", "gen-alpha-ggl", "bdf-si2"}) {
    StudyChoices choices;
    choices.end_time = 0.5;
    choices.counts = {100, 200};
    choices.integrator = integrator;
    if (choices.integrator == "bdf-si2") choices.more = ", order: 2";
    INFO(integrator);
    KnownMotion motion = bead_on_wire();
    motion.quantities.resize(2);
    check_orders(motion, choices, 1.8, 2.3);
  }
}

TEST_CASE("angles and ways between places hold a screw, at position and at velocity level, and feed a control", "[mpi]") {
  const auto run = [](const std::string& thread, const std::string& spring) {
    return run_model(PETSC_COMM_WORLD, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  nut: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.3, 0, 0], points: {end: [-0.3, 0, 0], bore: [0.2, 0, 0]}}
  bolt: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.004], position: [0.5, 0, 0.1], points: {foot: [0, 0, -0.1]}}
joints:
  hinge: {type: revolute, connect: [ground, nut.end], axis: [0, 1, 0]}
  bolt: {)yaml" + thread + R"yaml(}
forces:
  spring: {)yaml" + spring + R"yaml(}
sensors:
  bolt: {type: relative, between: [nut.bore, bolt.foot], axis: [0, 0, 1]}
  fall: {type: relative, between: [ground, nut], axis: [0, 1, 0]}
  tip: {type: point, of: bolt, record: [position, velocity]}
analysis: {end_time: 1, step: 2e-3, newton: {tolerance: 1e-12}}
)yaml");
  };
  const std::string screw = "type: screw, connect: [nut.bore, bolt.foot], axis: [0, 0, 1], pitch: 0.2";
  const std::string spring = "type: torsional-spring, connect: [ground, nut], axis: [0, 1, 0], stiffness: 20, damping: 0.5";
  const std::string fed =
      "type: actuator, connect: [ground, nut], axis: [0, 1, 0], torque: -20*sensor.fall.angle - 0.5*sensor.fall.rate.angle";
  const Trajectory joint = run(screw, spring);
  for (const auto& [thread, tolerance] :
       {std::pair("type: cylindrical, connect: [nut.bore, bolt.foot], axis: [0, 0, 1]}\n  thread: {type: coordinate, zero: "
                  "\"sensor.bolt.angle - 10*pi*sensor.bolt.distance\"",
                  1e-8),
        std::pair("type: cylindrical, connect: [nut.bore, bolt.foot], axis: [0, 0, 1]}\n  thread: {type: velocity, zero: "
                  "\"sensor.bolt.rate.angle - 10*pi*sensor.bolt.rate.distance\"",
                  2e-4)}) {
    const Trajectory expression = run(thread, fed);
    for (const char* column : {"bolt.angle", "bolt.distance", "fall.angle", "tip.position.x", "tip.velocity.z"}) {
      INFO(column << " with " << thread);
      CHECK(apart(joint, expression, column) < tolerance);
    }
  }
  if (!joint.values.empty()) CHECK(std::abs(joint.values.back().at("bolt.angle")) > 3);
}

TEST_CASE("a coordinate with t prescribes a motion", "[serial]") {
  const Trajectory run = run_model(PETSC_COMM_WORLD, R"yaml(sinew: 1
bodies:
  bob: {type: point-mass, mass: 2, position: [0, 0, 0], velocity: [0.6, 0, 0]}
joints:
  drive: {type: coordinate, zero: "sensor.bob.displacement.x - 0.2*sin(3*t)"}
sensors:
  bob: {type: point, of: bob, record: [displacement, velocity, acceleration]}
  drive: {type: joint, of: drive, record: [force]}
analysis: {end_time: 1, step: 0.01}
)yaml");
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const double t = run.time[n];
    CHECK(run.values[n].at("bob.displacement.x") == Approx(0.2 * std::sin(3 * t)).margin(1e-11));
    CHECK(run.values[n].at("bob.velocity.x") == Approx(0.6 * std::cos(3 * t)).margin(1e-10));
    CHECK(run.values[n].at("bob.acceleration.x") == Approx(-1.8 * std::sin(3 * t)).margin(2e-3));
    CHECK(run.values[n].at("drive.force.x") == Approx(-3.6 * std::sin(3 * t)).margin(4e-3));
  }
}

TEST_CASE("an expression holds a point inside an element of a cable and the node of a beam", "[serial]") {
  const Trajectory run = run_model(PETSC_COMM_WORLD, R"yaml(sinew: 1
gravity: [0, 0, -9.81]
materials: {rope: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
sections: {line: {shape: circle, diameter: 0.05}}
bodies:
  rope: {type: cable, line: {from: [0, 0, 0], to: [2, 0, 0], elements: 3}, section: line, material: rope,
         points: {inside: {at: 0.4}}}
  rod: {type: beam, line: {from: [0, 1, 0], to: [2, 1, 0], elements: 4}, section: line, material: rope, up: [0, 0, 1]}
joints:
  a: {type: spherical, connect: [ground, rope.start]}
  b: {type: fixed, connect: [ground, rod.start]}
  tie: {type: coordinate, zero: "sensor.rod.displacement.z - sensor.tail.displacement.z/2"}
  lift: {type: coordinate, zero: "sensor.inside.displacement.z - control.way.z"}
controls:
  way: {output: {z: "0.01*(1 - cos(40*t))"}}
sensors:
  inside: {type: point, of: rope.inside, record: [displacement, velocity]}
  rod: {type: point, of: rod.end, record: [displacement, velocity]}
  tail: {type: point, of: rope.end, record: [displacement, velocity]}
analysis: {end_time: 0.1, step: 1e-3}
)yaml");
  for (std::size_t n = 0; n < run.time.size(); ++n) {
    const Values& v = run.values[n];
    CHECK(v.at("rod.displacement.z") == Approx(v.at("tail.displacement.z") / 2).margin(1e-11));
    CHECK(v.at("rod.velocity.z") == Approx(v.at("tail.velocity.z") / 2).margin(1e-9));
    CHECK(v.at("inside.displacement.z") == Approx(0.01 * (1 - std::cos(40 * run.time[n]))).margin(1e-11));
    CHECK(v.at("inside.velocity.z") == Approx(0.4 * std::sin(40 * run.time[n])).margin(1e-9));
  }
  CHECK(run.values.back().at("tail.displacement.z") < -1e-2);
}

TEST_CASE("an expression that does not hold at the start is projected, and refused where it must not be", "[serial]") {
  const std::string model = R"yaml(sinew: 1
bodies: {bob: {type: point-mass, mass: 2, position: [1, 0, 0], velocity: [0, 1, 0]}}
joints: {ring: {type: coordinate, zero: "sensor.bob.position.x^2 + sensor.bob.position.y^2 - 1.21"}}
sensors: {bob: {type: point, of: bob}}
analysis: {end_time: 0.1, step: 0.01)yaml";
  const Trajectory run = run_model(PETSC_COMM_WORLD, model + "}\n");
  CHECK(run.values.front().at("bob.position.x") == Approx(1.1));
  CHECK_THROWS_WITH(run_model(PETSC_COMM_WORLD, model + ", initial: given}\n"), Catch::Contains("ring"));
}

TEST_CASE("a relation may use a number as often as it likes", "[serial]") {
  std::string sum;
  for (int k = 0; k < 20; ++k) sum += "sensor.bob.position.x + ";
  const Trajectory run = run_model(MPI_COMM_SELF, R"yaml(sinew: 1
gravity: [1, 0, -2]
bodies: {bob: {type: point-mass, mass: 2, position: [1, 0, 0]}}
joints: {plane: {type: coordinate, zero: ")yaml" + sum +
                                                      R"yaml(0*sensor.bob.position.y - 20"}}
sensors: {bob: {type: point, of: bob, record: position}}
analysis: {end_time: 1, step: 0.1}
)yaml");
  CHECK(run.values.back().at("bob.position.x") == Approx(1));
  CHECK(run.values.back().at("bob.position.z") == Approx(-1));
}
