// Modal bodies on several ranks, restarted, with error control and bars, in states of rest, and what is refused.
#include "tests/program/refusals.hpp"
#include "tests/program/same_on_ranks.hpp"

#include <cmath>

using namespace sinew;

namespace {

/// A double pendulum of bars with square sections, whose bending modes are alike in all directions.
const char* const pendulum = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
materials: {rubber: {density: 1000, youngs_modulus: 2e7, poissons_ratio: 0.3}}
bodies:
  "bar{i}":
    repeat: {i: 0..1}
    type: modal
    box: {size: [0.5, 0.04, 0.04], elements: [6, 1, 1], element: hex20}
    material: rubber
    position: [0.5*i, 0, 0]
    interfaces: [x-, x+]
    modes: 6
    damping_ratio: 0.05
joints:
  top: {type: revolute, connect: [ground, bar0.x-], axis: [0, 1, 0]}
  elbow: {type: universal, connect: [bar0.x+, bar1.x-], axis: [0, 1, 0], axis2: [0, 0, 1]}
forces:
  push: {type: force, on: bar1.x+, vector: [0, "0.3*sin(20*t)", 0]}
sensors:
  tip: {type: point, of: bar1.x+, record: [position, velocity]}
  frame: {type: point, of: bar1, record: [position]}
  elbow: {type: joint, of: elbow, record: [force]}
  energy: {type: energy, record: [strain, total]}
analysis: {end_time: 0.4, step: 2e-3}
output: {checkpoint: {every: 100}}
)yaml";

}  // namespace

TEST_CASE("modal bodies move alike on any number of ranks, and restarted on another", "[mpi]") {
  const auto folder = test::fresh_folder("modal");
  test::write_file(folder / "model.yaml", pendulum);
  REQUIRE(test::run_sinew(folder, "run model.yaml -o one").code == 0);
  const test::Table one(folder / "one" / "sensors.csv");
  CHECK(test::largest(one, "energy.strain") > 1e-3);
  test::check_same_on_ranks(folder, "checkpoint-00000100.h5",
                            {"tip.position.x", "tip.position.y", "tip.position.z", "frame.position.z", "elbow.force.z"}, 1e-7);
  test::check_refused(folder, {"run model.yaml -o out --set \"bodies.bar{i}.modes=4\" --restart one/checkpoint-00000100.h5",
                               {"the checkpoint is of another model"}});
}

TEST_CASE("modal bodies take error-controlled steps and error bars", "[serial]") {
  const auto folder = test::fresh_folder("modal-errors");
  const std::string model = pendulum;
  test::write_file(folder / "model.yaml", model.substr(0, model.find("output:")));
  REQUIRE(test::run_sinew(folder, "run model.yaml -o fine --set analysis.step=1e-4").code == 0);
  const test::Table fine(folder / "fine" / "sensors.csv");
  const auto check_near = [&](const std::string& output, double margin) {
    const test::Table other(folder / output / "sensors.csv");
    for (const char* column : {"tip.position.x", "tip.position.y", "tip.position.z"})
      CHECK(other.at(column, other.rows() - 1) == Approx(fine.at(column, fine.rows() - 1)).margin(margin));
  };
  REQUIRE(test::run_sinew(folder, "run model.yaml -o judged --set \"analysis.step={tolerance: 1e-4}\"").code == 0);
  check_near("judged", 2e-3);
  REQUIRE(test::run_sinew(folder, "run model.yaml -o bars --set \"analysis.step={global: 1e-2}\"").code == 0);
  check_near("bars", 1e-2);
  REQUIRE(
      test::run_sinew(folder, "run model.yaml -o bdf --set analysis.integrator=bdf-si2 --set \"analysis.step={tolerance: 1e-4}\"")
          .code == 0);
  check_near("bdf", 2e-3);
}

