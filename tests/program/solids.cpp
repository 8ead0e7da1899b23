// Large solids are solved by iterations: here small ones are, and must come out as by factors.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

using namespace sinew;

namespace {

/// A steel rod between two rigid bodies, whose faces move as their means do.
const char* const slider_crank = R"(sinew: 1
constants: {r: 0.15, L: 0.4, w: 0.02, speed: 60}
gravity: [0, 0, -9.81]
materials: {steel: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}
bodies:
  crank: {type: rigid, mass: 0.5, inertia: [1e-4, 1e-3, 1e-3], position: [r/2, 0, 0], velocity: [0, 0, -speed*r/2],
          angular_velocity: [0, speed, 0], points: {hub: [-r/2, 0, 0], pin: [r/2, 0, 0]}}
  rod: {type: solid, box: {size: [L, w, w], elements: [12, 2, 2]}, material: steel, position: [r, -w/2, -w/2],
        velocity: [speed*r/L*w/2, 0, -speed*r], angular_velocity: [0, -speed*r/L, 0]}
  slider: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [r+L, 0, 0]}
joints:
  hub: {type: revolute, connect: [ground, crank.hub], axis: [0, 1, 0]}
  crank-pin: {type: revolute, connect: [crank.pin, rod.x-], axis: [0, 1, 0]}
  slider-pin: {type: spherical, connect: [slider, rod.x+]}
  guide: {type: prismatic, connect: [ground, slider], axis: [1, 0, 0]}
sensors:
  place: {type: point, of: slider}
  gap: {type: constraint}
analysis: {end_time: 0.005, step: 5e-4}
)";

/// Of the joints at the rod's faces and of the guide: the border's matrix is not symmetric then.
const char* const friction = R"(forces:
  at-crank-pin: {type: friction, of: crank-pin, coefficient: 0.2, radius: 0.01, transition_speed: 0.01}
  at-slider-pin: {type: friction, of: slider-pin, coefficient: 0.2, radius: 0.01, transition_speed: 0.01}
  at-guide: {type: friction, of: guide, coefficient: 0.2, transition_speed: 0.1}
)";

/// Blades on a hub that turns: columns of the border for all of them at once.
const char* const rotor = R"(sinew: 1
constants: {N: 3}
materials: {rubber: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies:
  hub: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], angular_velocity: [0, 0, 5]}
  "blade{i}": {repeat: {i: 1..N}, type: solid, box: {size: [1, 0.1, 0.1], elements: [8, 2, 2]}, material: rubber,
               position: [0.1, 0.5*i, -0.05], velocity: [-5*0.5*i, 0.5, 0], angular_velocity: [0, 0, 5]}
joints:
  axle: {type: revolute, connect: [ground, hub], axis: [0, 0, 1]}
  "root{i}": {repeat: {i: 1..N}, type: fixed, connect: [hub, "blade{i}.x-"]}
sensors:
  place: {type: point, of: blade2.x+}
  gap: {type: constraint}
analysis: {end_time: 0.05, step: 5e-3}
)";

/// A clamped block, whose pinned dofs are no part of the iterations.
const char* const block = R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {rubber: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies:
  block: {type: solid, box: {size: [2, 0.5, 0.5], elements: [24, 6, 6]}, material: rubber}
joints:
  wall: {type: clamp, connect: [ground, block.x-]}
sensors:
  place: {type: point, of: block.x+}
  gap: {type: constraint}
analysis: {end_time: 0.05, step: 0.01}
)";

/// A block with so many bodies attached that columns of the border are not kept whole.
const char* const laden = R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {rubber: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies:
  block: {type: solid, box: {size: [2, 0.5, 0.5], elements: [12, 3, 3]}, material: rubber,
          points: {p1: [0.15, 0.25, 0], p2: [0.30, 0.25, 0], p3: [0.45, 0.25, 0], p4: [0.60, 0.25, 0], p5: [0.75, 0.25,
                   0], p6: [0.90, 0.25, 0], p7: [1.05, 0.25, 0], p8: [1.20, 0.25, 0], p9: [1.35, 0.25, 0], p10: [1.50,
                   0.25, 0], p11: [1.65, 0.25, 0], p12: [1.80, 0.25, 0]}}
  "load{i}": {repeat: {i: 1..12}, type: rigid, mass: 1, inertia: [1e-2, 1e-2, 1e-2], position: [0.15*i, 0.25, -0.1],
              points: {top: [0, 0, 0.1]}}
joints:
  wall: {type: clamp, connect: [ground, block.x-]}
  "hook{i}": {repeat: {i: 1..12}, type: spherical, connect: ["block.p{i}", "load{i}.top"]}
sensors:
  place: {type: point, of: block.x+}
  gap: {type: constraint}
analysis: {end_time: 0.05, step: 0.01}
)";

/// A free body between two blocks, one clamped to it by two faces that share an edge, and a body that is held by the other's
/// face: dofs that bodies carry, on whatever rank these are, and rows that say the same.
const char* const carried = R"(sinew: 1
gravity: [0, 0, -9.81]
materials: {rubber: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
bodies:
  hub: {type: rigid, mass: 20, inertia: [1, 2, 3], position: [-0.2, 0, 0.1], angular_velocity: [0.5, 1, 2]}
  block: {type: solid, box: {size: [0.8, 0.4, 0.4], elements: [8, 4, 4]}, material: rubber}
  other: {type: solid, box: {size: [0.6, 0.4, 0.4], elements: [6, 4, 4]}, material: rubber, position: [-1, 0, 0]}
  tail: {type: rigid, mass: 10, inertia: [1, 1, 1], position: [-1.2, 0.2, 0.2]}
joints:
  end: {type: clamp, connect: [hub, block.x-]}
  side: {type: clamp, connect: [hub, block.y-]}
  flange: {type: clamp, connect: [hub, other.x+]}
  tail: {type: clamp, connect: [tail, other.x-]}
sensors:
  place: {type: point, of: block.x+}
  gap: {type: constraint}
analysis: {end_time: 0.05, step: 0.01}
)";

