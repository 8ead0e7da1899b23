#include "integrate/velocity_projection.hpp"

#include "base/reduction.hpp"
#include "linear/direct_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

/// Factors that reduce the correction by less than this are replaced.
constexpr double slow_rate = 0.1;
/// Corrections below this, in the units of the stopping test, are round-off.
constexpr double noise = 1e-13;
/// A row that is left is a sum of products: so many roundings of the largest speed are nothing to correct.
constexpr double roundings_of_row = 4;
/// So many corrections with the tangent's factors cost less than factors of one's own and a correction with them: assembly and
/// factorisation come to 2 or 3 residuals and solutions on chains, to 6 on nets.
constexpr int most_by_tangent = 3;
/// They may leave no more than this, whatever the tolerance: a hundredth of the gaps that an accepted step may have
/// (solution_check.cpp), which factors of one's own close to rounding.
constexpr double largest_leftover = 1e-9;
/// So much of delta may be left of M delta + G^T mu' = 0: what a metric leaves that differs from M by as much. In nets of rods
/// errors against a fine grid are then the same to .3 % in places and velocities, to 1 % in accelerations (docs/performance.md).
constexpr double part_of_delta = 0.01;
/// A correction that leaves so much less than is allowed, by the rate of those before, is not looked at any more.
constexpr double sure_part = 0.1;
/// A correction of which more is to be given back was none.
constexpr double most_given_back = 0.5;
/// Factors that serve gain a digit each time: from a tenth of the largest speed down to `noise`.
constexpr int max_corrections = 12;

}  // namespace

VelocityProjection::VelocityProjection(StageEquations& equations, KSP tangent)
    : equations_(equations),
      system_(equations.system()),
      tangent_(tangent),
      is_cheap_(!system_.is_compact()),
      factors_(system_),
      delta_(system_.make_dof_vector()),
      mu_(system_.make_row_vector()),
      last_delta_(system_.make_dof_vector()),
      last_mu_(system_.make_row_vector()) {
  if (system_.reads_multipliers()) change_ = system_.make_row_vector();
  asks_tangent_ = is_cheap_ && !system_.reads_multipliers() && !has_options("sinew_projection_");
}

void VelocityProjection::take_room() {
  for (VectorPool::Loan* v : {&rhs_, &solution_})
    if (!*v) *v = equations_.kkt_room().borrow();
  for (VectorPool::Loan* v : {&M_delta_, &of_dofs_})
    if (!*v) *v = equations_.dof_room().borrow();
  if (!of_rows_) of_rows_ = equations_.row_room().borrow();
}

void VelocityProjection::leave_room() {
  if (solves_pairs(tangent_)) return;
  for (VectorPool::Loan* v : {&rhs_, &solution_, &M_delta_, &of_dofs_, &of_rows_}) v->give_back();
}

namespace {

/// now := 2 now - last where that is known, last := now as it was. Local.
void extrapolate(bool is_known, PetscVec now, PetscVec last) {
  PetscInt count = 0;
  petsc(VecGetLocalSize(now, &count));
  VecWrite x(now), before(last);
  for (PetscInt i = 0; i < count; ++i) {
    const double value = x[i];
    if (is_known) x[i] = 2.0 * value - before[i];
    before[i] = value;
  }
}

}  // namespace

void VelocityProjection::predict(double h, bool by_error) {
  by_error_ = by_error;
  is_of_this_step_ = false;
  is_balanced_ = false;
  knows_residual_ = came_along_ = false;
  ask_nothing_along();  // what a step that failed has asked for
  if (paused_ > 0) --paused_;
  if (!is_same_step(h, h_)) {
    h_ = h;
    steps_ = 0;
    for (PetscVec v : {delta_.get(), mu_.get(), last_delta_.get(), last_mu_.get()}) petsc(VecSet(v, 0.0));
    return;
  }
  ++steps_;
  if (is_idle_) return;
  const bool is_known = steps_ > 1;  // how they change
  extrapolate(is_known, delta_, last_delta_);
  extrapolate(is_known, mu_, last_mu_);
}

