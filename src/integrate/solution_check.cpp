#include "integrate/solution_check.hpp"

#include "base/reduction.hpp"
#include "kernels/joints/turn.hpp"
#include "solve/consistent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

/// Of this rank.
double largest_entry(PetscVec v) {
  PetscInt count = 0;
  petsc(VecGetLocalSize(v, &count));
  const VecRead x(v);
  double largest = 0;
  for (PetscInt i = 0; i < count; ++i) largest = std::max(largest, std::abs(x[i]));
  return largest;
}

}  // namespace

SolutionCheck::SolutionCheck(const StageEquations& equations)
    : equations_(equations), system_(equations.system()), drift_(system_) {}

/// The largest of this rank's gaps less what each may be out of line by, over the sizes of the rows; infinite where one is no
/// number.
double SolutionCheck::largest_gap_beyond(double misfit, PetscVec gaps) const {
  const VecRead gap(gaps);
  const double* const size = equations_.scales().row_sizes().data();
  double largest = 0;
  for (PetscInt r = 0; r < system_.layout().num_rows; ++r) {
    const double part = std::max(0.0, std::abs(gap[r]) - misfit) / size[r];
    if (!std::isfinite(gap[r])) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, part);
  }
  return largest;
}

/// The sentence where a row is larger than allowed or no number. Scales the rows by their sizes then.
std::string SolutionCheck::open_rows(double size, PetscVec gaps, const Allowed& allowed) const {
  const auto& [unit, misfit, most, rounding, what] = allowed;
  if (size <= most * unit + rounding) return {};
  {
    VecWrite gap(gaps);
    for (PetscInt r = 0; r < system_.layout().num_rows; ++r)
      gap[r] = std::copysign(std::max(0.0, std::abs(gap[r]) - misfit), gap[r]) /
               equations_.scales().row_sizes()[static_cast<std::size_t>(r)];
  }
  return fmt::format("the constraints are open by {:.3g} of {}{}", size / unit, what, at(system_.names_of_largest(gaps)));
}

/// Forces are compared by the work they do in a motion of everything by its size, J: `left` of all forces together, `work` of
/// the largest.
std::string SolutionCheck::imbalance(const StepResult& result, double most, double left, double work) {
  if (left <= most * work) return {};
  work = std::max(work, equations_.of_all(equations_.scales().largest_work(result.Ma1)));
  if (left <= most * work) return {};
  const VectorPool::Loan all = equations_.dof_room().borrow();
  system_.force_magnitudes(equations_.stage(result.z1, result.lambda1), all);
  work = std::max(work, equations_.of_all(equations_.scales().largest_work(all)));
  if (left <= most * work || equations_.is_rounding_at_rest(momentum_)) return {};
  equations_.take_out_rounding(result.z1, result.lambda1, momentum_);
  left = equations_.of_all(equations_.scales().largest_work(momentum_));
  if (left <= most * work) return {};
  return fmt::format("forces are out of balance by {:.3g} of those at work{}", left / work,
                     at(system_.body_of_largest(momentum_)));
}

/// Rows that the method does not hold, over their sizes: taken out of those that are judged. Null where it holds all.
VectorPool::Loan SolutionCheck::take_out_unheld(HeldLevels levels) {
  if (levels.positions && levels.velocities) return {};
  VectorPool::Loan rows = equations_.row_room().borrow();
  const auto& is_velocity = system_.layout().row_is_velocity;
  petsc(VecCopy(levels.positions ? velocity_ : position_, rows));
  VecWrite unheld(rows), held(velocity_);
  for (std::size_t k = 0; k < is_velocity.size(); ++k) {
    const auto r = static_cast<PetscInt>(k);
    unheld[r] = is_velocity[k] ? 0.0 : unheld[r] / equations_.scales().row_sizes()[k];
    if (!is_velocity[k] && !levels.velocities) held[r] = 0;
  }
  return rows;
}

/// Do angles turn so far in the step, by the rates at its ends, that frames do not tell their turns? Collective.
bool SolutionCheck::loses_turns(const Stage& end) const {
  if (!system_.forces_follow_turns()) return false;
  const double fastest = std::max(system_.fastest_turn(equations_.start()), system_.fastest_turn(end));
  return fastest * equations_.h() > longest_turn;
}

