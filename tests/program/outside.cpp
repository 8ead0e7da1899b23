// Models as an engineer from outside made them, with answers in closed form, each of which went wrong once.

#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>
#include <numbers>

using namespace sinew;

namespace {

constexpr double pi = std::numbers::pi;

test::Table run(const std::filesystem::path& folder, const std::string& model, const char* table = "sensors.csv") {
  test::write_file(folder / "model.yaml", model);
  const std::string out = std::string(table) + ".out";
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o " + out);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  return test::Table(folder / out / table);
}

/// A square steel plate of 1 m and 10 mm, clamped along all edges: the clamps share the nodes of the corners.
std::string plate(const std::string& analysis) {
  return R"(sinew: 1
materials: {s: {density: 7800, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}
bodies: {b: {type: solid, box: {size: [1, 1, 0.01], elements: [16, 16, 1]}, material: s, points: {c: [0.5, 0.5, 0.005]}}}
joints:
  w: {type: clamp, connect: [ground, "b.x-"]}
  e: {type: clamp, connect: [ground, "b.x+"]}
  s: {type: clamp, connect: [ground, "b.y-"]}
  n: {type: clamp, connect: [ground, "b.y+"]}
forces: {p: {type: pressure, on: "b.z+", pressure: 1000}}
sensors:
  c: {type: point, of: b.c, record: displacement.z}
  w: {type: joint, of: w, record: force.z}
  e: {type: joint, of: e, record: force.z}
  s: {type: joint, of: s, record: force.z}
  n: {type: joint, of: n, record: force.z}
analysis: )" +
         analysis + "\n";
}

}  // namespace

TEST_CASE("A plate whose clamped edges share its corners comes to rest under pressure and vibrates", "[serial]") {
  const auto folder = test::fresh_folder("clamped-plate");
  const double D = 2.1e11 * 1e-6 / 12 / (1 - 0.09);
  const test::Table rest = run(folder, plate("{type: static}"));
  const std::size_t last = rest.rows() - 1;
  CHECK(last == 1);                                                                        // one increment
  CHECK(rest.at("c.displacement.z", last) == Approx(-0.001265 * 1000 / D).epsilon(0.05));  // S. Timoshenko, thin plates
  const double sum =
      rest.at("w.force.z", last) + rest.at("e.force.z", last) + rest.at("s.force.z", last) + rest.at("n.force.z", last);
  CHECK(sum == Approx(-1000).epsilon(1e-9));
  CHECK(rest.at("w.force.z", last) == Approx(rest.at("n.force.z", last)).epsilon(1e-6));
  std::string shaken = plate("{type: modes, count: 3}");
  shaken.erase(shaken.find("forces:"), shaken.find("sensors:") - shaken.find("forces:"));
  const test::Table modes = run(folder, shaken, "modes.csv");
  const double unit = std::sqrt(D / 78);
  CHECK(modes.at("omega", 0) == Approx(35.99 * unit).epsilon(0.03));  // A. W. Leissa, Vibration of plates, 1969
  CHECK(modes.at("omega", 1) == Approx(73.41 * unit).epsilon(0.06));
  CHECK(modes.at("omega", 2) == Approx(modes.at("omega", 1)).epsilon(1e-6));
}

TEST_CASE("A beam is wound up by a prescribed angle with all its turns", "[serial]") {
  const auto folder = test::fresh_folder("wound-beam");
  const auto model = [](const std::string& angle, const std::string& more, const std::string& analysis) {
    return R"(sinew: 1
sections: {s: {stiffness: [1e6, 1e6, 1e6, 5, 1e3, 1e3], inertia: [1, 1, 1, 1e-3, 1e-3, 1e-3]}}
bodies: {b: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: 8}, section: s}}
joints:
  a: {type: clamp, connect: [ground, b.start]}
  e: {type: cylindrical, connect: [ground, b.end], axis: [1, 0, 0]}
  d: {type: motion, of: e, angle: ")" +
           angle + R"("}
