// `sinew check` asks what `sinew run` asks before it begins.
#include "tests/program/refusals.hpp"

using namespace sinew;

TEST_CASE("sinew check refuses what sinew run refuses at once", "[serial]") {
  const auto folder = test::fresh_folder("checks");
  const auto refused = [&](const std::string& model, const std::string& words) {
    test::write_file(folder / "model.yaml", model);
    for (const char* command : {"check", "run"}) test::check_refused(folder, {std::string(command) + " model.yaml", {words}});
  };
  const std::string held =
      "sinew: 1\nbodies: {cart: {type: point-mass, mass: 2, position: [1, 0, 0]}}\n"
      "joints: {j: {type: spherical, connect: [ground, cart]}}\nanalysis: {type: modes}\n";
  refused(held, "nothing can move");
  const std::string lag =
      "sensors: {rod: {type: point, of: rod}}\n"
      "controls: {lag: {state: {x: 0}, derivative: {x: \"sensor.rod.position.z - x\"}}}\n";
  refused(test::pendulum(lag, "{type: modes, about: motion}"), "first-order states");
  refused(test::pendulum(lag, "{type: modes, matrices: true}"), "first-order states");
  refused(test::pendulum(lag, "{type: buckling}"), "first-order states");
  refused(test::pendulum(lag, "{end_time: 1, step: 0.1, stop: \"sensor.rod.position.x > 0.4\"}"), "holds at t = 0");
  test::write_file(folder / "model.yaml", test::pendulum(lag, "{end_time: 1, step: 0.1, stop: \"sensor.rod.position.x < 0.4\"}"));
  CHECK(test::run_sinew(folder, "check model.yaml").code == 0);
  test::write_file(folder / "model.yaml", test::pendulum(lag, "{type: modes}"));
  CHECK(test::run_sinew(folder, "check model.yaml").code == 0);
}
