/// \file
/// Tables of numbers in text files: measured data.
#pragma once

#include "input/table_grid.hpp"

#include <array>
#include <string>
#include <vector>

namespace sinew {

/// Two columns of a text: numbers that commas, semicolons, tabs or blanks separate, a row a line. Empty lines and those that
/// begin with # or % are passed over; a first line that holds no number names the columns. `columns`: two names, or numbers
/// from 1. Arguments, the first of the two, must rise. Throws InputError that names the line and what to do.
std::vector<std::array<double, 2>> read_table_text(const std::string& text, const std::array<std::string, 2>& columns);

/// A lattice of values: a line of the second arguments, which a corner without meaning may precede, then for every first argument
/// a line of it and its values; lines as above. Throws InputError that names the line and what to do.
TableGrid read_grid_text(const std::string& text);

}  // namespace sinew
