/// \file
/// A model from the text of its file.
#pragma once

#include "input/model_reader.hpp"
#include "tests/catch.hpp"
#include "tests/src/input/test_catalogue.hpp"

#include <string>

namespace sinew::test::read_text {

inline Model read(const std::string& text, const std::string& path = "model.yaml") {
  return read_model_text(text, path, test::small_catalogue());
}

inline void check_vector(const Vec3<double>& found, const Vec3<double>& expected) {
  for (int k = 0; k < 3; ++k) CHECK(found[k] == Approx(expected[k]).margin(1e-14));
}

inline const std::string analysis = "analysis: {end_time: 1.0, step: 1e-2}\n";

}  // namespace sinew::test::read_text
