/// \file
/// By what a checkpoint knows its model again.
#pragma once

#include "input/document.hpp"

#include <map>
#include <string>

namespace sinew {

/// A number for the text of every section of a model file, and of every key of its analysis (`analysis.step`), options of the
/// command line included; comments, quotes and layout do not count. What a run may change half-way has none: `title`, `output`,
/// `analysis.end_time`, `analysis.stop`, `analysis.newton`.
std::map<std::string, std::string> fingerprint_of(const DocumentNode& root);

}  // namespace sinew
