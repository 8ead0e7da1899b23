/// \file
/// What a known function of time does between the ends of steps that these do not show: a pulse that is narrow beside a step.
#pragma once

#include "model/time_part.hpp"

#include <vector>

namespace sinew {

/// The search within one piece of a function, between two neighbouring breaks of it. The interval is divided into cells of about
/// a step. In a cell the function leaves its chord by |f''| h^2/8, of which the second differences |f''| h^2 of its values at the
/// ends of cells tell; where it leaves it by more than a quarter of the largest one around the cell, twice what they tell,
/// something is hidden. Bounds over intervals say that there is nothing, values that there is something, and an interval of which
/// neither says it is halved.
class HiddenChanges {
 public:
  HiddenChanges(const TimePart& part, double step) : part_(part), step_(step) {}

  /// Adds times within [from, to), ends of the piece at [begin, end], between which chords leave out no more than 2 % of what is
  /// hidden. What has gone on in the same way for eight steps is left to the steps.
  void add_times(double begin, double end, double from, double to, std::vector<double>& times);

 private:
  struct Node {
    double a = 0, b = 0, fa = 0, fb = 0;
    TimeRange range;
    double bound = 0;  ///< of how far the function is from the chord that is asked about
  };
  void divide(double begin, double end, double from, double to);
  double told_by(std::size_t cell) const;
  void look_at(std::size_t first, std::size_t last, const TimeRange& range, std::vector<double>& times);
  void look_into(std::size_t cell, std::vector<double>& times);
  void follow_around(std::size_t cell, std::vector<Node> nodes, double largest, std::vector<double>& times);
  double follow(std::size_t cell, std::vector<Node> nodes, double largest, std::vector<double>& times);
  double off_at_ends(std::size_t cell) const;
  bool goes_on(std::size_t cell) const;
  double seen_between(double a, double b) const;
  double chord(std::size_t cell, double t) const;
  Node node(double a, double b, double fa, double fb) const;
  double from_chord_of(std::size_t cell, const Node&) const;

  const TimePart& part_;
  double step_;
  double from_ = 0, to_ = 0, begin_ = 0;
  std::vector<double> ends_, values_;  ///< of cells
  TimeRange whole_;                    ///< over all cells
  double least_ = 0;                   ///< what is less counts as nothing
};

}  // namespace sinew
