#include "solve/acceleration_solver.hpp"

#include "base/reduction.hpp"
#include "linear/direct_solver.hpp"
#include "solve/consistent.hpp"
#include "solve/loose_body.hpp"
#include "solve/relative_rows.hpp"
#include "system/regularisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

AccelerationSolver::AccelerationSolver(const DynamicSystem& system) : system_(system), matrix_(system.make_tangent_matrix()) {
  for (VecHandle* v : {&rhs_, &solution_, &product_}) *v = make_kkt_vector(system.layout());
  for (VecHandle* v : {&momentum_, &da_, &unbalanced_, &dof_sizes_, &force_, &mobility_, &work_}) *v = system.make_dof_vector();
  for (VecHandle* v : {&rows_, &dlambda_, &drift_, &open_, &row_sizes_, &row_work_}) *v = system.make_row_vector();
  system.dof_sizes(dof_sizes_);
  system.row_sizes(row_sizes_);
  ksp_ = make_linear_solver("sinew_acceleration_", matrix_);
}

AccelerationSolver::~AccelerationSolver() = default;

bool AccelerationSolver::soften(const Stage& stage, TangentShift shift, PetscVec a, PetscVec forces, PetscVec rows) {
  shift.rows = ConstraintRows::gradient;
  shift.velocity_row_q = 0;
  system_.mass_times(stage, a, momentum_);
  if (forces != nullptr) petsc(VecAXPY(momentum_, 1.0, forces));
  petsc(VecScale(momentum_, shift.a));
  system_.assemble_tangent(stage, shift, nullptr, matrix_);
  petsc(VecSet(dlambda_, 0.0));
  join_kkt(a, dlambda_, solution_);
  petsc(MatMult(matrix_, solution_, product_));
  split_kkt(product_, da_, rows_);
  if (rows != nullptr) petsc(VecAXPY(rows_, 1.0, rows));
  join_kkt(momentum_, rows_, rhs_);
  if (!solve_linear(ksp_, rhs_, solution_)) return false;
  split_kkt(solution_, a, dlambda_);
  return true;
}

namespace {

/// max |v_i| of a vector times or over the sizes of its entries.
double largest_scaled(PetscVec v, PetscVec sizes, bool divide, PetscVec work) {
  petsc(divide ? VecPointwiseDivide(work, v, sizes) : VecPointwiseMult(work, v, sizes));
  return max_norm(work);
}

/// What makes equations with friction insoluble; empty without it.
std::string of_friction(const DynamicSystem& system) {
  return system.reads_multipliers()
             ? " (with friction in joints as large as this there may be no accelerations that fit it: they jam, "
               "Painleve's paradox; lower its coefficients, or lengthen the guides)"
             : std::string();
}

/// What is left of the equations of motion and of the constraints, differentiated twice, is nothing beside this part of what
/// meets in them. Direct solvers leave rounding; who asks for another solver gets less than that or an error.
constexpr double balanced = 1e-9;
/// Redundant rows fit each other as well as places and velocities fulfil them: those of an accepted step to 1e-7
/// (solution_check.cpp).
constexpr double balanced_where_redundant = 1e-6;
/// Where redundant rows are regularised, a correction leaves a part eps / (sigma + eps) of what it is to take away, and what is
/// left of the equations alone does not tell: at the end of a long linkage a rounding of its rows counts many times over.
/// Accelerations that change by less of the largest one are those of the equations.
constexpr double settled = 1e-9;
/// A residual that has come down to so many roundings is zero.
constexpr double roundings = 16;

}  // namespace

/// What the residuals of (a, lambda) come to beside the forces at work, by the work they do in a motion of everything by its
/// size, and beside the accelerations that meet in the constraints, those of the motion itself and those that the forces alone
/// would give.
double AccelerationSolver::imbalance(const Stage& stage) {
  system_.force_magnitudes(stage, force_);
  const double left = largest_scaled(unbalanced_, dof_sizes_, false, work_),
               forces = largest_scaled(force_, dof_sizes_, false, work_),
               drifting = largest_scaled(drift_, row_sizes_, true, row_work_),
               rate = RelativeRows(system_, *stage.q).rate(stage.z);
  system_.mass_diagonal(mobility_);
  petsc(VecReciprocal(mobility_));  // leaves zeros alone
  petsc(VecPointwiseMult(force_, force_, mobility_));
  petsc(VecPointwiseMult(mobility_, mobility_, unbalanced_));
  const double free = largest_scaled(force_, dof_sizes_, true, work_),
               unbalanced = largest_scaled(mobility_, dof_sizes_, true, work_);
  const double length = system_.extent() > 0 ? system_.extent() : 1.0, meeting = drifting + free + rate * rate;
  // Redundant rows that miss each other ask for accelerations that do so by the same share.
  const double open = largest_scaled(open_, row_sizes_, true, row_work_) - allowed_misfits * system_.misfit() / length * meeting;
  // Where forces are nothing but rounding, of elements that are not strained, accelerations say more.
  const double by_forces = forces > 0 ? left / forces : left, by_motion = meeting > 0 ? unbalanced / meeting : unbalanced;
  return std::max({0.0, std::min(by_forces, by_motion), meeting > 0 ? open / meeting : open});
}

