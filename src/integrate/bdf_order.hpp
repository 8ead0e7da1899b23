/// \file
/// Which order the next step by backward differentiation formulas has.
#pragma once

#include "integrate/history_terms.hpp"
#include "system/archive.hpp"

#include <functional>

namespace sinew {

/// Above 6 BDF is unstable, and 6 is stable in too little of the left half plane for a program to choose it (E. Hairer,
/// G. Wanner, Solving Ordinary Differential Equations II, V.2).
inline constexpr int highest_fixed_order = 6, highest_variable_order = 5;
/// A-stable; formulas of higher order amplify vibrations.
inline constexpr int highest_stable_order = 2;

/// A prescribed order stays. A free one is changed by what the neighbouring orders would have had wrong in a step: where errors
/// are judged to the order that allows the longest step, otherwise to the most accurate one. Nothing rejects what an unstable
/// formula amplifies before it counts: vibrations are met with order 2, which damps them. Order 1 is not chosen: it would damp
/// the motion as well, and the change to it sets stiff vibrations going.
class BdfOrder {
 public:
  /// `prescribed`: 1 to 6; 0: free.
  explicit BdfOrder(int prescribed) : prescribed_(prescribed), next_(first()) {}

  bool is_free() const { return prescribed_ == 0; }
  /// Of the next step, as far as there is history.
  int next() const { return next_; }
  /// Errors are judged from now on.
  void judge() { is_judged_ = true; }
  /// There is no history any more.
  void restart();
  /// For a step over which a formula of this order would not see how often something turns.
  void lower() { --next_; }

  /// What there is to go by behind a solved step.
  struct Solved {
    int order = 1;   ///< that it was made with
    int points = 1;  ///< of the history that are of use
    double error = 0;
    std::function<double(int)> error_of;  ///< what another order would have had wrong in it
  };
  /// Sets the order of the next step. Returns the error that the step control is to use.
  double choose(const Solved&, const HistoryTerms&);
  void persist(Archive&);

 private:
  int first() const { return is_free() ? highest_stable_order : prescribed_; }
  double advantage(int order, double error, double caution) const;

  int prescribed_, next_;
  int steps_at_order_ = 0;
  bool is_judged_ = false;
};

}  // namespace sinew