/// The residuals of the step and their sizes. One reduction, and one before it where constraints are out of line.
SolutionCheck::Found SolutionCheck::look(const StepResult& result, HeldLevels levels) {
  Found found;
  const Stage end = equations_.stage(result.z1, nullptr);
  system_.constraints(end, position_, velocity_);
  found.unheld_rows = take_out_unheld(levels);
  const double speed = equations_.scales().largest(result.z1);
  found.misfit = allowed_misfits * system_.misfit();
  if (found.misfit > 0) found.rate_misfit = found.misfit * std::max(equations_.scales().rate(), equations_.of_all(speed));
  Reduction all(system_.layout().comm);
  all.largest(speed);
  all.largest(system_.has_branch_fault(*equations_.start().q, equations_.q1(), equations_.t1()) || loses_turns(end) ? 1 : 0);
  all.largest(levels.positions ? largest_gap_beyond(found.misfit, position_) : 0);
  all.largest(largest_gap_beyond(found.rate_misfit, velocity_));
  if (found.unheld_rows) all.largest(largest_entry(found.unheld_rows));
  const bool is_mechanical = system_.is_mechanical();
  if (is_mechanical) equations_.momentum(result.Ma1, result.f1, momentum_);
  const std::size_t left = all.largest(is_mechanical ? equations_.scales().largest_work(momentum_) : 0);
  const std::size_t work = all.largest(is_mechanical ? equations_.scales().largest_work(result.f1) : 0);
  all.share();
  found.speed = std::max(equations_.scales().rate(), all[0]);
  found.leaves_branch = all[1] > 0;
  found.position = all[2];
  found.velocity = all[3];
  if (found.unheld_rows) found.unheld = all[4];
  found.left = all[left];
  found.work = all[work];
  return found;
}

std::string SolutionCheck::fault(const StepResult& result, HeldLevels levels, double tolerance) {
  for (VectorPool::Loan* rows : {&position_, &velocity_}) *rows = equations_.row_room().borrow();
  momentum_ = equations_.dof_room().borrow();
  std::string fault = find_fault(result, levels, tolerance);
  for (VectorPool::Loan* vector : {&position_, &velocity_, &momentum_}) vector->give_back();
  return fault;
}

std::string SolutionCheck::find_fault(const StepResult& result, HeldLevels levels, double tolerance) {
  const double most = std::max(largest_gap, tolerances * tolerance);
  const double t0 = equations_.start().t, t1 = equations_.t1();
  const Found found = look(result, levels);
  const double speed = found.speed;
  if (found.unheld_rows && levels.positions)
    drift_.note(ConstraintDrift::Level::velocities, t0, t1, found.unheld_rows, found.unheld, speed);
  else if (found.unheld_rows)
    drift_.note(ConstraintDrift::Level::positions, t0, t1, found.unheld_rows, found.unheld, equations_.scales().length());
  std::string fault = found.leaves_branch ? system_.branch_fault(*equations_.start().q, equations_.q1(), t1) : std::string();
  if (found.leaves_branch && fault.empty())
    fault = "an angle whose turns count (of a gear, a torsional spring) turns so far in the step that turns might be lost";
  // At rest speeds are rounding of positions over the step, and so is what the constraints make of them.
  const double rounding = equations_.scales().gap_rounding();
  if (fault.empty() && levels.positions)
    fault =
        open_rows(found.position, position_, {equations_.scales().length(), found.misfit, most, rounding, "the model's extent"});
  // Redundant rows, wheels on one axle and its hinges, fit each other as well as the level that the method does not hold lets
  // them: velocities by what those of the hinges miss, or by how far places have drifted.
  double unheld = system_.has_redundancy() ? found.unheld : 0;
  if (!levels.positions) unheld *= speed / equations_.scales().length();
  if (fault.empty())
    fault = open_rows(found.velocity, velocity_,
                      {speed, found.rate_misfit, most, rounding / equations_.h() + unheld, "its largest speed"});
  if (fault.empty() && system_.is_mechanical())
    fault = imbalance(result, std::max(largest_imbalance, tolerances * tolerance), found.left, found.work);
  return fault;
}

}  // namespace sinew
