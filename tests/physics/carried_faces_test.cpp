// Faces of solids and edges of shells that a body carries, node by node, against closed forms and what stands on the ground.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"
#include "tests/physics/trajectory.hpp"

#include <fmt/format.h>

#include <numbers>

using namespace sinew;
using namespace sinew::test;

namespace {

double vector_size(const Values& v, const std::string& name) {
  return std::hypot(v.at(name + ".x"), v.at(name + ".y"), v.at(name + ".z"));
}

/// A ball, whose inertia is the same about all axes, with a block on it, both turning and moving as one body at the start.
const char* const tumbling = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies:
  ball: {type: rigid, mass: 5, inertia: [0.2, 0.2, 0.2], position: [-0.1, 0.1, 0.1], velocity: [0.1, 0, 0.3],
         angular_velocity: [1, 2, 3], points: {flange: [0.1, 0, 0]}}
  block: {type: solid, box: {size: [0.6, 0.2, 0.2], elements: [6, 2, 2]}, material: m, velocity: [0, 0.2, 0.2],
          angular_velocity: [1, 2, 3]}
joints:
  tie: {type: clamp, connect: [ball, block.x-]}
sensors:
  ball: {type: point, of: ball, record: [acceleration, angular_acceleration]}
  end: {type: point, of: block.x+, record: position}
  tie: {type: joint, of: tie, record: [force, moment, work]}
  all: {type: system, record: [momentum, angular_momentum]}
  drift: {type: constraint, record: [position, velocity]}
  energy: {type: energy, record: total}
analysis: {end_time: 0.1, step: 1e-3, newton: {tolerance: 1e-12}}
)";

/// A blade on a hub that is driven, faster and faster up to 3 rad/s within 1.5 s. Poisson's ratio is zero, so that the stretched
/// blade keeps its section; what swings is damped within the rest of the time.
const char* const turned_blade = R"yaml(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0, damping: {beta: 0.2}}}
bodies:
  blade: {type: solid, box: {size: [1, 0.2, 0.2], elements: [10, 2, 2]}, position: [0, -0.1, -0.1], material: m}
  hub: {type: rigid, mass: 1e3, inertia: [1, 1, 1], position: [0, 0, 0]}
joints:
  axle: {type: revolute, connect: [ground, hub], axis: [0, 0, 1]}
  drive: {type: motion, of: axle, angular_velocity: "t < 1.5 ? 1.5 - 1.5*cos(pi*t/1.5) : 3"}
  root: {type: clamp, connect: [hub, blade.x-]}
sensors:
  end: {type: point, of: blade.x+, record: [position, velocity]}
  root: {type: joint, of: root, record: [force, moment]}
analysis: {end_time: 4, step: 0.01}
)yaml";

/// The text with `part`, which is in it, in another form.
std::string replaced(const std::string& text, const std::string& part, const std::string& form) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.substr(0, at) + form + text.substr(at + part.size());
}

}  // namespace

TEST_CASE("a block that is clamped to a free body keeps the momenta of both, and its reaction moves the body", "[serial]") {
  const char* const axes[] = {"x", "y", "z"};
  const auto largest_change = [&](const Trajectory& run, const std::string& name) {
    double largest = 0;
    for (const Values& v : run.values)
      for (const char* c : axes)
        largest = std::max(largest, std::abs(v.at(name + "." + c) - run.values.front().at(name + "." + c)));
    return largest;
  };
  const std::vector<std::string> halved{"analysis.step=5e-4"};
  const Trajectory run = run_model(MPI_COMM_SELF, tumbling), finer = run_model(MPI_COMM_SELF, tumbling, {.overrides = halved});
  CHECK(largest_change(run, "all.momentum") < 1e-10);
  CHECK(largest_change(run, "all.angular_momentum") < 1e-4 * vector_size(run.values.front(), "all.angular_momentum"));
  CHECK(largest_change(run, "all.angular_momentum") > 3 * largest_change(finer, "all.angular_momentum"));  // of second order
  const Values &start = run.values.front(), &end = run.values.back();
  for (const char* c : axes) {
    CAPTURE(c);
    const auto at = [&](const std::string& name) { return start.at(name + "." + c); };
    CHECK(at("tie.force") == Approx(5 * at("ball.acceleration")).margin(1e-10));
    CHECK(at("tie.moment") == Approx(0.2 * at("ball.angular_acceleration")).margin(1e-10));
  }
  CHECK(vector_size(start, "tie.force") > 1);
  CHECK(end.at("energy.total") == Approx(start.at("energy.total")).epsilon(1e-4));
  CHECK(end.at("drift.position") < 1e-12);
  CHECK(end.at("drift.velocity") < 1e-11);
}

