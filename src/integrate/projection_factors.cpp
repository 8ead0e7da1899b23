#include "integrate/projection_factors.hpp"

#include "linear/direct_solver.hpp"
#include "linear/kkt_solver.hpp"
#include "system/regularisation.hpp"

#include <algorithm>
#include <limits>

namespace sinew {

namespace {

/// What factors of the very configuration leave of a correction.
constexpr double exact_rate = 1e-7;
/// By how much GMRES reduces the preconditioned residual.
constexpr double krylov_reduction = 1e-6;
/// What that is taken to leave of a correction, ten times as much. As measured on the slider-crank, whose rod is a solid: 1e-7 to
/// 1e-3 leave reactions the same to 1e-10, by factors and by iterations, with as many factorisations.
constexpr double krylov_rate = 1e-5;
/// After so many iterations new factors are cheaper, now. Solids need 3 to 5 with factors of ten steps before
/// (docs/performance.md). As measured in 75 steps of the slider-crank by factors: one solution takes 7, all others 2 to 4.
constexpr int most_krylov = 10;
/// Likewise in the next step. As measured there, in 50 steps: as many factorisations with 10, one more with 3, three more with 2.
constexpr int many_krylov = 5;
/// Of multipliers that make forces so much may be taken out with those that make none, in a step.
constexpr double taken_with = 1e-10;
/// So often what is to be taken out is freed of them; what does not shrink to half is no more of them.
constexpr int most_rounds = 16;

}  // namespace

/// Matrix and solver, when they are needed for the first time.
void ProjectionFactors::make_solver() {
  if (matrix_) return;
  matrix_ = system_.make_projection_matrix();
  ksp_ = make_linear_solver("sinew_projection_", matrix_, SolidsAs::masses);
  if (!system_.is_compact()) return;
  if (has_kkt_solver(ksp_) || system_.has_redundancy()) {
    lag_is_bad_ = true;  // of the first: what it takes to solve for another matrix is nothing beside a second solution
    return;
  }
  PC pc = nullptr;
  petsc(KSPGetPC(ksp_, &pc));
  petsc(KSPCreate(system_.layout().comm, krylov_.address()));
  petsc(KSPSetOptionsPrefix(krylov_, "sinew_projection_krylov_"));
  petsc(KSPSetPC(krylov_, pc));
  petsc(KSPSetType(krylov_, KSPGMRES));
  petsc(KSPSetTolerances(krylov_, krylov_reduction, PETSC_DEFAULT, PETSC_DEFAULT, most_krylov));
  read_options("sinew_projection_krylov_", [this] { return KSPSetFromOptions(krylov_); });
}

void ProjectionFactors::assemble(const Stage& stage) {
  make_solver();
  if (system_.reads_multipliers())
    system_.assemble_multiplier_response(stage, matrix_);
  else
    system_.assemble_projection(stage, matrix_);
  if (krylov_ && exist() && !worn_out_)
    of_ = Of::preconditioner;
  else
    factorise_anew();
}

void ProjectionFactors::factorise_anew() {
  petsc(KSPSetReusePreconditioner(ksp_, PETSC_FALSE));
  of_ = factorise(ksp_) ? Of::exact : Of::none;
  petsc(KSPSetReusePreconditioner(ksp_, PETSC_TRUE));
  worn_out_ = false;
  if (!has_iterations(ksp_)) ++factorizations_;
}

/// By GMRES; false where that takes too long.
bool ProjectionFactors::solve_with_kept(PetscVec rhs, PetscVec solution) {
  if (!solve_iteratively(krylov_, rhs, solution)) return false;
  PetscInt iterations = 0;
  petsc(KSPGetIterationNumber(krylov_, &iterations));
  worn_out_ = iterations > many_krylov;
  return true;
}

bool ProjectionFactors::solve(PetscVec rhs, PetscVec solution) {
  if (of_ == Of::preconditioner && !solve_with_kept(rhs, solution)) factorise_anew();
  return of_ == Of::preconditioner || (exist() && solve_linear(ksp_, rhs, solution));
}

/// [M G^T; G -R] (x, y) = (0, R lambda) gives -y = (G M^-1 G^T + R)^-1 R lambda: lambda itself in combinations that make no
/// force, about R / sigma of it in others. Applied again and again this leaves the first alone. Solvers free solutions of them
/// where they find R noted of the matrix: not here.
void ProjectionFactors::take_out_undetermined(PetscVec multipliers) {
  PetscVec r = exist() ? noted_regularisation(matrix_) : nullptr;
  if (r == nullptr) return;
  petsc(PetscObjectReference(reinterpret_cast<PetscObject>(r)));
  const VecHandle kept(r);
  VecHandle rhs = duplicate(r), part = duplicate(r);
  VecHandle dofs = system_.make_dof_vector(), rows = system_.make_row_vector(), last = system_.make_row_vector();
  note_regularisation(matrix_, nullptr);
  petsc(VecCopy(multipliers, last));
  join_kkt(dofs, last, part);
  const double all = max_norm(multipliers);
  double change = std::numeric_limits<double>::infinity(), last_change = change;
  bool is_solved = true;
  for (int round = 0; round < most_rounds && change > taken_with * all; ++round) {
    petsc(VecPointwiseMult(rhs, r, part));
    is_solved = solve_linear(ksp_, rhs, part);
    if (!is_solved) break;
    petsc(VecScale(part, -1.0));
    split_kkt(part, dofs, rows);
    petsc(VecAXPY(last, -1.0, rows));
    change = max_norm(last);
    if (round > 1 && !(change < 0.5 * last_change)) break;
    last_change = change;
    petsc(VecCopy(rows, last));
  }
  note_regularisation(matrix_, r);
  if (is_solved) petsc(VecAXPY(multipliers, -1.0, rows));
}

void ProjectionFactors::aim_for(double part) { set_linear_tolerance(ksp_, std::min(part, krylov_rate)); }

void ProjectionFactors::keep() {
  if (exist()) of_ = Of::kept;
}

double ProjectionFactors::remaining_part() const {
  return of_ == Of::exact ? exact_rate : of_ == Of::preconditioner ? krylov_rate : 1.0;
}

}  // namespace sinew
