/// \file
/// What the first instance of a repeat decides for all: kernels are chosen by what it connects, and others must be like it.
#pragma once

#include "input/section_readers.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace sinew {

/// A repeat of that instance alone, with the same indices.
Repeat only(const Repeat& repeat, std::int64_t instance);

/// The entries of Model::joints that `of` names in the instances of an item, each with the first instance that does. What is no
/// joint, or was not read well, is left out.
std::vector<std::pair<int, std::int64_t>> joints_met(const ReadContext&, const Repeat&, const NamePattern& of);

/// Says at `mark` that an instance of the item is unlike the first: `why` ends the sentence "'b2' ..., unlike 'b1'".
void report_unlike(const ReadContext&, const SourceMark& mark, const ConnectedItem&, std::int64_t instance,
                   const std::string& why);

}  // namespace sinew