TEST_CASE("a modal body hangs at rest, has frequencies there, and starts from there", "[serial]") {
  const auto folder = test::fresh_folder("modal-rest");
  const std::string model = pendulum;
  test::write_file(folder / "model.yaml", model.substr(0, model.find("output:")));
  const std::string hung =
      " --set \"joints.top={type: fixed, connect: [ground, bar0.x-]}\" --set "
      "\"joints.elbow={type: fixed, connect: [bar0.x+, bar1.x-]}\"";
  REQUIRE(test::run_sinew(folder, "run model.yaml -o rest --set \"analysis={type: static}\"" + hung).code == 0);
  const test::Table rest(folder / "rest" / "sensors.csv");
  REQUIRE(test::run_sinew(folder, "run model.yaml -o start --set analysis.initial=static --set analysis.end_time=0.002" + hung)
              .code == 0);
  const test::Table start(folder / "start" / "sensors.csv");
  const double sag = rest.at("tip.position.z", rest.rows() - 1);
  CHECK(sag < -0.05);
  CHECK(start.at("tip.position.z", 0) == Approx(sag).epsilon(1e-6));
  REQUIRE(test::run_sinew(folder, "modes model.yaml -n 4 -o modes --matrices" + hung).code == 0);
  const test::Table modes(folder / "modes" / "modes.csv");
  CHECK(modes.rows() == 4);
  test::check_contains(test::file_text(folder / "modes" / "matrix_dofs.csv"), "amplitude");
  test::check_contains(test::file_text(folder / "modes" / "matrix_rows.csv"), "interface 0 of bar0");
}

TEST_CASE("a modal body says what is left of its mesh, and what is wrong with it", "[serial]") {
  const auto folder = test::fresh_folder("modal-refused");
  const std::string model = pendulum;
  test::write_file(folder / "model.yaml", model);
  const test::Outcome check = test::run_sinew(folder, "check model.yaml");
  CHECK(check.code == 0);
  test::check_contains(check.said, "bar{i}: of ");
  test::check_contains(check.said, "unknowns of its mesh 6 and 13 shapes are left");
  test::check_contains(check.said, "mass 0.8, centre of mass at (0.25, 0.02, 0.02) of the mesh");
  const auto refused = [&](const std::string& with, const std::vector<std::string>& fragments) {
    std::string arguments("check model.yaml --set \"");
    test::check_refused(folder, {arguments.append(with).append("\""), fragments});
  };
  refused("forces.push.on=bar1.y-", {"'y-' is no interface of bar1", "add it to `interfaces`, which are x-, x+"});
  refused("bodies.bar{i}.interfaces=[x-, tip]", {"the box has no surface, edge, corner or point 'tip'"});
  refused("bodies.bar{i}.interfaces=[x-, x-]", {"has the interface 'x-' twice"});
  refused("bodies.bar{i}.interfaces=[]", {"interfaces of body 'bar{i}' must be a list of names"});
  refused("bodies.bar{i}.interfaces=[x-, x+, x+y-, x+y+]", {"cannot be reduced", "cannot be moved independently of each other"});
  refused("bodies.bar{i}.modes=500", {"modes of body 'bar{i}'", "200"});
  refused("bodies.bar{i}.damping_ratio=-1", {"damping_ratio of body 'bar{i}'"});
  const auto refused_with = [&](const std::string& interfaces, const std::vector<std::string>& fragments) {
    const std::string given = "interfaces: [x-, x+]";
    std::string other = model;
    other.replace(other.find(given), given.size(), "interfaces: " + interfaces);
    test::write_file(folder / "other.yaml", other);
    test::check_refused(folder, {"check other.yaml", fragments});
  };
  refused_with("[x-, \"x{i}\"]", {"other.yaml:11:", "the interface 'x{i}' of body 'bar{i}' has an index"});
  refused_with("[x-, x+, p]\n    points: {p: [0.1 + 0.1*i, 0.02, 0.02]}",
               {"other.yaml:11:", "the interface 'p' lies elsewhere", "i = 1"});
  const test::Outcome buckling = test::run_sinew(folder, "check model.yaml --set \"analysis={type: buckling}\"");
  test::check_contains(buckling.said, "buckling of body 'bar{i}' itself is not found");
}
