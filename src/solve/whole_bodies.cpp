#include "solve/whole_bodies.hpp"

#include "base/reduction.hpp"
#include "linear/direct_solver.hpp"
#include "linear/matrix_rows.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Relative to how strongly a row acts. Gaps that can be closed shrink by it, or by its part of the weakest combination of rows
/// (1/n^2 in a chain of n bodies), with every correction.
constexpr double softness = 1e-10;
/// Rows within one body act on no motion of it, but for rounding: below this part of the strongest row they do nothing.
constexpr double idle = 1e-14;
/// A straight line of points has no inertia about itself: of the largest moment of inertia so much is added to all.
constexpr double least_inertia = 1e-8;

/// A vector for the diagonal of a square matrix, zero.
VecHandle make_diagonal(PetscMat A) {
  VecHandle v;
  petsc(MatCreateVecs(A, nullptr, v.address()));
  petsc(VecSet(v, 0.0));
  return v;
}

void add_to_diagonal(PetscMat A, PetscVec d) {
  petsc(MatSetOption(A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  petsc(MatDiagonalSet(A, d, ADD_VALUES));
}

}  // namespace

WholeBodies::WholeBodies(const DynamicSystem& system) : system_(system), motions_(system.rigid_motions()) {
  if (exist()) matrix_ = system.make_projection_matrix();
}

void WholeBodies::weigh_turns(PetscMat A) const {
  const VecHandle diagonal = make_diagonal(A), added = make_diagonal(A);
  petsc(MatGetDiagonal(A, diagonal));
  {
    const VecRead inertia(diagonal);
    VecWrite more(added);
    for (const PetscInt first : motions_->bodies()) {
      const double largest = std::max({inertia[first + 3], inertia[first + 4], inertia[first + 5]});
      for (int i = 3; i < 6; ++i) more[first + i] = least_inertia * largest;
    }
  }
  add_to_diagonal(A, added);
}

/// Makes the masses 1: the scales s of A := diag(s) A diag(s).
VecHandle WholeBodies::scale(PetscMat A) const {
  VecHandle scales = make_diagonal(A);
  petsc(MatGetDiagonal(A, scales));
  {
    VecWrite s(scales);
    PetscInt count = 0;
    petsc(VecGetLocalSize(scales, &count));
    for (PetscInt i = 0; i < count; ++i) s[i] = i < motions_->num_motions() && s[i] > 0 ? 1 / std::sqrt(s[i]) : 1.0;
  }
  petsc(MatDiagonalScale(A, scales, scales));
  return scales;
}

/// Of the scaled matrix: a row acts as strongly as the square of its gradient says. What stands there already, against redundant
/// rows, is meant for nodes, which are lighter than bodies.
void WholeBodies::soften_rows(PetscMat A) const {
  const VecHandle change = make_diagonal(A), there = make_diagonal(A);
  petsc(MatGetDiagonal(A, there));
  PetscInt first = 0, end = 0;
  petsc(MatGetOwnershipRange(A, &first, &end));
  const PetscInt num_motions = motions_->num_motions(), size = end - first;
  double strongest = 0;
  {
    VecWrite strength(change);
    for (PetscInt i = num_motions; i < size; ++i) {
      for_entries(A, first + i, [&](PetscInt column, double value) {
        if (column != first + i) strength[i] += value * value;
      });
      strongest = std::max(strongest, strength[i]);
    }
  }
  strongest = largest_of_all(comm_of(A), strongest);
  {
    const VecRead before(there);
    VecWrite d(change);
    for (PetscInt i = num_motions; i < size; ++i)
      d[i] = -(softness * d[i] + (strongest > 0 ? idle * strongest : 1.0)) - before[i];
  }
  add_to_diagonal(A, change);
}

/// The least y, for the basis P.
bool WholeBodies::solve(const Stage& stage, PetscVec rows, PetscMat P, PetscVec y) {
  system_.assemble_projection(stage, matrix_);
  MatHandle A;
  petsc(MatPtAP(matrix_, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, A.address()));
  weigh_turns(A);
  const VecHandle scales = scale(A);
  soften_rows(A);
  const KspHandle ksp = make_linear_solver("sinew_start_", A);
  const VecHandle b = make_diagonal(A);
  {
    const VecRead gap(rows);
    VecWrite right(b);
    for (PetscInt r = 0; r < system_.layout().num_rows; ++r) right[motions_->num_motions() + r] = -gap[r];
  }
  if (!solve_linear(ksp, b, y)) return false;
  petsc(VecPointwiseMult(y, y, scales));
  return std::isfinite(max_norm(y));
}

bool WholeBodies::increments(const Stage& stage, PetscVec rows, PetscVec w) {
  const MatHandle P = motions_->basis(*stage.q);
  VecHandle y;
  petsc(MatCreateVecs(P, y.address(), nullptr));
  if (!solve(stage, rows, P, y)) return false;
  motions_->increments(*stage.q, y, w);
  return std::isfinite(max_norm(w));
}

bool WholeBodies::rates(const Stage& stage, PetscVec rows, PetscVec dz) {
  const MatHandle P = motions_->basis(*stage.q);
  VecHandle y, all, unused = system_.make_row_vector();
  petsc(MatCreateVecs(P, y.address(), all.address()));
  if (!solve(stage, rows, P, y)) return false;
  petsc(MatMult(P, y, all));
  split_kkt(all, dz, unused);
  return true;
}

}  // namespace sinew
