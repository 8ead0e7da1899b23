/// \file
/// The part of the input reference that follows from what is registered.
#pragma once

#include "model/catalogue.hpp"

#include <string>

namespace sinew {

/// Markdown: a section for every joint and force with a table of its keys, then the words that options can take.
std::string reference_page(const Catalogue& catalogue);

}  // namespace sinew
