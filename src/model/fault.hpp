/// \file
/// What is wrong with something of the model file.
#pragma once

#include "model/source_mark.hpp"

#include <string>

namespace sinew {

/// One fault of one instance: where, what, and what to do (may be empty).
struct Fault {
  SourceMark mark;
  std::string message;
  std::string remedy;
};

/// `file:line:column: error: message (remedy)`.
std::string format_error(const SourceNames& source, const Fault& fault);

}  // namespace sinew
