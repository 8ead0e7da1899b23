/// \file
/// Which rows of two runs of the same motion can be compared, and what switches of the state that change at different times in
/// them keep from it.
#pragma once

#include "observe/sensor_series.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace sinew {

/// Rows of two series.
using RowPairs = std::vector<std::array<std::size_t, 2>>;

/// When two runs change the same switch.
struct SwitchPair {
  double first = 0, second = 0;
};

/// Does a run stand still between two times, as far as anybody minds?
using IsStill = std::function<bool(const SensorSeries& run, double from, double to)>;

/// Changes of switches that lie nearest to each other, no farther apart than the step of the run with fewer rows within which
/// they lie, or than both runs stand still: what differs by more differs in earnest, and is compared. So no more lies between
/// such a pair than a row or two, or what jumps.
std::vector<SwitchPair> switch_pairs(const SensorSeries& few, const SensorSeries& many, const IsStill&);

/// Rows of two series at the times of the one with fewer.
RowPairs rows_at_same_times(const SensorSeries& few, const SensorSeries& many);

/// Of rows at times of `few`, the first one between the changes of the pair and the first one behind them.
std::array<RowPairs::const_iterator, 2> rows_between(const RowPairs&, const SensorSeries& few, const SwitchPair&);

/// Those at the same times that can be compared: not between the times at which the runs change the same switch, where one has
/// jumped already and the other has not.
RowPairs common_rows(const SensorSeries& few, const SensorSeries& many, const IsStill&);

/// By how much a quantity jumps where a switch of a run changes: its values there by the rows on either side.
double jump_across(const SensorSeries& run, double change, const std::vector<std::size_t>& columns);

}  // namespace sinew
