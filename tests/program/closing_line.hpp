/// \file
/// What the closing line of a run says, "done: 159 steps ...".
#pragma once

#include "tests/program/refusals.hpp"

#include <string>

namespace sinew::test {

/// The number of steps. Fails the test where a run has no such line.
inline double steps_taken(const Outcome& outcome) {
  const std::size_t at = outcome.said.find("done: ");
  REQUIRE(at != std::string::npos);
  return std::stod(outcome.said.substr(at + 6));
}

/// The number before words of that line, "attempts rejected"; 0 where it has none.
inline double count_of(const Outcome& outcome, const std::string& words) {
  const std::size_t at = outcome.said.find("done: "), end = outcome.said.find(' ' + words, at);
  return at == std::string::npos || end == std::string::npos
             ? 0.0
             : std::stod(outcome.said.substr(outcome.said.rfind(' ', end - 1) + 1));
}

}  // namespace sinew::test
