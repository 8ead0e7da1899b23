// Contacts of points of a rope with a drum on several ranks, and what is refused.
#include "tests/program/refusals.hpp"
#include "tests/program/same_on_ranks.hpp"

#include <cmath>

using namespace sinew;

TEST_CASE("a rope that falls over a drum is the same on any number of ranks, and restarted on another", "[mpi]") {
  const auto folder = test::fresh_folder("contacts");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
gravity: [0, 0, -9.81]
materials: {hemp: {density: 1000, youngs_modulus: 1e7, poissons_ratio: 0.3, damping: {beta: 1e-2}}}
sections: {rope: {shape: circle, diameter: 0.02}}
bodies:
  drum: {type: rigid, mass: 5, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.32]}
  rope: {type: cable, section: rope, material: hemp, line: {from: [-0.6, 0, 0], to: [1, 0, 0], elements: 32}}
joints:
  bearing: {type: revolute, connect: [ground, drum], axis: [0, 1, 0]}
forces:
  "touch{i}":
    repeat: {i: 0..32}
    type: contact
    connect: [drum, "rope.node[{i}]"]
    axis: [0, 1, 0]
    first_radius: 0.3
    radius: 0.01
    stiffness: 1e4
    damping: 1
    coefficient: 0.3
    transition_speed: 0.05
sensors:
  drum: {type: point, of: drum, record: [angular_velocity.y]}
  tip: {type: point, of: rope.start, record: [position]}
  energy: {type: energy, record: [total, dissipated]}
analysis: {end_time: 0.3, step: 1e-3}
output: {checkpoint: {every: 150}}
)yaml");
  REQUIRE(test::run_sinew(folder, "run model.yaml -o one").code == 0);
  const test::Table one(folder / "one" / "sensors.csv");
  const std::size_t last = one.rows() - 1;
  CHECK(one.at("drum.angular_velocity.y", last) > 0.03);  // the longer end draws the drum along
  CHECK(one.at("energy.total", last) + one.at("energy.dissipated", last) == Approx(one.at("energy.total", 0)).margin(2e-3));
  test::check_same_on_ranks(folder, "checkpoint-00000150.h5", {"tip.position.x", "tip.position.z", "drum.angular_velocity.y"},
                            1e-7);
}

TEST_CASE("a contact says what it lacks, and what does not belong to its shape", "[serial]") {
  const auto folder = test::fresh_folder("contacts-refused");
  const auto refused = [&](const std::string& contact, const std::vector<std::string>& fragments) {
    test::write_file(
        folder / "model.yaml",
        "sinew: 1\nbodies: {m: {type: point-mass, mass: 1, position: [0, 0, 1]}}\nforces:\n  floor: {type: contact, " + contact +
            "}\nanalysis: {end_time: 1, step: 0.1}\n");
    test::check_refused(folder, {"run model.yaml", fragments});
  };
  refused("connect: [ground, m], normal: [0, 0, 1]", {"model.yaml:4:", "has no 'stiffness'"});
  refused("connect: [ground, m], stiffness: 1", {"model.yaml:4:", "has no 'first_radius'"});
  refused("connect: [ground, m], stiffness: 1, axis: [0, 0, 1]", {"model.yaml:4:", "has no 'first_radius'"});
  refused("connect: [ground, m], stiffness: 1, bore: 2", {"model.yaml:4:", "has no 'axis'"});
  refused("connect: [ground, m], stiffness: 1, normal: [0, 0, 1], first_radius: 2",
          {"model.yaml:4:", "unknown key 'first_radius'"});
  refused("connect: [m, ground], stiffness: 1, first_radius: 2", {"model.yaml:4:", "name the ground first"});
  refused("connect: [m, ground], stiffness: 1, normal: [0, 0, 1]", {"model.yaml:4:", "name the ground first"});
  refused("connect: [ground, m], stiffness: 1, normal: [0, 0, 1], coefficient: 0.2",
          {"model.yaml:4:", "takes a `transition_speed`"});
}

TEST_CASE("a block that only friction would hold slides in a search for rest, which says so", "[serial]") {
  const auto folder = test::fresh_folder("contact-at-rest");
  test::write_file(folder / "model.yaml", R"yaml(sinew: 1
gravity: [4.905, 0, -8.4957]
bodies: {b: {type: point-mass, mass: 2, position: [0, 0, 0]}}
forces:
  floor: {type: contact, connect: [ground, b], normal: [0, 0, 1], stiffness: 1e5, coefficient: 0.8, transition_speed: 1e-4}
  side: {type: bushing, connect: [ground, b], stiffness: [1, 1, 0, 0, 0, 0]}
analysis: {type: static}
)yaml");
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  CHECK(outcome.code == 0);
  test::check_contains(outcome.said, "friction ('floor') does nothing at rest");
}