sensors:
  d: {type: joint, of: d, record: moment.x}
  n: {type: energy, record: strain}
)" + more +
           "analysis: " + analysis + "\n";
  };
  const std::string turn = "  r: {type: relative, of: e, record: angle}\n";
  for (const char* angle : {"2", "3.2", "5", "-12.6"})
    for (const std::string& sensor : {std::string(), turn}) {
      INFO("angle " << angle << sensor);
      const double phi = std::stod(angle);
      const test::Table rest = run(folder, model(angle, sensor, "{type: static}"));
      CHECK(rest.at("d.moment.x", rest.rows() - 1) == Approx(-5 * phi).epsilon(1e-9));
      CHECK(rest.at("n.strain", rest.rows() - 1) == Approx(2.5 * phi * phi).epsilon(1e-9));
      if (!sensor.empty()) CHECK(rest.at("r.angle", rest.rows() - 1) == Approx(phi));
    }
  const test::Table moving = run(folder, model("5 + t", turn, "{initial: static, end_time: 0.01, step: 1e-3}"));
  CHECK(moving.at("r.angle", 0) == Approx(5));
  CHECK(moving.at("r.angle", moving.rows() - 1) == Approx(5.01));
  CHECK(moving.at("n.strain", 0) == Approx(2.5 * 25));
}

TEST_CASE("Modes of a damped bar with many alike are found whatever LAPACK makes of their sorting", "[serial]") {
  const auto folder = test::fresh_folder("damped-bar");
  const test::Table modes = run(folder, R"(sinew: 1
materials: {s: {density: 1000, youngs_modulus: 1e8, poissons_ratio: 0, viscosity: 20000}}
bodies: {b: {type: solid, box: {size: [1, 0.1, 0.1], elements: [10, 1, 1], element: hex20}, material: s}}
joints: {a: {type: clamp, connect: [ground, "b.x-"]}}
analysis: {type: modes, count: 14}
)",
                                "modes.csv");
  const double omega = pi / 2 * std::sqrt(1e5);  // of its first wave along itself
  double nearest = 0;
  std::size_t at = 0;
  for (std::size_t k = 0; k < modes.rows(); ++k)
    if (std::abs(modes.at("omega", k) - omega) < std::abs(nearest - omega)) nearest = modes.at("omega", at = k);
  CHECK(modes.rows() == 14);
  CHECK(nearest == Approx(omega).epsilon(1e-4));
  CHECK(modes.at("damping_ratio", at) == Approx(20000 * omega / 2e8).epsilon(1e-4));
}

TEST_CASE("Moments and speeds that are nothing but rounding do not keep a global tolerance from being met", "[serial]") {
  const auto folder = test::fresh_folder("planar-global");
  const test::Table motion = run(folder, R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  a: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.4, 0, -0.1], points: {a: [-0.4, 0, 0.1], b: [0.3, 0, -0.1]}}
  b: {type: rigid, mass: 1, inertia: [0.05, 0.05, 0.05], position: [0.9, 0, -0.3], points: {a: [-0.2, 0, 0.1]}}
  still: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 5, 0]}
joints:
  a: {type: revolute, connect: [ground, a.a], axis: [0, 1, 0]}
  b: {type: revolute, connect: [a.b, b.a], axis: [0, 1, 0]}
  s: {type: fixed, connect: [ground, still]}
sensors:
  a: {type: joint, of: a}
  b: {type: joint, of: b}
  tip: {type: point, of: b, record: [position, velocity, angular_velocity]}
analysis: {end_time: 0.5, step: {global: 1e-2}}
)");
  CHECK(motion.at("time", motion.rows() - 1) == 0.5);
  CHECK(motion.rows() < 2000);
}