TEST_CASE("a joint sensor of a clamp counts moments about the place of the body that carries, wherever it is", "[serial]") {
  std::string elsewhere = replaced(tumbling, "[ball, block", "[ball.flange, block");
  elsewhere = replaced(elsewhere, "of: ball,", "of: ball.flange,");
  elsewhere = replaced(elsewhere, "record: [acceleration", "record: [position");
  elsewhere = replaced(elsewhere, "sensors:\n", "sensors:\n  middle: {type: point, of: ball, record: position}\n");
  elsewhere = replaced(elsewhere, ", angular_acceleration]", "]");
  const Values at_middle = run_model(MPI_COMM_SELF, tumbling, {.at_every_step = false, .overrides = {}}).values.back();
  const Values at_flange = run_model(MPI_COMM_SELF, elsewhere, {.at_every_step = false, .overrides = {}}).values.back();
  Vec3<double> arm, force, moment;
  const char* const axes[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    const std::string c = fmt::format(".{}", axes[i]);
    arm[i] = at_flange.at("middle.position" + c) - at_flange.at("ball.position" + c);
    force[i] = at_flange.at("tie.force" + c);
    moment[i] = at_flange.at("tie.moment" + c);
    CHECK(force[i] == Approx(at_middle.at("tie.force" + c)).epsilon(1e-9));
  }
  CHECK(norm(arm) == Approx(0.1));
  const Vec3<double> moved = moment - cross(arm, force);
  for (int i = 0; i < 3; ++i) CHECK(moved[i] == Approx(at_middle.at(fmt::format("tie.moment.{}", axes[i]))).epsilon(1e-8));
}

TEST_CASE("a blade on a turning hub is stretched by rho w^2 L^3 / 3E and pulls with rho A w^2 L^2 / 2", "[serial]") {
  // Strains are 3 (rho w^2 L^2/3E) = 0.003, so that the small strains of the closed form miss by about as much.
  const Values v = run_model(MPI_COMM_SELF, turned_blade, {.at_every_step = false, .overrides = {}}).values.back();
  const double radius = vector_size(v, "end.position");
  CHECK(radius - 1 == Approx(1000 * 9 / (3 * 1e6)).epsilon(0.01));
  CHECK(vector_size(v, "end.velocity") == Approx(3 * radius).epsilon(1e-3));
  CHECK(vector_size(v, "root.force") == Approx(1000 * 0.04 * 9 * 0.5).epsilon(0.01));
  CHECK(std::abs(v.at("root.moment.z")) < 1e-3);
}

TEST_CASE("a torque on a hub with a blade shares out as their inertias do", "[serial]") {
  const Trajectory run = run_model(MPI_COMM_SELF, R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e8, poissons_ratio: 0.3}}
bodies:
  hub: {type: rigid, mass: 3, inertia: [0.5, 0.5, 0.5], position: [0, 0, 0]}
  blade: {type: solid, box: {size: [1, 0.1, 0.2], elements: [8, 1, 2]}, position: [0.1, -0.05, -0.1], material: m}
joints:
  root: {type: clamp, connect: [hub, blade.x-]}
  axle: {type: revolute, connect: [ground, hub], axis: [0, 0, 1]}
forces: {drive: {type: torque, on: hub, vector: [0, 0, "5*sin(pi*min(t, 0.5))^2"]}}
sensors:
  hub: {type: point, of: hub, record: angular_acceleration}
  root: {type: joint, of: root, record: [force, moment]}
  all: {type: system, record: angular_momentum}
analysis: {end_time: 1, step: 5e-3, newton: {tolerance: 1e-12}}
)",
                                   {.overrides = {}});
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    const double s = std::sin(std::numbers::pi * std::min(run.time[k], 0.5));
    const Values& v = run.values[k];
    CHECK(v.at("root.moment.z") == Approx(0.5 * v.at("hub.angular_acceleration.z") - 5 * s * s).margin(1e-3));
  }
  // int_0^0.5 sin^2(pi t) dt = 1/4
  CHECK(run.values.back().at("all.angular_momentum.z") == Approx(5 * (0.25 + 0.5)).epsilon(1e-4));
  // The blade gets its part of the torque: 20 kg, I = m (L^2/3 + r L + r^2) + m b^2/12 about the axle.
  const double of_blade = 20 * (1.0 / 3 + 0.1 + 0.01 + 0.01 / 12);
  CHECK(run.values.back().at("root.moment.z") == Approx(-5 * of_blade / (0.5 + of_blade)).epsilon(0.1));
}

