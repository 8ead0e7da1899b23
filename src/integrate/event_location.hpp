/// \file
/// Steps that end where a switch of the state goes over to another piece: dry friction, relays, limiters, stops.
#pragma once

#include "integrate/switch_settling.hpp"

#include <limits>
#include <memory>
#include <vector>

namespace sinew {

/// Within a step every switch is held on the piece of its beginning. Where an argument has left its piece by the end, the step is
/// solved anew with shorter sizes until it ends just behind the first change (regula falsi, Illinois): every trial is a step of
/// the integrator, no other interpolation decides. Where arguments leave their pieces and come back within a step, an
/// interpolation between its ends finds that, and a shorter step looks. Without switches nothing is done. See
/// docs/theory/events.md.
class EventLocation {
 public:
  /// Both must outlive it. `duration`: of the run; `width`: within which switches slide, over what is best.
  EventLocation(const DynamicSystem&, Integrator&, double duration, double width);
  ~EventLocation();
  EventLocation(const EventLocation&) = delete;
  EventLocation& operator=(const EventLocation&) = delete;

  /// Chooses the pieces of the switches at a state from which the history starts anew. Collective.
  void settle(const State&);
  /// A step of size h, or a shorter one behind which a switch changes; h then says its size. Collective.
  StepOutcome step(State&, double& h);
  /// Does a switch change where the last accepted step has ended? Then `pass` comes next.
  bool is_behind() const { return is_behind_; }
  /// Goes over to the pieces behind, without history; steps of about h follow. Throws SolveError where switches change again and
  /// again in next to no time. Collective.
  void pass(State&, double h);
  /// Between two steps, behind which no change is left to pass. Collective.
  void persist(Archive&);
  /// Changes of switches so far; those at one instant count once.
  long count() const { return count_; }

 private:
  void begin_step(const State&, double h);
  bool look(const State& begin, const Stage& end);
  std::vector<double> margins(const Stage&);
  double first_crossing(const std::vector<double>& high, double h) const;
  void aim();
  Stage interpolate(const State& begin, const Stage& end, double part);
  bool comes_back(const State& begin, const Stage& end, double h);
  void count_change(double t);
  double least(double here) const;

  const DynamicSystem& system_;
  Integrator& integrator_;
  double duration_;
  std::unique_ptr<SwitchSettling> settling_;  ///< null where there are no switches
  Configuration between_;
  VecHandle w_, z_;
  std::vector<double> begin_, low_, high_, end_;  ///< margins at the step's beginning, before and behind the change, of a trial
  double h_low_ = 0, h_high_ = 0;                 ///< 0: no step is known that goes too far
  double next_ = 0;                               ///< the size of the trial
  double tolerance_ = 0;
  int side_ = 0;  ///< of the last trial: -1 before the change, 1 behind it
  int trials_ = 0;
  bool is_probing_ = false;  ///< the trial looks for a change that came and went
  bool is_refused_ = false;  ///< the trial was not taken
  bool is_behind_ = false;
  std::vector<char> left_;  ///< this rank's switches that the last step has left
  long count_ = 0, burst_ = 0;
  double burst_begin_ = -std::numeric_limits<double>::infinity();
};

}  // namespace sinew
