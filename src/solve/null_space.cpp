#include "solve/null_space.hpp"

#include "base/split_mix.hpp"
#include "linear/direct_solver.hpp"
#include "solve/consistent.hpp"
#include "solve/dense.hpp"
#include "system/regularisation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Weight of D: the first one, and by how much more it is tried with, up to the last one, where the matrix cannot be solved with.
/// Factorising a quasidefinite matrix in the order of its graph loses as many digits as this has (Gill, Saunders and Shinnerl,
/// SIAM J. Matrix Anal. Appl. 17, 1996).
constexpr double first_epsilon = 1e-12, epsilon_growth = 100, last_epsilon = 1e-8;
/// How small a sigma can be told from others by factors of S + eps D, and counted (SigmaCount): a hundred roundings.
constexpr double countable_sigma = 1e-14;
/// A smaller sigma is rounding, and so is its lever: up to as many roundings as gaps of a closed model may have (consistent.cpp).
constexpr double no_sigma = 25e6 * std::numeric_limits<double>::epsilon() * std::numeric_limits<double>::epsilon();
constexpr double no_rest = 1e-10;  ///< of length 1; less is mostly rounding
constexpr double no_hope = 1e-30;  ///< shrunk by this much, a random vector held no null vector
constexpr double settled = 0.5;    ///< a sigma that falls to less than this of the last one is never that of a null vector yet
/// As measured: 2 or 3 where no sigma that counts is small, 6 in a stack of 340 storeys (4e-14), 15 in one of 600 (3e-15).
constexpr int max_iterations = 40;
/// What joints miss each other by has nothing to do with the sigma of what counts: that lies far above its own. Of a long linkage
/// the smallest ones follow each other like the first eigenvalues of a string or a beam, by factors of 4 to 40.
constexpr double apart = 100;
/// By how much the next value may lie above the smallest sigma that counts while it is not settled: the third one of a beam is
/// 310 times the first.
constexpr double above_least = 1000;

/// A number between -1 and 1 that depends on `n` alone.
double pseudo_random(std::uint64_t n) { return static_cast<double>(split_mix(n) >> 11) * 0x1p-52 - 1.0; }

}  // namespace

double null_sigma(PetscInt rows) {
  // A millionth of that. As measured: 11 / m^2 in chains of 10 to 10,000 rods with spherical joints.
  constexpr double share_of_chain = 1e-5;
  const double m = static_cast<double>(std::max<PetscInt>(rows, 1));
  return std::max(countable_sigma, std::min(closing_tolerance * closing_tolerance, share_of_chain / (m * m)));
}

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
      inverse_root_mass_(system.make_dof_vector()),
      sizes_(system.mechanism_sizes(stage)),
      epsilon_(first_epsilon) {
  system.assemble_projection(stage, matrix_);
  note_regularisation(matrix_, nullptr);  // the undetermined is what is looked for
  petsc(MatGetDiagonal(system.mass(), mass_));
  VecHandle least = duplicate(mass_);
  system.least_masses(least);
  petsc(VecPointwiseMax(mass_, mass_, least));
  petsc(VecCopy(mass_, inverse_root_mass_));
  petsc(VecSqrtAbs(inverse_root_mass_));
  petsc(VecReciprocal(inverse_root_mass_));
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

/// The forces that reactions v leave on the bodies, against the reactions themselves, moments over the extent of their mechanism.
/// Unlike sigma it knows no masses. To be called after `sigma`, of the same v.
Lever NullSpace::lever(PetscVec v) {
  double moments = 0, forces = 0, reactions = 0;
  petsc(VecPointwiseMult(rows_, inverse_root_, v));
  petsc(VecPointwiseMult(rows_, rows_, sizes_.reactions));
  petsc(VecNorm(rows_, NORM_2, &reactions));
  petsc(VecPointwiseMult(dofs_, dofs_, sizes_.dofs));
  petsc(VecNorm(dofs_, NORM_2, &moments));
  petsc(VecPointwiseDivide(dofs_, dofs_, sizes_.extents));
  petsc(VecNorm(dofs_, NORM_2, &forces));
  return {forces / reactions, moments / reactions};
}

/// Are sigma and lever those of a redundant combination? The sway of a tall stack may have a sigma of mere rounding, as small as
/// that of joints out of line by 1e-8; its lever tells it from these.
bool NullSpace::is_redundant(double its_sigma, double its_lever) const {
  return its_sigma < null_sigma(system_.global_rows()) && its_lever < closing_tolerance;
}

/// Sigma that falls to less than this part of the last one still holds something of a combination that counts: what is left of
/// the one with the smallest such sigma falls to as much, if not to less. The next value tells how small that may be, and lies
/// above it as long as it is not settled itself.
double NullSpace::still(double next) const {
  const double least = std::min(null_sigma(system_.global_rows()), next / above_least);
  const double share = epsilon_ / (least + epsilon_);
  return std::max(settled, share * share);
}

/// The first of the values above the smallest that is one of a combination that counts; infinity where none is.
double NullSpace::next_that_counts(const Trials& trials, const Ritz& ritz) {
  const double null = null_sigma(system_.global_rows());
  VecHandle v = duplicate(rows_);
  for (std::size_t j = 1; j < ritz.values.size(); ++j) {
    if (ritz.values[j] >= null) return ritz.values[j];
    combine(trials, ritz, static_cast<int>(j), v);
    const double its_sigma = sigma(v);
    if (!is_redundant(its_sigma, its_sigma < no_sigma ? 0 : lever(v).share)) return ritz.values[j];
  }
  return std::numeric_limits<double>::infinity();
}

/// Does sigma lie far below the next one that counts?
bool NullSpace::stands_apart(double its_sigma, const std::vector<double>& values) const {
  const auto next = std::upper_bound(values.begin(), values.end(), null_sigma(system_.global_rows()));
  return next == values.end() || *next > apart * its_sigma;
}

/// Takes the parts along vectors of length 1 out of `v`, and returns them.
std::vector<double> NullSpace::orthogonalise(PetscVec v, const std::vector<VecHandle>& to) {
  std::vector<double> parts(to.size(), 0.0);
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t j = 0; j < to.size(); ++j) {
      PetscScalar part = 0;
      petsc(VecDot(v, to[j], &part));
      petsc(VecAXPY(v, -part, to[j]));
      parts[j] += part;
    }
  return parts;
}

