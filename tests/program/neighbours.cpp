// A light body is computed as finely whatever carries it, and whatever coasts beside it.
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

#include <filesystem>
#include <string>

using namespace sinew;

namespace {

/// A pendulum on the rim of a rotor that a drive turns, so that its inertia does not matter.
constexpr const char* driven = R"yaml(sinew: 1
constants: {J: 1}
gravity: [0, -9.81, 0]
bodies:
  rotor: {type: rigid, mass: J, inertia: [J, J, J], position: [0, 0, 0], angular_velocity: [0, 0, 3], points: {rim: [0.5, 0, 0]}}
  bob: {type: point-mass, mass: 1, position: [1.2, 0, 0], velocity: [0, 1.5, 0]}
joints:
  bearing: {type: revolute, connect: [ground, rotor], axis: [0, 0, 1]}
  rod: {type: distance, connect: [rotor.rim, bob]}
  drive: {type: motion, of: bearing, angle: 3*t}
sensors: {bob: {type: point, of: bob, record: position}}
analysis: {end_time: 2, step: {tolerance: 1e-3, per: unit-step}}
)yaml";

/// A pendulum beside a free mass that coasts by.
constexpr const char* beside = R"yaml(sinew: 1
constants: {M: 1}
bodies:
  giant: {type: point-mass, mass: M, position: [-1, 0, 0], velocity: [0.8, 0, 0]}
  bob: {type: point-mass, mass: 1, position: [1, 0, 0]}
joints:
  rod: {type: distance, connect: [ground, bob]}
forces:
  weight: {type: force, on: bob, vector: [0, -9.81, 0]}
sensors: {bob: {type: point, of: bob, record: position}}
analysis: {end_time: 2, step: {tolerance: 1e-3, per: unit-step}}
)yaml";

int steps(const std::filesystem::path& folder, const std::string& constant) {
  const test::Outcome outcome =
      test::run_sinew(folder, "run model.yaml --set output.sensors.every=1 --set constants." + constant, 0);
  INFO(constant << '\n' << outcome.said);
  REQUIRE(outcome.code == 0);
  return static_cast<int>(test::Table(folder / "model.out" / "sensors.csv").rows());
}

}  // namespace

TEST_CASE("a light body takes the same steps whatever the mass of what carries it or coasts beside it", "[serial]") {
  const std::filesystem::path folder = test::fresh_folder("neighbours");
  test::write_file(folder / "model.yaml", driven);
  const int on_light = steps(folder, "J=1");
  CHECK(steps(folder, "J=1e3") == Approx(on_light).epsilon(0.02));
  CHECK(steps(folder, "J=1e6") == Approx(on_light).epsilon(0.02));
  test::write_file(folder / "model.yaml", beside);
  const int by_light = steps(folder, "M=1");
  CHECK(steps(folder, "M=1e4") == Approx(by_light).epsilon(0.02));
  CHECK(steps(folder, "M=1e8") == Approx(by_light).epsilon(0.02));
}
