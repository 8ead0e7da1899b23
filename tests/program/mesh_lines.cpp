// Cables, rings and beams whose line is a curve of a mesh, as the program runs them: beside the same lines listed in the model.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <array>
#include <cmath>
#include <iomanip>
#include <numbers>

using namespace sinew;

namespace {

namespace fs = std::filesystem;
using Place = std::array<double, 3>;

std::string digits(double value) {
  std::ostringstream text;
  text << std::setprecision(17) << value;
  return text.str();
}

/// A mesh of a curve through places, with every second one in the middle of a cell where `order` is 2; a closed one goes back to
/// the first. A face beside it, of nodes of its own, where that is asked for.
std::string mesh_text(const std::vector<Place>& places, int order, bool is_closed, bool has_face = false) {
  std::string nodes, cells;
  const int count = static_cast<int>(places.size()), num_cells = (is_closed ? count : count - 1) / order;
  for (int k = 0; k < count; ++k)
    nodes += std::to_string(k + 1) + ' ' + digits(places[static_cast<std::size_t>(k)][0]) + ' ' +
             digits(places[static_cast<std::size_t>(k)][1]) + ' ' + digits(places[static_cast<std::size_t>(k)][2]) + '\n';
  for (int c = 0; c < num_cells; ++c) {
    const int from = order * c, to = (from + order) % count;
    cells += std::to_string(c + 1) + (order == 1 ? " 1" : " 8") + " 2 1 1 " + std::to_string(from + 1) + ' ' +
             std::to_string(to + 1) + (order == 1 ? "\n" : ' ' + std::to_string(from + 2) + '\n');
  }
  if (has_face) {
    for (int k = 1; k <= 3; ++k)
      nodes += std::to_string(count + k) + ' ' + std::to_string(k % 2) + ' ' + std::to_string(k / 2) + " 9\n";
    cells += std::to_string(num_cells + 1) + " 2 2 2 2";
    for (int k = 1; k <= 3; ++k) cells += ' ' + std::to_string(count + k);
    cells += '\n';
  }
  const int extra = has_face ? 1 : 0;
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"line\"\n2 2 \"face\"\n$EndPhysicalNames\n$Nodes\n" +
         std::to_string(count + 3 * extra) + '\n' + nodes + "$EndNodes\n$Elements\n" + std::to_string(num_cells + extra) + '\n' +
         cells + "$EndElements\n";
}

/// A list of places in a model file.
std::string list_of(const std::vector<Place>& places) {
  std::string list;
  for (const Place& x : places)
    list += (list.empty() ? "[[" : ", [") + digits(x[0]) + ", " + digits(x[1]) + ", " + digits(x[2]) + ']';
  return list + ']';
}

/// A model with a body, and how it is held and what is recorded.
std::string model_of(const std::string& body, const std::string& rest) {
  return "sinew: 1\ngravity: [0, 0, -9.81]\nmaterials:\n  rubber: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3, "
         "damping: {beta: 1e-3}}\nsections:\n  hose: {shape: circle, diameter: 0.04}\nbodies:\n  " +
         body + ", section: hose, material: rubber}\n" + rest + "analysis: {end_time: 0.05, step: 0.0025}\n";
}

/// What the model records.
test::Table rows_of(const fs::path& folder, const std::string& name, const std::string& model, int ranks = 0) {
  test::write_file(folder / (name + ".yaml"), model);
  const test::Outcome outcome = test::run_sinew(folder, "run " + name + ".yaml --quiet -o " + name + ".out", ranks);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  return test::Table(folder / (name + ".out") / "sensors.csv");
}

void check_columns(const test::Table& one, const test::Table& other, const std::vector<std::string>& columns, double margin) {
  REQUIRE(one.rows() == other.rows());
  REQUIRE(one.rows() > 10);
  for (const std::string& column : columns)
    for (std::size_t row = 0; row < one.rows(); ++row) {
      INFO(column << " in row " << row);
      CHECK(one.at(column, row) == Approx(other.at(column, row)).epsilon(0).margin(margin));
    }
}

/// A sagging line in space.
std::vector<Place> sagging() {
  std::vector<Place> places;
  for (int k = 0; k <= 8; ++k) places.push_back({0.125 * k, 0.02 * k * (8 - k) / 16, 0.1 * (k * k - 8 * k) / 16});
  return places;
}

/// Places on a circle, an angle apart.
std::vector<Place> on_circle(int count, double radius, double angle) {
  std::vector<Place> places;
  for (int k = 0; k < count; ++k) places.push_back({radius * std::cos(k * angle), 0, radius * std::sin(k * angle)});
  return places;
}

const std::string held = R"(joints:
  hook: {type: spherical, connect: [ground, line.start]}
sensors:
  end: {type: point, of: line.end, record: [position, velocity]}
  node: {type: point, of: "line.node[3]", record: position}
  inside: {type: point, of: line.inside, record: position}
  cut: {type: section, of: line, at: 0.7, record: tension}
)";
const std::vector<std::string> at_end{"end.position.x", "end.position.y", "end.position.z"};

}  // namespace

