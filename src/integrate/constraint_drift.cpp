#include "integrate/constraint_drift.hpp"

#include <fmt/format.h>

namespace sinew {

namespace {

/// What is said: a gap of a millimetre in a metre; a speed of half a percent, which is one percent of an energy.
double visible(ConstraintDrift::Level level) { return level == ConstraintDrift::Level::positions ? 1e-3 : 5e-3; }

}  // namespace

/// From rest the first speeds are small beside those that follow, and what a step has wrong of them is no part of these.
void ConstraintDrift::note(Level level, double t0, double t1, PetscVec rows, double open, double size) {
  auto& [before, last] = record_;
  if (size > size_) {
    const double less = size_ > 0 ? size_ / size : 1.0;
    for (Largest* largest : {&before, &last}) largest->part *= less;
    size_ = size;
  }
  if (last.part > before.part && last.time <= t0) before = last;
  last = {level, open / size_, t1, {}};
  if (last.part > visible(level) && last.part > before.part) last.names = system_.names_of_largest(rows);
}

void ConstraintDrift::Record::persist(Archive& archive) {
  const auto pass = [&](const std::string& name, Largest& largest) {
    auto& [level, part, time, names] = largest;
    const Archive::Part place(archive, name);
    archive.pass("level", level);
    archive.pass("part", part);
    archive.pass("time", time);
    archive.pass("names", names);
  };
  pass("drift_before", before);
  pass("drift", last);
}

std::string ConstraintDrift::verdict() const {
  const Largest& worst = record_.last.part > record_.before.part ? record_.last : record_.before;
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
