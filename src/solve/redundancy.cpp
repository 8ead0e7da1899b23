#include "solve/redundancy.hpp"

#include "linear/direct_solver.hpp"
#include "solve/consistent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sinew {

namespace {

constexpr double epsilon = 1e-12;          ///< weight of D
constexpr double null_sigma = 1e-14;       ///< a combination with a smaller sigma is redundant; a chain of 10^6 links has 2e-12
constexpr double no_hope = 1e-30;          ///< shrunk by this much, a random vector held no null vector
constexpr double noticeable_share = 1e-6;  ///< of a joint in the null space, between 0 and its number of rows
constexpr int max_iterations = 12;
constexpr int max_found = 24;

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
  /// One more null vector, orthogonal to those found; false if there is none.
  bool find_next();
  const std::vector<VecHandle>& found() const { return found_; }

 private:
  void regularise();
  bool shrink(PetscVec v);
  double sigma(PetscVec v);
  void orthogonalise(PetscVec v) const;
  VecHandle random_vector(std::uint64_t seed) const;

  const System& system_;
  MatHandle matrix_;
  KspHandle ksp_;
  VecHandle kkt_, solution_, dofs_, zero_, rows_, mass_, root_, inverse_root_;
  std::vector<VecHandle> found_;
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
      inverse_root_(system.make_row_vector()) {
  system.assemble_projection(stage, matrix_);
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
  ksp_ = make_direct_solver("sinew_redundancy_", matrix_, system.is_compact());
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
    petsc(MatSetValue(matrix_, first + n + r, first + n + r, -epsilon * D, INSERT_VALUES));
  }
  petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
}

/// v <- eps D^1/2 (S + eps D)^-1 D^1/2 v. False where the factorisation fails.
bool NullSpace::shrink(PetscVec v) {
  petsc(VecPointwiseMult(rows_, root_, v));
  join_kkt(zero_, rows_, kkt_);
  if (!solve_linear(ksp_, kkt_, solution_)) return false;
  split_kkt(solution_, dofs_, rows_);
  petsc(VecPointwiseMult(v, root_, rows_));
  petsc(VecScale(v, -epsilon));
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
  for (int i = 0; i < max_iterations && left > no_hope; ++i) {
    if (!shrink(v)) return false;
    orthogonalise(v);
    petsc(VecNormalize(v, &length));
    if (!(length > 0)) return false;
    left *= length;
    if (i > 0 && sigma(v) < null_sigma) {
      found_.push_back(std::move(v));
      return true;
    }
  }
  return false;
}

}  // namespace

Redundancy find_redundancy(const System& system, const Stage& stage) {
  Redundancy result;
  if (system.global_rows() == 0) return result;
  NullSpace space(system, stage);
  while (!result.has_more && space.find_next()) result.has_more = static_cast<int>(space.found().size()) == max_found;
  result.rows = static_cast<int>(space.found().size());
  if (result.rows == 0) return result;
  std::vector<double> share(static_cast<std::size_t>(system.layout().num_rows), 0.0);
  for (const VecHandle& u : space.found()) {
    const VecRead x(u);
    for (std::size_t r = 0; r < share.size(); ++r) share[r] += x[static_cast<PetscInt>(r)] * x[static_cast<PetscInt>(r)];
  }
  result.owners = owners_of_rows(system, share, noticeable_share);
  return result;
}

Redundancy settle_redundancy(System& system, double t, bool projects) {
  // Newton's method converges by eps / (sigma + eps) at best, so eps lies far below the smallest sigma of long chains. The answers do not depend
  // on it (1e-6 to 1e-12 tried).
  constexpr double eps_of_start = 1e-12, eps_of_run = 1e-10;
  const double before = system.regularisation();
  PetscBool is_chosen = PETSC_FALSE;
  petsc(PetscOptionsHasName(nullptr, nullptr, "-sinew_regularization", &is_chosen));
  if (!is_chosen) system.regularise(eps_of_start);
  Configuration q = system.make_configuration();
  VecHandle z = system.make_dof_vector(), lambda = system.make_row_vector();
  system.initial_state(q, z);
  if (projects) project_onto_constraints(system, t, q, z);
  Redundancy found = find_redundancy(system, {t, &q, z, lambda});
  if (!is_chosen) system.regularise(found.rows > 0 ? std::max(before, eps_of_run) : before);
  return found;
}

std::string redundancy_warning(const Model& model, const Redundancy& found) {
  if (found.rows == 0) return {};
  return fmt::format(
      "{}: warning: {}{} redundant constraint{} in the joints {}: the motion is not affected, but how the load is shared among "
      "their reactions "
      "is not determined (where the reactions matter, take joints that hold less, for example spherical or point-on-line in place "
      "of "
      "revolute)",
      place_of_first(model, found.owners), found.has_more ? "at least " : "", found.rows, found.rows == 1 ? "" : "s",
      names_of(model, found.owners));
}

}  // namespace sinew