void VelocityProjection::forget() {
  h_ = 0;
  factors_.forget();
}

/// The matrix of this configuration.
void VelocityProjection::assemble(PetscVec lambda, PetscVec z1) {
  if (system_.reads_multipliers()) {
    multiplier_change(change_);
    petsc(VecAXPY(change_, 1.0, lambda));
    factors_.assemble(equations_.stage(z1, change_));
  } else {
    factors_.assemble(equations_.stage(z1, nullptr));
  }
}

/// Are the constraints at velocity level met but for rounding? Collective.
bool VelocityProjection::is_met_by(PetscVec z1) {
  system_.share({z1}, {});
  system_.constraints(equations_.stage(z1, nullptr), nullptr, of_rows_);
  return equations_.of_all(equations_.scales().velocity_gap(of_rows_)) <= roundings_of_row * StepScales::velocity_rounding();
}

/// out = M delta - (th/m) (f(lambda~ + mu) - f(lambda~)); with f_lambda = -G^T that is M delta + G^T mu'.
void VelocityProjection::momentum(PetscVec lambda, PetscVec z1, PetscVec out) {
  equations_.mass_times(delta_, M_delta_);
  if (system_.reads_multipliers()) {
    const AlphaCoefficients& c = equations_.coefficients();
    multiplier_change(change_);
    system_.force_change(equations_.stage(z1, lambda), change_, out);
    petsc(VecAYPX(out, -c.th() / c.m(), M_delta_));
  } else {
    system_.force_change(equations_.stage(z1, nullptr), mu_, out);
    petsc(VecAYPX(out, -1.0, M_delta_));
  }
}

/// rhs_ = (M delta + G^T mu', gv(z1)/(gamma h)).
void VelocityProjection::find_residual(PetscVec lambda, PetscVec z1) {
  system_.constraints(equations_.stage(z1, nullptr), nullptr, of_rows_);
  petsc(VecScale(of_rows_, 1 / (equations_.coefficients().gamma * equations_.h())));
  momentum(lambda, z1, of_dofs_);
  join_kkt(of_dofs_, of_rows_, rhs_);
}

/// Takes (of_dofs_, of_rows_) from delta and mu; its size in velocity units.
double VelocityProjection::take_off(PetscVec z1) {
  petsc(VecAXPY(delta_, -1.0, of_dofs_));
  petsc(VecAXPY(mu_, -1.0, of_rows_));
  petsc(VecAXPY(z1, -equations_.coefficients().gamma * equations_.h(), of_dofs_));
  if (came_along_) petsc(VecAXPY(change_of_delta_, -1.0, of_dofs_));
  const double size = equations_.of_all(equations_.velocity_measure(of_dofs_));
  moved_ += size;
  return size;
}

double VelocityProjection::correct(PetscVec lambda, PetscVec z1) {
  is_idle_ = is_balanced_ = false;
  system_.share({z1}, {mu_});
  if (!factors_.exist()) assemble(lambda, z1);
  find_residual(lambda, z1);
  if (factors_.are_kept()) imbalance_ = equations_.imbalance(of_dofs_);
  if (!factors_.solve(rhs_, solution_)) return std::numeric_limits<double>::infinity();
  split_kkt(solution_, of_dofs_, of_rows_);
  return take_off(z1);
}

/// What is left of both equations, in velocity units and over what may be: M^-1 of forces, gaps by the sizes of their rows. The
/// size of a correction does not tell: stiff forces, which the tangent has and this matrix has not, make it small. Collective.
double VelocityProjection::excess(double allowed) const {
  Reduction sizes(system_.layout().comm);
  const std::size_t imbalance = sizes.largest(equations_.imbalance(of_dofs_)),
                    gap = sizes.largest(equations_.gap(of_rows_, true));
  const std::size_t size = sizes.largest(equations_.velocity_measure(delta_));
  sizes.share();
  return std::max(sizes[imbalance] / most_imbalance(allowed, sizes[size]), sizes[gap] / allowed);
}

