// BDF of a free order lets no vibration of stiff parts grow with prescribed steps; an order that makes one grow is named.

#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

/// A load on a rope below a trolley that sets out smoothly: across the rope vibrations of many frequencies have no damping.
constexpr const char* load_on_rope = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
sections: {rope: {shape: circle, diameter: 0.012}}
materials: {steel: {density: 7850, youngs_modulus: 1e11, poissons_ratio: 0.3, damping: {beta: 2e-3}}}
bodies:
  trolley: {type: rigid, mass: 100, inertia: [9, 9, 9], position: [0, 0, 0]}
  rope: {type: cable, line: {from: [0, 0, 0], to: [0, 0, -4], elements: 6}, section: rope, material: steel}
  load: {type: rigid, mass: 800, inertia: [80, 80, 60], position: [0, 0, -4.5], points: {hook: [0, 0, 0.5]}}
joints:
  rail: {type: prismatic, connect: [ground, trolley], axis: [1, 0, 0]}
  drive: {type: motion, of: rail, position: "0.4*t - 0.4*sin(pi*t)/pi"}
  top: {type: spherical, connect: [trolley, rope.start]}
  hook: {type: spherical, connect: [rope.end, load.hook]}
sensors:
  rope: {type: section, of: rope, at: 0.5, record: tension}
analysis: {end_time: 1, step: 5e-4, initial: static}
)yaml";

}  // namespace

TEST_CASE("BDF of a free order keeps the tension of a stiff rope", "[serial]") {
  const auto folder = test::fresh_folder("rope-tension");
  test::write_file(folder / "model.yaml", load_on_rope);
  const auto said = [&](const std::string& more) {
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml --quiet " + more);
    REQUIRE(outcome.code == 0);
    return outcome.said;
  };
  CHECK(said("-o soi2").empty());
  const test::Table expected(folder / "soi2" / "sensors.csv");
  for (const std::string integrator : {"bdf-si1", "bdf-si2"}) {
    CHECK(said("-o bdf --set analysis.integrator=" + integrator).empty());
    const test::Table found(folder / "bdf" / "sensors.csv");
    REQUIRE(found.rows() == expected.rows());
    double worst = 0;
    for (std::size_t row = 0; row < found.rows(); ++row)
      worst = std::max(worst, std::abs(found.at("rope.tension", row) / expected.at("rope.tension", row) - 1));
    INFO(integrator);
    CHECK(worst < 1e-5);  // with orders chosen by local errors alone: more than 1
  }
  test::check_contains(said("--no-output --set analysis.integrator=bdf-si2 --set analysis.order=3 --set analysis.step=1e-3"),
                       "warning: BDF of order 3 has amplified a vibration");
}
