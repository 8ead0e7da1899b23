#include "integrate/stage_equations.hpp"

#include "linear/matrix_rows.hpp"
#include "system/switch_board.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace sinew {

namespace {

/// h the step, hp the one before.
double gamma_of(StateRule rule, double gamma, double h, double hp) {
  switch (rule) {
    case StateRule::bdf2: return (h + hp) / (2 * h + hp);
    case StateRule::trapezoid: return 0.5;
    case StateRule::gamma: return gamma;
    case StateRule::euler: return 1.0;
  }
  return 1.0;
}

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// What takes a thousandth of a step to follow has followed.
constexpr double fast = 1000;
/// While steps grow by no more than this the rule of two steps for first-order states is stable (Hairer, Norsett, Wanner, Solving
/// ODEs I, III.5).
constexpr double most_state_growth = 1 + std::numbers::sqrt2;
}  // namespace

StageEquations::StageEquations(const DynamicSystem& system, const AlphaCoefficients& c, StateRule rule)
    : system_(system),
      c_(c),
      states_(system),
      mass_varies_(system.mass_varies()),
      rule_(rule),
      state_gamma_(gamma_of(rule, c.gamma, 1, 1)),
      q1_(system.make_configuration()),
      w_(system.make_dof_vector()),
      scales_(system, states_),
      dof_room_([this] { return system_.make_dof_vector(); }),
      row_room_([this] { return system_.make_row_vector(); }),
      kkt_room_([this] { return make_kkt_vector(system_.layout()); }) {
  if (mass_varies_) q_mass_ = system.make_configuration();
}

void StageEquations::begin(const State& state, double h, PetscVec aA, PetscVec MaA) {
  state_ = &state;
  h_ = h;
  t0_ = state.t;
  t1_ = state.t + h;
  aA_ = aA;
  MaA_ = MaA;
  state_gamma_ = gamma_of(rule_, c_.gamma, h, state.h_old);
  if (states_have_two_steps() && !state_has_past(state, h)) state_gamma_ = state.h_old == 0 ? first_state_gamma_ : 0.5;
  if (mass_varies_) {
    t_mass_ = t0_ + (1 + c_.al) * h;
    petsc(VecAXPBY(w_, (1 + c_.al) * h, 0.0, state.z));
    system_.retract(state.q, w_, q_mass_);
  }
  states_.see(state.z);
  scales_.begin(state, h);
}

void StageEquations::begin(const State& state, const MultistepBase& base) {
  if (!tangent_increment_) tangent_increment_ = system_.make_dof_vector();
  state_ = &state;
  base_ = base;
  h_ = base.h;
  t0_ = state.t;
  t1_ = t_mass_ = state.t + base.h;
  c_ = newmark_coefficients(base.b * base.b / (base.h * base.h), base.b / base.h);
  state_gamma_ = c_.gamma;
  aA_ = state.a;
  MaA_ = state.Ma;
  if (mass_varies_) Kokkos::deep_copy(q_mass_.values, base.predicted->values);
  states_.see(state.z);
  scales_.begin(state, h_);
}

bool StageEquations::state_has_past(const State& s, double h) { return s.h_old > 0 && h <= most_state_growth * s.h_old; }

void StageEquations::old_rates(const State& s, double h, PetscVec aA) const {
  if (!states_.exist()) return;
  const double now = states_have_two_steps() && state_has_past(s, h) ? s.gs_old : 1.0;
  const VecRead rate(s.a), older(s.a_used);
  VecWrite out(aA);
  for (const PetscInt i : states_.dofs()) out[i] = now * rate[i] + (1 - now) * older[i];
}

void StageEquations::persist(Archive& archive) {
  const Archive::Part part(archive, "equations");
  scales_.persist(archive);
  states_.persist(archive);
  archive.pass("state_gamma", state_gamma_);
  archive.pass("first_state_gamma", first_state_gamma_);
}

