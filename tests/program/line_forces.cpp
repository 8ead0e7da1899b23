// Sliders and contacts on lines on several ranks, restarted, with error control, and what is refused.
#include "tests/program/refusals.hpp"
#include "tests/program/same_on_ranks.hpp"

#include <cmath>

using namespace sinew;

namespace {

/// A trolley runs over a rope of 40 elements, which a ball hits.
const char* const ropeway = R"yaml(sinew: 1
gravity: [0, 0, -9.81]
sections: {rope: {stiffness: [1e6, 1e6, 1e6, 5, 5, 5], inertia: [2, 2, 2, 0, 0, 0]}}
bodies:
  rope: {type: cable, section: rope, line: {from: [0, 0, 0], to: [20, 0, -4], elements: 40}}
  trolley: {type: rigid, mass: 20, inertia: [1, 1, 1], position: [2.25, 0, -0.95], velocity: [3, 0, -0.6],
            points: {wheel: [0, 0, 0.5]}}
  ball: {type: rigid, mass: 2, inertia: [0.008, 0.008, 0.008], position: [12, 0, -1.8]}
joints:
  a: {type: spherical, connect: [ground, rope.start]}
  b: {type: spherical, connect: [ground, rope.end]}
forces:
  wheel: {type: line-slider, connect: [rope, trolley.wheel], stiffness: 1e5, damping: 100, coefficient: 0.02,
          transition_speed: 0.01}
  touch: {type: line-contact, connect: [rope, ball], first_radius: 0.02, radius: 0.1, stiffness: 1e5, damping: 0.5}
sensors:
  trolley: {type: point, of: trolley, record: [position, velocity]}
  ball: {type: point, of: ball, record: [position, velocity]}
  wheel: {type: force, of: wheel, record: [normal, distance, speed]}
  energy: {type: energy, record: [total, dissipated]}
analysis: {end_time: 1, step: 1e-3}
output: {checkpoint: {every: 500}}
)yaml";

}  // namespace

TEST_CASE("a trolley runs over the elements of a rope alike on any number of ranks, and restarted on another", "[mpi]") {
  const auto folder = test::fresh_folder("line-forces");
  test::write_file(folder / "model.yaml", ropeway);
  REQUIRE(test::run_sinew(folder, "run model.yaml -o one").code == 0);
  const test::Table one(folder / "one" / "sensors.csv");
  const std::size_t last = one.rows() - 1;
  CHECK(one.at("wheel.distance", last) > one.at("wheel.distance", 0) + 3);  // six elements
  CHECK(one.at("energy.total", last) + one.at("energy.dissipated", last) == Approx(one.at("energy.total", 0)).margin(0.5));
  test::check_same_on_ranks(folder, "checkpoint-00000500.h5",
                            {"trolley.position.x", "trolley.position.z", "ball.position.z", "wheel.normal", "wheel.distance"},
                            1e-6);

  REQUIRE(test::run_sinew(folder, "run model.yaml -o judged --set \"analysis.step={tolerance: 1e-4}\"").code == 0);
  const test::Table judged(folder / "judged" / "sensors.csv");
  for (const char* column : {"trolley.position.x", "trolley.position.z"})
    CHECK(judged.at(column, judged.rows() - 1) == Approx(one.at(column, last)).margin(5e-3));
}

TEST_CASE("runs that begin again begin with the elements that are nearest then", "[serial]") {
  const auto folder = test::fresh_folder("line-forces-again");
  const std::string model = ropeway;
  test::write_file(folder / "model.yaml", model.substr(0, model.find("output:")));
  const std::string run = "run model.yaml --set analysis.end_time=0.3 ";
  REQUIRE(test::run_sinew(folder, run + "-o bars --set \"analysis.step={global: 1e-2}\"").code == 0);
  REQUIRE(test::run_sinew(folder, run + "-o fine --set \"analysis.step={tolerance: 1e-7}\"").code == 0);
  const test::Table bars(folder / "bars" / "sensors.csv"), fine(folder / "fine" / "sensors.csv");
  for (const char* column : {"trolley.position.x", "trolley.position.z", "ball.position.z"})
    CHECK(bars.at(column, bars.rows() - 1) == Approx(fine.at(column, fine.rows() - 1)).margin(1e-2));

  // It rests many elements away from where the model has it, and stays there.
  test::write_file(folder / "rest.yaml", R"yaml(sinew: 1
gravity: [0, 0, -9.81]
sections: {rope: {stiffness: [1e7, 1e7, 1e7, 20, 20, 20], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}}
bodies:
  rope: {type: cable, section: rope, line: {from: [0, 0, 0], to: [20, 0, -0.3], elements: 40}}
  cabin: {type: point-mass, mass: 100, position: [5, 0, -0.075]}
joints:
  a: {type: spherical, connect: [ground, rope.start]}
  b: {type: spherical, connect: [ground, rope.end]}
forces:
  wheel: {type: line-slider, connect: [rope, cabin], stiffness: 1e6}
sensors:
  cabin: {type: point, of: cabin, record: [position, velocity]}
  wheel: {type: force, of: wheel}
analysis: {initial: static, end_time: 0.1, step: 1e-3}
)yaml");
  const test::Outcome rest = test::run_sinew(folder, "run rest.yaml -o rest");
  INFO(rest.said);
  REQUIRE(rest.code == 0);
  const test::Table still(folder / "rest" / "sensors.csv");
  CHECK(still.at("wheel.distance", 0) > 8);
  CHECK(still.at("wheel.force.z", 0) == Approx(981).epsilon(1e-5));
  CHECK(std::abs(still.at("cabin.position.x", still.rows() - 1) - still.at("cabin.position.x", 0)) < 1e-4);
}

TEST_CASE("a slider ends a run where its line ends, and says what it lacks", "[serial]") {
  const auto folder = test::fresh_folder("line-forces-refused");
  const std::string model = ropeway;
  test::write_file(folder / "model.yaml", model);
  const test::Outcome off = test::run_sinew(folder, "run model.yaml -o off --set \"bodies.trolley.velocity=[60, 0, -12]\"");
  CHECK(off.code == 3);
  test::check_contains(off.said, "'wheel' has left its line at an end");
  const auto refused = [&](const std::string& slider, const std::vector<std::string>& fragments) {
    std::string text = model;
    const auto from = text.find("  wheel: {type: line-slider"), to = text.find("  touch:");
    text.replace(from, to - from, "  wheel: {" + slider + "}\n");
    test::write_file(folder / "broken.yaml", text);
    test::check_refused(folder, {"run broken.yaml", fragments});
  };
  const std::string law = ", stiffness: 1e5";
  refused("type: line-slider, connect: [trolley.wheel, rope]" + law,
          {"broken.yaml:", "the first place of a line-slider is a beam, a cable or a ring"});
  refused("type: line-slider, connect: [rope.start, trolley.wheel]" + law, {"all of it", "write connect: [rope, ...]"});
  refused("type: line-slider, connect: [rope, trolley]" + law, {"broken.yaml:", "m from the line at the start"});
  refused("type: line-slider, connect: [rope, rope.end]" + law, {"one of the line itself"});
  refused("type: line-slider, connect: [rope, trolley.wheel]", {"has no 'stiffness'"});
  refused("type: line-slider, connect: [rope, trolley.wheel], transition_speed: 0.1" + law,
          {"is of friction, which has a `coefficient`"});
}
