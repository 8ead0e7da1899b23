#include "base/utf8.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// Length of the character that begins at `at`, 0 where the bytes are none.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  // The second byte is bounded where the first leaves room for an overlong form, a surrogate or too large a number.
  const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  for (std::size_t k = 1; k < length; ++k)
    if (byte(k) < (k == 1 ? least : 0x80) || byte(k) > (k == 1 ? most : 0xbf)) return 0;
  return length;
}

}  // namespace

std::size_t find_not_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    out += length == 0 ? std::string("\xef\xbf\xbd") : std::string(text.substr(at, length));
    at += length == 0 ? 1 : length;
  }
  return out;
}

std::string character_at(std::string_view text, std::size_t at) {
  const std::size_t length = character_length(text, at);
  return length == 0 ? std::string("\xef\xbf\xbd") : std::string(text.substr(at, length));
}

std::string_view beginning(std::string_view text, std::size_t most_bytes) {
  const auto continues = [&](std::size_t k) { return (static_cast<unsigned char>(text[k]) & 0xc0U) == 0x80U; };
  std::size_t end = std::min(most_bytes, text.size());
  while (end < text.size() && end > 0 && continues(end)) --end;
  return text.substr(0, end);
}

}  // namespace sinew
