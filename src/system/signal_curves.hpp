/// \file
/// Forces and rates that do more with places, velocities and states than polynomials do, and what they are while these move.
#pragma once

#include "model/time_part.hpp"
#include "partition/local_model.hpp"
#include "system/switch_board.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

/// The signals of a rank that drive an actuator or a state and whose expressions bend what they know of the state: `exp`, `sin`,
/// quotients. Such a one may be narrow beside a step.
class SignalCurves {
 public:
  /// Both must outlive it.
  SignalCurves(const LocalModel&, const SwitchBoard&);

  std::size_t size() const { return curves_.size(); }
  /// Its place among the signals of the rank.
  std::size_t signal(std::size_t c) const { return curves_[c]; }
  /// Of what it is the amount or rate in the model, on any number of ranks.
  std::int64_t key(std::size_t c) const;
  std::size_t num_leaves(std::size_t c) const { return local_.signals[curves_[c]].leaves.size(); }
  /// Is leaf k the distance of two places?
  bool is_distance(std::size_t c, std::size_t k) const;
  /// The value at time t, with switches on their pieces.
  double value(std::size_t c, double t, const double* leaves) const { return board_.evaluate(curves_[c], t, leaves); }
  /// Where it lies over [from, to] while its leaves move as they are given.
  TimeRange range(std::size_t c, double from, double to, const std::vector<MovingValue>& leaves) const;
  /// The expression that it is the result of.
  const Expression& expression(std::size_t c) const { return *local_.signals[curves_[c]].flow.steps.back().expression; }

 private:
  const LocalModel& local_;
  const SwitchBoard& board_;
  std::vector<std::size_t> curves_;
};

}  // namespace sinew
