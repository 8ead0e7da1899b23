#include "solve/redundancy.hpp"

#include "base/reduction.hpp"
#include "kernels/registration.hpp"
#include "solve/consistent.hpp"
#include "solve/gap_limits.hpp"
#include "solve/loose_body.hpp"
#include "solve/null_space.hpp"
#include "solve/sigma_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace sinew {

namespace {

constexpr double noticeable_share = 1e-6;  ///< of a joint in the null space, between 0 and its number of rows
/// What is found is named; how many there are beyond it is counted by eigenvalues. Every one is made orthogonal to all before. As
/// measured on 1500 doors with two hinges each, 7500 redundant rows: 12 to 48 are found within a run of 5 to 7 s, 200 take 20 s
/// more; on 40 doors motion and reactions have the same bits with 6 to 48.
constexpr int max_found = 24;

/// Joints are nearly redundant, and taken for ones that are meant to be, where a smaller part than this of the model keeps them
/// from it. That of a chain of m rows is some 10 / m.
constexpr double least_lever = 1e-3, least_lever_of_rows = 0.1;

/// A regularisation this far above the sigma of redundant combinations leaves nothing of what would be along them.
constexpr double above_sigma = 1e4;

/// Owners of the rows that take part in vectors, which are of length 1.
std::vector<RowOwner> owners_of(const System& system, const std::vector<const VecHandle*>& vectors) {
  std::vector<double> share(static_cast<std::size_t>(system.layout().num_rows), 0.0);
  for (const VecHandle* u : vectors) {
    const VecRead x(*u);
    for (std::size_t r = 0; r < share.size(); ++r) share[r] += x[static_cast<PetscInt>(r)] * x[static_cast<PetscInt>(r)];
  }
  return owners_of_rows(system, share, noticeable_share);
}

}  // namespace

Redundancy find_redundancy(const System& system, const Stage& stage) {
  Redundancy result;
  if (system.global_rows() == 0) return result;
  NullSpace space(system, stage);
  while (!result.has_more && space.find_next()) result.has_more = static_cast<int>(space.found().size()) == max_found;
  result.rows = static_cast<int>(space.found().size());
  result.is_uncertain = space.has_failed();
  result.sigma = space.largest_sigma();
  // rows out of line have a sigma of their own, which a search may not have told from those that count
  if (space.refused())
    result.next_sigma = space.refused_sigma();
  else if (space.longest_lever().share < least_misfit && std::isfinite(space.next_sigma()))
    result.next_sigma = space.next_sigma();
  std::vector<const VecHandle*> found;
  for (const VecHandle& u : space.found()) found.push_back(&u);
  if (result.rows > 0) result.owners = owners_of(system, found);
  const double length = system.extent() > 0 ? system.extent() : 1.0;
  result.misfit = space.longest_lever().share * length;
  result.gap = space.longest_lever().length;
  if (space.refused() &&
      space.refused_lever().share < std::min(least_lever, least_lever_of_rows / static_cast<double>(system.global_rows()))) {
    result.near_miss = space.refused_lever().length;
    result.near_owners = owners_of(system, {&space.refused()});
  }
  return result;
}

