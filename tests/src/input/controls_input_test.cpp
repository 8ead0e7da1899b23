#include "input/model_reader.hpp"
#include "model/expression_breaks.hpp"
#include "model/signal_flow.hpp"
#include "tests/catch.hpp"
#include "tests/src/input/test_catalogue.hpp"

using namespace sinew;

namespace {

Model read(const std::string& rest) {
  return read_model_text(
      "sinew: 1\nconstants: {k: 3}\nanalysis: {end_time: 1, states: euler}\nbodies:\n"
      "  \"bob{i}\": {repeat: {i: 1..3}, type: point-mass, mass: 1, position: [i, 0, 0]}\n" +
          rest,
      "test.yaml", test::small_catalogue());
}

const std::string coupled = R"(sensors:
  "bob{i}": {repeat: {i: 1..3}, type: point, of: "bob{i}", record: [position, velocity.x]}
  "servo{i}": {repeat: {i: 1..2}, type: control, of: "servo{i}", record: [u, x]}
controls:
  "servo{i}":
    repeat: {i: 1..2}
    state: {x: 10*i, y: k}
    derivative: {y: "-y", x: "sensor.bob{i+1}.velocity.x*i - x + t"}
    output: {u: "2*x + control.all.v", w: "y"}
  all: {output: {v: "control.servo1.w + k*control.servo2.y"}}
forces:
  "jack{i}": {repeat: {i: 1..2}, type: actuator, on: "bob{i}", direction: [1, 0, 0],
              force: "control.servo{i}.u*sensor.bob3.position.x"}
)";

}  // namespace

TEST_CASE("A control is read with its states, derivatives and outputs", "[serial]") {
  const Model model = read(coupled);
  CHECK(model.analysis.states == StateRule::euler);
  CHECK(model.num_states() == 4);
  REQUIRE(model.controls.size() == 2);
  const ControlItem& servo = model.controls[0];
  CHECK(servo.signal_names() == std::vector<std::string>{"x", "y", "u", "w"});
  CHECK(servo.states[0].initial.value(servo.repeat.indices(1)) == 20);
  REQUIRE(servo.states[0].law.sources.size() == 2);
  const SignalSource& speed = servo.states[0].law.sources[0];
  CHECK(speed.kind == SignalSource::Kind::sensor);
  CHECK(speed.name.expand(servo.repeat.indices(1)) == "bob3");
  CHECK(speed.path == std::vector<std::string>{"velocity", "x"});
  CHECK(servo.states[0].law.sources[1].state == 0);
  CHECK(model.forces[0].type == "actuator-direction");
  CHECK(model.forces[0].places.size() == 2);
  CHECK(model.sensors[0].record == std::vector<RecordedQuantity>{{Quantity::position}, {Quantity::velocity, 0}});
  CHECK(model.sensors[1].signals == std::vector<std::string>{"u", "x"});
}

TEST_CASE("An expression of outputs comes down to components of sensors and to states", "[serial]") {
  const Model model = read(coupled);
  const ForceItem& jack = model.forces[0];
  const SignalFlow flow = signal_flow(model, *jack.feedback, jack.repeat.indices(1), {});
  // x and y of servo2, y of servo1, position of bob3: each once
  REQUIRE(flow.leaves.size() == 4);
  CHECK(flow.steps.size() == 4);
  CHECK(flow.leaves[0] == SignalLeaf{SignalLeaf::Kind::state, {0, 1}, {}, 0});
  CHECK(flow.leaves[1] == SignalLeaf{SignalLeaf::Kind::state, {0, 0}, {}, 1});
  CHECK(flow.leaves[2] == SignalLeaf{SignalLeaf::Kind::state, {0, 1}, {}, 1});
  CHECK(flow.leaves[3] == SignalLeaf{SignalLeaf::Kind::sensor, {0, 2}, Quantity::position, 0});
  const double values[] = {5, 7, 11, 13};
  CHECK(flow.evaluate(0.0, values) == (2 * 5 + 7 + 3 * 11) * 13);
  Dual1 seeded[] = {5.0, 7.0, Dual1(11, 1), 13.0};
  CHECK(flow.evaluate(Dual1(0.0), seeded).grad == 3 * 13);
}

TEST_CASE("A long chain of outputs is followed to its end, every output once", "[serial]") {
  const Model model = read(
      "sensors:\n  s: {type: point, of: bob1, record: position.x}\n"
      "controls:\n  c0: {output: {u: sensor.s}}\n"
      "  \"c{i}\": {repeat: {i: 1..30000}, output: {u: \"control.c{i-1}.u + i\"}}\n");
  SignalTracer tracer(model);
  const int last = tracer.step_of_output({1, 29999}, 0);
  CHECK(tracer.step_of_output({1, 0}, 0) == 1);
  REQUIRE(last == 30000);
  CHECK(tracer.flow().steps.size() == 30001);
  CHECK(tracer.leaves(last) == std::vector<SignalLeaf>{{SignalLeaf::Kind::sensor, {0, 0}, Quantity::position, 0}});
  const double place = 7;
  CHECK(tracer.flow().evaluate(0.0, &place) == 7 + 30000.0 * 30001 / 2);
}

TEST_CASE("Pieces of a feedback change at times, not at values of sensors that nobody knows", "[serial]") {
  const Model model = read(
      "sensors:\n  s: {type: point, of: bob1, record: position.x}\n"
      "controls:\n  c: {output: {u: \"t < 0.25 ? sensor.s : sensor.s > 1 || t > 0.5 ? abs(sensor.s) : 2\"}}\n");
  const auto breaks = find_breaks(model.controls[0].outputs[0].value.value, {}, 0, 1);
  REQUIRE(breaks.size() == 2);
  CHECK(breaks[0].second == Approx(0.25));
  CHECK(breaks[1].first == Approx(0.5));
}
