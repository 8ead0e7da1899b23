#include "solve/whole_bodies.hpp"

#include "base/reduction.hpp"
#include "base/split_mix.hpp"
#include "linear/direct_solver.hpp"
#include "linear/matrix_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Relative to how strongly a row acts. Gaps that can be closed shrink by it, or by its part of the weakest combination of rows
/// (1/n^2 in a chain of n bodies), with every correction.
constexpr double softness = 1e-10;
/// Rows within one body act on no motion of it, but for rounding: below this part of the strongest row they do nothing.
constexpr double idle = 1e-14;
/// A straight line of points has no inertia about itself: of the largest moment of inertia so much is added to all.
constexpr double least_inertia = 1e-8;
/// Turns by more are made heavier (rad). Of a gap that it is to close a turn leaves half its angle, and two bodies meet at a
/// joint: up to here gaps come down to half of what they were. As measured on a chain of 40 cables that lie 700 of their lengths
/// apart: 8 corrections; with 1 rad 25 are not enough.
constexpr double farthest_turn = 0.5;

/// A vector for the diagonal of a square matrix, zero.
VecHandle make_diagonal(PetscMat A) {
  VecHandle v;
  petsc(MatCreateVecs(A, nullptr, v.address()));
  petsc(VecSet(v, 0.0));
  return v;
}

MatHandle copy(PetscMat A) {
  MatHandle same;
  petsc(MatDuplicate(A, MAT_COPY_VALUES, same.address()));
  return same;
}

