#include "observe/compared_rows.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace sinew {

namespace {

/// Times of two runs within this part of their distance are the same.
constexpr double same_time = 1e-6;

/// Of rising numbers, which are at least one.
std::size_t nearest(const std::vector<double>& numbers, double x) {
  const auto after = std::lower_bound(numbers.begin(), numbers.end(), x);
  const auto k = static_cast<std::size_t>(after - numbers.begin());
  if (k == 0) return 0;
  return k == numbers.size() || x - numbers[k - 1] <= numbers[k] - x ? k - 1 : k;
}

/// x at a time from its values at others: the polynomial through them.
double through(const std::vector<double>& times, const std::vector<double>& values, double t) {
  double sum = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    double weight = 1;
    for (std::size_t j = 0; j < times.size(); ++j)
      if (j != i) weight *= (t - times[j]) / (times[i] - times[j]);
    sum += weight * values[i];
  }
  return sum;
}

/// The next rows before (`side` -1) or behind (1) a switch of a run, up to three, with none of its other switches between.
std::vector<std::size_t> rows_beside(const SensorSeries& run, double change, int side) {
  const auto &t = run.times(), &switches = run.switches();
  const auto other = side > 0 ? std::upper_bound(switches.begin(), switches.end(), change)
                              : std::lower_bound(switches.begin(), switches.end(), change);
  std::vector<std::size_t> rows;
  auto k = std::upper_bound(t.begin(), t.end(), change) - t.begin() - (side < 0 ? 1 : 0);
  for (; k >= 0 && k < std::ssize(t) && rows.size() < 3; k += side) {
    const double at = t[static_cast<std::size_t>(k)];
    if (side > 0 ? other != switches.end() && at > *other : other != switches.begin() && at < *(other - 1)) break;
    rows.push_back(static_cast<std::size_t>(k));
  }
  return rows;
}

void lift_to_peaks(std::span<double> values) {
  std::vector<double> left(values.begin(), values.end()), right = left;  // the last peak before, the first one after
  const std::size_t n = values.size();
  const auto is_peak = [&](std::size_t k) {
    return k > 0 && k + 1 < n && values[k] >= values[k - 1] && values[k] >= values[k + 1];
  };
  double peak = 0;
  for (std::size_t k = 0; k < n; ++k) left[k] = peak = is_peak(k) ? values[k] : peak;
  peak = 0;
  for (std::size_t k = n; k-- > 0;) right[k] = peak = is_peak(k) ? values[k] : peak;
  for (std::size_t k = 0; k < n; ++k) values[k] = std::max(values[k], std::min(left[k], right[k]));
}

}  // namespace

ComparedTimes::ComparedTimes(const SensorSeries& run, const std::vector<std::size_t>& rows) {
  std::merge(run.breaks().begin(), run.breaks().end(), run.switches().begin(), run.switches().end(), std::back_inserter(bounds_));
  for (const std::size_t k : rows) {
    times_.push_back(run.times()[k]);
    pieces_.push_back(piece(times_.back()));
  }
  counts_.assign(times_.size(), false);
  for (std::size_t k = 0; k < run.times().size() && !rows.empty(); ++k)
    if (run.is_recorded(k))
      for (const std::size_t row : beside(run.times()[k])) counts_[row] = true;
}

/// A row at the time of a jump is the last one before it.
std::size_t ComparedTimes::piece(double time) const {
  return static_cast<std::size_t>(std::lower_bound(bounds_.begin(), bounds_.end(), time) - bounds_.begin());
}

std::array<std::size_t, 2> ComparedTimes::beside(double time) const {
  const auto found = std::lower_bound(times_.begin(), times_.end(), time);
  const std::size_t after = std::min<std::size_t>(static_cast<std::size_t>(found - times_.begin()), times_.size() - 1);
  const std::size_t before = after > 0 && times_[after] > time ? after - 1 : after, own = piece(time);
  if (pieces_[before] == pieces_[after]) return {before, after};
  if (pieces_[before] == own) return {before, before};
  if (pieces_[after] == own) return {after, after};
  return {before, after};
}

