/// \file
/// Repeats: one item of the model file that stands for many. A repeat stays symbolic; an instance is a number, and its indices
/// are computed from it, so a million bodies cost as much memory as one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// Values of a repeat's indices, in the order of its ranges; unused ones are 0.
using Indices = std::array<std::int64_t, 2>;

/// One index and the values it takes, both ends included.
struct IndexRange {
  std::string name;
  std::int64_t first = 0;
  std::int64_t last = 0;

  std::int64_t count() const { return last - first + 1; }
};

/// None, one or two index ranges. Instances count from 0, the last index fastest. Without a range there is one instance.
class Repeat {
 public:
  static constexpr int max_indices = 2;

  Repeat() = default;
  /// At most two ranges, none of them empty (the reader has checked).
  explicit Repeat(std::vector<IndexRange> ranges) : ranges_(std::move(ranges)) {}

  const std::vector<IndexRange>& ranges() const { return ranges_; }
  bool is_single() const { return ranges_.empty(); }
  std::int64_t count() const;
  /// Values of the indices at an instance, 0 <= instance < count().
  Indices indices(std::int64_t instance) const;
  /// The instance with these indices; nothing if one is out of range.
  std::optional<std::int64_t> instance(const Indices& indices) const;
  /// `i = 3, j = 4` for messages; empty without a repeat.
  std::string describe(std::int64_t instance) const;

 private:
  std::vector<IndexRange> ranges_;
};

}  // namespace sinew
