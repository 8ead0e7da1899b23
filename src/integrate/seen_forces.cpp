#include "integrate/seen_forces.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

namespace sinew {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
/// As often a step may be made shorter for what a force does within it: halvings lead from one to the shortest of a run in 33.
constexpr int most_shortened = 33;
/// Forces that count the turns of an angle tell it from one of other turns within half a turn of the last one that they remember,
/// which may be an eighth of a turn back (memorable_turn): no step is to turn it by more than a quarter.
constexpr double turn_of_a_step = std::numbers::pi / 2;
/// The rate at the end of a step may be larger than that at its beginning: beyond this the step is made shorter.
constexpr double too_long = 1.25;

}  // namespace

SeenForces::SeenForces(const DynamicSystem& system, bool is_free)
    : system_(system),
      swings_(system.curves() != nullptr ? std::make_unique<HiddenSwings>(system) : nullptr),
      is_free_(is_free),
      watches_passes_(is_free && system.has_passing_forces()),
      follows_turns_(is_free && system.forces_follow_turns()) {}

/// No step that begins or ends in this state is to be longer, so that forces see the turns that they count. Collective.
double SeenForces::longest_step(const Stage& stage) const {
  const double fastest = follows_turns_ ? system_.fastest_turn(stage) : 0.0;
  return fastest > 0 ? turn_of_a_step / fastest : never;
}

double SeenForces::longest_trial(const Stage& begin) const {
  return std::min(longest_step(begin), watches_passes_ ? system_.soonest_pass(begin) : never);
}

std::optional<double> SeenForces::shorter_step(const State& begin, const Stage& end, StepInterpolation& within) {
  const double h = end.t - begin.t;
  if (const double longest = longest_step(end); h > too_long * longest && shortened_++ < most_shortened)
    return std::max(longest, h / 2);
  if (!swings_) return std::nullopt;
  const double part = swings_->look(begin, within.at(begin, end, 0.5), end);
  if (part == 1) return std::nullopt;
  if (is_free_ && shortened_++ < most_shortened) return part * h;
  swings_->let_pass();
  return std::nullopt;
}

void SeenForces::persist(Archive& archive) {
  if (swings_) swings_->persist(archive);
}

}  // namespace sinew