TEST_CASE("a cable from a mesh moves as the one through listed points does, on one rank and on two", "[serial]") {
  const auto folder = test::fresh_folder("mesh-lines");
  test::write_file(folder / "line.msh", mesh_text(sagging(), 1, false));
  const std::string points = ", points: {inside: {at: 0.45}}";
  for (const int ranks : {1, 2}) {
    const test::Table meshed = rows_of(folder, "meshed", model_of("line: {type: cable, mesh: line.msh" + points, held), ranks),
                      listed = rows_of(folder, "listed",
                                       model_of("line: {type: cable, line: {points: " + list_of(sagging()) + "}" + points, held),
                                       ranks);
    check_columns(meshed, listed, at_end, 1e-13);
    check_columns(meshed, listed, {"node.position.x", "node.position.z", "inside.position.x", "inside.position.z"}, 1e-13);
    check_columns(meshed, listed, {"cut.tension"}, 1e-7);
  }
}

TEST_CASE("a ring from a mesh of second order is the circle: nothing stretches it at the start", "[serial]") {
  const auto folder = test::fresh_folder("mesh-rings");
  test::write_file(folder / "hoop.msh", mesh_text(on_circle(24, 0.4, std::numbers::pi / 12), 2, true));
  const std::string rest = R"(sensors:
  start: {type: point, of: line.start, record: [position, velocity]}
  node: {type: point, of: "line.node[3]", record: position}
  cut: {type: section, of: line, at: 0.3, record: [tension]}
)";
  const std::string motion = ", velocity: [0, 1, 0], angular_velocity: [0, 5, 0]";
  const test::Table meshed = rows_of(folder, "meshed", model_of("line: {type: ring, mesh: hoop.msh, group: line" + motion, rest)),
                    round = rows_of(folder, "round",
                                    model_of("line: {type: ring, circle: {centre: [0, 0, 0], axis: [0, -1, 0], radius: 0.4, "
                                             "elements: 12}" +
                                                 motion,
                                             rest));
  CHECK(std::fabs(meshed.at("cut.tension", 0)) < 1e-6);  // EA is 12.6 kN
  // the circle begins elsewhere: both are as far from where they fall
  for (std::size_t row = 0; row < meshed.rows(); ++row)
    CHECK(meshed.at("cut.tension", row) == Approx(round.at("cut.tension", row)).margin(1e-6));
}

TEST_CASE("an arch from a mesh stands as the curve does, by its middle nodes or without", "[serial]") {
  const auto folder = test::fresh_folder("mesh-arches");
  const std::string rest = R"(joints:
  foot: {type: fixed, connect: [ground, line.start]}
sensors:
  end: {type: point, of: line.end, record: [position, velocity]}
)";
  const test::Table exact = rows_of(
      folder, "exact", model_of("line: {type: beam, line: {curve: [cos(s), '0', sin(s)], range: [0, pi], elements: 12}", rest));
  for (const int order : {1, 2}) {
    const int count = 12 * order;
    test::write_file(folder / "arch.msh", mesh_text(on_circle(count + 1, 1, std::numbers::pi / count), order, false));
    const test::Table beside = rows_of(folder, "beside", model_of("line: {type: beam, mesh: arch.msh", rest)),
                      within = rows_of(folder, "within",
                                       model_of("line: {type: beam, line: {mesh: arch.msh, elements: 12, order: 2}", rest));
    check_columns(beside, within, at_end, 1e-14);
    // a spline misses the circle by (pi/count)^4: 5e-3 and 3e-4 of what the end moves, 12 mm
    CHECK(std::fabs(exact.at("end.position.z", exact.rows() - 1)) > 0.01);
    check_columns(beside, exact, at_end, order == 1 ? 6e-5 : 4e-6);
  }
}

