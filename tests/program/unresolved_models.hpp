/// \file
/// Models whose motion is too fast for some steps.
#pragma once

#include "tests/program/table.hpp"
#include "tests/program/tables.hpp"

namespace sinew::test::unresolved_models {

/// A wheel on its axle, with a spring to the ground.
inline constexpr const char* wheel = R"(sinew: 1
bodies:
  wheel: {type: rigid, mass: 1, inertia: [1, 2, 3], position: [0, 0, 0], angular_velocity: [0, 0, 7]}
joints:
  axle: {type: revolute, connect: [ground, wheel], axis: [0, 0, 1]}
forces:
  FORCE
sensors: {e: {type: energy, record: [kinetic, total]}, w: {type: point, of: wheel, record: [orientation, angular_velocity]}}
analysis: {end_time: 6, step: 0.01}
)";

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  text.replace(text.find(what), what.size(), by);
  return text;
}

/// A run, and how often it said that something is not resolved.
struct Run {
  test::Outcome outcome;
  std::filesystem::path folder;
  int warnings = 0;
};

inline Run run(const std::string& name, const std::string& text, const std::string& more = "", int ranks = 0) {
  Run r;
  r.folder = test::fresh_folder("unresolved-" + name);
  test::write_file(r.folder / "model.yaml", text);
  r.outcome = test::run_sinew(r.folder, "run model.yaml -o out --quiet " + more, ranks);
  for (std::size_t at = 0; (at = r.outcome.said.find("warning:", at)) != std::string::npos; ++at) ++r.warnings;
  return r;
}

}  // namespace sinew::test::unresolved_models
