/// \file
/// Examples of many kinds, and what shortens them.
#pragma once

#include "tests/program/run_program.hpp"

namespace sinew::test {

struct ShortExample {
  const char* name;
  const char* how;
};

/// Solids and joints; a nonholonomic joint; feedback and states of controls; loads and a state of rest; the velocity level in
/// rows of its own; modes about a motion; dense fronts in batches.
inline constexpr ShortExample short_examples[] = {{"slider-crank", "--set analysis.end_time=2e-3"},
                                                  {"rolling-disc", "--set analysis.end_time=0.02"},
                                                  {"balanced-pole", "--set analysis.end_time=0.05"},
                                                  {"crane", "--set analysis.end_time=0.1"},
                                                  {"heavy-top", "--set analysis.end_time=0.02 --set analysis.integrator=bdf-si2"},
                                                  {"rotor-blade", ""},
                                                  {"hanging-chain", "--set analysis.end_time=0.05 -sinew_substructures batched"}};

/// What runs one of them, but for the folder, which comes last.
inline std::string command_of(const ShortExample& example) {
  return "run '" + source_path(std::string("examples/") + example.name + "/model.yaml") + "' " + example.how +
         " -sinew_deterministic -o ";
}

}  // namespace sinew::test
