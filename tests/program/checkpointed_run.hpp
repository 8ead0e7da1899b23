/// \file
/// Runs that leave checkpoints.
#pragma once

#include "tests/program/jump_out_of_reach.hpp"
#include "tests/program/refusals.hpp"
#include "tests/program/table.hpp"

namespace sinew::test::checkpointed_run {

namespace fs = std::filesystem;

/// Four links, a spring that counts turns, energies.
inline std::string chain(const std::string& analysis, const std::string& output) {
  return R"(sinew: 1
gravity: [0, 0, -9.81]
constants: {m: 1}
bodies:
  "link{i}": {repeat: {i: 1..4}, type: rigid, mass: m, inertia: [0.002, 0.08, 0.08], position: [i - 0.5, 0, 0],
              points: {start: [-0.5, 0, 0], end: [0.5, 0, 0]}}
joints:
  hook: {type: revolute, connect: [ground, link1.start], axis: [0, 1, 0]}
  "pin{i}": {repeat: {i: 2..4}, type: spherical, connect: ["link{i-1}.end", "link{i}.start"]}
forces:
  spring: {type: torsional-spring, connect: [ground, link1.start], axis: [0, 1, 0], stiffness: 5, damping: 0.2}
sensors:
  tip: {type: point, of: link4.end, record: [position, velocity, acceleration]}
  hook: {type: joint, of: hook, record: [force]}
  knee: {type: relative, of: hook, record: [angle, rate]}
  energy: {type: energy, record: [total, dissipated]}
analysis: )" +
         analysis + "\noutput: " + output + "\n";
}

inline const std::string fixed = "{end_time: 0.3, step: 2e-3}";

/// Every third row, fields at times of the model, three checkpoints.
inline const std::string writes = "{sensors: {every: 3}, fields: {every: 0.05}, checkpoint: {every: 50}}";

/// A run in `out`, and what it left in the first half of it.
inline fs::path whole_run(const std::string& name, const std::string& analysis = fixed, const std::string& output = writes) {
  const auto folder = test::fresh_folder("restart-" + name);
  test::write_file(folder / "model.yaml", chain(analysis, output));
  const test::Outcome outcome = test::run_sinew(folder, "run model.yaml -o out --set output.checkpoint.keep=100");
  INFO(outcome.said);
  REQUIRE(outcome.code == 0);
  fs::copy(folder / "out", folder / "whole", fs::copy_options::recursive);
  return folder;
}

}  // namespace sinew::test::checkpointed_run
