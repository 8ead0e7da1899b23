/// \file
/// A model file of this folder that is wrong in one way.
#pragma once

#include <vector>

namespace sinew::test {

/// A file of tests/inputs and what must be said about it; `place` stands after the file's name in the first fragment's message.
struct BrokenInput {
  const char* name;
  const char* place;
  std::vector<const char*> fragments;
  bool by_reader = true;  ///< false: found behind it, where parameters are made
};

}  // namespace sinew::test