TEST_CASE("a bar between rigid ends that are pulled and bent rests as theory has it, and its clamps say with what", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0, law: linear-elastic}}
bodies:
  bar: {type: solid, box: {size: [2, 0.2, 0.2], elements: [8, 2, 2]}, material: m, position: [1, -0.1, -0.1]}
  plate: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [3.5, 0.3, 0]}
joints:
  wall: {type: clamp, connect: [ground, bar.x-]}
  flange: {type: clamp, connect: [plate, bar.x+]}
forces:
  pull: {type: force, on: plate, vector: [0.01, 0, 0]}
  bend: {type: torque, on: plate, vector: [0, 0, 0.1]}
sensors:
  plate: {type: point, of: plate, record: displacement}
  end: {type: point, of: bar.x+, record: displacement}
  wall: {type: joint, of: wall, record: [force, moment]}
  flange: {type: joint, of: flange, record: [force, moment]}
analysis: {type: static, newton: {tolerance: 1e-12}}
)");
  model.find_rest();
  auto v = model.values();
  // The force has an arm of 0.3 m, so that the bar bears 0.1 - 0.003 N m beside 0.01 N; EA = 4e4 N, EI = 1e6 * 0.2^4/12 N m^2.
  const double turn = 0.097 * 2 / (1e6 * std::pow(0.2, 4) / 12);
  CHECK(v["end.displacement.x"] == Approx(0.01 * 2 / 4e4).epsilon(1e-3).margin(0.6 * turn * turn));
  CHECK(v["end.displacement.y"] == Approx(turn * 2 / 2).epsilon(2e-3));
  CHECK(v["plate.displacement.y"] - v["end.displacement.y"] == Approx(0.5 * turn).epsilon(2e-3));
  CHECK(v["flange.force.x"] == Approx(-0.01).epsilon(1e-8));
  CHECK(v["flange.moment.z"] == Approx(-0.1).epsilon(1e-8));
  CHECK(v["wall.force.x"] == Approx(0.01).epsilon(1e-8));
  CHECK(std::abs(v["flange.force.y"]) < 1e-8);
}

TEST_CASE("a column buckles under a rigid cap without mass as Euler has it", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0}}
bodies:
  bar: {type: solid, box: {size: [1, 0.02, 0.04], elements: [12, 1, 1], order: 2}, material: m}
  cap: {type: rigid, mass: 0, inertia: [0, 0, 0], position: [1, 0.01, 0.02]}
joints:
  wall: {type: clamp, connect: [ground, bar.x-]}
  cap: {type: clamp, connect: [cap, bar.x+]}
forces: {push: {type: force, on: cap, vector: [-1, 0, 0]}}
analysis: {type: buckling, count: 2}
)");
  const std::vector<double> found = model.buckling(2);
  const double of_stiffness = std::numbers::pi * std::numbers::pi * 1e6 / 4;  // pi^2 E / (4 L^2), times I
  CHECK(found[0] == Approx(of_stiffness * 0.04 * std::pow(0.02, 3) / 12).epsilon(2e-3));
  CHECK(found[1] == Approx(of_stiffness * 0.02 * std::pow(0.04, 3) / 12).epsilon(5e-3));
}

TEST_CASE("velocities that fit no clamp become such as do and keep the momenta", "[serial]") {
  const char* const text = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies:
  hub: {type: rigid, mass: 5, inertia: [0.2, 0.2, 0.2], position: [-0.1, 0.1, 0.1], velocity: [0, 1, 0],
        angular_velocity: [1, 0, 2]}
  block: {type: solid, box: {size: [0.6, 0.2, 0.2], elements: [6, 2, 2]}, material: m, velocity: [0, 1, 0],
          angular_velocity: [1, 0, 2]}
joints: {tie: {type: clamp, connect: [hub, block.x-]}}
sensors:
  all: {type: system, record: [momentum, angular_momentum]}
  drift: {type: constraint, record: velocity}
analysis: {end_time: 1e-3, step: 1e-3}
)";
  // Of a body alone: m v, r x m v + J w about the origin. The block, of 24 kg, turns about its corner in the origin.
  const std::vector<std::string> hub{"bodies.block.velocity.1=0", "bodies.block.angular_velocity.0=0",
                                     "bodies.block.angular_velocity.2=0"};
  const Values of_hub = run_model(MPI_COMM_SELF, text, {.overrides = hub}).values.front();
  CHECK(of_hub.at("all.momentum.y") == Approx(5));
  CHECK(of_hub.at("all.angular_momentum.x") == Approx(-0.1 * 5 + 0.2));
  CHECK(of_hub.at("all.angular_momentum.z") == Approx(-0.1 * 5 + 0.4));
  CHECK(of_hub.at("drift.velocity") < 1e-12);
  const std::vector<std::string> block{"bodies.hub.velocity.1=0", "bodies.hub.angular_velocity.0=0",
                                       "bodies.hub.angular_velocity.2=0"};
  const Values of_block = run_model(MPI_COMM_SELF, text, {.overrides = block}).values.front();
  CHECK(of_block.at("all.momentum.x") == Approx(-24 * 2 * 0.1));
  CHECK(of_block.at("all.momentum.y") == Approx(24 * (1 + 2 * 0.3 - 0.1)));
  CHECK(of_block.at("drift.velocity") < 1e-12);
}

