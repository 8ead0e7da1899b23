/// \file
/// Numbers as files write them.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace sinew {

/// The number that a word is, all of it, whatever the locale; none where it is no number, or not one that a double holds.
inline std::optional<double> number_in(std::string_view word) {
  if (word.size() > 1 && word.front() == '+') word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace sinew
