/// \file
/// How long a step may be, so that its ends show what forces do within it.
#pragma once

#include "integrate/hidden_swings.hpp"
#include "integrate/step_interpolation.hpp"

#include <memory>
#include <optional>
#include <string>

namespace sinew {

/// Three kinds of forces do something that a step which is too long does not show: those that count the turns of an angle
/// (DynamicSystem::fastest_turn), those that are nothing but where places come near each other (soonest_pass), and those that
/// swing within it (HiddenSwings). The first two matter where steps are free to be shorter; of the last it is said at the end
/// what was missed.
class SeenForces {
 public:
  /// The system must outlive it. `is_free`: steps may be made shorter.
  SeenForces(const DynamicSystem&, bool is_free);

  /// Is there a force of these kinds? The same on all ranks.
  bool exist() const { return swings_ != nullptr || follows_turns_ || watches_passes_; }
  /// A step follows that has not been tried yet. Local.
  void begin_step() { shortened_ = 0; }
  /// No trial from this state is to be longer, as long as nothing else is known; infinite where nothing limits it. Collective.
  double longest_trial(const Stage& begin) const;
  /// Do the ends of the solved step hide something? Then the size of a shorter one to be tried; none where it shows all, or may
  /// not be made shorter. Collective.
  std::optional<double> shorter_step(const State& begin, const Stage& end, StepInterpolation& within);
  /// What forces did within steps that these have not shown, in a sentence; empty: nothing. Collective.
  std::string verdict() const { return swings_ ? swings_->verdict() : std::string(); }
  /// Collective.
  void persist(Archive&);

 private:
  double longest_step(const Stage&) const;

  const DynamicSystem& system_;
  std::unique_ptr<HiddenSwings> swings_;  ///< null where no force could have any
  bool is_free_;
  bool watches_passes_;  ///< of places near each other, where forces act that are nothing elsewhere
  bool follows_turns_;   ///< steps are short enough for forces to do so
  int shortened_ = 0;    ///< how often this step was
};

}  // namespace sinew
