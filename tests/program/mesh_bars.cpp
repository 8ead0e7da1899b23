// Error bars of the mesh, by `--refine`: what they say, against much finer meshes and closed forms; at 1, 2 and 3 ranks.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace sinew;
using test::Table;

namespace {

/// A rope between two hooks, or let go at one of them.
std::string rope(const std::string& joints, const std::string& analysis) {
  return R"(sinew: 1
constants: {N: 8}
gravity: [0, 0, -9.81]
materials: {rubber: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
sections: {round: {shape: circle, diameter: 0.04}}
bodies:
  rope: {type: cable, line: {from: [0, 0, 0], to: [0.8, 0, -0.6], elements: N}, section: round, material: rubber,
         points: {mid: {at: 0.5}}}
joints:
)" + joints +
         R"(sensors:
  tip: {type: point, of: rope.end, record: [position, velocity, acceleration]}
  mid: {type: point, of: rope.mid, record: position}
  hook: {type: joint, of: hook, record: force}
output: {sensors: {every: 0.1}}
analysis: )" +
         analysis + "\n";
}
const std::string one_hook = "  hook: {type: spherical, connect: [ground, rope.start]}\n";
const std::string two_hooks = one_hook + "  other: {type: spherical, connect: [ground, rope.end]}\n";

/// A rubber bar held at one end, which bends and twists under its weight and a load beside its axis.
std::string bar(const std::string& analysis) {
  return R"(sinew: 1
materials: {rubber: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3}}
gravity: [0, 0, -9.81]
bodies:
  bar: {type: solid, box: {size: [0.6, 0.1, 0.1], elements: [6, 1, 1]}, material: rubber}
  load: {type: rigid, mass: 0.5, inertia: [1e-3, 1e-3, 1e-3], position: [0.6, 0.25, 0.05]}
joints:
  root: {type: fixed, connect: [ground, "bar.x-"]}
  tie: {type: fixed, connect: ["bar.x+", load]}
sensors:
  load: {type: point, of: load, record: [position, acceleration]}
  side: {type: point, of: "bar.x+", record: position}
  root: {type: joint, of: root, record: [force, moment]}
output: {sensors: {every: 0.1}}
analysis: )" +
         analysis + "\n";
}

Table run(const std::filesystem::path& folder, const std::string& model, const std::string& choices, const std::string& output,
          int ranks = 0) {
  test::write_file(folder / "model.yaml", model);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o " + output + " " + choices, ranks);
  INFO(choices << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  return Table(folder / output / "sensors.csv");
}

/// How bars stand to true errors, over all values that err at all.
struct Judgement {
  long values = 0, below = 0;
  std::vector<double> cautions;  ///< bar over error

  void add(double error, double bar, double size) {
    if (error < 1e-7 * size && bar < 1e-7 * size) return;
    ++values;
    if (error <= bar) ++below;
    if (error > 0) cautions.push_back(bar / error);
  }
  void check(double most_caution) {
    REQUIRE(values > 0);
    std::nth_element(cautions.begin(), cautions.begin() + static_cast<long>(cautions.size() / 2), cautions.end());
    const double median = cautions[cautions.size() / 2];
    INFO(below << " of " << values << " values below their bars, which are " << median << " times the errors in the median");
    CHECK(static_cast<double>(below) >= 0.95 * static_cast<double>(values));
    CHECK(median <= most_caution);
  }
};

/// Vectors against vectors: a bar is that of the length.
Judgement judge(const Table& found, const Table& bars, const Table& exact, const std::vector<std::string>& vectors) {
  Judgement judgement;
  REQUIRE(bars.rows() == found.rows());
  for (const std::string& vector : vectors) {
    const std::string x = vector + ".x", y = vector + ".y", z = vector + ".z";
    const double size = std::hypot(largest(exact, x), largest(exact, y), largest(exact, z));
    for (std::size_t k = 1; k < found.rows(); ++k) {
      const std::size_t same = exact.rows() == found.rows() ? k : exact.rows() - 1;
      const auto error = [&](const std::string& column) { return found.at(column, k) - exact.at(column, same); };
      judgement.add(std::hypot(error(x), error(y), error(z)), bars.at(x, k), size);
    }
  }
  return judgement;
}

const std::vector<std::string> of_rope = {"tip.position", "tip.velocity", "tip.acceleration", "mid.position", "hook.force"};
const std::vector<std::string> of_bar = {"load.position", "side.position", "root.moment"};

}  // namespace

