/// \file
/// Which rows of two runs of the same motion can be compared, what switches of the state that change at different times in them
/// keep from it, and which of those rows say something of each other.
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

/// Rows of a run that are compared, in pieces between which something jumps: a step behind a jump, however stiff what it sets
/// off, says nothing of the last instant before it, nor does that of what comes after.
class ComparedTimes {
 public:
  ComparedTimes() = default;
  /// `rows` of the run, rising.
  ComparedTimes(const SensorSeries& run, const std::vector<std::size_t>& rows);

  const std::vector<double>& times() const { return times_; }
  /// The compared rows on either side of a time, twice the same where it is one itself. Where something jumps between the two
  /// only the one on the side of that time counts, twice, if it is one of a piece that has compared rows.
  std::array<std::size_t, 2> beside(double time) const;
  /// Does nothing jump between a compared row and the next one?
  bool goes_on(std::size_t k) const { return k + 1 < pieces_.size() && pieces_[k] == pieces_[k + 1]; }
  /// Is a compared row one that the run records, or beside one of these?
  bool counts(std::size_t k) const { return counts_[k]; }
  /// The largest of each row's and its neighbours' in the same piece.
  std::vector<double> largest_around(const std::vector<double>& values) const;
  /// In every piece, what lies between two peaks is lifted to the lower of them: the amplitude of what swings, and what grows
  /// stays as it is.
  std::vector<double> lifted_to_peaks(std::vector<double> values) const;
  /// The largest of the rows that the run records; of what swings its amplitude there, since they may meet it at any phase.
  double largest_recorded(const std::vector<double>& values) const;

 private:
  std::size_t piece(double time) const;

  std::vector<double> bounds_, times_;
  std::vector<std::size_t> pieces_;
  std::vector<bool> counts_;
};

/// By how much a quantity jumps where a switch of a run changes: its values there by the rows on either side.
double jump_across(const SensorSeries& run, double change, const std::vector<std::size_t>& columns);

}  // namespace sinew
