#include "solve/redundancy.hpp"

#include "linear/direct_solver.hpp"
#include "solve/consistent.hpp"
#include "solve/inertia.hpp"
#include "system/regularisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sinew {

namespace {

/// Weight of D: the first one, and by how much more it is tried with, up to the last one, where the matrix cannot be solved with.
/// Factorising a quasidefinite matrix in the order of its graph loses as many digits as this has (Gill, Saunders and Shinnerl,
/// SIAM J. Matrix Anal. Appl. 17, 1996).
constexpr double first_epsilon = 1e-12, epsilon_growth = 100, last_epsilon = 1e-8;
constexpr double rounding_sigma = 1e-14;   ///< what rounding may leave of the sigma of a redundant combination
constexpr double no_hope = 1e-30;          ///< shrunk by this much, a random vector held no null vector
constexpr double noticeable_share = 1e-6;  ///< of a joint in the null space, between 0 and its number of rows
constexpr double settled = 0.5;        ///< a sigma that falls to less than this of the last one is not that of a null vector yet
constexpr double least_misfit = 1e-9;  ///< redundant constraints that miss each other by less of the model fit up to rounding
constexpr int max_iterations = 12;
constexpr int max_found = 24;

/// A combination with a smaller sigma is redundant. The smallest sigma of a chain of m rows, all of which count, is some 20 /
/// m^2; a share of that keeps it out, however long it is.
double null_sigma(PetscInt rows) {
  constexpr double share_of_chain = 1e-5;
  const double m = static_cast<double>(std::max<PetscInt>(rows, 1));
  return std::max(rounding_sigma, std::min(closing_tolerance * closing_tolerance, share_of_chain / (m * m)));
}

/// Joints are nearly redundant, and taken for ones that are meant to be, where a smaller part than this of the model keeps them
/// from it. That of a chain of m rows is some 10 / m.
constexpr double least_lever = 1e-3, least_lever_of_rows = 0.1;

/// A regularisation this far above the sigma of redundant combinations leaves nothing of what would be along them.
constexpr double above_sigma = 1e4;

/// A number between -1 and 1 that depends on `n` alone (splitmix64).
double pseudo_random(std::uint64_t n) {
  n += 0x9e3779b97f4a7c15ULL;
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ULL;
  n = (n ^ (n >> 27)) * 0x94d049bb133111ebULL;
  n ^= n >> 31;
  return static_cast<double>(n >> 11) * 0x1p-52 - 1.0;
}

/// The search: vectors are those of rows, scaled by D^1/2.
class NullSpace {
 public:
  NullSpace(const System& system, const Stage& stage);
  /// One more null vector, orthogonal to those found; false if there is none, or it cannot be known.
  bool find_next();
  /// Could the matrix not be solved with, whatever the weight of D? Then what was not found may be there all the same.
  bool has_failed() const { return has_failed_; }
  const std::vector<VecHandle>& found() const { return found_; }
  double largest_sigma() const { return largest_sigma_; }
  double longest_lever() const { return longest_lever_; }
  /// The last vector that was not found redundant, with its lever; null where there is none.
  const VecHandle& refused() const { return refused_; }
  double refused_lever() const { return refused_lever_; }
  double refused_sigma() const { return refused_sigma_; }

 private:
  void regularise();
  bool solve_widening();
  bool shrink(PetscVec v);
  double sigma(PetscVec v);
  double lever(PetscVec v);
  bool is_redundant(double its_sigma, double its_lever) const;
  void orthogonalise(PetscVec v) const;
  VecHandle random_vector(std::uint64_t seed) const;

