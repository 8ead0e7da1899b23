#include "integrate/singular_places.hpp"

#include "base/reduction.hpp"
#include "integrate/first_order_states.hpp"
#include "solve/sigma_count.hpp"
#include "system/regularisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// So far beyond the step's end, as a part of the extent or in rad, no row is near to what was singular there: twenty times what
/// counts as near. A tenth of it leads across.
const double beyond = 20 * std::sqrt(near_singular);
/// Solids of more unknowns are not looked at: their factors fill the memory.
constexpr PetscInt most_of_solids = 20000;

}  // namespace

/// The time in which something moves by `beyond` of its size, as fast as it is or as it is accelerated; 0 where nothing moves.
double SingularPlaces::way_out(const State& s) const {
  const VecHandle sizes = system_.make_dof_vector(), changes = duplicate(s.z);
  system_.dof_sizes(sizes);
  const auto rate_of = [&](PetscVec v) {
    petsc(VecCopy(v, changes));
    FirstOrderStates(system_).set(changes, 0.0);
    petsc(VecPointwiseDivide(changes, changes, sizes));
    return max_norm(changes);
  };
  const double speed = rate_of(s.z), acceleration = rate_of(s.a);
  if (!(speed > 0)) return 0;
  return acceleration > 0 ? std::min(beyond / speed, std::sqrt(2 * beyond / acceleration)) : beyond / speed;
}

/// Of rows that say nearly the same where the motion gets to within h; empty where they cannot be counted.
std::optional<PetscInt> SingularPlaces::count(const State& s, double h) const {
  Configuration q = system_.make_configuration();
  const VecHandle moved = duplicate(s.z);
  petsc(VecAXPBYPCZ(moved, h, h * h / 2, 0.0, s.z, s.a));
  FirstOrderStates(system_).set(moved, 0.0);
  system_.retract(s.q, moved, q);
  return SigmaCount(system_, {s.t + h, &q, s.z, s.lambda}).below(near_singular);
}

bool SingularPlaces::is_near(const State& s, double h) const {
  if (!system_.is_mechanical() || system_.reads_multipliers()) return false;
  Reduction sizes(system_.layout().comm);
  const std::size_t rows = sizes.sum(static_cast<double>(system_.layout().num_rows)),
                    dofs = sizes.sum(static_cast<double>(system_.layout().num_dofs));
  sizes.share();
  if (sizes[rows] == 0 || (system_.is_compact() && sizes[dofs] > most_of_solids)) return false;
  const double out = way_out(s);
  if (!(out > 0)) return false;
  const std::optional<PetscInt> there = count(s, h + out);
  return there && (count(s, h).value_or(0) > *there || count(s, 0).value_or(0) > *there);
}

void SingularPlaces::note(const State& s) {
  if (count_++ > 0) return;
  first_ = s.t;
  const VecHandle rates = system_.make_row_vector();
  system_.constraints({s.t, &s.q, s.z, nullptr}, nullptr, rates);
  names_ = system_.names_of_largest(rates);
}

void SingularPlaces::persist(Archive& archive) {
  const Archive::Part part(archive, "singular_places");
  archive.pass("count", count_);
  archive.pass("first", first_);
  archive.pass("names", names_);
}

std::string SingularPlaces::verdict() const {
  if (count_ == 0) return {};
  return fmt::format(
      "{} in a singular position, seen first at t = {:.9g}{}: rows of the constraints say the same there, so that they gave way "
      "and inertia took the motion on; reactions are not determined in such a row, velocities and accelerations less exact, and "
      "the motion might branch",
      count_ == 1 ? "a step has ended" : fmt::format("{} steps have ended", count_), first_,
      names_.empty() ? "" : " with " + names_);
}

}  // namespace sinew
