#include "integrate/solution_check.hpp"

#include "solve/consistent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Constraints of every accepted step hold to this part of the extent and of the speeds, so that 1e-6 can be promised whichever
/// body they are compared with: the sizes of angular coordinates are those of the whole model, a slow body has slower speeds.
constexpr double largest_gap = 1e-7;
/// And forces are in balance to this part of those at work. Newton's method ends far below; where stiff members are, a
/// displacement within its tolerance may leave that much.
constexpr double largest_imbalance = 1e-3;
/// A tolerance that the user gives allows gaps so many times as large.
constexpr double tolerances = 10;

std::string at(const std::string& names) { return names.empty() ? names : " at " + names; }

}  // namespace

SolutionCheck::SolutionCheck(const StageEquations& equations)
    : equations_(equations),
      system_(equations.system()),
      inverse_row_size_(system_.make_row_vector()),
      position_(system_.make_row_vector()),
      velocity_(system_.make_row_vector()),
      momentum_(system_.make_dof_vector()),
      drift_(system_) {
  system_.row_sizes(inverse_row_size_);
  petsc(VecReciprocal(inverse_row_size_));
}

/// The sentence where a row is larger than allowed or no number. Scales the rows by their sizes.
std::string SolutionCheck::open_rows(PetscVec gaps, const Allowed& allowed) const {
  const auto& [unit, misfit, most, rounding, what] = allowed;
  if (misfit > 0) {
    PetscInt count = 0;
    petsc(VecGetLocalSize(gaps, &count));
    VecWrite gap(gaps);
    for (PetscInt r = 0; r < count; ++r) gap[r] = std::copysign(std::max(0.0, std::abs(gap[r]) - misfit), gap[r]);
  }
  petsc(VecPointwiseMult(gaps, gaps, inverse_row_size_));
  double size = 0, sum = 0;
  petsc(VecNorm(gaps, NORM_INFINITY, &size));
  petsc(VecNorm(gaps, NORM_1, &sum));  // PETSc's largest entry passes over what is no number
  if (size <= most * unit + rounding && std::isfinite(sum)) return {};
  return fmt::format("the constraints are open by {:.3g} of {}{}", size / unit, what, at(system_.names_of_largest(gaps)));
}

/// Forces are compared by the work they do in a motion of everything by its size, J.
std::string SolutionCheck::imbalance(const StepResult& result, double most) {
  equations_.momentum(result.Ma1, result.f1, momentum_);
  const double left = equations_.largest_work(momentum_);
  double work = equations_.largest_work(result.f1);
  if (left <= most * work) return {};
  work = std::max(work, equations_.largest_work(result.Ma1));
  if (left <= most * work) return {};
  const VecHandle all = system_.make_dof_vector();
  system_.force_magnitudes(equations_.stage(result.z1, result.lambda1), all);
  work = std::max(work, equations_.largest_work(all));
  if (left <= most * work || equations_.is_rounding_at_rest(momentum_)) return {};
  return fmt::format("forces are out of balance by {:.3g} of those at work{}", left / work,
                     at(system_.body_of_largest(momentum_)));
}

/// Rows that the method does not hold are watched, and taken out of those that are judged.
void SolutionCheck::watch_unheld(HeldLevels levels, double speed) {
  if (levels.positions && levels.velocities) return;
  const double t0 = equations_.start().t, t1 = equations_.t1();
  VecHandle rows = duplicate(velocity_);
  petsc(VecPointwiseMult(rows, levels.positions ? velocity_ : position_, inverse_row_size_));
  {
    const auto& is_velocity = system_.layout().row_is_velocity;
    VecWrite unheld(rows), held(velocity_);
    for (std::size_t r = 0; r < is_velocity.size(); ++r) {
      if (is_velocity[r])
        unheld[static_cast<PetscInt>(r)] = 0;
      else if (!levels.velocities)
        held[static_cast<PetscInt>(r)] = 0;
    }
  }
  if (levels.positions)
    drift_.note(ConstraintDrift::Level::velocities, t0, t1, rows, speed);
  else
    drift_.note(ConstraintDrift::Level::positions, t0, t1, rows, equations_.length());
}

std::string SolutionCheck::fault(const StepResult& result, HeldLevels levels, double tolerance) {
  const double most = std::max(largest_gap, tolerances * tolerance);
  system_.constraints(equations_.stage(result.z1, nullptr), position_, velocity_);
  const double speed = std::max(equations_.rate(), equations_.largest_rate(result.z1)),
               misfit = allowed_misfits * system_.misfit();
  watch_unheld(levels, speed);
  std::string fault = system_.branch_fault(*equations_.start().q, equations_.q1(), equations_.t1());
  // At rest speeds are rounding of positions over the step, and so is what the constraints make of them.
  const double rounding = equations_.gap_rounding();
  if (fault.empty() && levels.positions)
    fault = open_rows(position_, {equations_.length(), misfit, most, rounding, "the model's extent"});
  if (fault.empty()) fault = open_rows(velocity_, {speed, misfit * speed, most, rounding / equations_.h(), "its largest speed"});
  if (fault.empty() && system_.is_mechanical()) fault = imbalance(result, std::max(largest_imbalance, tolerances * tolerance));
  return fault;
}

}  // namespace sinew
