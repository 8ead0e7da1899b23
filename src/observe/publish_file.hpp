/// \file
/// A file that is written under another name gets its own once it is whole.
#pragma once

#include <filesystem>
#include <string>

namespace sinew {

/// Hands `part` to the disk, then gives it the name `file`, in the place of what was there, in one go. To be called by one rank.
/// Returns what went wrong, `part` being gone then and `file` as it was; empty if nothing did.
std::string publish_file(const std::filesystem::path& part, const std::filesystem::path& file);

}  // namespace sinew
