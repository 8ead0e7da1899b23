/// \file
/// Steps that end where a switch of the state goes over to another piece (dry friction, relays, limiters) or the law of a force
/// to another one (stops, ropes that go slack).
#pragma once

#include "integrate/bracket.hpp"
#include "integrate/chatter.hpp"
#include "integrate/seen_forces.hpp"
#include "integrate/switch_settling.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace sinew {

/// A change before this part of a step is one at its beginning.
inline constexpr double at_once = 1e-6;

/// Within a step every switch is held on the piece of its beginning. Where an argument has left its piece by the end, the step is
/// solved anew with shorter sizes until it ends just behind the first change (regula falsi, Illinois): every trial is a step of
/// the integrator; an interpolation between its ends says where the second one should end, and decides nothing. Where arguments
/// leave their pieces and come back within a step, an interpolation between its ends finds that, and a shorter step looks. Kinks
/// of forces (DynamicSystem::kinks) are met in the same way where that is asked for; laws that jump there are held too, those
/// that have a kink alone are not: beyond it they are what they are. Without either nothing is done. See docs/theory/events.md.
class EventLocation {
 public:
  /// Both must outlive it. `duration`: of the run; `width`: within which switches slide, over what is best.
  EventLocation(const DynamicSystem&, Integrator&, double duration, double width, bool meets_kinks);
  ~EventLocation();
  EventLocation(const EventLocation&) = delete;
  EventLocation& operator=(const EventLocation&) = delete;

  /// Chooses the pieces of the switches at a state from which the history starts anew. Collective.
  void settle(const State&);
  /// A step of size h, or a shorter one behind which a switch changes; h then says its size. Collective.
  StepOutcome step(State&, double& h);
  /// Does a switch change where the last accepted step has ended? Then `pass` comes next.
  bool is_behind() const { return is_behind_; }
  /// Goes over to the pieces behind, without history; steps of about h follow. Where switches change again and again in next to
  /// no time, those that jump go over within a width from then on. Throws SolveError where none jumps. Collective.
  void pass(State&, double h);
  /// Which switches do so, and since when, in a sentence for the user; empty: none.
  const std::string& chatter() const { return chatter_.sentence(); }
  /// What forces did within steps that these have not shown, in a sentence; empty: nothing. Collective.
  std::string verdict() const { return seen_.verdict(); }
  void watch_creep() {
    if (settling_) settling_->watch_creep();
  }
  /// How fast what slides may creep (SwitchSettling::creep), once that is watched; null: nothing does.
  PetscVec creep() const { return settling_ ? settling_->creep() : nullptr; }
  /// Between two steps, behind which no change is left to pass, in the state there. Collective.
  void persist(Archive&, const State&);
  /// Changes of switches so far; those at one instant count once.
  long count() const { return chatter_.count(); }

 private:
  bool is_active() const { return settling_ != nullptr || meets_kinks_ || seen_.exist(); }
  void choose_sides(const Stage&);
  void begin_step(const State&, double h);
  bool look(const State& begin, const Stage& end);
  void set_begin(const Stage&);
  bool heed_rounding(const State& begin);
  bool leaves_rest();
  std::vector<double> margins(const Stage&, bool begins = false);
  double first_crossing(const std::vector<double>& low, double h_low, const std::vector<double>& high, double h,
                        double after = -std::numeric_limits<double>::infinity()) const;
  double first_crossing(const Bracket& b) const { return first_crossing(b.low(), b.h_low(), b.high(), b.h_high()); }
  long changes_ahead(double h) const;
  double foreseen_crossing(const State& begin, const Stage& end);
  void aim(double crossing);
  bool lets_follow(const State& begin, const Stage& end);
  bool may_come_back() const;
  bool comes_back(const State& begin, const Stage& end, double h);
  bool has_left_switch() const;
  std::vector<char> left_switches() const;
  bool has_left_jump() const;
  bool is_past_piece() const;

  const DynamicSystem& system_;
  Integrator& integrator_;
  std::unique_ptr<SwitchSettling> settling_;  ///< null where there are no switches
  SeenForces seen_;
  Chatter chatter_;
  bool is_free_;  ///< to make steps shorter
  bool meets_kinks_;
  std::size_t num_switches_;   ///< of this rank; its kinks are numbered behind them
  std::vector<double> sides_;  ///< of the kinks, 1 or -1
  bool has_sides_ = false;     ///< they are chosen
  bool is_muted_ = false;
  double muted_until_ = -std::numeric_limits<double>::infinity();  ///< kinks that came too often are not met for so long
  std::optional<StepInterpolation> within_;                        ///< where there is anything to meet
  std::vector<double> begin_, end_;                                ///< margins at the step's beginning, of a trial
  std::vector<double> floor_;                                      ///< a margin below this one has left
  std::vector<double> rounding_;  ///< of switches that begin within that of their change or beyond; 0: of others
  bool heeds_rounding_ = false;   ///< it has been looked up in this step
  Bracket bracket_;               ///< of trials
  double next_ = 0;               ///< the size of the trial
  double asked_ = 0;              ///< the size of the step, were there no change
  double tolerance_ = 0;          ///< the step ends no further behind the change
  int trials_ = 0;
  bool is_probing_ = false;  ///< the trial looks for a change that came and went
  bool is_refused_ = false;  ///< the trial was not taken
  bool is_behind_ = false;
  bool is_at_once_ = false;  ///< switches go over where the step begins
  std::vector<char> left_;   ///< this rank's switches and kinks that the last step has left
  long in_a_row_ = 0;        ///< changes since the last step that was asked for and ended where it should
};

}  // namespace sinew
