/// \file
/// Families in pieces whose matrix entries fill a stretch of slots.
#pragma once

#include "kernels/sweep/family.hpp"
#include "system/slot_sums.hpp"

#include <algorithm>

namespace sinew {

/// All elements of a family, as many at a time as a stretch of slots takes; none where they have no entries.
inline std::vector<ElementRange> element_ranges(const Family& family, MatrixKind kind) {
  std::vector<ElementRange> ranges;
  const int entries = family.entries_per_element(kind);
  if (entries == 0) return ranges;
  const int most = std::max(1, SlotSums::most_slots / entries);
  for (int first = 0; first < family.size(); first += most) ranges.push_back({first, std::min(family.size(), first + most)});
  return ranges;
}

}  // namespace sinew
