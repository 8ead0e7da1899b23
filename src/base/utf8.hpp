/// \file
/// Text whose encoding is known: model files and what is written for other programs are UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

/// Where the first byte stands that cannot be UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF); npos if
/// there is none.
std::size_t find_not_utf8(std::string_view text);

/// The text with every byte that cannot be UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// The whole character that begins at `at`; U+FFFD where none does.
std::string character_at(std::string_view text, std::size_t at);

/// The longest beginning of no more than so many bytes that cuts no character.
std::string_view beginning(std::string_view text, std::size_t most_bytes);

}  // namespace sinew
