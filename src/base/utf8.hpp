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

}  // namespace sinew
