#pragma once

#include "tests/catch.hpp"

#include <string>

namespace sinew::test {

/// Fails the running test, and shows the text, unless it holds the part.
inline void check_contains(const std::string& text, const std::string& part) {
  INFO("text: " << text);
  INFO("part: " << part);
  CHECK(text.find(part) != std::string::npos);
}

}  // namespace sinew::test
