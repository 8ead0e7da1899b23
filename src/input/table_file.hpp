/// \file
/// Tables of numbers in text files: measured data.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace sinew {

/// Two columns of a text: numbers that commas, semicolons, tabs or blanks separate, a row a line. Empty lines and those that
/// begin with # or % are passed over; a first line that holds no number names the columns. `columns`: two names, or numbers
/// from 1. Arguments, the first of the two, must rise. Throws InputError that names the line and what to do.
std::vector<std::array<double, 2>> read_table_text(const std::string& text, const std::array<std::string, 2>& columns);

}  // namespace sinew
