/// \file
/// On which piece every switch goes on where the history starts anew, and which of them slide.
#pragma once

#include "integrate/sliding_creep.hpp"
#include "integrate/switch_rates.hpp"
#include "system/switch_board.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace sinew {

/// A switch that has been left goes over to its other piece. Where that would drive its argument straight back, as dry friction
/// does to what comes to rest, both pieces push towards g = 0: the switch slides (Filippov), at the value between its two pieces
/// for which g' = 0. While it slides it is held at
///
///   part of the upper piece = center + g / (2 epsilon)       epsilon = sqrt(rounding of g * scale of g)
///
/// which keeps g within 2 epsilon of 0, as a constraint would, and says when the value leaves its range: then the switch slips.
/// What g does within that is no part of the motion and dies away (`steady`).
///
/// Where the pieces differ in g'' alone, as a relay of a place or a spring on its preload, and g' is so small that either would
/// carry g no further than that before it turns it back, the switch slides to second order: g'' = 0.
class SwitchSettling {
 public:
  /// `reach`: a time in which switches change something that counts; `width`: a factor on epsilon.
  SwitchSettling(const DynamicSystem&, double reach, double width);

  /// Chooses the pieces of all switches at a state from which the history starts anew. Throws SolveError where sliding switches
  /// have no value between their pieces. Collective.
  void settle(const State&);
  /// The same where the motion goes on behind `left`, this rank's switches whose pieces it has left: others stay where they are,
  /// unless one of these is within their arguments. What comes within `moment` has come. Collective.
  void pass(const State&, const std::vector<char>& left, double moment);
  /// Lets those of `left`, which a step has left, follow their arguments for good whose pieces meet with one slope (drag,
  /// abs(v)*v), or have no part in any value, as that of the angle in cos(atan2(y, x)): a step across loses nothing. True: some
  /// do, on any rank. Collective.
  bool let_follow(const Stage& begin, const Stage& end, const std::vector<char>& left);
  /// Lets those of `left` follow their arguments for good that have a kink and no jump. True: some do, on any rank. Collective.
  bool let_kinks_follow(const std::vector<char>& left);
  /// Before a step from a state with the arguments g_begin: within it every switch that slides is twice as steep about them,
  ///
  ///   part = center + (g + (g - g_begin))/(2 epsilon)
  ///
  /// g where it will be after another such step. Where g' follows from the value that changes nothing; where g' does not depend
  /// on it and only g'' does (a relay of a position), it damps what else would swing on a spring of that stiffness. Where
  /// rounding of g has grown since it began to slide epsilon grows with it. Collective.
  void steady(const State&);
  /// From now on settlings find `creep`.
  void watch_creep() { watches_creep_ = true; }
  /// How fast the motion may creep where switches hold it, by that within which their arguments stay: what each gives in
  /// accelerations over its range, over the rate at which that takes its argument back through the width. A dof vector; null
  /// where none slides that acts on g'.
  PetscVec creep() const { return creep_.found(); }
  /// How often each of this rank's switches has changed since when. Local.
  void forget_changes() { std::fill(changes_.begin(), changes_.end(), 0); }
  void count_changes(const std::vector<char>& left);
  /// This rank's switches that have changed so often that they have part in an endless switching. Local.
  std::vector<char> often_changed() const;
  /// Is there one on any rank? Collective.
  bool has_often_changed() const;
  /// From now on those that have changed often, and jump, go over within what they slide within. Returns which of this rank's;
  /// none where there is none left that jumps, on any rank. Collective.
  std::optional<std::vector<char>> widen(const State&);
  /// Is there a switch, on any rank, that is held as it was when a run goes on? Those of its end are not. Collective.
  bool has_past() const;
  /// On which pieces switches are held, and what slides. Collective.
  void persist(Archive&);
  /// Puts those that have no past on the pieces of their arguments in the state from which a run goes on. Collective.
  void choose_new(const State&);
  /// What has no jump where its pieces meet (abs, min, max) has left one only where its argument goes beyond 0 by more than
  /// rounding of what it has been: of a motion that has come to rest every zero would be a change. Local.
  double slack(std::size_t k) const;
  /// What rounding makes of arguments there, or some roundings after each other. Collective.
  std::vector<double> roundings(const Stage&) const;
  /// Takes note of the arguments in a state that is part of the solution. Local.
  void note(const std::vector<double>& g);

 private:
  struct Slide {
    int order = 1;     ///< of the rate of g that its value acts on: g' or g''
    double slope = 0;  ///< of this rate over the part of the upper piece
    double part = 0;
    double center = 0, steepness = 0;  ///< of the part over g, as long as nothing moves
  };

  /// g' of all arguments, and where that is asked for g''.
  struct Drive {
    std::vector<double> first, second;
    double of(std::size_t k, int order) const { return order == 1 ? first[k] : second[k]; }
  };
  struct Drives {
    Drive ahead, behind;
    bool have_second = false;  ///< on all ranks, those without switches too
  };

  void settle(const State&, const std::vector<char>& left, const std::vector<double>& further, bool chooses_all);
  std::vector<std::size_t> leave(const State&, const std::vector<char>& left, const std::vector<double>& further,
                                 bool chooses_all);
  void judge(const State&, const std::vector<std::size_t>& doubtful, const std::vector<char>& left);
  bool differs(std::size_t k, double ahead, double behind) const;
  Drives drives(const State&, const std::vector<std::size_t>& doubtful);
  void weigh(const State&, const std::vector<std::size_t>& doubtful, const Drives&);
  std::vector<double> widths(const State&);
  void balance(const State&);
  double sweep(const State&);
  bool release_outside(const State&);
  bool choose_around(const State&, const std::vector<char>& changed);
  bool anywhere(bool here) const;
  std::vector<char> kinks_among(const std::vector<char>& left) const;
  bool release(const std::vector<char>& marked);
  bool slides_anywhere() const;
  double holding_rate(const State&);
  std::vector<double> times_through_width() const;
  bool finds_balance(std::size_t k) const { return board_.piece(k).slides && board_.piece(k).width == 0; }

  const DynamicSystem& system_;
  SwitchBoard& board_;
  double reach_, width_;
  std::vector<double> g_;        ///< in the state that is settled
  std::vector<double> largest_;  ///< |g| so far
  std::vector<Slide> slides_;    ///< of those that slide
  std::vector<int> changes_;
  SwitchRates rates_;
  SlidingCreep creep_;
  bool watches_creep_ = false;
};

}  // namespace sinew
