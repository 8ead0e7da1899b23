#include "integrate/constraint_drift.hpp"

#include <fmt/format.h>

namespace sinew {

namespace {

/// What is said: a gap of a millimetre in a metre; a speed of half a percent, which is one percent of an energy.
double visible(ConstraintDrift::Level level) { return level == ConstraintDrift::Level::positions ? 1e-3 : 5e-3; }

}  // namespace

void ConstraintDrift::note(Level level, double t0, double t1, PetscVec rows, double part) {
  if (last_.part > before_.part && last_.time <= t0) before_ = last_;
  last_ = {level, part, t1, {}};
  if (last_.part > visible(level) && last_.part > before_.part) last_.names = system_.names_of_largest(rows);
}

std::string ConstraintDrift::verdict() const {
  const Largest& worst = last_.part > before_.part ? last_ : before_;
  if (!(worst.part > visible(worst.level))) return {};
  const std::string place = worst.names.empty() ? "" : " at " + worst.names;
  if (worst.level == Level::positions)
    return fmt::format(
        "at t = {:.6g} the constraints are open{} by {:.2g} of the model's extent: this method holds velocities "
        "only; take shorter steps, or `integrator: soi2`, which holds positions, too",
        worst.time, place, worst.part);
  return fmt::format(
      "at t = {:.6g} bodies move against the constraints{} at {:.2g} of the largest speed: this method holds "
      "positions only; take shorter steps, or `integrator: soi2`, which holds velocities, too",
      worst.time, place, worst.part);
}

}  // namespace sinew
