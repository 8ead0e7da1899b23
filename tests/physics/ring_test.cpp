// Closed cables against the closed forms of a thin ring.
#include "tests/catch.hpp"
#include "tests/physics/stationary.hpp"

#include <fmt/format.h>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double pi = 3.141592653589793;
constexpr double EA = 4e6, EI = 2, rhoA = 0.4, R = 0.5;

/// A ring of 32 elements around the axis z.
std::string ring(const std::string& rest,
                 const std::string& line = "circle: {centre: [1, 2, 3], axis: [0, 0, 2], radius: 0.5, elements: 32}") {
  return fmt::format(R"(sinew: 1
sections: {{s: {{stiffness: [{}, 1, 1, 1, {}, {}], inertia: [{}, 1, 1, 1, 1, 1]}}}}
bodies:
  r: {{type: ring, {}, section: s}}
{}
)",
                     EA, EI, EI, rhoA, line, rest);
}

}  // namespace

TEST_CASE("a free ring vibrates in its plane and out of it with the frequencies of thin rings", "[serial]") {
  Stationary model(MPI_COMM_SELF, ring("analysis: {type: modes}\n"));
  const std::vector<double> f = model.frequencies(14);
  // inextensible, n waves around it: in the plane R. Hoppe (1871), J. Reine Angew. Math. 73, 158-170; out of it, without
  // resistance to torsion, from 1/2 EI int (w''^2 - w'^2/R^2) ds
  const double unit = std::sqrt(EI / (rhoA * std::pow(R, 4))) / (2 * pi);
  for (std::size_t k = 0; k < 6; ++k) CHECK(std::abs(f[k]) < 1e-3 * unit);
  for (std::size_t n = 2; n <= 3; ++n) {
    const double m = static_cast<double>(n * n), in = unit * std::sqrt(m * (m - 1) * (m - 1) / (m + 1)),
                 out = unit * std::sqrt(m * (m - 1));
    for (std::size_t k = 0; k < 2; ++k) {
      CHECK(f[4 * n - 2 + k] == Approx(in).epsilon(2e-3));
      CHECK(f[4 * n + k] == Approx(out).epsilon(2e-3));
    }
  }
}

TEST_CASE("a ring that is pulled at opposite places widens as bending says", "[serial]") {
  // diameter + (pi/4 - 2/pi) P R^3/EI for a small pull P: S. Timoshenko, Strength of Materials II (1956), art. 15
  const double P = 1e-2, widening = (pi / 4 - 2 / pi) * P * R * R * R / EI;
  Stationary model(MPI_COMM_SELF, ring(fmt::format(R"(joints:
  held: {{type: spherical, connect: [ground, r.far]}}
  line: {{type: point-on-line, connect: [ground, r.start], axis: [1, 0, 0]}}
  flat: {{type: coordinate-fixed, connect: [ground, r.node[8]], direction: [0, 0, 1]}}
forces:
  pull: {{type: force, on: r.end, vector: [{}, 0, 0]}}
sensors:
  d: {{type: relative, between: [r.node[16], r.start], record: [distance]}}
  bent: {{type: section, of: r, at: 0.25, record: [moment]}}
analysis: {{type: static}}
)",
                                                   P),
                                       "points: {far: {at: 0.5}}, circle: {centre: [0, 0, 0], axis: [0, 0, 1], radius: 0.5, "
                                       "elements: 32}"));
  model.find_rest();
  CHECK(model.values().at("d.distance") - 2 * R == Approx(widening).epsilon(1e-3));
}

TEST_CASE("a ring through points closes by itself", "[serial]") {
  Stationary model(MPI_COMM_SELF, ring("sensors: {m: {type: system, record: [mass, center_of_mass, momentum]}}\n"
                                       "analysis: {end_time: 1, step: 0.1}\n",
                                       "points: [[0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0]], velocity: [0, 0, 3], "
                                       "angular_velocity: [0, 0, 5]"));
  const auto values = model.values();
  CHECK(values.at("m.mass") == Approx(6 * rhoA));
  CHECK(values.at("m.center_of_mass.x") == Approx(1));
  CHECK(values.at("m.center_of_mass.y") == Approx(0.5));
  CHECK(values.at("m.momentum.z") == Approx(3 * 6 * rhoA));
  CHECK(std::abs(values.at("m.momentum.x")) < 1e-12);
}
