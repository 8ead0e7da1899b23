/// \file
/// Tables of what the program must refuse, and how.
#pragma once

#include "tests/program/run_program.hpp"
#include "tests/src/input/check_contains.hpp"

#include <vector>

namespace sinew::test {

/// Command lines (in a shell's words, in the folder of the test) and what must be said about them.
struct Refusal {
  std::string arguments;
  std::vector<std::string> fragments;
};

/// Exit code 2, all fragments said, and no output directory.
inline void check_refused(const std::filesystem::path& folder, const Refusal& row, int ranks = 0) {
  INFO("sinew " << row.arguments);
  const Outcome outcome = run_sinew(folder, row.arguments, ranks);
  INFO(outcome.said);
  CHECK(outcome.code == 2);
  for (const std::string& fragment : row.fragments) check_contains(outcome.said, fragment);
  CHECK_FALSE(std::filesystem::exists(folder / "model.out"));
  CHECK_FALSE(std::filesystem::exists(folder / "out"));
}

/// A pendulum that runs, with what else belongs to the model.
inline std::string pendulum(const std::string& rest = "", const std::string& analysis = "{end_time: 0.02, step: 0.01}") {
  return R"(sinew: 1
gravity: [0, 0, -9.81]
bodies:
  rod: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], points: {top: [-0.5, 0, 0], tip: [0.5, 0, 0]}}
joints:
  hinge: {type: revolute, connect: [ground, rod.top], axis: [0, 1, 0]}
)" + rest +
         "analysis: " + analysis + "\n";
}

}  // namespace sinew::test