namespace {

/// By how much redundant constraints miss each other: what the projection could not close, or by what they are out of line.
/// Rounding is none.
double misfit_of(const System& system, const Redundancy& found, const ConsistencyReport& drawn) {
  const double misfit = std::max(found.rows > 0 ? drawn.position_left : 0.0, found.misfit);
  return misfit > least_misfit * (system.extent() > 0 ? system.extent() : 1.0) ? misfit : 0.0;
}

/// The size up to which combinations count as redundant: null_sigma, or less where one that counts has been met below it, as the
/// sway of a tall stack is.
double parting_sigma(const System& system, const Redundancy& found) {
  constexpr double far_below = 0.1;  // a margin, not measured
  const double null = null_sigma(system.global_rows());
  if (found.misfit > 0 || found.next_sigma == 0) return null;
  return std::min(null, std::max(std::numeric_limits<double>::epsilon(), far_below * found.next_sigma));
}

/// How many there are, also where the search has ended before it found all. What cannot be counted is as many as were found.
/// Collective.
PetscInt count_redundant(const System& system, const Stage& stage, const Redundancy& found) {
  if (!found.has_more && !found.is_uncertain) return found.rows;
  return std::max<PetscInt>(found.rows, SigmaCount(system, stage).below(parting_sigma(system, found)).value_or(0));
}

/// The smallest sigma that counts, or up to ten times less; 0: not known. What a search that ended before it found all has met
/// may be anything above the redundant ones, so that it is looked for how far none is. Collective.
double next_of_run(const System& system, const Stage& stage, const Redundancy& found) {
  constexpr double highest = 1e-8;  // more changes no regularisation
  if (!found.has_more) return found.next_sigma;
  const double parting = parting_sigma(system, found);
  const SigmaCount count(system, stage);
  for (double level = highest; level > parting; level /= 10)
    if (count.below(level) == system.redundant_rows()) return level;
  return parting;
}

/// The eps of a run. Of a combination with sigma a solution leaves eps / (sigma + eps), and so does Newton's method: eps has to
/// lie far below the smallest sigma that counts, which in a linkage of m scissors falls like 1 / m^4. Of redundant combinations
/// rounding over eps is left: it has to lie far above their own, which are rounding as well. The geometric mean is as far from
/// the one as from the other. Collective.
double regularisation_of_run(const System& system, const Stage& stage, const Redundancy& found) {
  constexpr double largest = 1e-10;  // the answers do not depend on it (1e-6 to 1e-12 tried)
  // constraints that miss each other do so by more or less as the model moves: sigma may be anything that counts as redundant
  const double sigma = found.misfit > 0 ? null_sigma(system.global_rows()) : found.sigma;
  const double next = next_of_run(system, stage, found);
  const double eps = std::max(largest, above_sigma * sigma);
  return next > 0 ? std::min(eps, std::sqrt(std::max(sigma, std::numeric_limits<double>::epsilon()) * next)) : eps;
}

/// What to do about redundant constraints in joints: of those that hold nodes one by one the nodes that groups share have them.
std::string remedy(const Model& model, const std::vector<RowOwner>& owners) {
  const bool share_nodes = std::all_of(owners.begin(), owners.end(), [&model](const RowOwner& owner) {
    return owner.origin.kind == OriginKind::joint &&
           joint_registration(model.joints[static_cast<std::size_t>(owner.origin.item)].type).holds_all_nodes;
  });
  return share_nodes
             ? "nodes that these share are held twice, which does no harm; where the reactions matter, take groups without "
               "them"
             : "where the reactions matter, take joints that hold less, for example spherical or point-on-line in place of "
               "revolute";
}

/// Throws InputError where forces depend on reactions that are not determined.
void require_determined_reactions(const System& system, const Redundancy& found) {
  if (found.rows == 0 || !system.reads_multipliers()) return;
  const Model& model = system.model();
  for (const ForceItem& force : model.forces) {
    const ForceEntry* entry = find_entry(registered_forces(), force.type);
    if (!entry || entry->shape.num_multipliers == 0) continue;
    for (std::int64_t i = 0; i < force.repeat.count(); ++i) {
      const Indices indices = force.repeat.indices(i);
      const InstanceRef joint = model.joint(*force.of, indices, force.of_mark);
      const auto is_it = [&](const RowOwner& owner) {
        return owner.origin.kind == OriginKind::joint && owner.origin.item == joint.item &&
               owner.origin.instance == joint.instance;
      };
      if (!found.has_more && std::none_of(found.owners.begin(), found.owners.end(), is_it)) continue;
      throw InputError(fmt::format(
          "{}: error: the friction '{}' is in proportion to reactions that are not determined: constraints are redundant in the "
          "joints {} (take joints that hold less, for example spherical or point-on-line in place of revolute)",
          model.source.locate(force.mark), force.name.expand(indices), names_of(model, found.owners)));
    }
  }
}

/// What is left of the kinetic energy of the bodies whose velocities change by more than a hundredth where they are drawn onto
/// the constraints; 1 where there are none. What coasts by has no say, nor what changes by less than the last of ten digits of
/// the fastest.
double kept_energy(const System& system, double t, const Configuration& q, PetscVec given, PetscVec drawn) {
  constexpr double least_change = 1e-4, least_speed = 1e-20;  // squares: of the hundredth, of the digit
  VecHandle momentum = duplicate(given), before = duplicate(given), after = duplicate(given), change = duplicate(given),
            of_body = duplicate(given), speed = duplicate(given);
  const auto energy = [&](PetscVec z, PetscVec shares) {
    system.mass_times({t, &q, z, nullptr}, z, momentum);
    petsc(VecPointwiseMult(shares, z, momentum));
  };
  energy(given, before);
  energy(drawn, after);
  petsc(VecWAXPY(change, -1.0, given, drawn));
  const auto square_of_speed = [&](PetscVec z, PetscVec out) {
    system.dof_sizes(of_body);
    petsc(VecPointwiseDivide(out, z, of_body));
    petsc(VecPointwiseMult(out, out, out));
    system.sum_over_bodies({out});
  };
  square_of_speed(given, speed);
  const double fastest = max_norm(speed);
  square_of_speed(change, speed);
  energy(change, change);
  petsc(VecCopy(before, of_body));
  system.sum_over_bodies({change, of_body});
  double had = 0, has = 0;
  {
    const VecRead b(before), a(after), c(change), whole(of_body), v(speed);
    for (PetscInt k = 0; k < system.layout().num_dofs; ++k) {
      if (!(c[k] > least_change * whole[k]) || v[k] <= least_speed * fastest) continue;
      had += b[k];
      has += a[k];
    }
  }
  Reduction sums(system.layout().comm);
  const std::size_t of_given = sums.sum(had), of_drawn = sums.sum(has);
  sums.share();
  return sums[of_given] > 0 ? std::max(0.0, sums[of_drawn]) / sums[of_given] : 1.0;
}

/// Velocities that fit the joints to a tenth lose a hundredth of their energy where they are drawn onto the constraints: where
/// more is lost, they were given by mistake, as to one body of a linkage that the others hold back. Else empty.
std::string lost_speed_warning(const System& system, double t, const Configuration& q, PetscVec given, PetscVec drawn) {
  constexpr double lost = 0.01, nothing = 1e-9;  // the hundredth; less than that of it is rounding
  const double kept = kept_energy(system, t, q, given, drawn);
  if (!(kept < 1 - lost)) return {};
  const VecHandle rates = system.make_row_vector();
  system.constraints({t, &q, given, nullptr}, nullptr, rates);
  return fmt::format(
      "{}: warning: the given velocities do not fit the joints{}: those next to them that do, by the least change weighted by "
      "mass, "
      "have {} of their kinetic energy (give every body of a linkage the `velocity` and `angular_velocity` that fit, or a joint "
      "a motion)",
      system.place_of_largest(rates), at_joints(system, rates), kept > nothing ? fmt::format("{:.3g}", kept) : "nothing");
}

}  // namespace

