// States of rest of what prescribed angles turn and twist: shells and solids go along, as beams do.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <numbers>

using namespace sinew;

namespace {

constexpr double pi = std::numbers::pi;

test::Table rest_of(const std::filesystem::path& folder, const std::string& text) {
  test::write_file(folder / "model.yaml", text);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(text << outcome.said);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.said.find("do not fit") == std::string::npos);
  return test::Table(folder / "out" / "sensors.csv");
}

/// Bodies of a plate from (0.1, -0.15, 0) on, 1 m by 0.3 m by `thickness`.
std::string plate(const std::string& kind, const std::string& thickness) {
  if (kind == "shell")
    return "{type: shell, plate: {size: [1, 0.3], elements: [10, 3]}, thickness: " + thickness +
           ", material: m, position: [0.1, -0.15, 0]}";
  return "{type: solid, box: {size: [1, 0.3, " + thickness +
         "], elements: [10, 3, 1]}, material: m, position: [0.1, -0.15, -0.5*" + thickness + "]}";
}

}  // namespace

TEST_CASE("A plate on a hub that is turned stands there as it stood before", "[serial]") {
  const auto folder = test::fresh_folder("turned-plate");
  struct Row {
    const char *kind, *thickness, *axis, *angle;
  };
  const Row rows[] = {{"shell", "0.003", "[0, 1, 0]", "0.5"}, {"shell", "0.003", "[0, 0, 1]", "2.1"},
                      {"shell", "0.003", "[1, 0, 0]", "-3"},  {"shell", "0.03", "[0, 1, 0]", "4"},
                      {"solid", "0.003", "[0, 1, 0]", "0.5"}, {"solid", "0.1", "[0, 1, 0]", "1.6"},
                      {"solid", "0.1", "[0, 0, 1]", "-3"},    {"solid", "0.1", "[1, 0, 0]", "4"}};
  for (const Row& row : rows) {
    INFO(row.kind << ' ' << row.thickness << " m, axis " << row.axis << ", angle " << row.angle);
    const test::Table rest = rest_of(folder, std::string(R"(sinew: 1
materials: {m: {density: 2700, youngs_modulus: 7e10, poissons_ratio: 0.3}}
bodies:
  h: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0], points: {e: [0.1, 0, 0]}}
  p: )") + plate(row.kind, row.thickness) + R"(
joints:
  r: {type: revolute, connect: [ground, h], axis: )" +
                                                 row.axis + R"(}
  d: {type: motion, of: r, angle: )" + row.angle +
                                                 R"(}
  f: {type: fixed, connect: [h.e, p.x-]}
sensors:
  t: {type: point, of: p.x+, record: position}
  e: {type: energy, record: strain}
analysis: {type: static}
)");
    const std::size_t last = rest.rows() - 1;
    const double c = std::cos(std::stod(row.angle)), s = std::sin(std::stod(row.angle));
    const std::string axis = row.axis;
    const double x = axis == "[1, 0, 0]" ? 1.1 : 1.1 * c, y = axis == "[0, 0, 1]" ? 1.1 * s : 0,
                 z = axis == "[0, 1, 0]" ? -1.1 * s : 0;
    CHECK(rest.at("t.position.x", last) == Approx(x).margin(1e-6));
    CHECK(rest.at("t.position.y", last) == Approx(y).margin(1e-6));
    CHECK(rest.at("t.position.z", last) == Approx(z).margin(1e-6));
    CHECK(rest.at("e.strain", last) == Approx(0).margin(1e-6));
  }
}

TEST_CASE("Strips of shells and of bricks are twisted by prescribed angles with all their turns", "[serial]") {
  const auto folder = test::fresh_folder("twisted-strip");
  // Moment of a thin strip whose ends come nearer: St. Venant's, and the stretched edges' (E. Trefftz; S. Timoshenko, 1941):
  // G J k + E t b^5 k^3 / 360. Ends that do not warp make a strip of this length stiffer by a few per cent.
  const double E = 2e9, G = E / 2.6, b = 0.05, t = 0.01, J = b * t * t * t / 3 * (1 - 0.63 * t / b);
  const std::string bodies[] = {
      "{type: shell, plate: {size: [1, 0.05], elements: [40, 4]}, thickness: 0.01, material: m, position: [0, -0.025, 0]}",
      "{type: solid, box: {size: [1, 0.05, 0.01], elements: [30, 4, 2]}, material: m, position: [0, -0.025, -0.005]}"};
  for (const double angle : {0.5 * pi, pi, 1.5 * pi, -1.8 * pi})
    for (const std::string& body : bodies) {
      INFO(body << " by " << angle);
      const test::Table rest = rest_of(folder, R"(sinew: 1
materials: {m: {density: 1000, youngs_modulus: 2e9, poissons_ratio: 0.3}}
bodies: {s: )" + body + R"(}
joints:
  c: {type: fixed, connect: [ground, s.x-]}
  e: {type: cylindrical, connect: [ground, s.x+], axis: [1, 0, 0]}
  d: {type: motion, of: e, angle: )" + std::to_string(angle) +
                                                   R"(}
sensors:
  d: {type: joint, of: d, record: moment.x}
  e: {type: energy, record: strain}
analysis: {type: static}
)");
      const std::size_t last = rest.rows() - 1;
      const double k = angle, moment = G * J * k + E * t * std::pow(b, 5) * k * k * k / 360;
      const double energy = G * J * k * k / 2 + E * t * std::pow(b, 5) * std::pow(k, 4) / 1440;
      CHECK(rest.at("d.moment.x", last) == Approx(-moment).epsilon(0.1));
      CHECK(rest.at("e.strain", last) == Approx(energy).epsilon(0.1));
    }
}