double StageEquations::least_displacement(PetscVec v) const {
  const VectorPool::Loan relative = dof_room_.borrow();
  petsc(VecPointwiseMult(relative, v, scales_.inverse_sizes()));
  states_.set(relative, std::numeric_limits<double>::max());
  double least = 0;
  petsc(VecMin(relative, nullptr, &least));
  return least / scales_.length();
}

double StageEquations::effect_of_acceleration() const {
  return std::max(c_.gamma * h_ / scales_.rate(), c_.beta * h_ * h_ / scales_.length());
}

double StageEquations::imbalance(PetscVec momentum) const {
  if (!scales_.has_mobilities()) return std::numeric_limits<double>::infinity();
  return scales_.largest_acceleration(momentum) / c_.m() * effect_of_acceleration();
}

double StageEquations::gap(PetscVec rows, bool all_at_velocity_level) const {
  if (!scales_.has_mobilities()) return std::numeric_limits<double>::infinity();
  const double noise = scales_.position_rounding() * position_scale();
  return scales_.largest_gap(rows, all_at_velocity_level, noise) * effect_of_acceleration();
}

Remainder StageEquations::remainder(PetscVec momentum, PetscVec rows, bool all_at_velocity_level) const {
  Remainder left;
  if (!scales_.has_mobilities()) return left;
  const double forces = imbalance(momentum);
  left.gaps = gap(rows, all_at_velocity_level);
  if (!states_.exist()) left.correction = std::max(forces, left.gaps);
  if (scales_.has_rows() || slides()) left.forces = forces;
  return left;
}

double StageEquations::product(const PetscVec (&a)[2], const PetscVec (&b)[2]) const {
  const StepScales::Products sums = scales_.products(a, b);
  return sums.forces / (c_.m() * c_.m()) + sums.gaps;
}

double StageEquations::rate_of_position_rounding() const {
  return scales_.position_rounding() * scales_.length() * c_.gamma / (c_.beta * h_ * scales_.rate());
}

bool StageEquations::is_rounding_at_rest(PetscVec momentum) const {
  return scales_.has_mobilities() &&
         c_.gamma * h_ * of_all(scales_.largest_acceleration(momentum)) / c_.m() <= scales_.rest_rate();
}

void StageEquations::take_out_rounding(PetscVec z, PetscVec lambda, PetscVec momentum) const {
  const MatHandle stiffness = system_.make_tangent_matrix();
  system_.assemble_tangent(stage(z, lambda), {.q = c_.th()}, nullptr, stiffness);
  const VectorPool::Loan sizes = dof_room_.borrow(), no_rows = row_room_.borrow(), all = kkt_room_.borrow();
  petsc(VecCopy(scales_.inverse_sizes(), sizes));
  petsc(VecReciprocal(sizes));  // leaves zeros alone
  petsc(VecSet(no_rows, 0.0));
  join_kkt(sizes, no_rows, all);
  const auto take_out = [&](PetscMat tangent, double rounding) {
    const VecHandle moved = absolute_product(tangent, all);
    split_kkt(moved, sizes, no_rows);
    const VecRead by_unit(sizes);
    VecWrite left(momentum);
    for (PetscInt i = 0; i < system_.layout().num_dofs; ++i)
      left[i] = std::copysign(std::max(0.0, std::abs(left[i]) - rounding * by_unit[i]), left[i]);
  };
  take_out(stiffness, scales_.gap_rounding());
  if (!slides()) return;
  // what holds a switch that slides is steep enough to show the last digits of the velocities
  system_.assemble_tangent(stage(z, lambda), {.v = c_.th()}, nullptr, stiffness);
  petsc(VecCopy(z, sizes));
  petsc(VecSet(no_rows, 0.0));
  join_kkt(sizes, no_rows, all);
  petsc(VecAbs(all));
  take_out(stiffness, StepScales::roundings * epsilon);
}

bool StageEquations::holds_fast() const { return slides() && system_.switches()->holding_rate() * h_ > fast; }