TEST_CASE("a free hub with a clamped blade has the frequencies of the hub with a beam", "[serial]") {
  const char* const head = R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e8, poissons_ratio: 0}}
sections: {bar: {shape: rectangle, width: 0.1, height: 0.05}}
bodies:
  hub: {type: rigid, mass: 4, inertia: [0.05, 0.05, 0.08], position: [-0.1, 0, 0]}
)";
  Stationary solid(MPI_COMM_SELF, std::string(head) + R"(
  blade: {type: solid, box: {size: [1, 0.1, 0.05], elements: [10, 1, 1], order: 2}, position: [0, -0.05, -0.025], material: m}
joints: {root: {type: clamp, connect: [hub, blade.x-]}}
analysis: {type: modes, count: 9}
)");
  Stationary beam(MPI_COMM_SELF, std::string(head) + R"(
  blade: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 10, order: 3}, section: bar, material: m}
joints: {root: {type: fixed, connect: [hub, blade.start]}}
analysis: {type: modes, count: 9}
)");
  const std::vector<double> found = solid.frequencies(9), expected = beam.frequencies(9);
  for (std::size_t k = 0; k < 6; ++k) CHECK(std::abs(found[k]) < 1e-3 * expected[6]);
  for (std::size_t k = 6; k < 9; ++k) CHECK(found[k] == Approx(expected[k]).epsilon(0.01));
}

TEST_CASE("an edge of a shell is held by a body as by the ground, with or without its turn", "[serial]") {
  for (const char* components : {"", ", components: [x, y, z]", ", components: [x, z]"}) {
    CAPTURE(components);
    const auto plate = [&](const char* carrier) {
      return fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {{m: {{density: 1000, youngs_modulus: 1e8, poissons_ratio: 0.3}}}}
bodies:
  plate: {{type: shell, plate: {{size: [0.5, 0.4], elements: [5, 4]}}, thickness: 0.01, material: m}}
  hub: {{type: rigid, mass: 1, inertia: [1, 1, 1], position: [-0.3, 0.1, 0.2], orientation: {{axis: [1, 2, 3], angle: 1}}}}
joints:
  hub: {{type: fixed, connect: [ground, hub]}}
  one: {{type: clamp, connect: [{}, plate.x-]{}}}
  other: {{type: clamp, connect: [ground, plate.x+]}}
sensors:
  middle: {{type: point, of: plate.surface, record: displacement}}
  other: {{type: joint, of: other, record: [force, moment]}}
  one: {{type: joint, of: one, record: [force, moment]}}
analysis: {{type: static, newton: {{tolerance: 1e-12}}}}
)",
                         carrier, components);
    };
    Stationary by_body(MPI_COMM_SELF, plate("hub")), by_ground(MPI_COMM_SELF, plate("ground"));
    by_body.find_rest();
    by_ground.find_rest();
    auto found = by_body.values(), expected = by_ground.values();
    for (const char* column :
         {"middle.displacement.x", "middle.displacement.z", "other.force.z", "other.moment.y", "one.force.z"})
      CHECK(found[column] == Approx(expected[column]).epsilon(1e-7).margin(1e-9));
    CHECK(std::abs(found["middle.displacement.z"]) > 1e-4);
    const std::vector<double> of_body = by_body.frequencies(4), of_ground = by_ground.frequencies(4);
    for (std::size_t k = 0; k < 4; ++k) CHECK(of_body[k] == Approx(of_ground[k]).epsilon(1e-7));
  }
}

