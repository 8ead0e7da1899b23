/// \file
/// What lies in a directory.
#pragma once

#include <filesystem>
#include <system_error>
#include <vector>

namespace sinew {

/// The paths of what lies in a directory, as far as it can be read: `code` says why no further. Unlike the loop over
/// std::filesystem::directory_iterator it throws nothing when the file system fails on the way.
inline std::vector<std::filesystem::path> entries_of(const std::filesystem::path& directory, std::error_code& code) {
  std::vector<std::filesystem::path> entries;
  std::filesystem::directory_iterator entry(directory, code);
  for (const std::filesystem::directory_iterator end; !code && entry != end; entry.increment(code))
    entries.push_back(entry->path());
  return entries;
}

}  // namespace sinew