TEST_CASE("instances of a line from a mesh stand where their indices say", "[serial]") {
  const auto folder = test::fresh_folder("mesh-line-repeats");
  test::write_file(folder / "line.msh", mesh_text(sagging(), 1, false, true));
  const std::string rest = R"(joints:
  "hook{i}": {repeat: {i: 0..2}, type: spherical, connect: [ground, "line{i}.start"]}
sensors:
  "end{i}": {repeat: {i: 0..2}, type: point, of: "line{i}.end", record: [position]}
)";
  const test::Table rows =
      rows_of(folder, "three",
              model_of("\"line{i}\": {repeat: {i: 0..2}, type: cable, mesh: line.msh, group: line, position: [i, 0, 2], "
                       "orientation: {axis: [0, 0, 1], angle: 90 deg*i}",
                       rest));
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const double x = rows.at("end0.position.x", row), y = rows.at("end0.position.y", row), z = rows.at("end0.position.z", row);
    CHECK(rows.at("end1.position.x", row) == Approx(1 - y).margin(1e-9));
    CHECK(rows.at("end1.position.y", row) == Approx(x).margin(1e-9));
    CHECK(rows.at("end2.position.x", row) == Approx(2 - x).margin(1e-9));
    CHECK(rows.at("end2.position.z", row) == Approx(z).margin(1e-9));
  }
  CHECK(rows.at("end0.position.x", 0) == Approx(1));
  CHECK(rows.at("end0.position.z", 0) == Approx(2));
}

TEST_CASE("a stored mesh has the same lines", "[serial]") {
  const auto folder = test::fresh_folder("mesh-lines-stored");
  test::write_file(folder / "line.msh", mesh_text(sagging(), 1, false, true));
  const test::Outcome stored = test::run_sinew(folder, "mesh line.msh -o line.h5");
  INFO(stored.said);
  REQUIRE(stored.code == 0);
  const auto rows = [&](const std::string& mesh) {
    return rows_of(folder, mesh.substr(5),
                   model_of("line: {type: cable, mesh: " + mesh + ", group: line, points: {inside: {at: 0.4}}", held));
  };
  check_columns(rows("line.msh"), rows("line.h5"), at_end, 0);
  test::write_file(folder / "model.yaml", model_of("line: {type: ring, mesh: line.h5, group: line", ""));
  test::check_refused(
      folder, {"run model.yaml", {"model.yaml:8:28: error: body 'line': ", "line.h5: element 8 (line2)", "does not close"}});
}

TEST_CASE("a restart notices that a line's mesh has changed", "[serial]") {
  const auto folder = test::fresh_folder("mesh-line-restart");
  const std::string model = model_of("line: {type: cable, mesh: line.msh", "") + "output: {checkpoint: {every: 5}}\n";
  test::write_file(folder / "line.msh", mesh_text(sagging(), 1, false));
  test::write_file(folder / "model.yaml", model);
  REQUIRE(test::run_sinew(folder, "run model.yaml -o out").code == 0);
  const test::Outcome same = test::run_sinew(folder, "run model.yaml -o same --restart out/checkpoint-00000015.h5");
  INFO(same.said);
  CHECK(same.code == 0);
  std::vector<Place> moved = sagging();
  moved[4][2] += 0.001;
  test::write_file(folder / "line.msh", mesh_text(moved, 1, false));
  const test::Outcome other = test::run_sinew(folder, "run model.yaml -o other --restart out/checkpoint-00000015.h5");
  INFO(other.said);
  CHECK(other.code == 2);
}
