#include "tests/program/cantilever.hpp"
#include "tests/program/table.hpp"

#include <cmath>

using namespace sinew;
using test::rows_of;

namespace {

/// The last row of sensors.csv of a model that is brought to rest.
std::vector<double> at_rest(const std::string& name, const std::string& model) {
  const auto folder = test::fresh_folder("prescribed-rest-" + name);
  test::write_file(folder / "model.yaml", model);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
  INFO(name << ": " << outcome.said);
  REQUIRE(outcome.code == 0);
  return rows_of(folder / "model.out" / "sensors.csv").back();
}

/// A cantilever of length 1 with 24 elements, of E = 2 GPa and nu = 0, whose end is lifted by d.
std::string lifted(const std::string& body, double d, const std::string& analysis) {
  const bool is_beam = body.find("beam") != std::string::npos;
  const std::string start = is_beam ? "b.start" : "b.x-", end = is_beam ? "b.end" : "b.x+";
  return "sinew: 1\nconstants: {d: " + std::to_string(d) + "}\nanalysis: " + analysis + "\nbodies: {b: " + body + "}\n" + R"(
materials: {m: {density: 1000, youngs_modulus: 2e9, poissons_ratio: 0}}
sections: {s: {shape: rectangle, width: 0.1, height: 0.002}}
joints:
  a: {type: clamp, connect: [ground, )" +
         start + "]}\n  m: {type: motion, connect: [ground, " + end + R"(], axis: [0, 0, 1], displacement: d}
sensors:
  m: {type: joint, of: m, record: force.z}
  p: {type: point, of: )" +
         end + ", record: displacement.x}\n";
}

const std::string shell = "{type: shell, plate: {size: [1, 0.1], elements: [24, 2]}, thickness: 0.002, material: m}";
const std::string beam = "{type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 24}, section: s, material: m}";
const std::string solid =
    "{type: solid, box: {size: [1, 0.1, 0.02], elements: [24, 1, 1]}, material: m, position: [0, -0.05, -0.01]}";

/// A cube of neo-Hookean rubber, W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2, pressed to the stretch `l3` by a plate. It
/// slides on the plate, or is bonded to it and to the ground.
std::string pressed(double l3, bool is_bonded, const std::string& unstable) {
  const std::string sliding = R"(
  a: {type: clamp, connect: [ground, s.x-], components: x}
  b: {type: clamp, connect: [ground, s.y-], components: y}
  c: {type: clamp, connect: [ground, s.z-], components: z}
  d: {type: clamp, connect: [plate, s.z+], components: z})";
  const std::string bonded = R"(
  a: {type: clamp, connect: [ground, s.z-]}
  d: {type: clamp, connect: [plate, s.z+]})";
  const std::string head = "sinew: 1\nconstants: {l: " + std::to_string(l3) + "}\n";
  return head + "analysis: {type: static, unstable: " + unstable + "}" + R"(
materials: {m: {density: 1100, youngs_modulus: 2e6, poissons_ratio: 0.45, law: neo-hookean}}
bodies:
  plate: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0.5, 0.5, 1]}
  s: {type: solid, box: {size: [1, 1, 1], elements: [2, 2, 2], element: )" +
         (is_bonded ? "hex20" : "hex27") + "}, material: m}\njoints:" + (is_bonded ? bonded : sliding) + R"(
  p: {type: prismatic, connect: [ground, plate], axis: [0, 0, 1]}
  t: {type: motion, of: p, displacement: l - 1}
sensors: {t: {type: joint, of: t, record: force.z}}
)";
}

constexpr double mu = 2e6 / 2.9, lame = 2e6 * 0.45 / (1.45 * 0.1);

/// The force on that cube where it slides. The stretch l across makes no stress: mu (l^2 - 1) + lambda ln J = 0, J = l^2 l3.
double sliding_force(double l3) {
  double low = 1, high = 3;
  for (int i = 0; i < 100; ++i) {
    const double l = 0.5 * (low + high);
    (mu * (l * l - 1) + lame * std::log(l * l * l3) < 0 ? low : high) = l;
  }
  return -(mu * (l3 * l3 - 1) + lame * std::log(low * low * l3)) / l3;
}

}  // namespace

TEST_CASE("An end that is lifted bends the member, whatever of it the joint holds", "[serial]") {
  // 3 EI d/L^3 and 3/5 d^2/L: what large turns add is 1.2 (d/L)^2 of the force
  for (const double d : {0.03, 0.04, 0.05, 0.06})
    for (const std::string& body : {shell, beam, solid}) {
      const double height = body == solid ? 0.02 : 0.002;
      const auto row = at_rest("lifted", lifted(body, d, "{type: static}"));
      INFO(body << " lifted by " << d);
      CHECK(std::abs(row[1]) == Approx(3 * 2e9 * 0.1 * std::pow(height, 3) / 12 * d).epsilon(0.01));
      CHECK(row[2] == Approx(-0.6 * d * d).epsilon(0.01));
    }
}

