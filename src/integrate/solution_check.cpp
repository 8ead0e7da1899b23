#include "integrate/solution_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// What is promised of every accepted step: constraints hold to this part of extents and speeds.
constexpr double largest_gap = 1e-6;
/// And forces are in balance to this part of those at work. Newton's method ends far below; where stiff members are, a
/// displacement within its tolerance may leave that much.
constexpr double largest_imbalance = 1e-3;
/// A tolerance that the user gives allows gaps so many times as large.
constexpr double tolerances = 10;

/// A gap is the difference of two places, each the sum of several products.
constexpr double roundings = 16;
/// Redundant rows that miss each other share the misfit as the motion goes on: none has more than this many times what was found
/// at the start.
constexpr double allowed_misfits = 4;

std::string at(const std::string& names) { return names.empty() ? names : " at " + names; }

}  // namespace

SolutionCheck::SolutionCheck(const StageEquations& equations)
    : equations_(equations),
      system_(equations.system()),
      inverse_row_size_(system_.make_row_vector()),
      position_(system_.make_row_vector()),
      velocity_(system_.make_row_vector()),
      momentum_(system_.make_dof_vector()) {
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

std::string SolutionCheck::fault(const StepResult& result, HeldLevels levels, double tolerance) {
  const double most = std::max(largest_gap, tolerances * tolerance);
  system_.constraints(equations_.stage(result.z1, nullptr), position_, velocity_);
  if (!levels.velocities) {
    const auto& is_velocity = system_.layout().row_is_velocity;
    VecWrite rows(velocity_);
    for (std::size_t r = 0; r < is_velocity.size(); ++r)
      if (!is_velocity[r]) rows[static_cast<PetscInt>(r)] = 0;
  }
  std::string fault = system_.branch_fault(*equations_.start().q, equations_.q1(), equations_.t1());
  const double speed = std::max(equations_.rate(), equations_.largest_rate(result.z1)),
               misfit = allowed_misfits * system_.misfit();
  // At rest speeds are rounding of positions over the step, and so is what the constraints make of them.
  const double rounding = roundings * equations_.position_rounding();
  if (fault.empty() && levels.positions)
    fault = open_rows(position_, {equations_.length(), misfit, most, rounding, "the model's extent"});
  if (fault.empty()) fault = open_rows(velocity_, {speed, misfit * speed, most, rounding / equations_.h(), "its largest speed"});
  if (fault.empty() && system_.is_mechanical()) fault = imbalance(result, std::max(largest_imbalance, tolerances * tolerance));
  return fault;
}

}  // namespace sinew
