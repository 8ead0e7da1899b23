#include "observe/sensor_series.hpp"

#include "base/timing.hpp"

#include <algorithm>

namespace sinew {

void SensorSeries::observe(const Snapshot& snapshot) {
  const State& s = snapshot.state;
  const bool is_recorded = schedule_.is_due(snapshot, comm_);
  if (snapshot.is_at_switch) {
    pass_switch(s.t);
    return;
  }
  if (snapshot.is_again) return;  // times rise
  const TimedPhase timer(Phase::output);
  std::vector<double> values = measure_({s.t, &s.q, s.z, s.lambda}, snapshot.acceleration);
  if (comm_rank(comm_) == 0) {
    add(s.t, std::move(values), is_recorded);
    if (snapshot.is_first || snapshot.is_before_jump) add_break(s.t);
  }
  if (reaction_) largest_reaction_ = std::max(largest_reaction_, reaction_({s.t, &s.q, s.z, s.lambda}));
  if (!terms_ || !is_recorded) return;
  const std::vector<double> terms = terms_({s.t, &s.q, s.z, s.lambda});
  largest_terms_.resize(terms.size(), 0.0);
  for (std::size_t c = 0; c < terms.size(); ++c) largest_terms_[c] = std::max(largest_terms_[c], terms[c]);
}

SensorSeries::Terms SensorSeries::terms_of(const Sensors& sensors) {
  if (!sensors.records_sums()) return {};
  return [&sensors](const Stage& stage) { return sensors.sizes_of_terms(stage); };
}

void SensorSeries::pass_switch(double time) {
  if (comm_rank(comm_) == 0) switches_.push_back(time);
}

SensorSeries SensorSeries::chosen(const std::vector<std::size_t>& columns) const {
  SensorSeries result(comm_, measure_, terms_);
  result.times_ = times_;
  result.is_recorded_ = is_recorded_;
  result.switches_ = switches_;
  result.breaks_ = breaks_;
  result.largest_reaction_ = largest_reaction_;
  for (const std::size_t c : columns) result.largest_terms_.push_back(largest_term(c));
  for (const std::size_t c : columns) {
    result.creep_.most.push_back(creep(c));
    result.creep_.held_sizes.push_back(held_size(c));
  }
  for (const std::vector<double>& row : rows_) {
    std::vector<double> part;
    for (const std::size_t c : columns) part.push_back(row[c]);
    result.rows_.push_back(std::move(part));
  }
  return result;
}

SensorSeries SensorSeries::without_start() const {
  SensorSeries result = *this;
  if (times_.size() < 2) return result;
  result.times_.erase(result.times_.begin());
  result.is_recorded_.erase(result.is_recorded_.begin());
  if (!rows_.empty()) result.rows_.erase(result.rows_.begin());
  return result;
}

void SensorSeries::add(double time, std::vector<double> row, bool is_recorded) {
  times_.push_back(time);
  rows_.push_back(std::move(row));
  is_recorded_.push_back(is_recorded);
}

}  // namespace sinew