TEST_CASE("A hanging cable says how far its mesh lets trust it, at rest", "[serial]") {
  const auto folder = test::fresh_folder("mesh-bars-rest");
  const std::string model = rope(two_hooks, "{type: static, steps: 1}");
  const Table exact = run(folder, model, "--set constants.N=128", "fine");
  for (const std::string levels : {"8", "8,16"}) {
    const Table found = run(folder, model, "--set constants.N=4 --refine constants.N=" + levels, "bars");
    // order 4, of which one finer level knows nothing
    judge(found, Table(folder / "bars" / "errors.csv"), exact, {"mid.position", "hook.force"}).check(levels == "8" ? 25 : 4);
  }
}

TEST_CASE("A cable that swings says how far its mesh lets trust it", "[serial]") {
  const auto folder = test::fresh_folder("mesh-bars-swing");
  const std::string model = rope(one_hook, "{end_time: 0.8, step: 4e-3}");
  const Table exact = run(folder, model, "--set constants.N=64", "fine");
  for (const std::string levels : {"8", "8,16"}) {
    const std::string finest = levels == "8" ? "8" : "16";
    const Table plain = run(folder, model, "--set constants.N=" + finest, "plain");
    const Table found = run(folder, model, "--set constants.N=4 --refine constants.N=" + levels, "bars");
    for (const std::string& vector : of_rope) CHECK(found.at(vector + ".x", 8) == plain.at(vector + ".x", 8));
    // waves that the coarsest mesh does not carry make the order seem low, and the bars wide
    judge(found, Table(folder / "bars" / "errors.csv"), exact, of_rope).check(20);
  }
}

TEST_CASE("A solid that bends and twists says how far its mesh lets trust it", "[serial]") {
  const auto folder = test::fresh_folder("mesh-bars-solid");
  const std::string key = "bodies.bar.box.elements=";
  const auto judged = [&](const std::string& analysis, const std::string& finest, const std::string& choices,
                          const std::string& formulation = "displacement") {
    const std::string element = " --set bodies.bar.formulation=" + formulation;
    const Table exact = run(folder, bar(analysis), "--set '" + key + finest + "'" + element, "fine");
    const Table found = run(folder, bar(analysis), choices + element, "bars");
    return judge(found, Table(folder / "bars" / "errors.csv"), exact, of_bar);
  };
  const std::string rest = "{type: static, steps: 1}", motion = "{end_time: 0.3, step: 1e-2}";
  judged(rest, "[48, 8, 8]", "--refine '" + key + "[12,2,2]'").check(4);
  judged(rest, "[48, 8, 8]", "--set '" + key + "[12,2,2]' --refine '" + key + "[18,3,3],[24,4,4]'").check(5);
  judged(motion, "[24, 4, 4]", "--refine '" + key + "[12,2,2]'").check(4);
  // One enhanced element across is right by luck, beside which two seem to have nothing left to gain: two are the least.
  judged(rest, "[48, 8, 8]", "--set '" + key + "[12,2,2]' --refine '" + key + "[24,4,4]'", "enhanced").check(10);
}

TEST_CASE("Bars of steps and mesh are added up, whatever the number of ranks", "[serial]") {
  const auto folder = test::fresh_folder("mesh-bars-sum");
  const std::string steps = "--set analysis.error_bars=true", meshes = "--set constants.N=4 --refine constants.N=8";
  const std::string model = rope(one_hook, "{end_time: 0.2, step: 4e-3}");
  run(folder, model, "--set constants.N=8 " + steps, "steps");
  run(folder, model, meshes, "mesh");
  for (const int ranks : {1, 2, 3}) {
    run(folder, model, steps + " " + meshes, "both", ranks);
    const Table a(folder / "steps" / "errors.csv"), b(folder / "mesh" / "errors.csv"), sum(folder / "both" / "errors.csv");
    REQUIRE(sum.rows() == a.rows());
    for (const std::string& vector : of_rope)
      for (std::size_t k = 1; k < sum.rows(); ++k)
        CHECK(sum.at(vector + ".z", k) == Approx(a.at(vector + ".z", k) + b.at(vector + ".z", k)).epsilon(1e-3));
    const std::string record = test::file_text(folder / "both" / "run.json");
    for (const char* key : {"\"worst_by_steps\"", "\"worst_by_mesh\"", "\"quantity\"", "\"mesh_levels\": 2"})
      test::check_contains(record, key);
  }
}

