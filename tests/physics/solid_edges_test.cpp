// Edges and corners of solids as places: closed forms.
#include "tests/catch.hpp"
#include "tests/physics/sensed_vectors.hpp"
#include "tests/physics/stationary.hpp"

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

const char* const kinds[] = {"hex8", "hex20", "hex27"};

/// A block of 2 x 1 x 0.5 with what is given behind its body.
std::string block(const std::string& kind, const std::string& law, const std::string& rest) {
  return R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3, law: )" +
         law + R"(}}
bodies:
  b: {type: solid, box: {size: [2, 1, 0.5], elements: [4, 2, 2], element: )" +
         kind + R"(}, material: m, points: {inside: [0.7, 0.3, 0.2]}}
)" + rest +
         "analysis: {type: static}\n";
}

}  // namespace

TEST_CASE("A block that corners and an edge hold as a rigid body is must be held, is pulled without any other stress",
          "[serial]") {
  for (const char* kind : kinds) {
    INFO(kind);
    Stationary model(MPI_COMM_SELF, block(kind, "linear-elastic", R"(joints:
  foot: {type: clamp, connect: [ground, b.x-y-z-], components: [y, z]}
  line: {type: clamp, connect: [ground, b.x-z-], components: x}
  far: {type: clamp, connect: [ground, b.x+y-z-], components: [y, z]}
  top: {type: clamp, connect: [ground, b.x-y+z-], components: z}
forces:
  right: {type: traction, on: b.x+, vector: [1e4, 0, 0]}
  left: {type: traction, on: b.x-, vector: [-1e4, 0, 0]}
sensors:
  inside: {type: point, of: b.inside, record: [stress]}
  corner: {type: point, of: b.x+y+z+, record: [displacement, orientation]}
  edge: {type: point, of: b.x+z+, record: [displacement, orientation]}
  foot: {type: joint, of: foot, record: [force]}
  line: {type: joint, of: line, record: [force]}
)"));
    model.find_rest();
    const auto values = model.values();
    const double strain = 1e4 / 1e7;
    for (const char* component : {"xx", "yy", "zz", "xy", "yz", "xz"})
      CHECK(values.at(std::string("inside.stress.") + component) ==
            Approx(component == std::string("xx") ? 1e4 : 0.0).epsilon(1e-9).margin(1e-5));
    CHECK(norm(vector_at(values, "corner.displacement") - strain * Vec3<double>{{2, -0.3, -0.15}}) < 1e-11);
    CHECK(norm(vector_at(values, "edge.displacement") - strain * Vec3<double>{{2, -0.15, -0.15}}) < 1e-11);
    for (const char* place : {"corner", "edge"}) CHECK(norm(vector_at(values, std::string(place) + ".orientation")) < 1e-11);
    for (const char* joint : {"foot", "line"}) CHECK(norm(vector_at(values, std::string(joint) + ".force")) < 1e-6);
  }
}

TEST_CASE("Forces and torques at corners and edges of a block are in equilibrium with what holds it", "[serial]") {
  for (const char* kind : kinds) {
    INFO(kind);
    Stationary model(MPI_COMM_SELF, block(kind, "st-venant-kirchhoff", R"(joints:
  low: {type: clamp, connect: [ground, b.x-z-]}
  high: {type: clamp, connect: [ground, b.x-z+], components: [x]}
forces:
  push: {type: force, on: b.x+y+z+, vector: [10, 20, -30]}
  pull: {type: force, on: b.x+z-, vector: [-5, 3, 7]}
  twist: {type: torque, on: b.y+z+, vector: [1, 2, 3]}
  turn: {type: torque, on: b.x+y-z+, vector: [-2, 5, 0.5]}
sensors:
  low: {type: joint, of: low, record: [force, moment]}
  high: {type: joint, of: high, record: [force, moment]}
  push: {type: point, of: b.x+y+z+, record: [position]}
  pull: {type: point, of: b.x+z-, record: [position]}
)"));
    model.find_rest();
    const auto values = model.values();
    const Vec3<double> push{{10, 20, -30}}, pull{{-5, 3, 7}};
    const Vec3<double> force = push + pull, moment = cross(vector_at(values, "push.position"), push) +
                                                     cross(vector_at(values, "pull.position"), pull) + Vec3<double>{{-1, 7, 3.5}};
    const Vec3<double> low = vector_at(values, "low.force"), high = vector_at(values, "high.force");
    CHECK(norm(low + high - force) < 1e-7);
    const Vec3<double> held = vector_at(values, "low.moment") + cross(Vec3<double>{{0, 0.5, 0}}, low) +
                              vector_at(values, "high.moment") + cross(Vec3<double>{{0, 0.5, 0.5}}, high);
    CHECK(norm(held - moment) < 1e-6);
  }
}

TEST_CASE("A block that is hinged along an edge swings as a compound pendulum, and a spring there turns it back", "[serial]") {
  for (const char* kind : kinds)
    for (const double stiffness : {0.0, 200.0}) {
      INFO(kind << ", " << stiffness);
      Stationary model(MPI_COMM_SELF,
                       R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {m: {density: 1000, youngs_modulus: 1e11, poissons_ratio: 0.3}}
bodies:
  b:
    type: solid
    box: {size: [1, 0.5, 0.1], elements: [4, 2, 1], element: )" +
                           std::string(kind) + R"(}
    material: m
    orientation: {axis: [0, 1, 0], angle: pi/2}
joints: {hinge: {type: revolute, connect: [ground, b.x-z-], axis: [0, 1, 0]}}
forces:
  spring: {type: torsional-spring, connect: [ground, b.x-z-], axis: [0, 1, 0], stiffness: )" +
                           std::to_string(stiffness) + "}\nanalysis: {type: modes, about: static}\n");
      model.find_rest();
      const double mass = 50, arm = std::hypot(0.5, 0.05), inertia = mass * (1 + 0.1 * 0.1) / 3;
      const double omega = std::sqrt((mass * 9.81 * arm + stiffness) / inertia);
      // a couple along a line turns the material there more than the rest: by 3e-4 of the frequency in this mesh
      CHECK(model.modes(1).front().omega() == Approx(omega).epsilon(stiffness > 0 ? 1e-3 : 1e-6));
    }
}

TEST_CASE("Edges and corners of a block that spins turn as it does", "[serial]") {
  for (const char* kind : kinds) {
    INFO(kind);
    const Trajectory run = run_model(MPI_COMM_SELF,
                                     R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 1e9, poissons_ratio: 0.3}}
bodies:
  b:
    type: solid
    box: {size: [0.4, 0.3, 0.2], elements: [2, 2, 2], element: )" +
                                         std::string(kind) + R"(}
    material: m
    orientation: {axis: [1, 2, 3], angle: 0.7}
    angular_velocity: [0.3, -0.2, 2]
sensors:
  corner: {type: point, of: b.x+y-z+, record: [orientation, angular_velocity]}
  edge: {type: point, of: b.y+z-, record: [orientation, angular_velocity]}
  side: {type: point, of: b.x+, record: [orientation]}
analysis: {end_time: 0.5, step: 0.01}
)",
                                     {.at_every_step = false, .overrides = {}});
    for (const char* place : {"corner", "edge"}) {
      const std::string name(place);
      CHECK(norm(vector_at(run.values.front(), name + ".angular_velocity") - Vec3<double>{{0.3, -0.2, 2}}) < 1e-10);
      const Vec3<double> turned = vector_at(run.values.back(), name + ".orientation");
      CHECK(norm(turned - vector_at(run.values.front(), name + ".orientation")) > 0.1);
      CHECK(norm(turned - vector_at(run.values.back(), "side.orientation")) < 1e-4);  // stretched by 1e-5
    }
  }
}
