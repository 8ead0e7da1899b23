/// \file
/// Do the terms h^j y^(j) of a multistep history fall with j, or does a vibration keep them up that formulas of high order
/// amplify? See docs/theory/bdf.md.
#pragma once

#include "system/archive.hpp"

#include <array>
#include <string>

namespace sinew {

/// A vibration of theta rad per step has |h^j y^(j)| = r^j |y| with r = 2 sin(theta/2), as differences, and is seen where two
/// ratios of terms that follow each other are such. High terms show it long before it counts in the motion, whose own terms fall
/// faster; the low ones where rounding, changes of the order and what Newton's method leaves, with r = 2 nearly, fill the high
/// ones. Ratios are those of the last steps together, since terms of a vibration rise and fall with its phase.
class HistoryTerms {
 public:
  /// The terms that are looked at: from those that the formula of order 3 judges its neighbours by.
  static constexpr int lowest = 2, highest = 7, count = highest - lowest + 1;
  /// Sizes of the terms, up to the highest that there is history for.
  struct Terms {
    int known = 0;
    std::array<double, count> sizes{};
  };

  /// Terms are over the tolerance from now on.
  void judge() { are_judged_ = true; }
  /// The history begins anew.
  void restart();
  /// Takes note of an accepted step, made by the formula of this order, which ends at t.
  void add(const Terms&, int order, double t);
  /// Do the last steps look as if there were a vibration that orders of 3 and more amplify? A jump of the motion or of the order
  /// looks so as well, for three steps, and so may a fast turn of a smooth motion. Where errors are judged, or have the last
  /// steps done so: vibrations of several frequencies hide each other now and then.
  bool may_vibrate() const { return seen_ > 0 || (are_judged_ && unseen_ < window); }
  /// Have they done so for as long as the highest term remembers?
  bool vibrate() const { return seen_ >= window; }
  /// Takes part in checkpoints. Collective.
  void persist(Archive&);
  /// What formulas of order 3 and more have amplified; empty where nothing has grown.
  std::string verdict() const;

 private:
  static constexpr int window = highest + 1;  ///< steps that the highest term remembers, with the new one
  using Squares = std::array<double, count>;
  double vibration(int order) const;
  double ratio(int upper) const;
  void follow_growth(int order, double t);

  bool are_judged_ = false;
  int known_ = 0;                          ///< terms of all steps in the window
  int filled_ = 0;                         ///< steps in the window
  std::array<Squares, window> squares_{};  ///< newest first
  int seen_ = 0;                           ///< steps since which they look like a vibration
  double ratio_ = 0;                       ///< its ratio
  int unseen_ = window;                    ///< steps since which they have not
  /// Of the vibration that is being amplified: since how many steps, and the formula's own term of error when a jump could no
  /// longer be its cause.
  int amplified_steps_ = 0;
  double first_ = 0;
  /// The largest growth: factor, time, order, rad per step.
  double growth_ = 1, grown_time_ = 0, grown_angle_ = 0;
  int grown_order_ = 0;
};

}  // namespace sinew