struct Solved {
  double x, y, z;
};

/// Where the sensor ends. `said`: what is to be told of the solver.
Solved end_of(const std::filesystem::path& folder, const std::string& options, int ranks, const std::string& said) {
  const test::Outcome run = test::run_sinew(folder, "run model.yaml -o out -sinew_ksp_view " + options, ranks);
  INFO(options << " on " << ranks << " ranks:\n" << run.said);
  REQUIRE(run.code == 0);
  test::check_contains(run.said, said);
  const test::Table table(folder / "out" / "sensors.csv");
  const std::size_t last = table.rows() - 1;
  CHECK(table.at("gap.position", last) < 1e-9);
  CHECK(table.at("gap.velocity", last) < 1e-8);
  return {table.at("place.position.x", last), table.at("place.position.y", last), table.at("place.position.z", last)};
}

}  // namespace

TEST_CASE("solids solved by iterations, their joints exactly, move as by factors, on any number of ranks", "[serial]") {
  const struct {
    std::string name, model;
  } cases[] = {{"slider-crank", slider_crank},
               {"rubbing slider-crank", std::string(slider_crank) + friction},
               {"rotor", rotor},
               {"block", block},
               {"laden block", laden},
               {"carried blocks", carried}};
  for (const auto& [name, model] : cases) {
    const auto folder = test::fresh_folder("solids-" + name);
    test::write_file(folder / "model.yaml", model);
    const Solved expected = end_of(folder, "-sinew_solids factors", 0, "mumps");
    for (const int ranks : {0, 2, 3}) {
      const Solved found = end_of(folder, "-sinew_solids iterations", ranks, "FGMRES");
      INFO(name << " on " << ranks << " ranks");
      CHECK(found.x == Approx(expected.x).margin(1e-9));
      CHECK(found.y == Approx(expected.y).margin(1e-9));
      CHECK(found.z == Approx(expected.z).margin(1e-9));
    }
  }
}

/// Dampers tie accelerations to what holds the velocities; both are found together. One after the other they took eight solutions
/// a step.
TEST_CASE("damped solids solved by iterations move as by factors, in hardly more iterations than undamped ones", "[serial]") {
  const auto folder = test::fresh_folder("solids-damped");
  test::write_file(folder / "model.yaml", slider_crank);
  const std::string record = "--set 'sensors.place.record=[position, velocity]' ";
  const auto end_with = [&](const std::string& damping, const std::string& solver) {
    const test::Outcome run = test::run_sinew(folder, "run model.yaml -o out " + record + damping + "-sinew_solids " + solver);
    INFO(run.said);
    REQUIRE(run.code == 0);
    const test::Table steps(folder / "out" / "steps.csv"), places(folder / "out" / "sensors.csv");
    double newton = 0;
    for (std::size_t k = 0; k < steps.rows(); ++k) newton += steps.at("newton", k) / static_cast<double>(steps.rows());
    return std::pair(places.at("place.velocity.x", places.rows() - 1), newton);
  };
  const std::string damping = "--set 'materials.steel.damping={alpha: 0.5, beta: 1e-5}' ";
  const auto plain = end_with("", "iterations"), damped = end_with(damping, "iterations");
  const auto by_factors = end_with(damping, "factors");
  CHECK(damped.first == Approx(by_factors.first).margin(1e-6));  // of 9 m/s
  INFO("iterations of Newton's method a step: " << plain.second << ", damped " << damped.second);
  CHECK(damped.second < plain.second + 2);
}

// Tractions that are linear over the face, from shape functions of any kind: a bar turns by M L/(E I).
TEST_CASE("a moment on a face turns a bar as far as it should, whatever its elements", "[serial]") {
  const auto folder = test::fresh_folder("moment-on-face");
  for (const std::string element : {"hex8", "hex20", "hex27"}) {
    for (const std::string section : {"1, 1", "2, 1"}) {
      test::write_file(folder / "model.yaml",
                       "sinew: 1\nmaterials: {s: {density: 7800, youngs_modulus: 2e11, poissons_ratio: 0}}\n"
                       "bodies: {b: {type: solid, box: {size: [1, 0.02, 0.01], elements: [40, " +
                           section + "], element: " + element +
                           "}, material: s}}\njoints: {w: {type: fixed, connect: [ground, b.x-]}}\n"
                           "forces: {p: {type: torque, on: b.x+, vector: [0, -1, 0]}}\n"
                           "sensors: {t: {type: point, of: b.x+, record: [displacement]}}\nanalysis: {type: static}\n");
      const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out --quiet");
      INFO(element << ", " << section << '\n' << outcome.said);
      REQUIRE(outcome.code == 0);
      const test::Table table(folder / "out" / "sensors.csv");
      const double bent = 1 / (2 * 2e11 * 0.02 * 1e-6 / 12);  // M L^2/(2 E I)
      CHECK(table.at("t.displacement.z", table.rows() - 1) == Approx(bent).epsilon(1e-4));
    }
  }
}

TEST_CASE("how solids are solved is chosen by what factors would cost, and by option", "[serial]") {
  const auto folder = test::fresh_folder("solids-choice");
  test::write_file(folder / "model.yaml", slider_crank);
  end_of(folder, "", 0, "mumps");
  const test::Outcome misspelt = test::run_sinew(folder, "run model.yaml -o out2 -sinew_solids iteration");
  CHECK(misspelt.code == 2);
}
