/// \file
/// All that the sensors of a run say, kept row by row on rank 0, for whoever compares runs.
#pragma once

#include "integrate/simulation.hpp"
#include "observe/schedule.hpp"
#include "system/sensors.hpp"

#include <mpi.h>

#include <functional>
#include <vector>

namespace sinew {

/// How much of each column may be creep of what sliding switches hold; no list: none.
struct Creep {
  static constexpr double not_held = -1;
  std::vector<double> most;
  /// Of columns that are held from the start to the end: what would count of them, by which the switches' width is chosen.
  std::vector<double> held_sizes;
};

/// All that the sensors say at every step of a run, on rank 0; not where a switch of the state changes, at times of that run
/// alone: of these the times are kept. Which of the rows a file would have is known, too.
class SensorSeries final : public Observer {
 public:
  /// What is recorded of a stage and its accelerations, on rank 0.
  using Measure = std::function<std::vector<double>(const Stage&, PetscVec)>;
  /// Of a stage, on rank 0: the largest of the terms that each column is the sum of, 0 for columns that are no sums.
  using Terms = std::function<std::vector<double>(const Stage&)>;
  /// Of a stage, the same on all ranks: how much joints hold there, N m (largest_reaction_of).
  using Reaction = std::function<double(const Stage&)>;
  /// `terms` may be empty. `recorded`: how often a row is written down, in steps or simulated seconds; else all are.
  SensorSeries(MPI_Comm comm, Measure measure, Terms terms = {}, const Interval& recorded = {})
      : comm_(comm), measure_(std::move(measure)), terms_(std::move(terms)), schedule_(recorded, 0.0, 0.0) {}
  /// The sensors must outlive it.
  SensorSeries(MPI_Comm comm, const Sensors& sensors)
      : SensorSeries(
            comm, [&sensors](const Stage& stage, PetscVec a) { return sensors.measure(stage, a); }, terms_of(sensors)) {}
  /// Empty where sensors record no sums. The sensors must outlive it.
  static Terms terms_of(const Sensors& sensors);
  /// From now on the largest reaction is noted, recorded or not; empty: there is none to note.
  void watch_reactions(Reaction reaction) { reaction_ = std::move(reaction); }
  /// Collective.
  void observe(const Snapshot&) override;
  void pass_switch(double time) override;

  const std::vector<double>& times() const { return times_; }
  const std::vector<double>& row(std::size_t k) const { return rows_[k]; }
  /// Is it one that is written down?
  bool is_recorded(std::size_t k) const { return is_recorded_[k]; }
  /// The largest of the terms that a column is the sum of, over the rows that are written down; 0 where it is no sum.
  double largest_term(std::size_t column) const { return column < largest_terms_.size() ? largest_terms_[column] : 0.0; }
  /// The largest reaction at any step, N m; 0 where nobody watches them.
  double largest_reaction() const { return largest_reaction_; }
  void set_largest_reaction(double moment) { largest_reaction_ = moment; }
  /// How much of a column may be creep of what sliding switches hold (CreepRecorder); 0 where that is not known.
  double creep(std::size_t column) const { return column < creep_.most.size() ? creep_.most[column] : 0.0; }
  /// What would count of a column that is held all along, else Creep::not_held.
  double held_size(std::size_t column) const {
    return column < creep_.held_sizes.size() ? creep_.held_sizes[column] : Creep::not_held;
  }
  void set_creep(Creep creep) { creep_ = std::move(creep); }
  /// When switches of the state have changed.
  const std::vector<double>& switches() const { return switches_; }
  /// Behind which something begins or jumps at once, known beforehand: the start, jumps of functions of time, samples.
  const std::vector<double>& breaks() const { return breaks_; }
  /// The same rows with these columns in this order.
  SensorSeries chosen(const std::vector<std::size_t>& columns) const;
  /// The same without the first row, where there is more than one.
  SensorSeries without_start() const;
  /// A row of figures that are no sensors'.
  void add(double time, std::vector<double> row, bool is_recorded = true);
  /// A change of a switch; times rise.
  void add_switch(double time) { switches_.push_back(time); }
  /// A jump behind this time; times rise.
  void add_break(double time) { breaks_.push_back(time); }

 private:
  MPI_Comm comm_;
  Measure measure_;
  Terms terms_;
  Reaction reaction_;
  double largest_reaction_ = 0;
  Schedule schedule_;
  std::vector<double> times_, switches_, breaks_, largest_terms_;
  Creep creep_;
  std::vector<bool> is_recorded_;
  std::vector<std::vector<double>> rows_;
};

}  // namespace sinew
