// States of rest of what is far stiffer in some motions than in the one by which it is left: rounding of the assembled stiffness
// is as large as what decides there.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double pi = 3.141592653589793;

/// A steel rod of 2 m, clamped at its foot, under `part` of Euler's load.
std::string rod(double diameter, int elements, double part, double x = 0) {
  const double bending = 2.1e11 * pi * std::pow(diameter, 4) / 64, load = part * pi * pi * bending / 16;
  return fmt::format(R"(sinew: 1
materials: {{steel: {{density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}}}
sections: {{s: {{shape: circle, diameter: {0}}}}}
bodies:
  c: {{type: beam, line: {{from: [{1}, 0, 0], to: [{1}, 0, 2], elements: {2}}}, section: s, material: steel}}
joints: {{foot: {{type: fixed, connect: [ground, c.start]}}}}
forces: {{P: {{type: force, on: c.end, vector: [0, 0, {3}]}}}}
sensors: {{top: {{type: point, of: c.end, record: displacement}}}}
analysis: {{type: static}}
)",
                     diameter, x, elements, -load);
}

double aside(Stationary& model) {
  const auto values = model.values();
  return std::hypot(values.at("top.displacement.x"), values.at("top.displacement.y"));
}

/// A rod of 1 kg and 1 m upright on a bushing that is stiff against all but its tilt, for which 10 N m/rad are needed.
std::string upright(double stiffness, double tilt, double x) {
  return fmt::format(R"(sinew: 1
gravity: [0, 0, -10]
bodies:
  rod: {{type: rigid, mass: 1, inertia: [0.1, 0.1, 0.001], position: [{1}, 0, 1], points: {{foot: [0, 0, -1]}}}}
joints: {{plane: {{type: planar, connect: [ground, rod], normal: [0, 1, 0]}}}}
forces:
  foot: {{type: bushing, connect: [[{1}, 0, 0], rod.foot], stiffness: [{0}, {0}, {0}, 0, {2}, 0]}}
sensors: {{tilt: {{type: relative, of: plane}}}}
analysis: {{type: static}}
)",
                     stiffness, x, tilt);
}

}  // namespace

/// The elastica under 1.03 and 1.2 times Euler's load moves its end aside by 0.3013 and 0.6488 of its length.
TEST_CASE("Slender rods beyond Euler's load are found bent, however slender, fine and far away they are", "[serial]") {
  struct Case {
    double diameter;
    int elements;
    double part, x, aside;
  };
  for (const Case& c : {Case{0.02, 16, 1.03, 0, 0.6026}, Case{2e-3, 16, 1.03, 0, 0.6026}, Case{2e-3, 64, 1.2, 0, 1.2976},
                        Case{5e-4, 32, 1.2, 0, 1.2976}, Case{0.02, 16, 1.03, 1000, 0.6026}, Case{0.05, 16, 1.2, -3000, 1.2976}}) {
    INFO(c.diameter << " m, " << c.elements << " elements, " << c.part << " of Euler's load, at " << c.x << " m");
    Stationary model(MPI_COMM_SELF, rod(c.diameter, c.elements, c.part, c.x));
    const EquilibriumReport report = model.find_rest();
    CHECK(report.is_stable);
    CHECK(aside(model) == Approx(c.aside).epsilon(0.02));
    Stationary straight(MPI_COMM_SELF, rod(c.diameter, c.elements, 0.97, c.x));
    straight.find_rest();
    CHECK(aside(straight) < 1e-6);
  }
}

TEST_CASE("What stands on a stiff foot falls over if the foot is too weak for its weight alone", "[serial]") {
  for (const double x : {0.0, 1000.0})
    for (const double stiffness : {1e5, 1e7, 1e10}) {
      INFO(stiffness << " N/m at " << x << " m");
      for (const double tilt : {9.0, 9.9}) {
        Stationary weak(MPI_COMM_SELF, upright(stiffness, tilt, x));
        const EquilibriumReport report = weak.find_rest();
        CHECK(report.escapes > 0);
        CHECK(report.is_stable);
        CHECK(std::abs(weak.values().at("tilt.angle")) > 0.1);
      }
      Stationary strong(MPI_COMM_SELF, upright(stiffness, 10.2, x));
      strong.find_rest();
      CHECK(std::abs(strong.values().at("tilt.angle")) < 1e-6);
    }
}

TEST_CASE("A path along which the load displaces nothing is followed to its end", "[serial]") {
  Stationary links(MPI_COMM_SELF, R"(sinew: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.5], points: {p: [0, 0, -0.5], q: [0, 0, 0.5]}}
joints: {j: {type: revolute, connect: [ground, a.p], axis: [0, 1, 0]}}
forces:
  s: {type: torsional-spring, connect: [ground, a], axis: [0, 1, 0], stiffness: 10}
  P: {type: force, on: a.q, vector: [0, 0, -12]}
sensors: {j: {type: joint, of: j, record: [force]}}
analysis: {type: static, path: arc-length}
)");
  const EquilibriumReport report = links.find_rest();
  CHECK_FALSE(report.is_stable);  // beyond 10 N
  CHECK(links.values().at("j.force.z") == Approx(-12).epsilon(1e-9));
  CHECK(links.load_factors().back() == 1);
}

