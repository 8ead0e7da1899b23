#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"

#include <fmt/format.h>

using namespace sinew;
using namespace sinew::test;

namespace {

struct PressedBox {
  const char* law;
  const char* elements;
  double modulus;
  const char* load;
};

/// A bar of 1 x 0.1 x 0.1 m, clamped at x-, under a load on x+.
std::string pressed(const PressedBox& box) {
  return fmt::format(R"(sinew: 1
materials: {{m: {{density: 1, youngs_modulus: {}, poissons_ratio: 0.3, law: {}}}}}
bodies:
  b: {{type: solid, box: {{size: [1, 0.1, 0.1], elements: [{}], order: 1}}, material: m}}
joints:
  wall: {{type: clamp, connect: [ground, b.x-]}}
forces:
  push: {{type: force, on: b.x+, vector: [{}]}}
sensors:
  wall: {{type: joint, of: wall, record: [force]}}
analysis: {{type: static}}
)",
                     box.modulus, box.law, box.elements, box.load);
}

/// The sentence of a search that fails; empty where it finds something.
std::string said_of(Stationary& model) {
  try {
    model.find_rest();
  } catch (const SolveError& fault) {
    return fault.what();
  }
  return {};
}

}  // namespace

TEST_CASE("A box that is pressed flat is no state of rest: the search says how far it came, and which body is out of balance",
          "[serial]") {
  for (const PressedBox& box : {PressedBox{"linear-elastic", "1, 1, 1", 1, "-0.05, 0, 0"},
                                PressedBox{"st-venant-kirchhoff", "6, 1, 1", 2e7, "-1e5, 0, 0"}}) {
    INFO(box.law);
    Stationary model(MPI_COMM_SELF, pressed(box));
    const std::string said = said_of(model);
    INFO(said);
    CHECK(said.find("no state of rest is found") != std::string::npos);
    CHECK(said.find("load factor 0.") != std::string::npos);
    CHECK(said.find("the largest unbalanced force") != std::string::npos);
    CHECK(said.find("'b'") != std::string::npos);
    CHECK(said.find("turned inside out") != std::string::npos);
  }
}

TEST_CASE("Where a loaded box is said to be at rest the wall carries the load", "[serial]") {
  int found = 0;
  for (const char* law : {"linear-elastic", "st-venant-kirchhoff", "neo-hookean"})
    for (const char* elements : {"1, 1, 1", "3, 1, 1", "6, 1, 1"})
      for (const double part : {1e-6, 1e-3, 0.03, 0.2, 0.6, 3.0})
        for (const Vec3<double>& direction : {Vec3<double>{{-1, 0, 0}}, {{1, 0, 0}}, {{0, 0, 1}}, {{-1, 0, 1e-3}}}) {
          const double force = part * 2e7 * 0.01;
          const std::string load = fmt::format("{}, 0, {}", force * direction[0], force * direction[2]);
          INFO(law << ", " << elements << " elements under " << load);
          Stationary model(MPI_COMM_SELF, pressed({law, elements, 2e7, load.c_str()}));
          if (!said_of(model).empty()) continue;
          ++found;
          const auto values = model.values();
          CHECK(std::abs(values.at("wall.force.x")) == Approx(force * std::abs(direction[0])).margin(2e-6 * force));
          CHECK(std::abs(values.at("wall.force.z")) == Approx(force * std::abs(direction[2])).margin(2e-6 * force));
        }
  CHECK(found > 80);
}