/// `size`: of delta. Steps whose delta was not predicted from two others start from too much to leave any.
double VelocityProjection::most_imbalance(double allowed, double size) const {
  return by_error_ && steps_ > 1 ? std::max(allowed, part_of_delta * size) : allowed;
}

/// May M delta + G^T mu' be left as the last correction has left it, and mu with it? Where constraints determine the motion delta
/// is right after any correction, whatever factors it is by, and only this tells of mu: what an old G leaves of it, predictions
/// double and triple from step to step. Factors of this configuration leave nothing. `last`: what was left before the correction
/// before, 0 for the first one, which serving factors are believed to have gained a digit. Collective.
bool VelocityProjection::leaves_balance(double tolerance, double last) {
  Reduction sizes(system_.layout().comm);
  const std::size_t imbalance = sizes.largest(imbalance_), size = sizes.largest(equations_.velocity_measure(delta_));
  sizes.share();
  imbalance_ = sizes[imbalance];
  const double rate = last > 0 ? imbalance_ / last : slow_rate;
  return rate * imbalance_ <= most_imbalance(tolerance, sizes[size]);
}

/// Takes off what [m M G^T; G 0] makes of the residual: (m r, rows) gives (delta, m mu').
bool VelocityProjection::correct_by_tangent(PetscVec z1) {
  const double m = equations_.coefficients().m();
  petsc(VecScale(of_dofs_, m));
  join_kkt(of_dofs_, of_rows_, rhs_);
  if (!solve_iteratively(tangent_, rhs_, solution_)) return false;
  split_kkt(solution_, of_dofs_, of_rows_);
  petsc(VecScale(of_rows_, 1 / m));
  return std::isfinite(take_off(z1));
}

/// Gives back so much of the last correction d that the residual is least: r + a A d with A d = r_before - r, of_dofs_ and
/// of_rows_ being r. The configuration has hardly changed meanwhile; what it has is seen in the next residual.
void VelocityProjection::improve(PetscVec z1) {
  if (!product_of_dofs_) {
    product_of_dofs_ = system_.make_dof_vector();
    product_of_rows_ = system_.make_row_vector();
  }
  const double m = equations_.coefficients().m();
  split_kkt(rhs_, product_of_dofs_, product_of_rows_);
  petsc(VecAXPBY(product_of_dofs_, -1.0, 1 / m, of_dofs_));
  petsc(VecAXPY(product_of_rows_, -1.0, of_rows_));
  const PetscVec product[2] = {product_of_dofs_, product_of_rows_}, left[2] = {of_dofs_, of_rows_};
  double sums[2] = {equations_.product(product, left), equations_.product(product, product)};
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, system_.layout().comm);
  if (!(std::abs(sums[0]) <= most_given_back * sums[1])) return;
  const double part = -sums[0] / sums[1];
  petsc(VecAXPY(of_dofs_, part, product_of_dofs_));
  petsc(VecAXPY(of_rows_, part, product_of_rows_));
  split_kkt(solution_, product_of_dofs_, product_of_rows_);
  petsc(VecAXPY(delta_, part, product_of_dofs_));
  petsc(VecAXPY(mu_, part / m, product_of_rows_));
  petsc(VecAXPY(z1, part * equations_.coefficients().gamma * equations_.h(), product_of_dofs_));
  if (came_along_) petsc(VecAXPY(change_of_delta_, part, product_of_dofs_));
}

void VelocityProjection::take_along() {
  came_along_ = was_added_side_solved(tangent_);
  take_room();
  if (!came_along_) return;
  if (!change_of_delta_) change_of_delta_ = system_.make_dof_vector();
  split_kkt(solution_, of_dofs_, of_rows_);
  petsc(VecAXPBY(change_of_delta_, -1.0, 0.0, of_dofs_));
  petsc(VecAXPY(delta_, -1.0, of_dofs_));
  petsc(VecAXPY(mu_, -1 / equations_.coefficients().m(), of_rows_));
}