bool StageEquations::slides() const {
  const SwitchBoard* switches = system_.switches();
  return switches && switches->is_sliding();
}

Rounding StageEquations::rounding(PetscVec z, PetscVec lambda) const {
  Rounding left;
  left.positions = StepScales::roundings * rate_of_position_rounding();
  if (!scales_.has_mobilities()) return left;
  const VectorPool::Loan work = dof_room_.borrow();
  system_.force_magnitudes(stage(z, lambda), work);
  left.forces = StepScales::roundings * epsilon * c_.gamma * h_ * of_all(scales_.largest_acceleration(work)) / scales_.rate();
  return left;
}

/// |J| d over the diagonal of J, the tangent of the step, with d the accelerations that rounding of places asks for, and the
/// rates that make the last digits of states.
double StageEquations::state_rounding(PetscVec z, PetscVec lambda) const {
  const MatHandle tangent = system_.make_tangent_matrix();
  system_.assemble_tangent(stage(z, lambda), tangent_shift(), increment(), tangent);
  const VectorPool::Loan changes = dof_room_.borrow(), no_rows = row_room_.borrow(), all = kkt_room_.borrow();
  petsc(VecCopy(scales_.inverse_sizes(), changes));
  petsc(VecReciprocal(changes));  // leaves zeros alone
  petsc(VecScale(changes, scales_.gap_rounding() * scales_.length() * position_scale()));
  {
    VecWrite change(changes);
    for (std::size_t k = 0; k < states_.dofs().size(); ++k)
      change[states_.dofs()[k]] = StepScales::roundings * epsilon * states_.size(k) / (state_gamma_ * h_);
  }
  petsc(VecSet(no_rows, 0.0));
  join_kkt(changes, no_rows, all);
  const VecHandle moved = absolute_product(tangent, all);
  petsc(MatGetDiagonal(tangent, all));
  petsc(VecPointwiseDivide(moved, moved, all));  // 0 where the diagonal is
  split_kkt(moved, changes, no_rows);
  return of_all(state_measure(changes));
}

void StageEquations::kinematics(PetscVec at, PetscVec zt) {
  advance(at, zt);
  move(zt);
}

void StageEquations::move(PetscVec zt) {
  system_.retract(state_->q, w_, q1_);
  scales_.see_speed(zt);
}

void StageEquations::advance(PetscVec at, PetscVec zt) {
  if (base_.w) {
    petsc(VecWAXPY(zt, base_.b, at, base_.z));
    system_.chart_step(base_.w, base_.b, zt, w_);
    petsc(VecCopy(zt, tangent_increment_));
    petsc(VecScale(tangent_increment_, base_.b));
    return;
  }
  const double from_aA = h_ * h_ * (0.5 - c_.beta), from_at = h_ * h_ * c_.beta;
  const double rate_from_aA = h_ * (1 - c_.gamma), rate_from_at = h_ * c_.gamma;
  const VecRead z0(state_->z), aA(aA_), a(at);
  VecWrite w(w_), z(zt);
  const PetscInt count = system_.layout().num_dofs;
  {  // one pass: long vectors come from memory
    const double *of_z0 = z0.data(), *of_aA = aA.data(), *of_at = a.data();
    double *to_w = w.data(), *to_z = z.data();
    for (PetscInt i = 0; i < count; ++i) {
      to_w[i] = h_ * of_z0[i] + from_aA * of_aA[i] + from_at * of_at[i];
      to_z[i] = of_z0[i] + rate_from_aA * of_aA[i] + rate_from_at * of_at[i];
    }
  }
  for (const PetscInt i : states_.dofs()) z[i] = z0[i] + h_ * ((1 - state_gamma_) * aA[i] + state_gamma_ * a[i]);
}