/// A foil of 20 um or 100 um under a load at its end that bends it by as little as 1e-9 of its length: L^3/(3 EI), though
/// rounding of its assembled stiffness hides that anything resists, and an estimate of what rounding may do to its forces exceeds
/// the load.
TEST_CASE("Foils bend as their loads say, however small these are and however the foil lies", "[serial]") {
  for (const auto& [length, thickness] : {std::pair{0.1, 2e-5}, {1.0, 1e-4}})
    for (const double aside : {1e-3, 1e-6, 1e-9})
      for (const double angle : {0.0, 0.7}) {
        INFO(length << ' ' << thickness << ' ' << aside << ' ' << angle);
        const double bending = 2.1e11 * 0.1 * length * std::pow(thickness, 3) / 12;
        const double load = 3 * bending / std::pow(length, 3) * aside * length, sine = std::sin(angle), cosine = std::cos(angle);
        Stationary model(MPI_COMM_WORLD, fmt::format(R"(sinew: 1
materials: {{steel: {{density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0}}}}
bodies:
  foil:
    type: shell
    plate: {{size: [{0}, {1}], elements: [20, 2]}}
    thickness: {2}
    material: steel
    orientation: {{axis: [0, 1, 0], angle: {3}}}
joints: {{foot: {{type: clamp, connect: [ground, foil.x-]}}}}
forces: {{push: {{type: force, on: foil.x+, vector: [{4}, 0, {5}]}}}}
sensors:
  end: {{type: point, of: foil.x+, record: displacement}}
  foot: {{type: joint, of: foot, record: force}}
analysis: {{type: static}}
)",
                                                     length, length / 10, thickness, angle, load * sine, load * cosine));
        model.find_rest();
        const auto values = model.values();
        const auto across = [&](const std::string& name) {
          return sine * values.at(name + ".x") + cosine * values.at(name + ".z");
        };
        CHECK(across("end.displacement") == Approx(aside * length).epsilon(2e-3).margin(0));
        CHECK(across("foot.force") == Approx(load).epsilon(1e-6).margin(0));
      }
}

/// Upright on a torsional spring that is stiffer than gravity by a hundredth: a side load turns it by load/(0.01 m g), a hundred
/// times as far as without the weight, which Newton's method learns of from the reactions of its first iteration.
TEST_CASE("What reactions soften is found soft, however small its loads are", "[serial]") {
  for (const double load : {1e-5, 1e-6, 1e-8, 1e-11}) {
    INFO(load);
    Stationary model(MPI_COMM_WORLD, fmt::format(R"(sinew: 1
gravity: [0, 0, -10]
bodies: {{rod: {{type: rigid, mass: 1, inertia: [0.1, 0.1, 0.001], position: [0, 0, 1], points: {{foot: [0, 0, -1]}}}}}}
joints: {{hinge: {{type: revolute, connect: [ground, rod.foot], axis: [0, 1, 0]}}}}
forces:
  spring: {{type: torsional-spring, connect: [ground, rod.foot], axis: [0, 1, 0], stiffness: 10.1}}
  push: {{type: force, on: rod, vector: [{}, 0, 0]}}
sensors: {{hinge: {{type: relative, of: hinge}}}}
analysis: {{type: static}}
)",
                                                 load));
    model.find_rest();
    CHECK(model.values().at("hinge.angle") == Approx(load / 0.1).epsilon(1e-5).margin(0));
  }
}

/// A weight on a steel wire of 1 m x 20 um that a torque turns, moment = G I/L angle.
TEST_CASE("A torsion balance turns as its wire says", "[serial]") {
  const double torsion = 8e10 * pi * std::pow(2e-5, 4) / 32;
  for (const double angle : {1e-3, 1e-6, 1e-9}) {
    INFO(angle);
    Stationary model(MPI_COMM_WORLD, fmt::format(R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {{steel: {{density: 7850, youngs_modulus: 2.08e11, poissons_ratio: 0.3}}}}
sections: {{s: {{shape: circle, diameter: 2e-5}}}}
bodies:
  wire: {{type: beam, line: {{from: [0, 0, 1], to: [0, 0, 0], elements: 10}}, section: s, material: steel}}
  weight: {{type: rigid, mass: 0.01, inertia: [1e-6, 1e-6, 1e-6], position: [0, 0, 0]}}
joints:
  top: {{type: fixed, connect: [ground, wire.start]}}
  end: {{type: fixed, connect: [wire.end, weight]}}
forces: {{push: {{type: torque, on: weight, vector: [0, 0, {}]}}}}
sensors:
  top: {{type: joint, of: top, record: moment}}
  turn: {{type: relative, between: [ground, weight], axis: [0, 0, 1], record: angle}}
analysis: {{type: static}}
)",
                                                 torsion * angle));
    model.find_rest();
    const auto values = model.values();
    CHECK(values.at("turn.angle") == Approx(angle).epsilon(1e-6).margin(0));
    CHECK(std::abs(values.at("top.moment.z")) == Approx(torsion * angle).epsilon(1e-6).margin(0));
  }
}