TEST_CASE("A tolerance that error bars keep has a mesh to go with it", "[serial]") {
  const auto folder = test::fresh_folder("mesh-bars-global");
  const std::string model = rope(one_hook, "{end_time: 0.2, step: {global: 5e-2}}");
  const Table found = run(folder, model, "--set constants.N=4 --set sensors.tip.record=position --refine constants.N=8", "bars");
  CHECK(Table(folder / "bars" / "errors.csv").rows() == found.rows());
}

TEST_CASE("Frequencies and load factors have bars of their mesh, which hold against closed forms", "[serial]") {
  const auto folder = test::fresh_folder("mesh-bars-modes");
  const std::string model = R"(sinew: 1
constants: {N: 2}
materials: {steel: {density: 7800, youngs_modulus: 2e11}}
sections: {square: {shape: rectangle, width: 0.01, height: 0.01}}
bodies:
  beam: {type: cable, line: {from: [0, 0, 0], to: [0, 0, 1], elements: N}, section: square, material: steel}
joints:
  foot: {type: clamp, connect: [ground, beam.start]}
forces:
  load: {type: force, on: beam.end, vector: [0, 0, -1]}
)";
  const auto bars_of = [&](const std::string& analysis, const std::string& output) {
    test::write_file(folder / "model.yaml", model + "analysis: " + analysis + "\n");
    const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o " + output + " --refine constants.N=4,8");
    INFO(outcome.said);
    REQUIRE(outcome.code == 0);
    return Table(folder / output / "errors.csv");
  };
  const double pi = std::acos(-1.0), stiffness = 2e11 * 1e-8 / 12, mass = 7800 * 1e-4;
  const Table modes = bars_of("{type: modes, count: 2}", "modes");
  const double frequency = std::pow(1.875104068711961, 2) / (2 * pi) * std::sqrt(stiffness / mass);
  const double found = Table(folder / "modes" / "modes.csv").at("frequency", 0);
  CHECK(std::abs(found - frequency) <= modes.at("frequency", 0) + 1e-7 * frequency);
  CHECK(modes.at("frequency", 0) < 1e-4 * frequency);
  const Table factors = bars_of("{type: buckling, count: 1}", "buckling");
  const double load = pi * pi * stiffness / 4;
  const double factor = Table(folder / "buckling" / "buckling.csv").at("load_factor", 0);
  CHECK(std::abs(factor - load) <= factors.at("load_factor", 0) + 1e-4 * load);  // the cable is pressed together
  CHECK(factors.at("load_factor", 0) < 1e-3 * load);
}

TEST_CASE("A model with a shaft has bars of its mesh, and its discs stay the places that they are", "[serial]") {
  const auto folder = test::fresh_folder("mesh-bars-shaft");
  std::string model = rope(one_hook, "{end_time: 0.2, step: 4e-3}");
  model.insert(model.find("joints:"), "  drive: {type: shaft, inertia: [0.1, 0.2], stiffness: [30], speed: 3}\n");
  model += "forces:\n  motor: {type: shaft-torque, on: drive.end, value: 2}\n";
  model.insert(model.find("output:"), "  motor: {type: force, of: motor, record: angle}\n");
  run(folder, model, "--refine constants.N=16", "out");
  const Table bars(folder / "out" / "errors.csv");
  CHECK(bars.at("tip.position.z", bars.rows() - 1) > 0);
  CHECK(bars.at("motor.angle", bars.rows() - 1) < 1e-6);
}