TEST_CASE("directions in which a body holds nodes turn with it", "[serial]") {
  // Three faces slide on planes of a frame that turns by a right angle: nothing strains the block but its inertia, which is too
  // little to count.
  const Values v = run_model(MPI_COMM_SELF, R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e9, poissons_ratio: 0.3}}
bodies:
  frame: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}
  block: {type: solid, box: {size: [0.4, 0.2, 0.3], elements: [3, 2, 2]}, material: m, position: [0.1, 0, 0]}
joints:
  axle: {type: revolute, connect: [ground, frame], axis: [0, 0, 1]}
  drive: {type: motion, of: axle, angle: "(1 - cos(pi*t))*pi/4"}
  x: {type: clamp, connect: [frame, block.x-], components: x}
  y: {type: clamp, connect: [frame, block.y-], components: [y]}
  z: {type: clamp, connect: [frame, block.z-], components: z}
sensors:
  end: {type: point, of: block.x+, record: position}
  back: {type: point, of: block.y+, record: position}
  drift: {type: constraint, record: [position, velocity]}
  x: {type: joint, of: x, record: [force]}
analysis: {end_time: 1, step: 0.01}
)",
                             {.at_every_step = false, .overrides = {}})
                       .values.back();
  CHECK(v.at("end.position.x") == Approx(-0.1).epsilon(1e-4));
  CHECK(v.at("end.position.y") == Approx(0.5).epsilon(1e-4));
  CHECK(v.at("end.position.z") == Approx(0.15).epsilon(1e-4));
  CHECK(v.at("back.position.x") == Approx(-0.2).epsilon(1e-4));
  CHECK(v.at("drift.position") < 1e-9);
  CHECK(std::abs(v.at("x.force.y")) > 1);  // what was x holds along y now: the block's inertia, 24 kg * 5 rad/s^2 * 0.3 m, brakes
}

TEST_CASE("what a clamp holds to a body need be no surface, and a beam, a solid's face or point may carry", "[serial]") {
  Stationary model(MPI_COMM_SELF, R"(sinew: 1
gravity: [0, 0, -10]
materials: {m: {density: 1000, youngs_modulus: 1e9, poissons_ratio: 0}}
sections: {bar: {shape: rectangle, width: 0.05, height: 0.05}}
bodies:
  block: {type: solid, box: {size: [0.6, 0.2, 0.2], elements: [6, 2, 2]}, material: m, points: {eye: [0.33, 0.11, 0.12]}}
  next: {type: solid, box: {size: [0.6, 0.2, 0.2], elements: [5, 3, 3]}, material: m, position: [0.6, 0, 0]}
  boom: {type: beam, line: {from: [1.2, 0.1, 0.1], to: [2.2, 0.1, 0.1], elements: 6}, section: bar, material: m}
  lamp: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [2.4, 0, 0]}
  ball: {type: point-mass, mass: 3, position: [2.3, 0.1, 0.4]}
  bob: {type: point-mass, mass: 4, position: [0.33, 0.11, 0.5]}
joints:
  root: {type: clamp, connect: [ground, block.x-]}
  glue: {type: clamp, connect: [block.x+, next.x-]}
  weld: {type: clamp, connect: [boom.start, next.x+]}
  lamp: {type: clamp, connect: [boom.end, lamp]}
  ball: {type: clamp, connect: [lamp, ball]}
  bob: {type: clamp, connect: [block.eye, bob]}
sensors:
  root: {type: joint, of: root, record: force}
  glue: {type: joint, of: glue, record: force}
  weld: {type: joint, of: weld, record: [force, moment]}
  lamp: {type: joint, of: lamp, record: force}
  ball: {type: joint, of: ball, record: [force, moment]}
  bob: {type: joint, of: bob, record: force}
  away: {type: relative, between: [lamp, ball], record: distance}
analysis: {type: static, newton: {tolerance: 1e-12}}
)");
  model.find_rest();
  auto v = model.values();
  CHECK(v["ball.force.z"] == Approx(-30).epsilon(1e-8));
  CHECK(v["lamp.force.z"] == Approx(-50).epsilon(1e-8));
  CHECK(v["weld.force.z"] == Approx(25 + 50).epsilon(1e-8));  // on the boom, which is named first
  CHECK(v["glue.force.z"] == Approx(-(240 + 25 + 50)).epsilon(1e-8));
  CHECK(v["bob.force.z"] == Approx(-40).epsilon(1e-8));
  CHECK(v["root.force.z"] == Approx(-(480 + 25 + 50 + 40)).epsilon(1e-8));
  CHECK(v["away.distance"] == Approx(std::hypot(0.1, 0.1, 0.4)).epsilon(1e-10));
}