TEST_CASE("Prescribed displacements come on in as many increments as loads", "[serial]") {
  const auto folder = test::fresh_folder("prescribed-rest-steps");
  test::write_file(folder / "model.yaml", lifted(shell, 0.05, "{type: static, steps: 5}"));
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  test::check_contains(outcome.said, "state of rest: 5 increments");
  const auto rows = rows_of(folder / "model.out" / "sensors.csv");
  REQUIRE(rows.size() == 6);
  for (std::size_t n = 1; n < 6; ++n) {
    CHECK(rows[n][0] == Approx(0.2 * static_cast<double>(n)));
    CHECK(std::abs(rows[n][1]) == Approx(std::abs(rows[5][1]) * 0.2 * static_cast<double>(n)).epsilon(0.01));
  }
}

TEST_CASE("A strip that is shortened bows out as the elastica does", "[serial]") {
  const auto strip = [](double c) {
    return "sinew: 1\nconstants: {c: " + std::to_string(c) + R"(}
materials: {st: {density: 7850, youngs_modulus: 2e11, poissons_ratio: 0}}
bodies: {b: {type: shell, plate: {size: [1, 0.1], elements: [24, 2]}, thickness: 0.001, material: st}}
joints:
  a: {type: clamp, connect: [ground, b.x-]}
  m: {type: motion, connect: [ground, b.x+], axis: [1, 0, 0], displacement: -c}
  z: {type: coordinate-fixed, connect: [ground, b.x+], direction: [0, 0, 1]}
  y: {type: coordinate-fixed, connect: [ground, b.x+], direction: [0, 1, 0]}
forces: {n: {type: pressure, on: b.surface, pressure: -0.01}}
sensors: {m: {type: joint, of: m, record: force.x}, mid: {type: point, of: "b.node[37]", record: position.z}}
analysis: {type: static}
)";
  };
  // EI theta'' = -P sin theta - V cos theta, clamped at one end, hinged at the other, which comes nearer by c: P L^2/EI and the
  // height in the middle, by collocation to 1e-8
  constexpr double EI = 2e11 * 0.1 * 1e-9 / 12;
  const double known[][3] = {{0.08, 20.80426, 0.159044}, {0.1, 20.95864, 0.176523}, {0.2, 21.72120, 0.240182}};
  for (const auto& [c, force, height] : known) {
    const auto row = at_rest("strip", strip(c));
    INFO(c);
    CHECK(row[1] == Approx(force * EI).epsilon(0.01));
    CHECK(std::abs(row[2]) == Approx(height).epsilon(0.005));
  }
}

TEST_CASE("A column of beams between hinges that is shortened bows out as the elastica does", "[serial]") {
  const auto column = [](double c) {
    return "sinew: 1\nconstants: {c: " + std::to_string(c) + R"(}
materials: {st: {density: 7850, youngs_modulus: 2e11, poissons_ratio: 0.3}}
sections: {s: {shape: rectangle, width: 0.02, height: 0.001}}
bodies:
  b: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 12}, section: s, material: st}
  sl: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}
joints:
  a: {type: revolute, connect: [ground, b.start], axis: [0, 1, 0]}
  c: {type: revolute, connect: [sl, b.end], axis: [0, 1, 0]}
  p: {type: prismatic, connect: [ground, sl], axis: [1, 0, 0]}
  m: {type: motion, of: p, displacement: -c}
forces: {n: {type: line-load, on: b, vector: [0, 0, 1e-4]}}
sensors: {m: {type: joint, of: m, record: force.x}, mid: {type: point, of: "b.node[12]", record: position.z}}
analysis: {type: static}
)";
  };
  for (const double c : {0.05, 0.08, 0.1, 0.15, 0.2}) {
    // P = 4 K(k)^2 EI/L^2, height k L/K(k), 2 E(k)/K(k) - 1 = 1 - c
    double low = 0, high = 0.9;
    for (int i = 0; i < 100; ++i) {
      const double k = 0.5 * (low + high);
      (2 * std::comp_ellint_2(k) / std::comp_ellint_1(k) - 1 > 1 - c ? low : high) = k;
    }
    const double K = std::comp_ellint_1(low), EI = 2e11 * 0.02 * 1e-9 / 12;
    const auto row = at_rest("column", column(c));
    INFO(c);
    CHECK(row[1] == Approx(4 * K * K * EI).epsilon(2e-3));
    CHECK(row[2] == Approx(low / K).epsilon(2e-3));
  }
}

TEST_CASE("Rubber is pressed as far as its law goes", "[serial]") {
  CHECK(at_rest("pressed", pressed(0.45, false, "leave"))[1] == Approx(sliding_force(0.45)).epsilon(1e-6));
  // the free surfaces may wrinkle from a stretch of .44 on (Biot 1963): the even state is not stable any more
  for (const double l3 : {0.4, 0.3})
    CHECK(at_rest("pressed", pressed(l3, false, "keep"))[1] == Approx(sliding_force(l3)).epsilon(1e-6));
  // bonded, it is stiffer than where it slides, and softer than where it cannot go sideways anywhere
  const double bonded = at_rest("bonded", pressed(0.85, true, "leave"))[1];
  CHECK(bonded > sliding_force(0.85));
  CHECK(bonded < -(mu * (0.85 * 0.85 - 1) + lame * std::log(0.85)) / 0.85);
}