/// With w = h z0 + h^2 (1/2 - beta) aA + h^2 beta at of the last `kinematics`.
void StageEquations::add_position_correction(PetscVec a1, PetscVec e) const {
  petsc(VecAXPBYPCZ(e, h_, -1.0, 1.0, state_->z, w_));
  petsc(VecAXPBYPCZ(e, h_ * h_ * (0.5 - c_.beta), h_ * h_ * c_.beta, 1.0, aA_, a1));
}

void StageEquations::add_velocity_change(PetscVec da, PetscVec z) const {
  petsc(VecAXPY(z, c_.gamma * h_, da));
  if (!states_.exist()) return;
  const VecRead change(da);
  VecWrite out(z);
  for (const PetscInt i : states_.dofs()) out[i] += (state_gamma_ - c_.gamma) * h_ * change[i];
}

TangentShift StageEquations::tangent_shift() const {
  TangentShift shift;
  shift.q = c_.th() * c_.beta * h_ * h_;
  shift.v = c_.th() * c_.gamma * h_;
  shift.a = c_.m();
  shift.velocity_row_q = c_.beta * h_ / c_.gamma;
  shift.state_v = state_gamma_ / c_.gamma;
  shift.state_a = c_.th() / c_.m();
  return shift;
}

void StageEquations::mass_times(PetscVec v, PetscVec out) const {
  const Stage stage{t_mass_, mass_varies_ ? &q_mass_ : &state_->q, nullptr, nullptr};
  system_.mass_times(stage, v, out);
}

void StageEquations::momentum(PetscVec Ma, PetscVec f, PetscVec r) const {
  const VecRead rate(Ma), force(f), old_rate(MaA_), old_force(state_->f);
  VecWrite out(r);
  const PetscInt count = system_.layout().num_dofs;
  {
    const double m = c_.m(), am = c_.am, th = c_.th(), af = c_.af;
    const double *of_Ma = rate.data(), *of_MaA = old_rate.data(), *of_f = force.data(), *of_f0 = old_force.data();
    double* to = out.data();
    for (PetscInt i = 0; i < count; ++i) to[i] = m * of_Ma[i] + am * of_MaA[i] - th * of_f[i] - af * of_f0[i];
  }
  for (const PetscInt i : states_.dofs()) out[i] = c_.th() * (rate[i] - force[i]);
}

double StageEquations::displacement_measure(PetscVec d_at) const {
  return c_.beta * h_ * h_ * scales_.largest(d_at) / scales_.length();
}

double StageEquations::velocity_measure(PetscVec d_a1) const { return c_.gamma * h_ * scales_.largest(d_a1) / scales_.rate(); }

Correction StageEquations::change(PetscVec d) const {
  const double size = scales_.largest(d);
  return {std::max(c_.beta * h_ * h_ * size / scales_.length(), c_.gamma * h_ * size / scales_.rate()), state_measure(d)};
}

/// `velocity` may be null where no row is at velocity level.
void StageEquations::scale_rows(PetscVec position, PetscVec velocity, bool all_at_velocity_level) const {
  const auto& is_velocity = system_.layout().row_is_velocity;
  VecWrite g(position);
  std::optional<VecRead> of_velocities;
  const double* k = velocity ? of_velocities.emplace(velocity).data() : nullptr;
  for (std::size_t r = 0; r < is_velocity.size(); ++r) {
    const auto i = static_cast<PetscInt>(r);
    g[i] = all_at_velocity_level || is_velocity[r] ? k[i] * velocity_scale() : g[i] * position_scale();
  }
}

void StageEquations::leave_rounding(PetscVec rows) const {
  const auto& is_velocity = system_.layout().row_is_velocity;
  const std::vector<double>& sizes = scales_.row_sizes();
  const double noise = scales_.gap_rounding() * position_scale();
  VecWrite gap(rows);
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    const auto i = static_cast<PetscInt>(r);
    if (!is_velocity[r] && std::abs(gap[i]) <= noise * sizes[r]) gap[i] = 0;
  }
}

}  // namespace sinew
