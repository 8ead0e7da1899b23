/// \file
/// Runs of consecutive rows of a long table, of which each rank has some.
#pragma once

#include <cstdint>
#include <vector>

namespace sinew {

/// Rows `first` to `first + count - 1`.
struct RowRun {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Runs that rise and do not touch.
using RowRuns = std::vector<RowRun>;

/// How many rows there are in all of them.
inline std::int64_t num_rows(const RowRuns& runs) {
  std::int64_t sum = 0;
  for (const RowRun& run : runs) sum += run.count;
  return sum;
}

}  // namespace sinew
