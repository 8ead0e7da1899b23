/// \file
/// Files that a model file names.
#pragma once

#include "input/section_readers.hpp"

namespace sinew {

/// The path of a file, relative ones from the model file's directory; nothing (reported) where there is no such file. `kind`:
/// "mesh file", of `what`.
std::optional<std::filesystem::path> find_named_file(const DocumentNode&, const ValueReader&, const ReadContext&,
                                                     const std::string& what, const std::string& kind);

}  // namespace sinew
