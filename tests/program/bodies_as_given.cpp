// Rigid bodies with inertias that no body has, taken as they are, and moments that turn with a body.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <cmath>

using namespace sinew;

namespace {

std::string body(const std::string& inertia, const std::string& more, const std::string& rest = "") {
  return "sinew: 1\nbodies:\n  link: {type: rigid, mass: 2, inertia: " + inertia +
         ", position: [0, 0, 0], angular_velocity: [1, 2, 3]" + more + "}\n" + rest + R"yaml(sensors:
  link: {type: point, of: link, record: [orientation, angular_velocity]}
  whole: {type: system, record: [angular_momentum]}
  energy: {type: energy, record: [kinetic, work]}
analysis: {end_time: 1, step: {tolerance: 1e-8}}
)yaml";
}

}  // namespace

TEST_CASE("an inertia that no body has moves by Euler's equations where it is to be taken as it is", "[serial]") {
  const auto folder = test::fresh_folder("given-inertia");
  const std::string inertia = GENERATE("[0.066, 0.086, 0.0125]", "[0.1, 0.4, 0.2]");
  test::write_file(folder / "model.yaml", body(inertia, ""));
  test::check_refused(folder, {"run model.yaml", {"model.yaml:3:", "no body has this inertia", "inertia_check: false"}});
  test::write_file(folder / "model.yaml", body(inertia, ", inertia_check: false"));
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const test::Table table(folder / "out" / "sensors.csv");
  const std::size_t last = table.rows() - 1;
  for (const char* kept : {"whole.angular_momentum.x", "whole.angular_momentum.y", "whole.angular_momentum.z", "energy.kinetic"})
    CHECK(table.at(kept, last) == Approx(table.at(kept, 0)).epsilon(1e-5));
}

TEST_CASE("an inertia of three digits is that of a body, a negative one never is", "[serial]") {
  const auto folder = test::fresh_folder("rounded-inertia");
  test::write_file(folder / "model.yaml", body("[0.333, 0.333, 0.667]", ""));
  CHECK(test::run_sinew(folder, "check model.yaml").code == 0);  // a thin ring
  test::write_file(folder / "model.yaml", body("[-1, 1, 1]", ", inertia_check: false"));
  test::check_refused(folder, {"run model.yaml", {"the inertia is negative"}});
}

TEST_CASE("a follower torque keeps its direction in the body", "[mpi]") {
  // of a sphere R^T omega grows by M/J, wherever the body has turned
  const auto folder = test::fresh_folder("follower-torque");
  test::write_file(
      folder / "model.yaml",
      body("[0.5, 0.5, 0.5]", "", R"(forces: {turn: {type: follower-torque, on: link, vector_local: ["1", "0", "2*t"]}}
)"));
  const int ranks = GENERATE(0, 2);
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out", ranks);
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  const test::Table table(folder / "out" / "sensors.csv");
  const std::size_t last = table.rows() - 1;
  const auto at = [&](const std::string& column) { return table.at("link." + column, last); };
  const double w = at("orientation.w"), x = at("orientation.x"), y = at("orientation.y"), z = at("orientation.z");
  const double o[3] = {at("angular_velocity.x"), at("angular_velocity.y"), at("angular_velocity.z")};
  CHECK((1 - 2 * (y * y + z * z)) * o[0] + 2 * (x * y + w * z) * o[1] + 2 * (x * z - w * y) * o[2] ==
        Approx(1 + 2).epsilon(1e-5));
  CHECK(2 * (x * y - w * z) * o[0] + (1 - 2 * (x * x + z * z)) * o[1] + 2 * (y * z + w * x) * o[2] == Approx(2).epsilon(1e-5));
  CHECK(2 * (x * z + w * y) * o[0] + 2 * (y * z - w * x) * o[1] + (1 - 2 * (x * x + y * y)) * o[2] ==
        Approx(3 + 2).epsilon(1e-5));
  CHECK(table.at("energy.kinetic", last) - table.at("energy.kinetic", 0) == Approx(table.at("energy.work", last)).epsilon(1e-5));
}
