/// \file
/// Switches that change again and again in next to no time, each change bringing on the next.
#pragma once

#include "integrate/switch_settling.hpp"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

/// Counts changes of switches and kinks, and does something about it where they follow each other without end: switches that
/// jump go over within a width from then on (SwitchSettling::widen), kinks are not met for a while.
class Chatter {
 public:
  /// Both must outlive it; `settling`: null where there are no switches, `duration`: of the run.
  Chatter(const DynamicSystem&, SwitchSettling* settling, double duration);

  /// Takes note of a change at a state by which this rank's switches and kinks in `left` have left their pieces; of those that
  /// go over within a width it takes the mark away, they are where they belong. Returns until when kinks are not to be met, where
  /// these are what brings on one another. Throws SolveError where none jumps. Collective.
  std::optional<double> count_change(const State&, std::vector<char>& left);
  /// Changes so far; those at one instant count once.
  long count() const { return count_; }
  /// Which switches go over within a width, and since when, in a sentence for the user; empty: none.
  const std::string& sentence() const { return sentence_; }
  void persist(Archive&);

 private:
  std::string name_first(const std::vector<char>& marked) const;
  bool has_switch(const std::vector<char>& left) const;

  const DynamicSystem& system_;
  SwitchSettling* settling_;
  double duration_;
  long count_ = 0, burst_ = 0;
  double burst_begin_ = -std::numeric_limits<double>::infinity();
  std::string sentence_;
};

}  // namespace sinew
