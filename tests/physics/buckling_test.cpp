#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"

#include <fmt/format.h>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double pi = 3.141592653589793;

/// A column of length 2 and E I = 40/3 under 2 N, with those joints.
std::string column(const std::string& joints) {
  return fmt::format(R"(sinew: 1
materials: {{m: {{density: 1000, youngs_modulus: 1e9}}}}
sections: {{s: {{area: 4e-4, iy: 1.3333333333333333e-8, iz: 1.3333333333333333e-8}}}}
bodies:
  c: {{type: cable, line: {{from: [0, 0, 0], to: [0, 0, 2], elements: 16}}, section: s, material: m}}
joints:
{}forces:
  press: {{type: force, on: c.end, vector: [0, 0, -2]}}
analysis: {{type: buckling}}
)",
                     joints);
}

const double euler = pi * pi * (40.0 / 3) / 4 / 2;

}  // namespace

TEST_CASE("A column buckles at Euler's loads", "[serial]") {
  Stationary pinned(MPI_COMM_SELF, column("  foot: {type: spherical, connect: [ground, c.start]}\n"
                                          "  head: {type: point-on-line, connect: [ground, c.end], axis: [0, 0, 1]}\n"));
  const std::vector<double> factors = pinned.buckling(4);
  REQUIRE(factors.size() == 4);
  CHECK(factors[0] == Approx(euler).epsilon(1e-3));
  CHECK(factors[1] == Approx(euler).epsilon(1e-3));
  CHECK(factors[2] == Approx(4 * euler).epsilon(2e-3));
  Stationary cantilever(MPI_COMM_SELF, column("  foot: {type: clamp, connect: [ground, c.start]}\n"));
  CHECK(cantilever.buckling(2)[0] == Approx(euler / 4).epsilon(1e-3));
}

TEST_CASE("The load factor is in proportion to the load, be it small or large", "[serial]") {
  const std::string text = column("  foot: {type: clamp, connect: [ground, c.start]}\n");
  for (const double load : {1e-6, 1e4}) {
    Stationary model(MPI_COMM_SELF, text, {fmt::format("forces.press.vector.2={}", -load)});
    CHECK(load * model.buckling(1)[0] == Approx(2 * euler / 4).epsilon(1e-3));
  }
}

TEST_CASE("A heavy column buckles under its own weight at 7.837 E I / L^2", "[serial]") {
  std::string text = column("  foot: {type: clamp, connect: [ground, c.start]}\n");
  text.replace(text.find("forces:"), text.find("analysis:") - text.find("forces:"), "gravity: [0, 0, -1]\n");
  Stationary model(MPI_COMM_SELF, text);
  const double weight = 1000 * 4e-4 * 2;
  CHECK(weight * model.buckling(1)[0] == Approx(7.837 * (40.0 / 3) / 4).epsilon(2e-3));
}

TEST_CASE("Buckling without loads is refused", "[serial]") {
  Stationary model(MPI_COMM_SELF, column("  foot: {type: clamp, connect: [ground, c.start]}\n"), {"forces.press.vector.2=0"});
  CHECK_THROWS_AS(model.buckling(1), InputError);
}
