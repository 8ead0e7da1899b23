/// \file
/// Element records as runs of 64-bit words, in which they travel from rank to rank.
#pragma once

#include "partition/records.hpp"

#include <cstdint>
#include <vector>

namespace sinew {

using Words = std::vector<std::int64_t>;

/// Appends the record to the words.
void pack(const ElementRecord&, Words&);

/// All records in the words.
std::vector<ElementRecord> unpack(const Words&);

}  // namespace sinew