void add_to_diagonal(PetscMat A, PetscVec d) {
  petsc(MatSetOption(A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  petsc(MatDiagonalSet(A, d, ADD_VALUES));
}

/// A direction that lies along nothing, another one for every number.
Vec3<double> any_axis(std::int64_t number) {
  Vec3<double> axis;
  auto word = static_cast<std::uint64_t>(number);
  for (int i = 0; i < 3; ++i) {
    word = split_mix(word);
    axis[i] = 1 + static_cast<double>(word >> 11) * 0x1p-53;
    if (word & 1) axis[i] = -axis[i];
  }
  return (1 / norm(axis)) * axis;
}

}  // namespace

WholeBodies::WholeBodies(const DynamicSystem& system) : system_(system), motions_(system.rigid_motions()) {}

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

/// P^T [M, G^T; G, 0] P; a straight line of points has an inertia about itself.
MatHandle WholeBodies::reduced(const Stage& stage, PetscMat P) {
  if (!matrix_) matrix_ = system_.make_projection_matrix();
  system_.assemble_projection(stage, matrix_);
  MatHandle A;
  petsc(MatPtAP(matrix_, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, A.address()));
  weigh_turns(A);
  return A;
}

/// The least y; rows of A are made soft by -d.
bool WholeBodies::solve(MatHandle A, PetscVec rows, PetscVec y) const {
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

/// By how much y turns what it turns most.
double WholeBodies::largest_turn_of(PetscVec y) const {
  double largest = 0;
  const VecRead motion(y);
  for (const RigidMotions::Turn& turn : motions_->turns()) largest = std::max(largest, norm(vec3_at(motion.data() + turn.first)));
  return largest_of_all(system_.layout().comm, largest);
}

/// Adds to the inertia of what turns too far in y.
void WholeBodies::weigh_far_turns(PetscVec y, PetscMat A) const {
  const VecHandle diagonal = make_diagonal(A), added = make_diagonal(A);
  petsc(MatGetDiagonal(A, diagonal));
  {
    const VecRead inertia(diagonal), motion(y);
    VecWrite more(added);
    for (const auto& [first, number] : motions_->turns()) {
      const double angle = norm(vec3_at(motion.data() + first));
      if (!(angle > farthest_turn)) continue;
      const double largest = std::max({inertia[first], inertia[first + 1], inertia[first + 2]});
      for (int i = 0; i < 3; ++i) more[first + i] = 2 * angle / farthest_turn * largest;
    }
  }
  add_to_diagonal(A, added);
}

bool WholeBodies::increments(const Stage& stage, PetscVec rows, PetscVec w) {
  largest_turn_ = 0;
  const std::vector<Vec3<double>> middles = motions_->middles(*stage.q);
  const MatHandle P = motions_->basis(*stage.q, middles);
  const MatHandle A = reduced(stage, P);
  VecHandle y;
  petsc(MatCreateVecs(P, y.address(), nullptr));
  for (double last = std::numeric_limits<double>::infinity();; last = largest_turn_) {
    if (!solve(copy(A), rows, y)) return false;
    largest_turn_ = largest_turn_of(y);
    // what does not come down to half by that has to turn so far
    if (!(largest_turn_ > farthest_turn && largest_turn_ <= last / 2)) break;
    weigh_far_turns(y, A);
  }
  motions_->increments(*stage.q, middles, y, w);
  return std::isfinite(max_norm(w));
}

/// Leaves of the motions those of places alone.
void WholeBodies::hold_all_but_places(PetscMat A) const {
  std::vector<char> is_free(static_cast<std::size_t>(motions_->num_motions()), 0);
  for (const PetscInt move : motions_->moves()) std::fill_n(is_free.begin() + move, 3, 1);
  PetscInt first = 0;
  petsc(MatGetOwnershipRange(A, &first, nullptr));
  std::vector<PetscInt> held;
  for (PetscInt i = 0; i < motions_->num_motions(); ++i)
    if (!is_free[static_cast<std::size_t>(i)]) held.push_back(first + i);
  petsc(MatZeroRowsColumns(A, static_cast<PetscInt>(held.size()), held.data(), 1.0, nullptr, nullptr));
}

bool WholeBodies::moves(const Stage& stage, PetscVec rows, PetscVec w) {
  const std::vector<Vec3<double>> middles = motions_->middles(*stage.q);
  const MatHandle P = motions_->basis(*stage.q, middles);
  MatHandle A = reduced(stage, P);
  hold_all_but_places(A);
  VecHandle y;
  petsc(MatCreateVecs(P, y.address(), nullptr));
  if (!solve(std::move(A), rows, y)) return false;
  motions_->increments(*stage.q, middles, y, w);
  return std::isfinite(max_norm(w));
}

void WholeBodies::nudge(const Stage& stage, PetscVec open, double angle, PetscVec w) {
  const std::vector<Vec3<double>> middles = motions_->middles(*stage.q);
  const MatHandle P = motions_->basis(*stage.q, middles);
  const MatHandle A = reduced(stage, P);
  const VecHandle touched = make_diagonal(A);
  PetscInt first = 0;
  petsc(MatGetOwnershipRange(A, &first, nullptr));
  {
    const VecRead is_open(open);
    for (PetscInt r = 0; r < system_.layout().num_rows; ++r)
      if (is_open[r] != 0)
        for_entries(A, first + motions_->num_motions() + r, [&](PetscInt column, double value) {
          if (value != 0) petsc(VecSetValue(touched, column, 1.0, INSERT_VALUES));
        });
  }
  petsc(VecAssemblyBegin(touched));
  petsc(VecAssemblyEnd(touched));
  const VecHandle y = make_diagonal(A);
  {
    const VecRead acts(touched);
    VecWrite motion(y);
    for (const RigidMotions::Turn& turn : motions_->turns()) {
      const double* const of_place = acts.data() + turn.first - 3;
      if (std::all_of(of_place, of_place + 6, [](double x) { return x == 0; })) continue;
      const Vec3<double> axis = any_axis(turn.number);
      for (int i = 0; i < 3; ++i) motion[turn.first + i] = angle * axis[i];
    }
  }
  motions_->increments(*stage.q, middles, y, w);
}

bool WholeBodies::rates(const Stage& stage, PetscVec rows, PetscVec dz) {
  const MatHandle P = motions_->basis(*stage.q, motions_->middles(*stage.q));
  VecHandle y, all, unused = system_.make_row_vector();
  petsc(MatCreateVecs(P, y.address(), all.address()));
  if (!solve(reduced(stage, P), rows, y)) return false;
  petsc(MatMult(P, y, all));
  split_kkt(all, dz, unused);
  return true;
}

}  // namespace sinew
