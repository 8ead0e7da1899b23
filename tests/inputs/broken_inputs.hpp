/// \file
/// What must be said about the model files beside this one, each of which is wrong in one way.
#pragma once

#include "tests/inputs/broken_inputs_a_to_m.hpp"
#include "tests/inputs/broken_inputs_n_to_z.hpp"

namespace sinew::test {

inline const std::vector<BrokenInput>& broken_inputs() {
  static const std::vector<BrokenInput> list = [] {
    std::vector<BrokenInput> all = broken_inputs_a_to_m();
    all.insert(all.end(), broken_inputs_n_to_z().begin(), broken_inputs_n_to_z().end());
    return all;
  }();
  return list;
}

}  // namespace sinew::test