/// What of the forces at work is no number, in a sentence; empty: all are. Collective.
std::string AccelerationSolver::forces_without_number(const Stage& stage) {
  system_.forces(stage, force_);
  bool are_missing = false;
  {
    VecWrite force(force_);
    for (PetscInt i = 0; i < system_.layout().num_dofs; ++i) {
      const bool is_number = std::isfinite(force[i]);
      are_missing = are_missing || !is_number;
      force[i] = is_number ? 0 : 1;
    }
  }
  if (!is_so_on_any(system_.layout().comm, are_missing)) return {};
  const std::string body = system_.body_of_largest(force_);
  return fmt::format("forces{} are no numbers", body.empty() ? "" : " on " + body);
}

/// Why there are none, with the time and what is least in balance.
void AccelerationSolver::give_up(double t, const std::string& why) const {
  const std::string body = system_.body_of_largest(unbalanced_), joints = system_.names_of_largest(open_);
  throw SolveError(fmt::format("no consistent accelerations at t = {:.9g}: {}{}{}", t, why,
                               body.empty() ? "" : "; most at " + body, joints.empty() ? "" : ", joints " + joints));
}

void AccelerationSolver::solve(double t, const Configuration& q, PetscVec z, PetscVec a, PetscVec lambda) {
  const Stage stage{t, &q, z, lambda};
  system_.constraint_drift(stage, drift_);
  double last = std::numeric_limits<double>::infinity(), last_change = 0;
  double moved = std::numeric_limits<double>::infinity(), last_moved = moved;
  for (int i = 0; i < 30; ++i) {
    system_.mass_times(stage, a, momentum_);
    system_.forces(stage, da_);
    petsc(VecAXPY(momentum_, -1.0, da_));
    // The rows G a come from the matrix itself; it is exact, only its regularisation must not enter.
    if (i == 0 || !system_.is_mechanical() || system_.reads_multipliers())
      system_.assemble_tangent(stage, {.a = 1, .rows = ConstraintRows::gradient}, nullptr, matrix_);
    petsc(VecSet(dlambda_, 0.0));
    join_kkt(a, dlambda_, solution_);
    petsc(MatMult(matrix_, solution_, product_));
    split_kkt(product_, da_, rows_);
    petsc(VecAXPY(rows_, 1.0, drift_));
    petsc(VecCopy(momentum_, unbalanced_));
    petsc(VecCopy(rows_, open_));
    const bool is_regularised = noted_regularisation(matrix_) != nullptr;
    if (i > 0 && system_.is_mechanical()) {
      const double left = imbalance(stage);
      const double enough = is_regularised ? balanced_where_redundant : balanced;
      const bool is_balanced =
          left <= roundings * std::numeric_limits<double>::epsilon() || (left <= enough && left > 0.2 * last);
      const bool is_settled = !is_regularised || moved <= settled || moved > 0.5 * last_moved || system_.reads_multipliers();
      if (is_balanced && is_settled) return;
      last = left;
    }
    join_kkt(momentum_, rows_, rhs_);
    const bool solved = solve_linear(ksp_, rhs_, solution_);
    split_kkt(solution_, da_, dlambda_);
    petsc(VecAXPY(a, -1.0, da_));
    petsc(VecAXPY(lambda, -1.0, dlambda_));
    if (is_regularised) {
      const double size = largest_scaled(a, dof_sizes_, true, work_);
      last_moved = moved;
      moved = size > 0 ? largest_scaled(da_, dof_sizes_, true, work_) / size : 0;
    }
    const double change = std::max(max_norm(da_) / (1 + max_norm(a)), max_norm(dlambda_) / (1 + max_norm(lambda)));
    if (!solved || !std::isfinite(change)) {
      const std::string no_value = system_.not_finite(t);
      if (!no_value.empty()) throw SolveError(fmt::format("no consistent accelerations at t = {:.9g}: {}", t, no_value));
      const std::string no_numbers = forces_without_number(stage);
      if (!no_numbers.empty()) throw SolveError(fmt::format("no consistent accelerations at t = {:.9g}: {}", t, no_numbers));
      const std::string loose = loose_body(system_, stage);
      if (!loose.empty()) throw SolveError(fmt::format("no consistent accelerations at t = {:.9g}: {}", t, loose));
      give_up(t, system_.is_mechanical()
                     ? "the matrix [M G^T; G 0] is singular" + of_friction(system_)
                     : "the matrix [M G^T; G 0] is singular (no first guess for multipliers that enter nonlinearly)");
    }
    if (system_.is_mechanical()) continue;
    if (change <= 1e-15 || (i > 0 && change < 1e-9 && change > 0.2 * last_change)) return;
    last_change = change;
  }
  give_up(t, "they do not converge" + of_friction(system_));
}

}  // namespace sinew