void VelocityProjection::go_along(PetscVec z1, PetscVec position) {
  is_balanced_ = false;
  momentum(nullptr, z1, of_dofs_);
  if (came_along_) improve(z1);
  knows_residual_ = true;
  {
    const double m = equations_.coefficients().m();
    VecWrite out(rhs_);
    const VecRead dofs(of_dofs_), rows(of_rows_), closed(position);
    const PetscInt n = system_.layout().num_dofs, count = system_.layout().num_rows;
    for (PetscInt i = 0; i < n; ++i) out[i] = m * dofs[i];
    for (PetscInt r = 0; r < count; ++r) out[n + r] = rows[r] - closed[r];
  }
  add_right_hand_side(tangent_, rhs_, solution_);
  has_asked_along_ = true;
}

void VelocityProjection::ask_nothing_along() {
  if (has_asked_along_) add_right_hand_side(tangent_, nullptr, nullptr);
  has_asked_along_ = false;
}

PetscVec VelocityProjection::velocities_before(PetscVec z1) {
  if (came_along_)
    petsc(VecWAXPY(of_dofs_, -equations_.coefficients().gamma * equations_.h(), change_of_delta_, z1));
  else
    petsc(VecCopy(z1, of_dofs_));
  return of_dofs_;
}

/// What may be left where `tolerance` is what a correction may be.
double VelocityProjection::leftover(double tolerance) {
  return std::max(std::min(slow_rate * tolerance, largest_leftover), noise);
}

/// Corrections with the tangent's factors, as long as the rate at which the residual shrinks says that few are needed. Of gaps
/// they leave as little as corrections with kept factors do: accelerations show what velocities do not.
bool VelocityProjection::solve_by_tangent(PetscVec zt, PetscVec lambda, PetscVec z1, double tolerance) {
  const double allowed = leftover(tolerance);
  const bool is_dear = solves_pairs(tangent_);  // a solution beside which vectors cost nothing
  is_idle_ = is_balanced_ = false;
  double last = 0;
  for (int i = 0; i <= most_by_tangent; ++i) {
    if (!knows_residual_) {
      system_.share({z1}, {mu_});
      find_residual(lambda, z1);
      if (i > 0 && is_dear) improve(z1);
    }
    knows_residual_ = false;
    const double left = excess(allowed);
    if (left <= 1) return true;
    const double rate = i > 0 ? left / last : 0;
    if (i == most_by_tangent || rate >= 1 || left * std::pow(rate, most_by_tangent - i) > 1) break;
    last = left;
    if (correct_by_tangent(z1)) {
      if (i > 0 && is_dear && rate * left <= sure_part) return true;
      continue;
    }
    petsc(VecSet(delta_, 0.0));
    petsc(VecSet(mu_, 0.0));
    petsc(VecCopy(zt, z1));
    break;
  }
  pause_ = 2 * pause_ + 1;
  paused_ = pause_;
  return false;
}

/// delta and mu anew from the gap of zt: with factors of this very configuration nothing of their prediction is needed, nor a
/// sweep to say what it leaves of the first equation. Returns the larger of delta and of its change, in velocity units.
double VelocityProjection::determine(PetscVec zt, PetscVec z1, double tolerance) {
  // By iterations, as well as the rest of the step needs it, if delta is about as large as it was last time.
  if (size_ > 0) factors_.aim_for(std::max(slow_rate * leftover(tolerance) / size_, noise));
  is_idle_ = false;
  const double gh = equations_.coefficients().gamma * equations_.h();
  system_.share({zt}, {});
  system_.constraints(equations_.stage(zt, nullptr), nullptr, of_rows_);
  petsc(VecScale(of_rows_, -1 / gh));
  petsc(VecSet(of_dofs_, 0.0));
  join_kkt(of_dofs_, of_rows_, rhs_);
  if (!factors_.solve(rhs_, solution_)) return std::numeric_limits<double>::infinity();
  petsc(VecCopy(delta_, of_dofs_));
  split_kkt(solution_, delta_, mu_);
  petsc(VecWAXPY(z1, gh, delta_, zt));
  petsc(VecAXPY(of_dofs_, -1.0, delta_));
  is_balanced_ = true;
  Reduction sizes(system_.layout().comm);
  const std::size_t moved = sizes.largest(equations_.velocity_measure(of_dofs_));
  const std::size_t size = sizes.largest(equations_.velocity_measure(delta_));
  sizes.share();
  moved_ = sizes[moved];
  size_ = sizes[size];
  return std::max(moved_, size_);
}