VecHandle NullSpace::random_vector(std::uint64_t seed) const {
  VecHandle v = system_.make_row_vector();
  VecWrite x(v);
  for (const OwnedRows& rows : system_.local().rows)
    for (int i = 0; i < rows.position_rows + rows.velocity_rows; ++i)
      x[rows.first + i] = pseudo_random((seed << 48) + static_cast<std::uint64_t>(rows.natural + i));
  return v;
}

/// One more trial vector. What it leaves on the bodies is kept as a combination of vectors of length 1 in the norm of M^-1,
/// orthogonal to each other: products of the forces would lose half of the digits.
void NullSpace::add_trial(Trials& trials, VecHandle v) {
  sigma(v);
  VecHandle forces = duplicate(dofs_);
  petsc(VecPointwiseMult(forces, dofs_, inverse_root_mass_));
  std::vector<double> parts = orthogonalise(forces, trials.forces);
  double length = 0;
  petsc(VecNormalize(forces, &length));
  parts.push_back(length);
  trials.vectors.push_back(std::move(v));
  trials.forces.push_back(std::move(forces));
  trials.parts.push_back(std::move(parts));
}

/// What sigma takes on in the span of the trial vectors, in ascending order, and where (Rayleigh and Ritz).
NullSpace::Ritz NullSpace::ritz(const Trials& trials) {
  const auto n = static_cast<int>(trials.vectors.size());
  Ritz result{{}, Dense(n, n)};
  for (int j = 0; j < n; ++j) std::copy_n(trials.parts[static_cast<std::size_t>(j)].begin(), j + 1, result.weights.column(j));
  result.values = singular_values(result.weights);  // leaves the vectors as rows
  std::reverse(result.values.begin(), result.values.end());
  for (double& value : result.values) value *= value;
  return result;
}

/// Puts the combination of the trial vectors with the j-th value into `v`.
void NullSpace::combine(const Trials& trials, const Ritz& ritz, int j, PetscVec v) {
  const auto n = static_cast<int>(trials.vectors.size());
  petsc(VecSet(v, 0.0));
  for (int i = 0; i < n; ++i) petsc(VecAXPY(v, ritz.weights(n - 1 - j, i), trials.vectors[static_cast<std::size_t>(i)]));
}

bool NullSpace::find_next() {
  VecHandle v = random_vector(found_.size());
  orthogonalise(v, found_);
  double left = 1, length = 0;
  petsc(VecNormalize(v, &length));
  if (!(length > no_rest)) return false;  // the rows are all used up
  Trials trials;
  Ritz found;
  double its_sigma = std::numeric_limits<double>::infinity(), next = its_sigma;
  Lever its_lever = no_lever;
  bool is_null = false, is_settled = false;
  for (int i = 0; i < max_iterations && left > no_hope; ++i) {
    VecHandle trial = duplicate(v);
    petsc(VecCopy(v, trial));
    has_failed_ = !shrink(trial);
    if (has_failed_) return false;
    orthogonalise(trial, found_);
    petsc(VecNormalize(trial, &length));
    left *= length;
    const VecHandle shrunk = duplicate(trial);
    petsc(VecCopy(trial, shrunk));
    orthogonalise(trial, trials.vectors);
    petsc(VecNormalize(trial, &length));
    if (length > no_rest) {
      orthogonalise(trial, found_);  // of what is little, rounding has put back some of them
      petsc(VecNormalize(trial, &length));
      add_trial(trials, std::move(trial));
      found = ritz(trials);
      combine(trials, found, 0, v);
    } else {
      // All that the vector could hold has been tried. What it still held of what counts, less than no_rest, is smaller now by
      // eps / sigma: left where it is, it would be taken for a misfit.
      petsc(VecCopy(shrunk, v));
    }
    if (i == 0) continue;
    const double last = its_sigma;
    next = next_that_counts(trials, found);
    its_sigma = sigma(v);
    its_lever = its_sigma < no_sigma ? Lever{} : lever(v);
    is_null = is_redundant(its_sigma, its_lever.share);
    is_settled = its_lever.share < least_misfit || its_sigma > still(next) * last;
    // where sigma still falls there is something left that counts, and a misfit that it seems to be is none
    if (is_null && is_settled && stands_apart(its_sigma, found.values)) break;
  }
  if (is_null && (!is_settled || stands_apart(its_sigma, found.values))) {
    largest_sigma_ = std::max(largest_sigma_, its_sigma);
    longest_lever_ = {std::max(longest_lever_.share, its_lever.share), std::max(longest_lever_.length, its_lever.length)};
    next_sigma_ = std::min(next_sigma_, next);
    found_.push_back(std::move(v));
    return true;
  }
  refused_sigma_ = its_sigma;
  refused_lever_ = its_lever;
  refused_ = std::move(v);
  return false;
}

}  // namespace sinew
