/// \file
/// Forces of the state that do something within a step which its ends do not show: a bump that a body passes at speed, a pulse
/// of a phase.
#pragma once

#include "integrate/integrator.hpp"
#include "system/signal_curves.hpp"

#include <string>
#include <vector>

namespace sinew {

/// Looks through solved steps. What a step shows of a force f are its values and slopes at both ends, and so the cubic C that
/// they make. In between what f knows of the state moves on parabolas (of distances their squares do), through its values at the
/// ends and in the middle of an interpolation. f is hidden where it leaves C by more than
///
///   max( |C - chord|, |f1 - f0|/2, 0.05 of the largest |f| so far )
///
/// Over a quarter of its period or its width a smooth function leaves C by far less; one of which a step takes more than about a
/// period by more. Bounds over intervals (SignalCurves::range) say that there is nothing, values that there is something; the
/// worst interval is halved. See docs/theory/events.md.
class HiddenSwings {
 public:
  /// The system must outlive it and have curves.
  explicit HiddenSwings(const DynamicSystem&);

  /// The part of a solved step that nothing is hidden in, from its beginning on: 1 where nothing is. Collective.
  double look(const State& begin, const Stage& middle, const Stage& end);
  /// Takes note of what the last look has found: the step is taken as it is. Local.
  void let_pass();
  /// What steps have gone over; empty: nothing. Collective.
  std::string verdict() const;
  void persist(Archive&);

 private:
  /// Of one force: its largest amount so far, and the largest swing that steps have gone over.
  struct Record {
    double largest = 0, swing = 0;
    double time = 0, step = 0, peak = 0, at_begin = 0, at_end = 0, width = 0;
  };
  class Search;

  const DynamicSystem& system_;
  const SignalCurves& curves_;
  double largest_force_ = 0;  ///< of all generalised forces and rates
  std::vector<Record> records_, found_;
};

}  // namespace sinew