  const System& system_;
  MatHandle matrix_;
  KspHandle ksp_;
  VecHandle kkt_, solution_, dofs_, zero_, rows_, mass_, root_, inverse_root_, dof_size_, row_size_;
  std::vector<VecHandle> found_;
  double largest_sigma_ = 0, longest_lever_ = 0, refused_lever_ = 1, refused_sigma_ = 0;
  VecHandle refused_;
  double epsilon_ = first_epsilon;
  bool has_failed_ = false;
};

NullSpace::NullSpace(const System& system, const Stage& stage)
    : system_(system),
      matrix_(system.make_projection_matrix()),
      kkt_(make_kkt_vector(system.layout())),
      solution_(make_kkt_vector(system.layout())),
      dofs_(system.make_dof_vector()),
      zero_(system.make_dof_vector()),
      rows_(system.make_row_vector()),
      mass_(system.make_dof_vector()),
      root_(system.make_row_vector()),
      inverse_root_(system.make_row_vector()),
      dof_size_(system.make_dof_vector()),
      row_size_(system.make_row_vector()) {
  system.dof_sizes(dof_size_);
  system.reaction_sizes(stage, row_size_);
  system.assemble_projection(stage, matrix_);
  note_regularisation(matrix_, nullptr);  // the undetermined is what is looked for
  petsc(MatGetDiagonal(system.mass(), mass_));
  double mean = 0;
  PetscInt size = 0;
  petsc(VecSum(mass_, &mean));
  petsc(VecGetSize(mass_, &size));
  {
    VecWrite m(mass_);
    for (PetscInt i = 0; i < system.layout().num_dofs; ++i) m[i] = std::max(m[i], 1e-6 * mean / static_cast<double>(size));
  }
  regularise();
  ksp_ = make_linear_solver("sinew_redundancy_", matrix_);
}

/// D from the rows of the matrix (with the diagonal of M in place of M), and -epsilon D on its diagonal.
void NullSpace::regularise() {
  const PetscInt n = system_.layout().num_dofs, m = system_.layout().num_rows;
  PetscInt first = 0;
  petsc(MatGetOwnershipRange(matrix_, &first, nullptr));
  VecWrite root(root_), inverse(inverse_root_);
  const std::vector<double>& size = system_.row_mobilities();
  for (PetscInt r = 0; r < m; ++r) {
    const double D = size[static_cast<std::size_t>(r)] > 0 ? size[static_cast<std::size_t>(r)] : 1.0;
    root[r] = std::sqrt(D);
    inverse[r] = 1 / root[r];
    petsc(MatSetValue(matrix_, first + n + r, first + n + r, -epsilon_ * D, INSERT_VALUES));
  }
  petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
}

/// The solution for kkt_, with a larger weight of D where there is none. A solution that fails says nothing of the rows.
bool NullSpace::solve_widening() {
  while (!solve_linear(ksp_, kkt_, solution_)) {
    if (epsilon_ >= last_epsilon) return false;
    epsilon_ *= epsilon_growth;
    regularise();
    ksp_ = make_linear_solver("sinew_redundancy_", matrix_);  // one that has given up its best way takes it again
  }
  return true;
}

/// v <- eps D^1/2 (S + eps D)^-1 D^1/2 v. False where that cannot be had.
bool NullSpace::shrink(PetscVec v) {
  petsc(VecPointwiseMult(rows_, root_, v));
  join_kkt(zero_, rows_, kkt_);
  if (!solve_widening()) return false;
  split_kkt(solution_, dofs_, rows_);
  petsc(VecPointwiseMult(v, root_, rows_));
  petsc(VecScale(v, -epsilon_));
  return true;
}

/// |G^T D^-1/2 v|^2 / |v|^2 in the norm of M^-1.
double NullSpace::sigma(PetscVec v) {
  petsc(VecPointwiseMult(rows_, inverse_root_, v));
  join_kkt(zero_, rows_, kkt_);
  petsc(MatMult(matrix_, kkt_, solution_));
  split_kkt(solution_, dofs_, rows_);
  PetscScalar forces = 0, norm = 0;
  VecHandle weighted = duplicate(dofs_);
  petsc(VecPointwiseDivide(weighted, dofs_, mass_));
  petsc(VecDot(weighted, dofs_, &forces));
  petsc(VecDot(v, v, &norm));
  return forces / norm;
}

/// The forces that reactions v leave on the bodies, against the reactions themselves, moments over the model's extent: for loops
/// that do not close exactly, by what part of the model they miss. Unlike sigma it knows no masses. To be called after `sigma`,
/// of the same v.
double NullSpace::lever(PetscVec v) {
  double forces = 0, reactions = 0;
  petsc(VecPointwiseMult(dofs_, dofs_, dof_size_));
  petsc(VecNorm(dofs_, NORM_2, &forces));
  petsc(VecPointwiseMult(rows_, inverse_root_, v));
  petsc(VecPointwiseMult(rows_, rows_, row_size_));
  petsc(VecNorm(rows_, NORM_2, &reactions));
  return forces / (reactions * (system_.extent() > 0 ? system_.extent() : 1.0));
}

/// Are sigma and lever those of a redundant combination?
bool NullSpace::is_redundant(double its_sigma, double its_lever) const {
  return its_sigma < rounding_sigma || (its_sigma < null_sigma(system_.global_rows()) && its_lever < closing_tolerance);
}

void NullSpace::orthogonalise(PetscVec v) const {
  for (int pass = 0; pass < 2; ++pass)
    for (const VecHandle& u : found_) {
      PetscScalar part = 0;
      petsc(VecDot(v, u, &part));
      petsc(VecAXPY(v, -part, u));
    }
}

VecHandle NullSpace::random_vector(std::uint64_t seed) const {
  VecHandle v = system_.make_row_vector();
  VecWrite x(v);
  for (const OwnedRows& rows : system_.local().rows)
    for (int i = 0; i < rows.position_rows + rows.velocity_rows; ++i)
      x[rows.first + i] = pseudo_random((seed << 48) + static_cast<std::uint64_t>(rows.natural + i));
  return v;
}

bool NullSpace::find_next() {
  VecHandle v = random_vector(found_.size());
  orthogonalise(v);
  double left = 1, length = 0;
  petsc(VecNormalize(v, &length));
  if (!(length > 1e-10)) return false;  // the rows are all used up
  double its_sigma = std::numeric_limits<double>::infinity(), its_lever = 1;
  bool is_null = false;
  for (int i = 0; i < max_iterations && left > no_hope; ++i) {
    has_failed_ = !shrink(v);
    if (has_failed_) return false;
    orthogonalise(v);
    petsc(VecNormalize(v, &length));
    if (!(length > 0)) return false;
    left *= length;
    if (i == 0) continue;
    const double last = its_sigma;
    its_sigma = sigma(v);
    its_lever = lever(v);
    is_null = is_redundant(its_sigma, its_lever);
    // where sigma still falls there is something left that counts, and a misfit that it seems to be is none
    if (is_null && (its_lever < least_misfit || its_sigma > settled * last)) break;
  }
  if (is_null) {
    largest_sigma_ = std::max(largest_sigma_, its_sigma);
    longest_lever_ = std::max(longest_lever_, its_lever);
    found_.push_back(std::move(v));
    return true;
  }
  refused_sigma_ = its_sigma;
  refused_lever_ = its_lever;
  refused_ = std::move(v);
  return false;
}

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
  if (space.refused()) result.next_sigma = space.refused_sigma();
  std::vector<const VecHandle*> found;
  for (const VecHandle& u : space.found()) found.push_back(&u);
  if (result.rows > 0) result.owners = owners_of(system, found);
  const double length = system.extent() > 0 ? system.extent() : 1.0;
  result.misfit = space.longest_lever() * length;
  if (space.refused() &&
      space.refused_lever() < std::min(least_lever, least_lever_of_rows / static_cast<double>(system.global_rows()))) {
    result.near_miss = space.refused_lever() * length;
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

/// How many sigma are smaller than this one: of [M G^T; G sigma D] with M positive as many eigenvalues are negative as
/// D^-1/2 G M^-1 G^T D^-1/2 has above sigma. Empty where that cannot be counted. Collective.
std::optional<PetscInt> count_below(const System& system, const Stage& stage, double sigma) {
  const MatHandle A = system.make_projection_matrix();
  system.assemble_projection(stage, A);
  note_regularisation(A, nullptr);
  const PetscInt n = system.layout().num_dofs;
  VecHandle diagonal = make_kkt_vector(system.layout()), masses = system.make_dof_vector(), rows = system.make_row_vector();
  petsc(MatGetDiagonal(A, diagonal));
  split_kkt(diagonal, masses, rows);
  double largest = 0;
  petsc(VecMax(masses, nullptr, &largest));
  {
    VecWrite d(diagonal);
    for (PetscInt i = 0; i < n; ++i)
      if (!(d[i] > 0)) d[i] = 1e-6 * largest;
    const std::vector<double>& mobilities = system.row_mobilities();
    for (std::size_t r = 0; r < mobilities.size(); ++r)
      d[n + static_cast<PetscInt>(r)] = sigma * (mobilities[r] > 0 ? mobilities[r] : 1.0);
  }
  petsc(MatDiagonalSet(A, diagonal, INSERT_VALUES));
  const std::optional<PetscInt> above = negative_eigenvalues(A);
  if (!above) return std::nullopt;
  return system.global_rows() - *above;
}

/// How many there are, also where the search has ended before it found all, up to the size up to which rows count as redundant.
/// What cannot be counted is as many as were found. Collective.
PetscInt count_redundant(const System& system, const Stage& stage, const Redundancy& found) {
  if (!found.has_more && !found.is_uncertain) return found.rows;
  return std::max<PetscInt>(found.rows, count_below(system, stage, null_sigma(system.global_rows())).value_or(0));
}

/// The eps of a run. Of a combination with sigma a solution leaves eps / (sigma + eps), and so does Newton's method: eps has to
/// lie far below the smallest sigma that counts, which in a linkage of m scissors falls like 1 / m^4. Of redundant combinations
/// rounding over eps is left: it has to lie far above their own, which are rounding as well. The geometric mean is as far from
/// the one as from the other. Collective.
double regularisation_of_run(const System& system, const Stage& stage, const Redundancy& found) {
  constexpr double largest = 1e-10;  // the answers do not depend on it (1e-6 to 1e-12 tried)
  // constraints that miss each other do so by more or less as the model moves: sigma may be anything that counts as redundant
  const double null = null_sigma(system.global_rows()), sigma = found.misfit > 0 ? null : found.sigma;
  double next = found.next_sigma;
  for (double level = 100 * largest; found.has_more && next == 0 && level > null; level /= 10)
    if (count_below(system, stage, level) == system.redundant_rows()) next = level;
  if (next == 0 && found.has_more) next = null;
  const double eps = std::max(largest, above_sigma * sigma);
  return next > 0 ? std::min(eps, std::sqrt(std::max(sigma, std::numeric_limits<double>::epsilon()) * next)) : eps;
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
  if (projects) drawn = draw_onto_constraints(system, t, q, z);
  Redundancy found = find_redundancy(system, {t, &q, z, lambda});
  require_determined_reactions(system, found);
  found.misfit = misfit_of(system, found, drawn);
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
      place_of_first(model, found.owners), names_of(model, found.owners), found.misfit);
}

std::string redundancy_warning(const Model& model, const Redundancy& found) {
  if (found.is_uncertain && found.rows == 0)
    return fmt::format(
        "{}: warning: whether constraints are redundant could not be found out: the matrix of the search cannot be solved with "
        "(-sinew_redundancy_pc_factor_mat_solver_type superlu_dist chooses another solver); they are treated as if some were",
        model.source.file);
  if (found.rows == 0) return {};
  return fmt::format(
      "{}: warning: {}{} redundant constraint{} in the joints {}{}: the motion is not affected, but how the load is shared among "
      "their reactions is not determined; those recorded are the smallest that carry it (where the reactions matter, take joints "
      "that hold less, for example spherical or point-on-line in place of revolute)",
      place_of_first(model, found.owners), found.has_more || found.is_uncertain ? "at least " : "", found.rows,
      found.rows == 1 ? "" : "s", names_of(model, found.owners), found.has_more ? " (the search ends with so many)" : "");
}

}  // namespace sinew
