#include "solve/smallest_reactions.hpp"

#include "linear/direct_solver.hpp"
#include "system/regularisation.hpp"

#include <algorithm>
#include <limits>
#include <memory>

namespace sinew {

namespace {

/// Weight of W, relative to what makes it as large as G M^-1 G^T in some row. Far above the rounding that it divides, far below
/// the rest of G M^-1 G^T.
constexpr double weight = 1e-8;
/// Repetitions: each leaves a share weight / (sigma + weight) of what is missing, 1e-3 where sigma is as small as 1e-5.
constexpr int most_rounds = 10;
/// What is missing of G^T lambda is rounding below this share of it.
constexpr double rounding = 1e-13;
/// Reactions that miss more of it do not carry the loads. Large multipliers that cancel each other but for a millionth of a
/// radian between their rows leave some 1e-6 that smaller ones cannot bear.
constexpr double carried = 1e-3;

}  // namespace

SmallestReactions::SmallestReactions(const DynamicSystem& system) : system_(system) {}

SmallestReactions::~SmallestReactions() = default;

/// The matrix of this configuration, with -weight s W on the diagonal of its rows, s W at most diag(G M^-1 G^T) in every one.
void SmallestReactions::prepare(const Stage& stage) {
  if (!matrix_) {
    matrix_ = system_.make_projection_matrix();
    ksp_ = make_linear_solver("sinew_reactions_", matrix_);
  }
  system_.assemble_projection({stage.t, stage.q, stage.z, nullptr}, matrix_);
  note_regularisation(matrix_, nullptr);  // a diagonal of our own takes its place
  VecHandle size = system_.make_row_vector(), strength = system_.make_row_vector();
  system_.reaction_sizes(stage, size);
  system_.row_strengths(strength);
  petsc(VecPointwiseMult(size, size, size));
  petsc(VecPointwiseDivide(strength, strength, size));
  double least = 0;
  petsc(VecMin(strength, nullptr, &least));
  if (!(least > 0)) least = std::numeric_limits<double>::min();
  const PetscInt n = system_.layout().num_dofs, m = system_.layout().num_rows;
  PetscInt first = 0;
  petsc(MatGetOwnershipRange(matrix_, &first, nullptr));
  const VecRead W(size);
  for (PetscInt r = 0; r < m; ++r)
    petsc(MatSetValue(matrix_, first + n + r, first + n + r, -weight * least * W[r], INSERT_VALUES));
  petsc(MatAssemblyBegin(matrix_, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(matrix_, MAT_FINAL_ASSEMBLY));
}

/// Rounding of a solution, too, has a part in the combinations of multipliers that make no force. Only the weight resists it
/// there, so that it is larger by 1 / weight than elsewhere, and no repetition sees it. What the rows leave tells of it: solved
/// for once, it is rounding as everywhere.
bool SmallestReactions::refine(PetscVec rhs, PetscVec solution) {
  VecHandle left = duplicate(rhs), change = duplicate(solution);
  petsc(MatMult(matrix_, solution, left));
  petsc(VecAYPX(left, -1.0, rhs));
  if (!solve_iteratively(ksp_, left, change)) return false;
  petsc(VecAXPY(solution, 1.0, change));
  return true;
}

VecHandle SmallestReactions::of(const Stage& stage) {
  VecHandle lambda = system_.make_row_vector();
  petsc(VecCopy(stage.lambda, lambda));
  if (!system_.has_redundancy()) return lambda;
  prepare(stage);
  VecHandle forces = system_.make_dof_vector(), x = system_.make_dof_vector(), none = system_.make_row_vector();
  VecHandle part = system_.make_row_vector(), smallest = system_.make_row_vector();
  VecHandle rhs = make_kkt_vector(system_.layout()), solution = make_kkt_vector(system_.layout());
  const Stage still{stage.t, stage.q, stage.z, nullptr};
  double whole = 0, missing = 0, last = std::numeric_limits<double>::infinity();
  for (int round = 0;; ++round) {
    petsc(VecWAXPY(part, -1.0, smallest, lambda));
    system_.force_change(still, part, forces);  // -G^T of what is missing
    missing = max_norm(forces);
    if (round == 0) whole = missing;
    if (missing <= rounding * whole || missing > 0.5 * last || round == most_rounds) break;
    last = missing;
    petsc(VecScale(forces, -1.0));
    join_kkt(forces, none, rhs);
    if (!solve_linear(ksp_, rhs, solution) || !refine(rhs, solution)) return lambda;
    split_kkt(solution, x, part);
    petsc(VecAXPY(smallest, 1.0, part));
  }
  return missing <= carried * whole ? std::move(smallest) : std::move(lambda);
}

std::function<VecHandle(const Stage&)> smallest_reactions(const DynamicSystem& system) {
  return [reactions = std::make_shared<SmallestReactions>(system)](const Stage& stage) { return reactions->of(stage); };
}

}  // namespace sinew