TEST_CASE("A solid on a damped beam takes the same iterations in metres and in millimetres", "[serial]") {
  const auto folder = test::fresh_folder("solid-in-millimetres");
  const auto model = [](double l, double s) {
    const auto number = [](double x) { return std::to_string(x * 1e12) + "*1e-12"; };
    const auto at = [&](double x, double y, double z) {
      std::ostringstream text;
      text << '[' << number(x * l) << ", " << number(y * l) << ", " << number(z * l) << ']';
      return text.str();
    };
    const auto density = [&](double rho) { return number(rho * s / l / l / l); };
    return "sinew: 1\ngravity: " + at(0, 0, -9.81) + "\nmaterials:\n  al: {density: " + density(2700) +
           ", youngs_modulus: " + number(7e8 * s / l) +
           ", poissons_ratio: 0.33, damping: {alpha: 0.1, beta: 1e-4}}\n  ru: {density: " + density(1100) +
           ", youngs_modulus: " + number(2e6 * s / l) +
           ", poissons_ratio: 0.4}\nsections: {bar: {shape: rectangle, width: " + number(0.02 * l) +
           ", height: " + number(0.01 * l) + "}}\nbodies:\n  base: {type: rigid, mass: " + number(2 * s) + ", inertia: [" +
           number(0.1 * s * l * l) + ", " + number(0.1 * s * l * l) + ", " + number(0.1 * s * l * l) +
           "], position: [0, 0, 0], points: {h: " + at(0.1, 0, 0) + ", q: " + at(-0.1, 0, 0) +
           "}}\n  arm: {type: beam, line: {from: " + at(0.1, 0, 0) + ", to: " + at(0.6, 0, 0) +
           ", elements: 3}, section: bar, material: al}\n  foot: {type: solid, box: {size: " + at(0.1, 0.05, 0.05) +
           ", elements: [2, 1, 1]}, material: ru, position: " + at(-0.2, -0.025, -0.025) +
           "}\njoints:\n  h: {type: revolute, connect: [[0, 0, 0], base], axis: [0, 1, 0]}\n"
           "  a: {type: fixed, connect: [base.h, arm.start]}\n  d: {type: fixed, connect: [base.q, \"foot.x+\"]}\n"
           "analysis: {end_time: 0.01, step: 1e-3}\n";
  };
  const test::Table metres = run(folder, model(1, 1), "steps.csv"), millimetres = run(folder, model(1000, 1e-3), "steps.csv");
  REQUIRE(metres.rows() == millimetres.rows());
  for (std::size_t k = 0; k < metres.rows(); ++k) {
    INFO("step " << k + 1);
    CHECK(metres.at("newton", k) == millimetres.at("newton", k));
  }
}

TEST_CASE("A free bar with damping keeps its six motions without stiffness and both of its first bendings, however it is divided",
          "[serial]") {
  const auto folder = test::fresh_folder("free-damped-bar");
  for (const int n : {20, 21, 24, 30}) {
    const test::Table modes = run(folder,
                                  "sinew: 1\nmaterials: {m: {density: 7800, youngs_modulus: 2e11, poissons_ratio: 0.3, damping: "
                                  "{beta: 1e-5}}}\nbodies: {b: {type: solid, box: {size: [1, 0.05, 0.05], elements: [" +
                                      std::to_string(n) + ", 2, 2]}, material: m}}\nanalysis: {type: modes, count: 8}\n",
                                  "modes.csv");
    INFO(n << " elements");
    REQUIRE(modes.rows() == 8);
    for (std::size_t k = 0; k < 6; ++k) CHECK(modes.at("omega", k) == 0);
    const double first = 22.3733 * std::sqrt(2e11 / 7800 * 0.05 * 0.05 / 12);  // Euler and Bernoulli
    CHECK(modes.at("omega", 6) == Approx(first).epsilon(0.02));
    CHECK(modes.at("omega", 7) == Approx(modes.at("omega", 6)).epsilon(1e-7));
  }
}
