/// \file
/// What the program throws, and the exit code each kind ends with.
#pragma once

#include <stdexcept>
#include <string>

namespace sinew {

/// The input is wrong (exit code 2). The message names file, line and remedy and may hold several lines, one per fault.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The solution failed (exit code 3): no step, however small, converges, or a matrix is singular.
class SolveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The environment failed (exit code 4): disk full, a library lacks a package, a device is missing.
class EnvironmentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace sinew