Redundancy settle_redundancy(System& system, double t, bool projects) {
  const double before = system.regularisation();
  PetscBool is_chosen = PETSC_FALSE;
  petsc(PetscOptionsHasName(nullptr, nullptr, "-sinew_regularization", &is_chosen));
  if (!is_chosen) system.regularise(above_sigma * null_sigma(system.global_rows()));
  Configuration q = system.make_configuration();
  VecHandle z = system.make_dof_vector(), lambda = system.make_row_vector();
  system.given_values(q, z);
  ConsistencyReport drawn;
  std::string velocities;
  if (projects) {
    const VecHandle given = duplicate(z);
    petsc(VecCopy(z, given));
    drawn = draw_onto_constraints(system, t, q, z);
    velocities = velocity_warning(system, t, q, given);
    if (velocities.empty()) velocities = lost_speed_warning(system, t, q, given, z);
  }
  Redundancy found = find_redundancy(system, {t, &q, z, lambda});
  require_determined_reactions(system, found);
  found.misfit = misfit_of(system, found, drawn);
  if (found.rows > 0) found.gap = std::max(found.gap, drawn.position_left);
  found.strain = drawn.strain;
  found.velocities = std::move(velocities);
  if (found.is_uncertain) found.loose = loose_body(system, {t, &q, z, lambda});
  if (found.rows > 0 || found.is_uncertain) system.note_redundant_rows(count_redundant(system, {t, &q, z, lambda}, found));
  system.allow_misfit(found.misfit);
  if (!is_chosen) {
    const bool may_be_redundant = found.rows > 0 || found.is_uncertain;
    system.regularise(may_be_redundant ? std::max(before, regularisation_of_run(system, {t, &q, z, lambda}, found)) : before);
  }
  // What is too much for inaccuracy is an error, here already: no warning is to take it for what it is not.
  if (projects && found.misfit > 0) project_onto_constraints(system, t, q, z);
  return found;
}