TEST_CASE("Refinements that give no finer mesh are refused with a remedy", "[serial]") {
  const auto folder = test::fresh_folder("mesh-bars-refused");
  const std::string fixed = "  third: {type: distance, connect: [[0.5, 0, 0], \"rope.node[3]\"]}\n";
  test::write_file(folder / "model.yaml", rope(one_hook, "{end_time: 0.2, step: 4e-3}"));
  test::write_file(folder / "node.yaml", rope(one_hook + fixed, "{end_time: 0.2, step: 4e-3}"));
  const auto with_sensors = [](const std::string& sensors) {
    std::string model = rope(one_hook, "{end_time: 0.2, step: 4e-3}");
    return model.insert(model.find("output:"), sensors);
  };
  test::write_file(folder / "nodes.yaml", with_sensors("  \"m{i}\": {repeat: {i: 0..3}, type: point, of: \"rope.node[i]\"}\n"));
  test::write_file(folder / "middle.yaml",  // the first and the last one are the same places
                   with_sensors("  \"m{i}\": {repeat: {i: 0..2}, type: relative, between: [[0, 0, 1], "
                                "\"rope.node[i*N/2 + (i == 1 ? 1 : 0)]\"]}\n"));
  for (const test::Refusal& row : std::vector<test::Refusal>{
           {"run model.yaml --refine constants.N=8", {"57 unknowns", "the finest last"}},
           {"run model.yaml --refine constants.N=4", {"no finer mesh"}},
           {"run model.yaml --refine constants.N=16,12", {"no finer mesh"}},
           {"run model.yaml --refine constants.N=x", {"--refine constants.N=x", "unknown name 'x'"}},
           {"run model.yaml --refine constants.M=3", {"no constant 'M'"}},
           {"run model.yaml --refine bodies.rope.elements=3", {"unknown key 'elements'"}},
           {"run model.yaml --refine bodies.roap.line.elements=3", {"roap", "rope"}},
           {"run model.yaml --refine constants.N", {"a key and its values"}},
           {"run model.yaml --refine constants.N=16,32,64", {"one, or two"}},
           {"run model.yaml --refine constants.N=16,32 --refine constants.N=16", {"1 value", "as many values"}},
           {"run model.yaml --set 'sensors={}' --refine constants.N=16", {"add sensors"}},
           {"run node.yaml --refine constants.N=16", {"node.yaml:", "rope.node[3]", "{at: 0.375}"}},
           {"run nodes.yaml --refine constants.N=16", {"nodes.yaml:", "rope.node[i]", "node 1 of 16"}},
           {"run middle.yaml --refine constants.N=16", {"middle.yaml:", "rope.node[", "node 9 of 16"}},
           {"modes model.yaml --motion --refine constants.N=16", {"about: static"}}})
    test::check_refused(folder, row);
}

TEST_CASE("--refine takes loads that act all along a beam or cable", "[serial]") {
  const auto folder = test::fresh_folder("mesh-bars-line-load");
  const std::string model = R"yaml(sinew: 1
constants: {N: 4}
materials: {steel: {density: 7850, youngs_modulus: 2.1e11, poissons_ratio: 0.3}}
sections: {s: {shape: rectangle, width: 0.02, height: 0.02}}
bodies: {b: {type: beam, line: {from: [0, 0, 0], to: [1, 0, 0], elements: N}, section: s, material: steel}}
joints: {r: {type: clamp, connect: [ground, b.start]}}
forces: {w: {type: line-load, on: b, vector: [0, 100, 0]}}
sensors: {tip: {type: point, of: b.end, record: displacement.y}}
analysis: {type: static}
)yaml";
  const Table table = run(folder, model, "--refine constants.N=8", "out");
  // q L^4 / (8 E I), and q L^2 / (2 G A 5/6) of shear
  const double bending = 100.0 / (8 * 2.1e11 * std::pow(0.02, 4) / 12), shear = 60.0 / (2.1e11 / 2.6 * 4e-4);
  CHECK(table.at("tip.displacement.y", table.rows() - 1) == Approx(bending + shear).epsilon(1e-4));
}

// Drawn 10 m long between hooks 8 m apart: what the meshes have where they are moved onto the hooks is no state of rest.
TEST_CASE("error bars of a state of rest are those of states of rest", "[serial]") {
  const auto folder = test::fresh_folder("mesh-bars-rest");
  const std::string model = R"yaml(sinew: 1
constants: {N: 20}
gravity: [0, 0, -9.81]
sections: {r: {stiffness: [1e6, 1e6, 1e6, 1e-3, 1e-3, 1e-3], inertia: [1, 1, 1, 0, 0, 0]}}
bodies: {rope: {type: cable, line: {from: [0, 0, 0], to: [10, 0, 0], elements: N}, section: r}}
joints:
  a: {type: spherical, connect: [ground, rope.start]}
  b: {type: spherical, connect: [[8, 0, 0], rope.end]}
sensors: {s: {type: section, of: rope, at: 0.5, record: tension}}
analysis: {type: static}
)yaml";
  const Table fine = run(folder, model, "--refine constants.N=80", "fine");
  const Table table = run(folder, model, "--refine constants.N=40", "out");
  const Table bars(folder / "out" / "errors.csv");
  const std::size_t last = table.rows() - 1;
  const double error = std::abs(table.at("s.tension", last) - fine.at("s.tension", fine.rows() - 1));
  CHECK(bars.at("s.tension", bars.rows() - 1) >= error);
  CHECK(bars.at("s.tension", bars.rows() - 1) < 1e-4);
}
