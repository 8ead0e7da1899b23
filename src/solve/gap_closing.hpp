/// \file
/// Two ways onto the constraints of a model: in stages from afar, by Newton's iterations from nearby.
#pragma once

#include "solve/consistent.hpp"
#include "solve/start_projector.hpp"

#include <functional>

namespace sinew {

/// What is further away than this, in sizes of the model or rad, is approached in stages of this length: linear equations of the
/// constraints say little about what lies beyond, and the nearest solution may be on another branch.
inline constexpr double stage_length = 0.25;

/// Corrections of the whole model onto its constraints. Newton's method doubles its digits where it is regular; at a singular
/// place it gains a bit a time, and has lost all but 2^-25 = 3e-8 of the gap with the last of these.
inline constexpr int max_projections = 25;

/// On the way to the constraints: are prescribed angles carried out with all their turns, and does the system hear of the stages?
/// Are gaps of rows without turns closed in the first stage, not little by little? Where constraints are redundant what is left
/// of a gap may lie in one frame by one row, and in one that turns by another, which then miss each other.
struct Way {
  bool has_turns = false, tells = false, closes_first = false;
};

/// Of what is told on a way that is only tried the system remembers nothing.
class Trial {
 public:
  explicit Trial(const DynamicSystem& system) : take_back_(system.keep_past()) {}
  ~Trial() { take_back_(); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

 private:
  std::function<void()> take_back_;
};

/// How an approach ends: nearby; with joints that do not stay closed where prescribed angles are carried out with all their
/// turns; or where bodies turn by more than `farthest_turn`, so that turns are lost: nearby, or not begun where prescribed angles
/// ask so.
enum class Approach { near, open, too_far };

/// A far state on its way to the constraints: g(q) = (1 - s) g(q given) with s from 0 to nearly 1 in small steps, so that every
/// joint turns and moves there continuously. `total` counts the increments. Near states stay as they are. Collective.
Approach approach(const DynamicSystem&, StartProjector&, const Stage&, Way, Configuration& q, PetscVec total);

/// Newton's iterations at position level, from nearby; `total` counts the increments. Collective.
void close_gaps(const DynamicSystem&, StartProjector&, const Stage&, Configuration& q, PetscVec total, ConsistencyReport&);

}  // namespace sinew