std::string misfit_warning(const Model& model, const Redundancy& found) {
  if (found.near_miss > 0)
    return fmt::format(
        "{}: warning: the joints {} hold nearly the same motions, but are out of line by about {:.2g}, too much to be taken for "
        "inaccuracy: they bear large "
        "reactions or lock (bring them into line if they are meant to be, or take joints that hold less)",
        place_of_first(model, found.near_owners), names_of(model, found.near_owners), found.near_miss);
  if (found.misfit == 0) return {};
  return fmt::format(
      "{}: warning: the joints {} do not fit each other exactly: they miss by about {:.2g}; taken for inaccuracy of the places "
      "and axes, they are held together as well as they can be (least squares), and gaps of that size stay",
      place_of_first(model, found.owners), names_of(model, found.owners), found.gap);
}

std::string singular_position(System& system, const Model& model, const Stage& stage) {
  const double before = system.regularisation();
  Redundancy found;
  try {
    system.regularise(above_sigma * null_sigma(system.global_rows()));
    found = find_redundancy(system, stage);
  } catch (const SolveError&) {
    found = {};
  }
  system.regularise(before);
  if (found.has_more || found.is_uncertain || found.rows <= system.redundant_rows()) return {};
  return fmt::format(
      "The joints {} are in a singular position there: {} of their constraints say what others say, {} at the start. The motion "
      "may branch, and reactions grow beyond all bounds",
      names_of(model, found.owners), found.rows, system.redundant_rows());
}

std::string redundancy_warning(const Model& model, const Redundancy& found) {
  if (found.is_uncertain && found.rows == 0)
    return fmt::format(
        "{}: warning: whether constraints are redundant could not be found out: {}; they are treated as if some were",
        model.source.file,
        found.loose.empty() ? "the linear system of the search has no solution (another solver may find one: "
                              "-sinew_redundancy_pc_factor_mat_solver_type mumps)"
                            : found.loose);
  if (found.rows == 0) return {};
  return fmt::format(
      "{}: warning: {}{} redundant constraint{} in the joints {}{}: the motion is not affected as long as they agree, but how "
      "the load "
      "is shared among their reactions is not determined; those recorded are the smallest that carry it ({})",
      place_of_first(model, found.owners), found.has_more || found.is_uncertain ? "at least " : "", found.rows,
      found.rows == 1 ? "" : "s", names_of(model, found.owners), found.has_more ? " (the search ends with so many)" : "",
      remedy(model, found.owners));
}

}  // namespace sinew