/// Not where constraints are redundant, see `ProjectionFactors::may_lag`.
bool VelocityProjection::may_ask_tangent() const {
  return asks_tangent_ && !is_of_this_step_ && paused_ == 0 && !system_.has_redundancy();
}

/// Where mu is not determined anew it comes from that of the last steps: what makes no force is not to go on in it either.
bool VelocityProjection::solve(PetscVec zt, PetscVec lambda, PetscVec z1, double tolerance) {
  take_room();
  const bool is_found = find(zt, lambda, z1, tolerance);
  leave_room();
  if (is_found && system_.reads_multipliers() && factors_of_end() != nullptr) factors_.take_out_undetermined(mu_);
  return is_found;
}

/// Factors of this step's first configuration, where delta has followed Newton's method from there, serve to its end.
bool VelocityProjection::find(PetscVec zt, PetscVec lambda, PetscVec z1, double tolerance) {
  moved_ = 0;
  ask_nothing_along();
  petsc(VecWAXPY(z1, equations_.coefficients().gamma * equations_.h(), delta_, zt));
  if (is_idle_ && is_met_by(z1)) return true;
  if (may_ask_tangent() && solve_by_tangent(zt, lambda, z1, tolerance)) return true;
  knows_residual_ = came_along_ = false;
  factors_.keep();
  if (!factors_.may_lag() && (!is_of_this_step_ || system_.has_redundancy())) assemble(lambda, z1);
  double last = 0, last_imbalance = 0;
  for (int i = 0; i < max_corrections; ++i) {
    const bool is_exact = factors_.are_exact() && i == 0 && !system_.reads_multipliers(), is_kept = factors_.are_kept();
    const double correction = is_exact ? determine(zt, z1, tolerance) : correct(lambda, z1);
    if (!std::isfinite(correction)) return false;
    const bool is_balanced = !is_kept || leaves_balance(std::max(tolerance, noise), last_imbalance);
    const bool is_met = correction <= std::max(tolerance, noise) || factors_.remaining_part() * correction <= tolerance;
    if (is_met && is_balanced) return true;
    const bool is_slow = (!is_met && correction > slow_rate * last) || (!is_balanced && imbalance_ > slow_rate * last_imbalance);
    if (i > 0 && is_kept && is_slow) {
      assemble(lambda, z1);
      factors_.forbid_lag();
    }
    last = correction;
    last_imbalance = imbalance_;
  }
  return false;
}

void VelocityProjection::follow(PetscVec lambda, PetscVec z1) {
  if (!factors_.may_lag() && !is_of_this_step_) assemble(lambda, z1);
  is_of_this_step_ = true;
  take_room();
  correct(lambda, z1);
  leave_room();
}

void VelocityProjection::add_forces(PetscVec lambda, PetscVec z1, PetscVec Ma, PetscVec f) {
  const AlphaCoefficients& c = equations_.coefficients();
  const VectorPool::Loan M_delta = equations_.dof_room().borrow();
  equations_.mass_times(delta_, M_delta);
  petsc(VecAXPY(Ma, 1.0, M_delta));
  if (is_balanced_) {
    petsc(VecAXPY(f, c.m() / c.th(), M_delta));
    return;
  }
  const VectorPool::Loan mu = equations_.row_room().borrow(), change = equations_.dof_room().borrow();
  multiplier_change(mu);
  system_.force_change(equations_.stage(z1, lambda), mu, change);
  petsc(VecAXPY(f, 1.0, change));
}

void VelocityProjection::multiplier_change(PetscVec mu) const {
  const AlphaCoefficients& c = equations_.coefficients();
  petsc(VecAXPBY(mu, c.m() / c.th(), 0.0, mu_));
}

}  // namespace sinew