std::vector<double> ComparedTimes::largest_around(const std::vector<double>& values) const {
  std::vector<double> largest = values;
  for (std::size_t k = 0; k + 1 < values.size(); ++k) {
    if (!goes_on(k)) continue;
    largest[k + 1] = std::max(largest[k + 1], values[k]);
    largest[k] = std::max(largest[k], values[k + 1]);
  }
  return largest;
}

std::vector<double> ComparedTimes::lifted_to_peaks(std::vector<double> values) const {
  for (std::size_t begin = 0, k = 0; k < values.size(); ++k) {
    if (goes_on(k)) continue;
    lift_to_peaks(std::span(values).subspan(begin, k + 1 - begin));
    begin = k + 1;
  }
  return values;
}

double ComparedTimes::largest_recorded(const std::vector<double>& values) const {
  const std::vector<double> amplitudes = lifted_to_peaks(values);
  double largest = 0;
  for (std::size_t k = 0; k < amplitudes.size(); ++k)
    if (counts_[k]) largest = std::max(largest, amplitudes[k]);
  return largest;
}

std::vector<SwitchPair> switch_pairs(const SensorSeries& few, const SensorSeries& many, const IsStill& is_still) {
  std::vector<SwitchPair> pairs;
  if (many.switches().empty()) return pairs;
  const std::vector<double>& times = few.times();
  for (std::size_t k = 0; k < few.switches().size(); ++k) {
    const double s = few.switches()[k], t = many.switches()[nearest(many.switches(), s)];
    if (few.switches()[nearest(few.switches(), t)] != s) continue;
    const auto after = std::upper_bound(times.begin(), times.end(), s);
    if (after == times.begin() || after == times.end()) continue;
    const auto [begin, end] = std::minmax(s, t);
    if (end - begin <= *after - *(after - 1) || (is_still(few, begin, end) && is_still(many, begin, end)))
      pairs.push_back({s, t});
  }
  return pairs;
}

RowPairs rows_at_same_times(const SensorSeries& a, const SensorSeries& b) {
  RowPairs pairs;
  const auto &s = a.times(), &t = b.times();
  for (std::size_t i = 0, k = 0; i < s.size(); ++i) {
    while (k + 1 < t.size() && std::abs(t[k + 1] - s[i]) <= std::abs(t[k] - s[i])) ++k;
    const double near = i > 0 ? s[i] - s[i - 1] : (s.size() > 1 ? s[1] - s[0] : 0);
    if (k < t.size() && std::abs(t[k] - s[i]) <= same_time * near) pairs.push_back({i, k});
  }
  return pairs;
}

std::array<RowPairs::const_iterator, 2> rows_between(const RowPairs& rows, const SensorSeries& few, const SwitchPair& pair) {
  const auto [begin, end] = std::minmax(pair.first, pair.second);
  return {
      std::lower_bound(rows.begin(), rows.end(), begin, [&few](const auto& row, double t) { return few.times()[row[0]] < t; }),
      std::upper_bound(rows.begin(), rows.end(), end, [&few](double t, const auto& row) { return t < few.times()[row[0]]; })};
}

RowPairs common_rows(const SensorSeries& few, const SensorSeries& many, const IsStill& is_still) {
  const RowPairs rows = rows_at_same_times(few, many);
  RowPairs kept;
  auto next = rows.begin();
  for (const SwitchPair& pair : switch_pairs(few, many, is_still)) {
    const auto [first, behind] = rows_between(rows, few, pair);
    if (next < first) kept.insert(kept.end(), next, first);
    next = std::max(next, behind);
  }
  kept.insert(kept.end(), next, rows.end());
  return kept;
}

double jump_across(const SensorSeries& run, double change, const std::vector<std::size_t>& columns) {
  const auto before = rows_beside(run, change, -1), behind = rows_beside(run, change, 1);
  if (before.empty() || behind.empty()) return 0;
  const auto limit = [&](const std::vector<std::size_t>& rows, std::size_t column) {
    std::vector<double> times, values;
    for (const std::size_t k : rows) {
      times.push_back(run.times()[k]);
      values.push_back(run.row(k)[column]);
    }
    return through(times, values, change);
  };
  double squares = 0;
  for (const std::size_t c : columns) squares += std::pow(limit(behind, c) - limit(before, c), 2);
  return std::sqrt(squares);
}

}  // namespace sinew
